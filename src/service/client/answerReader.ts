import { once } from 'node:events';
import { extname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { parseMeta } from '../../core/query/serviceMeta.ts';
import { isOutOfMemory, startWorker } from '../worker.ts';
import type { ReadJob, ReadReply } from './answerWorker.ts';
import { readAnswer, type ReadAnswer } from './readAnswer.ts';

/**
 * Bodies of at most so many bytes and cells are read in this thread: the worst of them block it no longer than a frame or two. A
 * different field name in each of a few thousand rows would make millions of cells.
 */
const [fewBytes, fewCells] = [32 * 1024, 100_000];
/** Bytes that are copied at a time: a millisecond or two. */
const copyBytes = 4 * 2 ** 20;
/** A thread that has read more is ended, since it does not free the memory. */
const mostReusable = 8 * 2 ** 20;
/** What the objects of 64 MB of JSON take, unless the JSON was made to take more. */
const maxOldGenerationSizeMb = 2_048;

/** Beside this file, in the sources as in the build. */
const workerFile = join(import.meta.dirname, `answerWorker${extname(import.meta.filename)}`);

/**
 * Reads responses, long ones in another thread: JSON.parse of a year blocks typing noticeably. The thread is reused for the next
 * response; responses that are read at the same time have one each.
 */
export class AnswerReader {
  readonly #file: string;
  #idle: Worker | undefined;

  /** `file`: what the thread runs. */
  constructor(file = workerFile) {
    this.#file = file;
  }

  /** Throws the signal's reason once it is aborted. */
  async read(bodies: readonly Uint8Array[], key: string, signal?: AbortSignal): Promise<ReadAnswer> {
    const bytes = bodies.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const readHere = bytes <= fewBytes ? readAnswer(bodies, key, fewCells) : undefined;
    if (readHere && !(readHere.ok && readHere.decoded.problem === 'tooManyCells')) return readHere;
    const copies = await copiesOf(bodies, signal);
    const worker = this.#take();
    if (!worker) return readAnswer(bodies, key);
    let isReusable = false;
    try {
      const reply = await replyOf(worker, { bodies: copies, key }, signal);
      // The thread did not start: this one reads.
      if (!reply) return readAnswer(bodies, key);
      isReusable = bytes <= mostReusable;
      if (reply.kind === 'error') throw reply.error;
      const { answer } = reply;
      return answer.ok ? { ...answer, decoded: { ...answer.decoded, meta: parseMeta(reply.meta) } } : answer;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isOutOfMemory(error)) throw error;
      return { ok: true, decoded: { frame: undefined, problem: 'tooLarge', meta: {} }, next: null };
    } finally {
      if (isReusable) this.#keep(worker);
      else await worker.terminate();
    }
  }

  /** Ends the idle thread. */
  async dispose(): Promise<void> {
    const idle = this.#idle;
    this.#idle = undefined;
    await idle?.terminate();
  }

  #take(): Worker | undefined {
    const idle = this.#idle;
    this.#idle = undefined;
    if (idle) return idle;
    const worker = startWorker(this.#file, { resourceLimits: { maxOldGenerationSizeMb } });
    // One that ends while it is idle would never answer.
    const forget = (): void => {
      if (this.#idle === worker) this.#idle = undefined;
    };
    return worker?.on('error', forget).on('exit', forget);
  }

  #keep(worker: Worker): void {
    // An idle thread must not keep the process running.
    worker.unref();
    if (this.#idle) void worker.terminate();
    // One that has ended since it answered (its id is -1) would never answer again.
    else if (worker.threadId !== -1) this.#idle = worker;
  }
}

/** Copies that are transferred, which takes no time: without them, posting would copy 64 MB in one go. */
async function copiesOf(bodies: readonly Uint8Array[], signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>[]> {
  const copies: Uint8Array<ArrayBuffer>[] = [];
  for (const body of bodies) {
    const copy = new Uint8Array(body.byteLength);
    copies.push(copy);
    for (let at = 0; at < body.byteLength; at += copyBytes) {
      copy.set(body.subarray(at, at + copyBytes), at);
      await setImmediate();
      signal?.throwIfAborted();
    }
  }
  return copies;
}

/** Undefined where the thread ended without a reply. Rejects with what ended it otherwise. */
async function replyOf(worker: Worker, job: ReadJob, signal: AbortSignal | undefined): Promise<ReadReply | undefined> {
  const settled = new AbortController();
  const options = { signal: signal ? AbortSignal.any([signal, settled.signal]) : settled.signal };
  const ended = once(worker, 'exit', options).then(() => undefined);
  // The loser of the race is aborted.
  ended.catch(() => undefined);
  worker.ref();
  worker.postMessage(
    job,
    job.bodies.map(({ buffer }) => buffer as ArrayBuffer),
  );
  try {
    const message = once(worker, 'message', options).then(([reply]) => reply as ReadReply);
    return await Promise.race([message, ended]);
  } catch (error) {
    if (isOutOfMemory(error) || signal?.aborted) throw error;
    // The thread did not start, such as for a missing file: the caller reads by itself.
    return undefined;
  } finally {
    settled.abort();
  }
}
