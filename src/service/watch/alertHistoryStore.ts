import type { AlertHistory } from '../../core/watch/alertHistory.ts';
import { createHash } from 'node:crypto';
import { seriesIdentity } from '../../core/query/seriesKey.ts';
import type { WatchedQuery } from '../../core/watch/watchedQuery.ts';

/** Remembers what all windows know together of each query that is kept fresh. */
export interface AlertHistoryStore {
  /**
   * Reads what is known, and keeps what `change` makes of it. No other window comes between the two, so that what `change`
   * found untold is for this window to tell. `change` may be called several times; the outcome of the last counts. Never
   * rejects but with what `change` throws.
   */
  update<T>(name: string, change: (told: AlertHistory) => Changed<T>): Promise<T>;
}

export interface Changed<T> {
  /** What it was given, where nothing has changed. */
  readonly told: AlertHistory;
  readonly value: T;
}

/**
 * The file of a query's alerts. Ids come from files that people write and cannot be trusted as names; another service,
 * dataset or interval makes other hours, another range does not.
 */
export function toldName({ id, source, query: { dataset, interval, params } }: WatchedQuery): string {
  const identity = JSON.stringify([id, seriesIdentity({ source, dataset, interval, params })]);
  return `${createHash('sha256').update(identity).digest('hex').slice(0, 24)}.json`;
}
