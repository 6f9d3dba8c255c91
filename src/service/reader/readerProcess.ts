import { fork, type ChildProcess } from 'node:child_process';
import { extname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { withEntries, type Frame } from '../../shared/frame.ts';
import { MessageParser, writeMessage } from './messageStream.ts';
import type { ReaderJob, ReaderReply, ReaderTexts, ReadTable } from './readerJobs.ts';

/** The limits of a reader process. The defaults are `readerLimits`. */
export interface ReaderLimits {
  /** The maximum duration of a job. */
  readonly seconds: number;
  /** The maximum size of the JavaScript heap; `residentMb` limits the whole memory of the process. */
  readonly heapMb: number;
  readonly residentMb: number;
  /** The maximum time without a memory report. */
  readonly silentSeconds: number;
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
  silentSeconds: 10,
  idleSeconds: 60,
};

/** The maximum memory after a job with which a reader is reused. */
const mostReusableMb = 300;

/** The reason why a reader ended before it replied. */
export type ReaderEnd = 'memory' | 'time' | 'start';

export class ReaderEndedError extends Error {
  override readonly name = 'ReaderEndedError';
  readonly why: ReaderEnd;

  constructor(why: ReaderEnd) {
    super(why);
    this.why = why;
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
  async run(job: ReaderJob, { signal, onHead }: RunOptions = {}): Promise<ReaderReply> {
    signal?.throwIfAborted();
    const reader = this.#idle ?? new Reader(this.#file, this.#limits);
    this.#idle = undefined;
    const reply = await reader.run(job, signal, onHead);
    if (reader.residentMb > mostReusableMb) reader.end();
    else this.#keep(reader);
    return reply;
  }

  /** Starts a process for an expected job, unless one is idle. */
  prepare(): void {
    if (!this.#idle) this.#keep(new Reader(this.#file, this.#limits));
  }

  /** Ends the idle process. */
  dispose(): void {
    this.#idle?.end();
    this.#idle = undefined;
  }

  #keep(reader: Reader): void {
    // Another job may have ended meanwhile.
    this.#idle?.end();
    this.#idle = reader;
    reader.rest(this.#limits.idleSeconds, () => {
      if (this.#idle === reader) this.#idle = undefined;
    });
  }
}

interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onHead?: ((shown: ReadTable) => void) | undefined;
}

class Reader {
  readonly #process: ChildProcess;
  readonly #limits: ReaderLimits;
  #texts = new Map<number, string[]>();
  #onReply: (reply: ReaderReply) => void = () => undefined;
  #onEnd: (why: ReaderEnd) => void = () => undefined;
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
    const parser = new MessageParser(message => this.#take(message as ReaderReply | ReaderTexts));
    stdout?.on('data', (chunk: Buffer) => parser.push(chunk));
    stderr?.on('data', (chunk: Buffer) => this.#report(chunk.toString('latin1')));
    // The process has ended, which 'exit' reports.
    stdin?.on('error', () => undefined);
    this.#process.on('error', () => this.#onEnd('start'));
    this.#process.on('exit', () => this.#onEnd('memory'));
    // An idle reader does not keep this process running.
    this.#process.channel?.unref();
    this.#hold(false);
  }

  async run(job: ReaderJob, signal: AbortSignal | undefined, onHead: RunOptions['onHead']): Promise<ReaderReply> {
    clearTimeout(this.#idleTimer);
    this.#hold(true);
    this.#silentSeconds = 0;
    let seconds = 0;
    let clock: NodeJS.Timeout | undefined;
    const abort = new AbortController();
    try {
      return await new Promise<ReaderReply>((resolve, reject) => {
        const end = (why: ReaderEnd): void => reject(new ReaderEndedError(why));
        this.#onEnd = end;
        this.#onReply = reply => (reply.kind === 'head' ? onHead?.(withFrame(reply)) : resolve(reply));
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { signal: abort.signal });
        // Only seconds in which this process ran are counted, so that sleep does not end a reader.
        clock = setInterval(() => {
          if (++seconds >= this.#limits.seconds) end('time');
          else if (++this.#silentSeconds >= this.#limits.silentSeconds) end('memory');
        }, 1_000);
        if (this.#process.stdin) void writeMessage(this.#process.stdin, job);
        else end('start');
      });
    } catch (error) {
      this.end();
      throw error;
    } finally {
      clearInterval(clock);
      abort.abort();
      this.#hold(false);
      this.#onEnd = () => undefined;
    }
  }

  /** Waits for the next job. After `seconds`, or when the process ends, calls `onGone`. */
  rest(seconds: number, onGone: () => void): void {
    this.#onEnd = onGone;
    this.#idleTimer = setTimeout(() => {
      onGone();
      this.end();
    }, seconds * 1_000).unref();
  }

  end(): void {
    clearTimeout(this.#idleTimer);
    this.#process.kill('SIGKILL');
  }

  #take(message: ReaderReply | ReaderTexts): void {
    if (message.kind === 'texts') {
      const entries = this.#texts.get(message.column) ?? [];
      for (const text of message.entries) entries.push(text);
      this.#texts.set(message.column, entries);
      return;
    }
    const { frame } = message;
    const texts = this.#texts;
    this.#texts = new Map();
    this.#onReply({ ...message, ...(frame && { frame: withTexts(frame, texts) }) });
  }

  #report(text: string): void {
    const [, bytes] = /.*rss (\d+)\n/s.exec(text) ?? [];
    if (bytes === undefined) return;
    this.#silentSeconds = 0;
    this.residentMb = Number(bytes) / 2 ** 20;
    if (this.residentMb > this.#limits.residentMb) this.#onEnd('memory');
  }

  /** Sets whether the reader keeps this process running. */
  #hold(isHeld: boolean): void {
    const { stdin, stdout, stderr } = this.#process;
    const parts = [this.#process, stdin, stdout, stderr] as readonly (Handle | null)[];
    for (const part of parts)
      if (isHeld) part?.ref?.();
      else part?.unref?.();
  }
}

type Handle = Partial<Pick<ChildProcess, 'ref' | 'unref'>> & object & Partial<Readable | Writable>;

function withTexts(frame: Frame, texts: ReadonlyMap<number, readonly string[]>): Frame {
  return { ...frame, columns: frame.columns.map((column, at) => withEntries(column, texts.get(at) ?? [])) };
}

/** Adds the rows to the head of a file. */
function withFrame({ shown, frame }: ReaderReply & { readonly kind: 'head' }): ReadTable {
  return { ...shown, result: { ...shown.result, frame } };
}
