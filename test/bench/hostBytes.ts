import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { decode } from '../../src/core/decode/decode.ts';
import { decodeBody } from '../../src/service/decodeBody.ts';
import { hoursBody } from './hoursBody.ts';

/** What the host holds of an answer once it is shown. */
export interface HostBytes {
  /** Bytes of the rows, and of the rows with the text of the response, which the raw view and the JSON export show. */
  readonly rows: number;
  readonly withText: number;
}

/** Heap and buffers after a collection, with the answer kept and without. */
export function hostBytes(rowCount: number, start: number): HostBytes {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = (): number => {
    for (let run = 0; run < 3; run++) collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const grown = (make: () => unknown): number => {
    const before = held();
    const kept = [make()];
    const after = held();
    return kept.length > 0 ? after - before : 0;
  };
  const withText = grown(() => received(rowCount, start));
  return { rows: grown(() => received(rowCount, start).frame), withText };
}

function received(rowCount: number, start: number): { readonly frame: unknown; readonly text: string } {
  const body = decodeBody(Buffer.from(hoursBody(rowCount, start)), 'not-a-real-key');
  if (!body.ok) throw new Error(body.why);
  return { frame: decode([body.value]).frame, text: body.text };
}
