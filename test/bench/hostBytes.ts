import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { decode } from '../../src/core/decode/decode.ts';
import { decodeResponseBody } from '../../src/service/client/readResponse.ts';
import { ResponseStore, type StoredResponse } from '../../src/service/client/responseStore.ts';
import type { Frame } from '../../src/shared/frame.ts';
import { realClock as clock } from '../support/realClock.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { createHoursBody } from './hoursBody.ts';

/** The parts of a response that the extension host keeps while it is displayed: its rows, and access to the stored text. */
interface DisplayedResponse {
  readonly frame: Frame | undefined;
  readonly response: StoredResponse;
}

/** Returns the bytes of heap and buffers of this process after a garbage collection. */
export async function measureUsedBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let run = 0; run < 3; run++) {
    // Buffers are released only in the turn after their last use.
    await new Promise(resolve => setTimeout(resolve, 20));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Measures the bytes that a response adds to the extension host while it is displayed. */
export async function measureResponseBytes(rowCount: number, start: number): Promise<number> {
  const folder = createTemporaryFolder();
  const logger = { warn: (line: string) => console.warn(line) };
  const store = new ResponseStore({ folder, newId: () => 'response', logger, clock });
  const bytesBefore = await measureUsedBytes();
  const held = receiveResponse(rowCount, start, store);
  // Reading the text waits until it is written.
  await held.response.readText();
  const bytesAfter = await measureUsedBytes();
  await held.response.dispose();
  return held.frame ? bytesAfter - bytesBefore : 0;
}

function receiveResponse(rowCount: number, start: number, store: ResponseStore): DisplayedResponse {
  const body = decodeResponseBody(Buffer.from(createHoursBody(rowCount, start)), 'not-a-real-key');
  if (!body.ok) throw new Error(body.why);
  return { frame: decode([body.value]).frame, response: store.store([Buffer.from(body.text)]) };
}
