import type { GridError } from '../core/errors.ts';
import type { Price } from '../core/plan.ts';
import type { Clock } from '../core/ports.ts';
import type { ResolvedQuery } from '../core/query.ts';
import type { Result } from '../shared/result.ts';
import type { AnswerFetcher } from './answerFetcher.ts';
import type { Archive } from './archive.ts';
import type { Endpoint } from './endpoint.ts';
import type { RunGroup } from './runGroup.ts';
import type { SeriesLock } from './seriesLock.ts';
import type { ServiceClock } from './serviceClock.ts';
import type { SpanMemory } from './spanMemory.ts';

/**
 * What is done about kept hours: ask for the due ones, for all, or for none; `missing`: for those alone that are over and
 * have no row or were never asked for, however lately they were.
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
  readonly priority?: 'person' | 'background' | undefined;
  /** Called with the milliseconds until the scope's budget lets the next request go. */
  readonly onWait?: ((ms: number) => void) | undefined;
  /**
   * Told true when another window is asking for hours of the same series and the run waits for it, and false when it goes on;
   * nobody knows how long that takes.
   */
  readonly onShared?: ((waits: boolean) => void) | undefined;
  /**
   * Asked before a plan of several requests that cannot all go now, and again where the service makes it longer than was
   * agreed to; false cancels the run.
   */
  readonly onPlan?: ((price: Price, steps: { kept: number; expected: number }) => Promise<boolean>) | undefined;
  /**
   * Asked as `onPlan` before requests that were not agreed to: nobody knows of further pages before the first, nor that a request will
   * fail. Pages are asked about whether they have to wait or not, a retry where it has to. False, or leaving this out, ends the answer
   * with the pages that came, and leaves a request that reached the service failed.
   * `failed`: how the request failed that would be made again; undefined where it is about pages.
   */
  readonly onMoreRequests?: ((price: Price, failed?: GridError) => Promise<boolean>) | undefined;
  /**
   * Told the first rows of a long answer before the rest of it is read: those that the answer will begin with, unless what
   * follows them is damaged or of another kind. Nothing else is known of it by then: its coverage is undefined.
   */
  readonly onHead?: ((head: Result) => void) | undefined;
  /** Told what is there so far, first what the archive has; the run goes on when it is done. */
  readonly onProgress?: ((soFar: Result, progress: Progress) => unknown) | undefined;
}

export interface QueryRunnerDeps {
  readonly fetcher: Pick<AnswerFetcher, 'fetch'>;
  readonly archive: Pick<Archive, 'read' | 'readSteps' | 'merge'>;
  readonly lock: Pick<SeriesLock, 'take' | 'isTaken' | 'version'>;
  readonly spans: Pick<SpanMemory, 'limitOf' | 'learn' | 'suspect'>;
  readonly priceOf: (requests: number, query: ResolvedQuery, endpoint: Endpoint) => Promise<Price>;
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  /** So long after its end an hour is final, milliseconds; read at each run. */
  readonly settledAfterMs: () => number;
}
