import type { DerivedColumn } from '../../shared/derivedColumns.ts';
import type { Tariff } from '../../shared/resampling.ts';
import { dayMs } from '../../shared/durations.ts';
import { type Query, resolveQuery } from '../query/query.ts';
import type { Alert, AlertRule } from './alert.ts';
import type { QueryChange, SavedQuery } from '../savedQueries/savedItem.ts';

/** A saved query as the watcher sees it. */
export interface WatchedQuery {
  /** Unique among the saved queries of all stores. */
  readonly id: string;
  readonly connectionId: string;
  /** The source of the data, as in the archive and the service's clock. */
  readonly source: string;
  readonly query: Query;
  /** The query's derived columns, which alerts may use. */
  readonly derive?: readonly DerivedColumn[] | undefined;
  /** Custom tariffs for conditions such as `peak`; omitted for Eskom's. */
  readonly tariffs?: readonly Tariff[] | undefined;
  readonly keepFresh?: boolean | undefined;
  readonly alerts?: readonly Alert[] | undefined;
}

/** Returns the alerts to evaluate: the ones that are on, if the query is refreshed hourly. */
export function listActiveAlerts({
  keepFresh,
  alerts = [],
}: Pick<WatchedQuery, 'keepFresh' | 'alerts'>): readonly Alert[] {
  return keepFresh === true ? alerts.filter(({ on }) => on) : [];
}

const farFutureMs = 400 * dayMs;

/** Whether the query's range has, or will have, hours that are not published yet. A range of past dates never has. */
export function isOpenEnded(query: Query, now: number): boolean {
  const today = resolveQuery(query, now);
  const later = resolveQuery(query, now + farFutureMs);
  // The range has not begun, or is invalid.
  if (!today.ok) return later.ok;
  return today.value.end > now || !later.ok || later.value.end !== today.value.end;
}

/** Adds an alert and enables the hourly refresh, without which it is never evaluated. */
export function addAlert(id: string, rule: AlertRule): (query: SavedQuery) => QueryChange {
  return ({ alerts = [] }) => ({ keepFresh: true, alerts: [...alerts, { ...rule, id, on: true }] });
}

/** Changes the alerts with these ids; undefined removes them. Ignores unknown ids. */
export function changeAlerts(
  ids: readonly string[],
  change: (alert: Alert) => Alert | undefined,
): (query: SavedQuery) => QueryChange {
  return ({ alerts = [] }) => ({
    alerts: alerts.flatMap(alert => (ids.includes(alert.id) ? (change(alert) ?? []) : [alert])),
  });
}

/** Snoozes an alert until an instant (UTC milliseconds), and turns it on. */
export function createSnooze(until: number): (alert: Alert) => Alert {
  return alert => ({ ...alert, on: true, snoozedUntil: until });
}

/** Turns an alert on, ending its snooze, or off. */
export function createSwitch(on: boolean): (alert: Alert) => Alert {
  return ({ snoozedUntil, ...alert }) => ({ ...alert, on, ...(!on && snoozedUntil !== undefined && { snoozedUntil }) });
}
