import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { decode } from '../../src/core/decode/decode.ts';
import { decodeBody } from '../../src/service/client/readResponse.ts';
import { ResponseStore, type StoredResponse } from '../../src/service/client/responseStore.ts';
import type { Frame } from '../../src/shared/frame.ts';
import { realClock as clock } from '../support/realClock.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { hoursBody } from './hoursBody.ts';

/** What the host holds of an answer once it is shown: its rows, and the way to the text they came in. */
interface Held {
  readonly frame: Frame | undefined;
  readonly response: StoredResponse;
}

/** Bytes of heap and buffers of this process after a collection. */
export async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let run = 0; run < 3; run++) {
    // Buffers are let go of after the turn in which their last reader ended.
    await new Promise(resolve => setTimeout(resolve, 20));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What an answer adds to the host while it is kept. */
export async function hostBytes(rowCount: number, start: number): Promise<number> {
  const folder = temporaryFolder();
  const logger = { warn: (line: string) => console.warn(line) };
  const store = new ResponseStore({ folder, newId: () => 'response', logger, clock });
  const before = await heldBytes();
  const held = received(rowCount, start, store);
  // Once it can be read it has been written.
  await held.response.readText();
  const after = await heldBytes();
  await held.response.dispose();
  return held.frame ? after - before : 0;
}

function received(rowCount: number, start: number, store: ResponseStore): Held {
  const body = decodeBody(Buffer.from(hoursBody(rowCount, start)), 'not-a-real-key');
  if (!body.ok) throw new Error(body.why);
  return { frame: decode([body.value]).frame, response: store.store([Buffer.from(body.text)]) };
}
