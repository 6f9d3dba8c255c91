import type { FailureReason, GridError } from '../../core/errors.ts';
import type { AlertNotification } from '../../core/watch/alertHistory.ts';
import type { WatchedQuery } from '../../core/watch/watchedQuery.ts';
import type { Result } from '../../shared/result.ts';
import type { RunOptions } from '../query/run.ts';

/** Why queries of a connection are no longer run. */
export interface Stopped {
  readonly connectionId: string;
  readonly reason: Extract<FailureReason, 'noKey' | 'keyRejected' | 'forbidden'>;
  /** Where the service takes the key, but not for this dataset. */
  readonly dataset?: string;
}

/** What the watcher's owner hears of it. None may throw; none is called once the watcher is disposed of. */
export interface WatchEvents {
  /** A run brought an answer, perhaps one of which a part failed. */
  refreshed(query: WatchedQuery, result: Result): void;
  /** This window is the one that tells: one call a run, with all alerts that speak. */
  told(query: WatchedQuery, tellings: readonly AlertNotification[]): void;
  /** A run brought nothing. */
  failed(query: WatchedQuery, error: GridError): void;
  /** Once for each connection (or dataset of it), until it is resumed. */
  stopped(stop: Stopped): void;
}

/** Runs a query as of now. Rejects with GridError. */
export type RunWatched = (
  query: WatchedQuery,
  options: Required<Pick<RunOptions, 'refresh' | 'priority' | 'signal'>>,
) => Promise<Result>;
