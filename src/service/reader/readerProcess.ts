import { fork, type ChildProcess } from 'node:child_process';
import { extname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { replaceTexts, type Frame } from '../../shared/frame.ts';
import { MessageParser, writeMessage } from './messageStream.ts';
import type { ReaderJob, ReaderReply, ReaderTexts, FileReadTable } from './readerJobs.ts';

/** The limits of a reader process. The defaults are `readerLimits`. */
export interface ReaderLimits {
  /** The maximum duration of a job. */
  readonly seconds: number;
  /** The maximum size of the JavaScript heap; `residentMb` limits the whole memory of the process. */
  readonly heapMb: number;
  readonly residentMb: number;
  /** The maximum time without a memory report. */
  readonly maxSilentSeconds: number;
  /** How long an idle reader is retained. */
  readonly idleSeconds: number;
}

/**
 * The default limits. The largest table needs less: a text of 100 MB with 32 million cells, or 64 MB of JSON. Malicious data that needs more
 * ends its reader, but not the window.
 */
export const readerLimits: ReaderLimits = {
  seconds: 30,
  heapMb: 2_048,
  residentMb: 3_072,
  maxSilentSeconds: 10,
  idleSeconds: 60,
};

/** The maximum memory after a job with which a reader is reused. */
const maxReusableMb = 300;

/** The reason why a reader ended before it replied. */
export type ReaderEndReason = 'memory' | 'time' | 'start';

export class ReaderEndedError extends Error {
  override readonly name = 'ReaderEndedError';
  readonly reason: ReaderEndReason;

  constructor(reason: ReaderEndReason) {
    super(reason);
    this.reason = reason;
  }
}

/** The entry point of the reader, next to this file in the sources and in the build. */
const readerFile = join(import.meta.dirname, `readerMain${extname(import.meta.filename)}`);

/**
 * Runs jobs in reader processes, which are started on demand, ended when idle, and killed when they exceed the limits. Concurrent jobs have
 * separate processes.
 */
export class ReaderProcesses {
  readonly #file: string;
  readonly #limits: ReaderLimits;
  #idle: Reader | undefined;

  /** `file`: the entry point of the process. */
  constructor(limits: Partial<ReaderLimits> = {}, file = readerFile) {
    this.#file = file;
    this.#limits = { ...readerLimits, ...limits };
  }

  /**
   * Runs a job and returns its reply. Throws the signal's reason once it is aborted, and ReaderEndedError; both end the process. `onHead`: called
   * with the first rows of a file if the others take longer.
   */
  async run(job: ReaderJob, { signal, onHead }: JobOptions = {}): Promise<ReaderReply> {
    signal?.throwIfAborted();
    const reader = this.#idle ?? new Reader(this.#file, this.#limits);
    this.#idle = undefined;
    const reply = await reader.run(job, signal, onHead);
    if (reader.residentMb > maxReusableMb) reader.end();
    else this.#retain(reader);
    return reply;
  }

  /** Starts a process for an expected job, unless one is idle. */
  prepare(): void {
    if (!this.#idle) this.#retain(new Reader(this.#file, this.#limits));
  }

  /** Ends the idle process. */
  dispose(): void {
    this.#idle?.end();
    this.#idle = undefined;
  }

  #retain(reader: Reader): void {
    // Another job may have ended meanwhile.
    this.#idle?.end();
    this.#idle = reader;
    reader.waitForNextJob(this.#limits.idleSeconds, () => {
      if (this.#idle === reader) this.#idle = undefined;
    });
  }
}

interface JobOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onHead?: ((table: FileReadTable) => void) | undefined;
}

class Reader {
  readonly #process: ChildProcess;
  readonly #limits: ReaderLimits;
  #texts = new Map<number, string[]>();
  #onReply: (reply: ReaderReply) => void = () => undefined;
  #onEnd: (reason: ReaderEndReason) => void = () => undefined;
  #silentSeconds = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  residentMb = 0;

  constructor(file: string, limits: ReaderLimits) {
    this.#limits = limits;
    // ELECTRON_RUN_AS_NODE makes Electron run as Node. Flags of this process are not inherited, since some open a debugger port.
    this.#process = fork(file, [], {
      execArgv: [`--max-old-space-size=${limits.heapMb}`],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    });
    const { stdin, stdout, stderr } = this.#process;
    const parser = new MessageParser(message => this.#handleMessage(message as ReaderReply | ReaderTexts));
    stdout?.on('data', (chunk: Buffer) => parser.push(chunk));
    stderr?.on('data', (chunk: Buffer) => this.#handleMemoryReport(chunk.toString('latin1')));
    // The process has ended, which 'exit' reports.
    stdin?.on('error', () => undefined);
    this.#process.on('error', () => this.#onEnd('start'));
    this.#process.on('exit', () => this.#onEnd('memory'));
    // An idle reader does not keep this process running.
    this.#process.channel?.unref();
    this.#keepAlive(false);
  }

  async run(job: ReaderJob, signal: AbortSignal | undefined, onHead: JobOptions['onHead']): Promise<ReaderReply> {
    clearTimeout(this.#idleTimer);
    this.#keepAlive(true);
    this.#silentSeconds = 0;
    let seconds = 0;
    let timer: NodeJS.Timeout | undefined;
    const abort = new AbortController();
    try {
      return await new Promise<ReaderReply>((resolve, reject) => {
        const end = (reason: ReaderEndReason): void => reject(new ReaderEndedError(reason));
        this.#onEnd = end;
        this.#onReply = reply => (reply.kind === 'head' ? onHead?.(addFrame(reply)) : resolve(reply));
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { signal: abort.signal });
        // Only seconds in which this process ran are counted, so that sleep does not end a reader.
        timer = setInterval(() => {
          if (++seconds >= this.#limits.seconds) end('time');
          else if (++this.#silentSeconds >= this.#limits.maxSilentSeconds) end('memory');
        }, 1_000);
        if (this.#process.stdin) void writeMessage(this.#process.stdin, job);
        else end('start');
      });
    } catch (error) {
      this.end();
      throw error;
    } finally {
      clearInterval(timer);
      abort.abort();
      this.#keepAlive(false);
      this.#onEnd = () => undefined;
    }
  }

  /** Waits for the next job. After `seconds`, or when the process ends, calls `onEnd`. */
  waitForNextJob(seconds: number, onEnd: () => void): void {
    this.#onEnd = onEnd;
    this.#idleTimer = setTimeout(() => {
      onEnd();
      this.end();
    }, seconds * 1_000).unref();
  }

  end(): void {
    clearTimeout(this.#idleTimer);
    this.#process.kill('SIGKILL');
  }

  #handleMessage(message: ReaderReply | ReaderTexts): void {
    if (message.kind === 'texts') {
      const entries = this.#texts.get(message.column) ?? [];
      for (const text of message.entries) entries.push(text);
      this.#texts.set(message.column, entries);
      return;
    }
    const { frame } = message;
    const texts = this.#texts;
    this.#texts = new Map();
    this.#onReply({ ...message, ...(frame && { frame: restoreTexts(frame, texts) }) });
  }

  #handleMemoryReport(text: string): void {
    const [, bytes] = /.*rss (\d+)\n/s.exec(text) ?? [];
    if (bytes === undefined) return;
    this.#silentSeconds = 0;
    this.residentMb = Number(bytes) / 2 ** 20;
    if (this.residentMb > this.#limits.residentMb) this.#onEnd('memory');
  }

  /** Sets whether the reader keeps this process running. */
  #keepAlive(keepsAlive: boolean): void {
    const { stdin, stdout, stderr } = this.#process;
    const parts = [this.#process, stdin, stdout, stderr] as readonly (Handle | null)[];
    for (const part of parts)
      if (keepsAlive) part?.ref?.();
      else part?.unref?.();
  }
}

type Handle = Partial<Pick<ChildProcess, 'ref' | 'unref'>> & object & Partial<Readable | Writable>;

function restoreTexts(frame: Frame, texts: ReadonlyMap<number, readonly string[]>): Frame {
  return { ...frame, columns: frame.columns.map((column, index) => replaceTexts(column, texts.get(index) ?? [])) };
}

/** Adds the rows to the head of a file. */
function addFrame({ fileTable, frame }: ReaderReply & { readonly kind: 'head' }): FileReadTable {
  return { ...fileTable, result: { ...fileTable.result, frame } };
}
