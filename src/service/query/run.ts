import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { GridError } from '../../core/errors.ts';
import type { Price } from '../../core/query/requestPlan.ts';
import type { Result } from '../../shared/result.ts';
import type { Priority } from '../limiter/limiter.ts';
import type { RunGroup } from './runGroup.ts';

/**
 * The archived hours that are requested again: outdated ones, all, or none. `missing`: elapsed hours that have no row or were never requested,
 * regardless of how recently they were requested.
 */
export type Refresh = 'ifStale' | 'always' | 'missing' | 'never';

/** The progress of a run, in requests. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly refresh?: Refresh | undefined;
  /** The queries that run together with this one, including it. Their requests are planned together if `refresh` is `ifStale`. */
  readonly group?: RunGroup | undefined;
  readonly priority?: Priority | undefined;
  /**
   * The requests that have to be confirmed, by replying to the events: `all` requests of a plan that has to wait and those beyond it, or only
   * those `beyondPlan`. If omitted, the plan is executed without confirmation, and nothing is requested beyond it.
   */
  readonly confirmations?: 'all' | 'beyondPlan' | undefined;
  /** Ends the run after this many requests, with the result so far. */
  readonly maxRequests?: number | undefined;
  /** Emits rows before the result, as `partialResult` of `progress`. They take time to assemble. */
  readonly preview?: boolean | undefined;
  /** Adds the run to Recent Queries when it ends. A background run is only stored as the last run of its saved query. */
  readonly isRecorded?: boolean | undefined;
  /** The `entryId` of the saved query that runs, for Recent Queries. */
  readonly savedEntryId?: string | undefined;
}

/** Requests that wait for a confirmation. Only the first call of `reply` counts. */
interface Confirmation {
  readonly price: Price;
  /** The id of the requests' dataset, if the query joins several. */
  readonly dataset?: string;
  readonly reply: (isAccepted: boolean) => void;
}

/** Emitted before a plan of several requests that cannot all be sent now, and again if the plan gets longer than confirmed. */
export interface PlanConfirmation extends Confirmation {
  readonly type: 'planned';
  readonly steps: { readonly archived: number; readonly expected: number };
}

/**
 * Emitted before requests beyond the plan, for further pages or a retry, which cannot be known in advance. Pages are always confirmed, a retry
 * only if it has to wait.
 */
export interface ExtraRequestsConfirmation extends Confirmation {
  readonly type: 'moreRequests';
  /** The failure of the request that would be sent again; undefined for pages. */
  readonly failed: GridError | undefined;
}

/** The events of a run: `started` first, `done` or `failed` last. */
export type RunEvent =
  | { readonly type: 'started' }
  | PlanConfirmation
  | ExtraRequestsConfirmation
  /** A confirmation ended, by a reply or by canceling the run. */
  | { readonly type: 'replied'; readonly isAccepted: boolean }
  /** The next request (for `dataset`, if the query joins several) is sent after `ms` milliseconds, when the budget allows it, or is retried after it `failed`. */
  | {
      readonly type: 'waiting';
      readonly ms: number;
      readonly failed?: GridError | undefined;
      readonly dataset?: string;
    }
  /** The service rejected a request with 429; it is sent once more when the service allows it. */
  | { readonly type: 'throttled' }
  /** Another window or panel requests hours of the same series. The run `waits` for it, for an unknown time, or continues. */
  | { readonly type: 'shared'; readonly isWaiting: boolean }
  /** Emitted between two requests, with the rows so far; at first the archived rows. */
  | { readonly type: 'progress'; readonly progress: Progress; readonly partialResult: Result | undefined }
  | { readonly type: 'done'; readonly result: Result }
  /** A GridError (`cancelled` among them), or an unexpected error. */
  | { readonly type: 'failed'; readonly error: unknown };

type RunEventOfType<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

/** The context of the work of a run: its options, and functions that emit events. */
export interface RunContext extends RunOptions {
  readonly signal: AbortSignal;
  readonly emit: (event: RunEventOfType<'waiting' | 'throttled' | 'shared' | 'progress'>) => void;
  /** Emits a confirmation. Resolves to the reply, or to false once the run is canceled. */
  readonly confirm: (
    request: Omit<PlanConfirmation, 'reply'> | Omit<ExtraRequestsConfirmation, 'reply'>,
  ) => Promise<boolean>;
}

/**
 * One run of a query: its events and its result. An iterator yields the events from its creation on; several iterators are independent.
 */
export class Run implements AsyncIterable<RunEvent> {
  /** Resolves to the result, or rejects with the error of `failed`. */
  readonly result: Promise<Result>;
  readonly #aborter = new AbortController();
  readonly #readers = new Set<ReadableStreamDefaultController<RunEvent>>();
  readonly #onEvent: (event: RunEvent) => void;
  #lastEvent: RunEvent | undefined;

  /** Starts the work in the next microtask. `onEvent` is called synchronously for each event, before the readers get it. */
  constructor(options: RunOptions, work: (context: RunContext) => Promise<Result>, onEvent: (event: RunEvent) => void) {
    this.#onEvent = onEvent;
    this.result = this.#finish(options, work);
    // Prevents an unhandled rejection if only the events are read.
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
        if (this.#lastEvent) this.#close(controller, this.#lastEvent);
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
        confirm: async request => this.#confirm(request),
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

  async #confirm(
    request: Omit<PlanConfirmation, 'reply'> | Omit<ExtraRequestsConfirmation, 'reply'>,
  ): Promise<boolean> {
    const { signal } = this.#aborter;
    const { promise, resolve: reply } = Promise.withResolvers<boolean>();
    const decline = (): void => reply(false);
    signal.addEventListener('abort', decline, { once: true });
    if (signal.aborted) decline();
    this.#emit({ ...request, reply });
    const isAccepted = await promise;
    signal.removeEventListener('abort', decline);
    this.#emit({ type: 'replied', isAccepted });
    return isAccepted;
  }

  #emit(event: RunEvent): void {
    this.#onEvent(event);
    const isLast = event.type === 'done' || event.type === 'failed';
    if (isLast) this.#lastEvent = event;
    for (const reader of this.#readers) {
      if (isLast) this.#close(reader, event);
      else reader.enqueue(event);
    }
  }

  #close(reader: ReadableStreamDefaultController<RunEvent>, lastEvent: RunEvent): void {
    this.#readers.delete(reader);
    reader.enqueue(lastEvent);
    reader.close();
  }
}
