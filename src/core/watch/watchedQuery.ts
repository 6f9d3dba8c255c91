import type { Query } from '../query.ts';
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
