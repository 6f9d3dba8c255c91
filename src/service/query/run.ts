import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { GridError } from '../../core/errors.ts';
import type { Price } from '../../core/query/plan.ts';
import type { Result } from '../../shared/result.ts';
import type { Priority } from '../limiter/limiter.ts';
import type { RunGroup } from './runGroup.ts';

/**
 * Which archived hours are requested again: the due ones, all, or none; `missing`: only those that are over and have no row or were
 * never requested, however recently they were.
 */
export type Refresh = 'ifStale' | 'always' | 'missing' | 'never';

/** How far a run of several requests is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly refresh?: Refresh | undefined;
  /** Queries that run at the same time, this one among them: their requests are planned as one, where `refresh` is `ifStale`. */
  readonly together?: RunGroup | undefined;
  readonly priority?: Priority | undefined;
  /**
   * Which requests somebody confirms, by answering the events: `all` of a plan that has to wait and those beyond it, or only
   * those `beyondPlan`. Left out, nobody is asked: the plan is carried out, and nothing is requested beyond it.
   */
  readonly confirms?: 'all' | 'beyondPlan' | undefined;
  /** Ends the run after so many requests; the result has what came by then. */
  readonly maxRequests?: number | undefined;
  /** Emits rows before the result: `soFar` in `progress`. They take time to assemble. */
  readonly preview?: boolean | undefined;
  /** Lists the run in Recent Queries when it ends; in the background it is the last one of its query, and not listed. */
  readonly recorded?: boolean | undefined;
  /** The `entryId` of the saved query that runs, for that list. */
  readonly saved?: string | undefined;
}

/** Requests that wait for a confirmation; the first answer counts. */
interface Question {
  readonly price: Price;
  /** The id of the dataset they are for, where the query joins several. */
  readonly dataset?: string;
  readonly answer: (isAccepted: boolean) => void;
}

/** Before a plan of several requests that cannot all go now, and again where the service makes it longer than was confirmed. */
export interface Planned extends Question {
  readonly type: 'planned';
  readonly steps: { readonly kept: number; readonly expected: number };
}

/**
 * Before requests beyond the plan, for further pages or a retry, neither of which can be known before. Pages are asked about always,
 * a retry only if it has to wait.
 */
export interface MoreRequests extends Question {
  readonly type: 'moreRequests';
  /** How the request failed that would be sent again; undefined for pages. */
  readonly failed: GridError | undefined;
}

/** What happens in a run: `started` first, `done` or `failed` last. */
export type RunEvent =
  | { readonly type: 'started' }
  | Planned
  | MoreRequests
  /** A question was answered, or the run canceled before it was. */
  | { readonly type: 'answered'; readonly isAccepted: boolean }
  /** The next request (for `dataset`, where the query joins several) is sent after `ms` milliseconds, when the budget allows it, or again after it `failed`. */
  | {
      readonly type: 'waiting';
      readonly ms: number;
      readonly failed?: GridError | undefined;
      readonly dataset?: string;
    }
  /** The service refused a request with 429; it is sent once more when the service allows it. */
  | { readonly type: 'throttled' }
  /** Another window or panel requests hours of the same series: the run `waits` for it, for an unknown time, or continues. */
  | { readonly type: 'shared'; readonly waits: boolean }
  /** Between two requests: the rows so far, first those of the archive. */
  | { readonly type: 'progress'; readonly progress: Progress; readonly soFar: Result | undefined }
  | { readonly type: 'done'; readonly result: Result }
  /** A GridError (`cancelled` among them), or an unexpected error. */
  | { readonly type: 'failed'; readonly error: unknown };

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

/** What the work of a run is given: its options, and functions that emit events. */
export interface RunContext extends RunOptions {
  readonly signal: AbortSignal;
  readonly emit: (event: EventOf<'waiting' | 'throttled' | 'shared' | 'progress'>) => void;
  /** Resolves to the answer, and to false once the run is canceled. */
  readonly ask: (question: Omit<Planned, 'answer'> | Omit<MoreRequests, 'answer'>) => Promise<boolean>;
}

/**
 * One run of a query: its events as they happen, and its result. Whoever iterates sees the events from then on; each reader
 * sees all of them.
 */
export class Run implements AsyncIterable<RunEvent> {
  /** The last event as a promise: rejects with the error of `failed`. */
  readonly result: Promise<Result>;
  readonly #aborter = new AbortController();
  readonly #readers = new Set<ReadableStreamDefaultController<RunEvent>>();
  readonly #watch: (event: RunEvent) => void;
  #last: RunEvent | undefined;

  /** Begins the work in the next microtask. `watch` sees each event first, at once. */
  constructor(options: RunOptions, work: (context: RunContext) => Promise<Result>, watch: (event: RunEvent) => void) {
    this.#watch = watch;
    this.result = this.#finish(options, work);
    // No unhandled rejection where only the events are read.
    this.result.catch(() => undefined);
  }

  cancel(): void {
    this.#aborter.abort();
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<RunEvent> {
    let reader: ReadableStreamDefaultController<RunEvent> | undefined;
    const stream = new ReadableStream<RunEvent>({
      start: controller => {
        reader = controller;
        this.#readers.add(controller);
        if (this.#last) this.#end(controller, this.#last);
      },
      cancel: () => {
        if (reader) this.#readers.delete(reader);
      },
    });
    return stream[Symbol.asyncIterator]();
  }

  async #finish(options: RunOptions, work: (context: RunContext) => Promise<Result>): Promise<Result> {
    const { signal } = this.#aborter;
    // The listener is removed at the end: a caller's signal may outlive thousands of runs.
    const forward = (): void => this.#aborter.abort(options.signal?.reason);
    if (options.signal?.aborted) forward();
    options.signal?.addEventListener('abort', forward, { once: true });
    await Promise.resolve();
    try {
      if (signal.aborted) throw new GridError('cancelled', { requestsSpent: 0 });
      const result = await work({
        ...options,
        signal,
        emit: event => this.#emit(event),
        ask: async question => this.#ask(question),
      });
      this.#emit({ type: 'done', result });
      return result;
    } catch (error) {
      this.#emit({ type: 'failed', error });
      throw error;
    } finally {
      options.signal?.removeEventListener('abort', forward);
    }
  }

  async #ask(question: Omit<Planned, 'answer'> | Omit<MoreRequests, 'answer'>): Promise<boolean> {
    const { signal } = this.#aborter;
    const { promise, resolve: answer } = Promise.withResolvers<boolean>();
    const refuse = (): void => answer(false);
    signal.addEventListener('abort', refuse, { once: true });
    if (signal.aborted) refuse();
    this.#emit({ ...question, answer });
    const isAccepted = await promise;
    signal.removeEventListener('abort', refuse);
    this.#emit({ type: 'answered', isAccepted });
    return isAccepted;
  }

  #emit(event: RunEvent): void {
    this.#watch(event);
    const isLast = event.type === 'done' || event.type === 'failed';
    if (isLast) this.#last = event;
    for (const reader of this.#readers) {
      if (isLast) this.#end(reader, event);
      else reader.enqueue(event);
    }
  }

  #end(reader: ReadableStreamDefaultController<RunEvent>, last: RunEvent): void {
    this.#readers.delete(reader);
    reader.enqueue(last);
    reader.close();
  }
}
