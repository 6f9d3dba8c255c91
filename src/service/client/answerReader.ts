import { once } from 'node:events';
import { extname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { parseMeta } from '../../core/query/serviceMeta.ts';
import { abortError } from '../pausedSteps.ts';
import type { ReadJob, ReadReply } from './answerWorker.ts';
import { readAnswer, type ReadAnswer } from './readAnswer.ts';

/**
 * Bodies of so many bytes together are read at once where they are a table of so few cells: the worst of them hold this thread no longer
 * than a frame or two. A name of its own in each of a few thousand rows makes millions of cells of them.
 */
const [fewBytes, fewCells] = [32 * 1024, 100_000];
/** Bytes that are copied in one go: a millisecond or two. */
const copied = 4 * 2 ** 20;
/** A thread that has read more is not kept for the next answer: it keeps the memory. */
const mostKept = 8 * 2 ** 20;
/** What the objects of 64 MB of JSON take, unless they are meant to take more. */
const maxOldGenerationSizeMb = 2_048;

/** Beside this file, in the sources as in the build. */
const workerFile = join(import.meta.dirname, `answerWorker${extname(import.meta.filename)}`);

/**
 * Reads answers, long ones in a thread of their own: JSON.parse of a year takes this one longer than a person waits for a key to
 * show. The thread stays for the next answer; each answer that comes beside another has its own.
 */
export class AnswerReader {
  readonly #file: string;
  #idle: Worker | undefined;

  /** `file`: what the thread runs. */
  constructor(file = workerFile) {
    this.#file = file;
  }

  /** Throws the signal's reason where it is aborted first. */
  async read(bodies: readonly Uint8Array[], key: string, signal?: AbortSignal): Promise<ReadAnswer> {
    const bytes = bodies.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const readHere = bytes <= fewBytes ? readAnswer(bodies, key, fewCells) : undefined;
    if (readHere && !(readHere.ok && readHere.decoded.problem === 'tooManyCells')) return readHere;
    const copies = await copiesOf(bodies, signal);
    const worker = this.#take();
    if (!worker) return readAnswer(bodies, key);
    let isGood = false;
    try {
      const reply = await replyOf(worker, { bodies: copies, key }, signal);
      // It did not come up: where no thread can run, this one reads.
      if (!reply) return readAnswer(bodies, key);
      isGood = bytes <= mostKept;
      if (reply.kind === 'error') throw reply.error;
      const { answer } = reply;
      return answer.ok ? { ...answer, decoded: { ...answer.decoded, meta: parseMeta(reply.meta) } } : answer;
    } catch (error) {
      if (signal?.aborted) throw abortError(signal);
      if (!isOutOfMemory(error)) throw error;
      return { ok: true, decoded: { frame: undefined, problem: 'tooLarge', meta: {} }, next: null };
    } finally {
      if (isGood) this.#keep(worker);
      else await worker.terminate();
    }
  }

  /** Ends the thread that waits. */
  async dispose(): Promise<void> {
    const idle = this.#idle;
    this.#idle = undefined;
    await idle?.terminate();
  }

  #take(): Worker | undefined {
    const idle = this.#idle;
    this.#idle = undefined;
    if (idle) return idle;
    try {
      // Without the flags of this process: some are refused in a thread, others open a debugger's port again.
      const worker = new Worker(this.#file, { execArgv: [], env: {}, resourceLimits: { maxOldGenerationSizeMb } });
      // One that ends while it waits would never answer.
      const forget = (): void => {
        if (this.#idle === worker) this.#idle = undefined;
      };
      return worker.on('error', forget).on('exit', forget);
    } catch {
      return undefined;
    }
  }

  #keep(worker: Worker): void {
    // A process that has nothing else to do ends.
    worker.unref();
    if (this.#idle) void worker.terminate();
    // One that has ended since it answered, as its id of -1 says, would never answer again.
    else if (worker.threadId !== -1) this.#idle = worker;
  }
}

/** To be given away, which takes no time: posted as they are, 64 MB are copied in one go. */
async function copiesOf(bodies: readonly Uint8Array[], signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>[]> {
  const copies: Uint8Array<ArrayBuffer>[] = [];
  for (const body of bodies) {
    const copy = new Uint8Array(body.byteLength);
    copies.push(copy);
    for (let at = 0; at < body.byteLength; at += copied) {
      copy.set(body.subarray(at, at + copied), at);
      await setImmediate();
      if (signal?.aborted) throw abortError(signal);
    }
  }
  return copies;
}

/** Undefined where the thread ended without a word. Rejects with what ended it otherwise. */
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
    // Such as a file that is not there.
    return undefined;
  } finally {
    settled.abort();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
