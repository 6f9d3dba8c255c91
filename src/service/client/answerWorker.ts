import { parentPort } from 'node:worker_threads';
import { jsonText } from '../../core/json/json.ts';
import { columnBuffers } from '../../shared/frame.ts';
import { readAnswer, type ReadAnswer } from './readAnswer.ts';

/** The bodies of one answer, for the thread to read. */
export interface ReadJob {
  readonly bodies: readonly Uint8Array[];
  readonly key: string;
}

/** What the thread read. An exact number would arrive as another object: the envelope is sent as its JSON text. */
export type ReadReply =
  | { readonly kind: 'read'; readonly answer: ReadAnswer; readonly meta: string }
  | { readonly kind: 'error'; readonly error: Error };

/** Reads the responses it is sent, one after the other. */
parentPort?.on('message', (job: ReadJob) => {
  const [reply, transfer] = replyTo(job);
  parentPort?.postMessage(reply, transfer);
});

function replyTo({ bodies, key }: ReadJob): readonly [ReadReply, ArrayBuffer[]] {
  try {
    const answer = readAnswer(bodies, key);
    if (!answer.ok) return [{ kind: 'read', answer, meta: '{}' }, []];
    const { decoded } = answer;
    const meta = jsonText(decoded.meta);
    const transfer = decoded.frame?.columns.flatMap(columnBuffers) ?? [];
    return [{ kind: 'read', answer: { ...answer, decoded: { ...decoded, meta: {} } }, meta }, transfer];
  } catch (error) {
    return [{ kind: 'error', error: error instanceof Error ? error : new Error(String(error)) }, []];
  }
}
