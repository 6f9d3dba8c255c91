import type { QueryChange, SavedQuery } from '../savedQueries/savedItem.ts';
import type { Alert, AlertRule } from './alert.ts';

/** Adds an alert, and keeps the query fresh, since nothing is told otherwise. */
export function withAlert(id: string, rule: AlertRule): (query: SavedQuery) => QueryChange {
  return ({ alerts = [] }) => ({ keepFresh: true, alerts: [...alerts, { ...rule, id, on: true }] });
}

/** Changes the alerts of these ids; undefined removes them. Others, and those that are gone, stay as they are. */
export function changeAlerts(
  ids: readonly string[],
  change: (alert: Alert) => Alert | undefined,
): (query: SavedQuery) => QueryChange {
  return ({ alerts = [] }) => ({
    alerts: alerts.flatMap(alert => (ids.includes(alert.id) ? (change(alert) ?? []) : [alert])),
  });
}

/** `until`: UTC milliseconds. Switches the alert on where it was off: nobody snoozes what is silent. */
export function snoozed(until: number): (alert: Alert) => Alert {
  return alert => ({ ...alert, on: true, snoozedUntil: until });
}

/** On again it speaks at once, also where it was snoozed. */
export function switched(on: boolean): (alert: Alert) => Alert {
  return alert => {
    const next: { on: boolean; snoozedUntil?: number | undefined } & Alert = { ...alert, on };
    if (on) delete next.snoozedUntil;
    return next;
  };
}
