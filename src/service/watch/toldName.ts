import { createHash } from 'node:crypto';
import { seriesIdentity } from '../../core/seriesKey.ts';
import type { WatchedQuery } from '../../core/watch/watchedQuery.ts';

/**
 * The file of a query's alerts. Ids come from files that people write and cannot be trusted as names; another service,
 * dataset or interval makes other hours, another range does not.
 */
export function toldName({ id, source, query: { dataset, interval, params } }: WatchedQuery): string {
  const identity = JSON.stringify([id, seriesIdentity({ source, dataset, interval, params })]);
  return `${createHash('sha256').update(identity).digest('hex').slice(0, 24)}.json`;
}
