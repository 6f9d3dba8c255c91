import { type Query, resolveQuery } from '../query/query.ts';
import type { Alert } from './alert.ts';

/** A saved query as the watcher sees it. */
export interface WatchedQuery {
  /** Unique among all saved queries of all homes. */
  readonly id: string;
  readonly connectionId: string;
  /** The name of the service's data, as the archive and the service's clock use it. */
  readonly source: string;
  readonly query: Query;
  readonly keepFresh?: boolean | undefined;
  readonly alerts?: readonly Alert[] | undefined;
}

/** The alerts that are to be looked at now: those switched on, of a query that is kept fresh. */
export function liveAlerts({ keepFresh, alerts = [] }: Pick<WatchedQuery, 'keepFresh' | 'alerts'>): readonly Alert[] {
  return keepFresh === true ? alerts.filter(({ on }) => on) : [];
}

const longMs = 400 * 86_400_000;

/** Whether the query's range will have hours that are not published yet. One that was written with dates of the past never will. */
export function isOpenEnded(query: Query, now: number, timeZone: string): boolean {
  const [today, later] = [resolveQuery(query, now, timeZone), resolveQuery(query, now + longMs, timeZone)];
  // Nothing of it has begun, or it is no range.
  if (!today.ok) return later.ok;
  return today.value.end > now || !later.ok || later.value.end !== today.value.end;
}
