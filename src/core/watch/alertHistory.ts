import * as v from 'valibot';
import { weekMs } from '../../shared/durations.ts';
import { publicationMs } from '../query/freshness.ts';
import { serializeRule, type Alert } from './alert.ts';
import { type Reading, findFindings, getLatestEvaluated, type Finding } from './alertReading.ts';

/** Maximum duration of a window's refresh, with retries and rate limit waits. After that the window is assumed to have crashed. */
const maxRefreshMs = 300_000;

/** The last refresh of a query by any window. Instants are UTC milliseconds by the service's clock. */
const refreshSchema = v.object({
  /** The hour of the refresh, counted since 1970. */
  hour: v.number(),
  /** The latest possible end of the refresh; 0 after it has ended. */
  until: v.number(),
  /** Whether the refresh used a request and failed. */
  failed: v.boolean(),
});
type LastRefresh = v.InferOutput<typeof refreshSchema>;

/** The action that a window may take: request what is due, only read the archive, or try again later. */
export type RefreshDecision = 'request' | 'readArchive' | 'wait';

/**
 * Decides whether a window may refresh a query. Only one window does at a time, and none in the same hour after a failure: otherwise
 * each window would use a request. The caller stores the returned `lastRefresh`; it is the same object if nothing changed.
 */
export function startRefresh(
  lastRefresh: LastRefresh | undefined,
  now: number,
): { readonly decision: RefreshDecision; readonly lastRefresh: LastRefresh | undefined } {
  const hour = toHour(now);
  if (lastRefresh) {
    // An end later than possible comes from a wrong clock. The clocks of two windows may differ a little.
    if (lastRefresh.until > now && lastRefresh.until <= now + 2 * maxRefreshMs)
      return { decision: 'wait', lastRefresh };
    if (lastRefresh.hour === hour && lastRefresh.failed) return { decision: 'readArchive', lastRefresh };
  }
  return { decision: 'request', lastRefresh: { hour, until: now + maxRefreshMs, failed: false } };
}

export function endRefresh(now: number, failed: boolean): LastRefresh {
  return { hour: toHour(now), until: 0, failed };
}

function toHour(now: number): number {
  return Math.floor(now / publicationMs);
}

/** Hours older than this never cause a notification, however late they are published. */
const maxAgeMs = weekMs;

/** The notifications of one alert so far. Instants are UTC milliseconds. */
const evaluatedAlertSchema = v.object({
  id: v.string(),
  rule: v.string(),
  /** When the alert was first evaluated. It ignores hours that end earlier. */
  from: v.number(),
  /** The hours that caused a notification. */
  hours: v.array(v.number()),
  /** Whether the condition was met at the last evaluation and the user was notified of that. */
  holds: v.boolean(),
});
const isEvaluatedAlert = (evaluated: unknown): evaluated is EvaluatedAlert => v.is(evaluatedAlertSchema, evaluated);
/** Schema of the stored history. Invalid parts are dropped. */
export const alertHistorySchema = v.object({
  alerts: v.pipe(
    v.array(v.unknown()),
    v.transform(alerts => alerts.filter(isEvaluatedAlert)),
  ),
  asked: v.fallback(v.optional(refreshSchema), undefined),
});
type EvaluatedAlert = v.InferOutput<typeof evaluatedAlertSchema>;

/** The state of one refreshed query, shared by all windows: its last refresh, and the notifications of its alerts. */
export type AlertHistory = v.InferOutput<typeof alertHistorySchema>;

export const emptyAlertHistory: AlertHistory = { alerts: [] };

/** A notification of one alert: it has findings, an end or both. */
export interface AlertNotification {
  readonly alert: Alert;
  /** The hours that meet the condition, the oldest first. */
  readonly findings: readonly Finding[];
  /** The first known hour that no longer meets the condition, or when delayed data arrived, in UTC milliseconds. */
  readonly endedAt?: number | undefined;
}

/**
 * Starts the history of new alerts and removes the history of alerts that are not in the list. An alert that is turned on again or whose condition
 * changes therefore ignores earlier hours.
 */
export function retainAlerts(history: AlertHistory, alerts: readonly Alert[], now: number): AlertHistory {
  const completeHistory = addMissingAlerts(history, alerts, now);
  const current = completeHistory.alerts.filter(entry => alerts.some(alert => belongsTo(entry, alert)));
  return current.length === completeHistory.alerts.length ? completeHistory : { ...completeHistory, alerts: current };
}

/** Evaluates alerts for a reading. Returns the notifications and the updated history, which is the same object if nothing changed. */
export function evaluateAlerts(
  history: AlertHistory,
  alerts: readonly Alert[],
  reading: Reading,
): { readonly history: AlertHistory; readonly notifications: readonly AlertNotification[] } {
  const notifications: AlertNotification[] = [];
  let updated = addMissingAlerts(history, alerts, reading.now);
  for (const alert of alerts) {
    const previous = updated.alerts.find(entry => belongsTo(entry, alert));
    if (!previous) continue;
    const { next, findings, endedAt } = evaluateAlert(previous, alert, reading);
    if (findings.length > 0 || endedAt !== undefined) notifications.push({ alert, findings, endedAt });
    if (next !== previous)
      updated = { ...updated, alerts: updated.alerts.map(entry => (entry === previous ? next : entry)) };
  }
  return { history: updated, notifications };
}

/** Returns the hours of the last two weeks that caused a notification, by alert id: UTC milliseconds, sorted. */
export function listNotifiedHours(
  history: AlertHistory,
  alerts: readonly Alert[],
  now: number,
): ReadonlyMap<string, readonly number[]> {
  return new Map(
    alerts.map(alert => {
      const { hours = [] } = history.alerts.find(entry => belongsTo(entry, alert)) ?? {};
      return [alert.id, hours.filter(hour => hour > now - 2 * maxAgeMs).toSorted((a, b) => a - b)];
    }),
  );
}

/** Merges the histories of two windows, so that no hour causes two notifications. */
export function mergeAlertHistories(history: AlertHistory, otherHistory: AlertHistory): AlertHistory {
  const merged = history.alerts.map(evaluated => {
    const duplicate = otherHistory.alerts.find(({ id, rule }) => id === evaluated.id && rule === evaluated.rule);
    return duplicate
      ? {
          ...evaluated,
          hours: [...new Set([...evaluated.hours, ...duplicate.hours])],
          holds: evaluated.holds || duplicate.holds,
        }
      : evaluated;
  });
  const missing = otherHistory.alerts.filter(
    ({ id, rule }) => !merged.some(evaluated => evaluated.id === id && evaluated.rule === rule),
  );
  return { ...history, alerts: [...merged, ...missing] };
}

function belongsTo(evaluated: EvaluatedAlert, alert: Alert): boolean {
  return evaluated.id === alert.id && evaluated.rule === serializeRule(alert);
}

function addMissingAlerts(history: AlertHistory, alerts: readonly Alert[], now: number): AlertHistory {
  const added = alerts
    .filter(alert => !history.alerts.some(entry => belongsTo(entry, alert)))
    .map(alert => ({ id: alert.id, rule: serializeRule(alert), from: now, hours: [], holds: false }));
  return added.length > 0 ? { ...history, alerts: [...history.alerts, ...added] } : history;
}

interface AlertEvaluation extends Pick<AlertNotification, 'findings' | 'endedAt'> {
  readonly next: EvaluatedAlert;
}

function evaluateAlert(previous: EvaluatedAlert, alert: Alert, reading: Reading): AlertEvaluation {
  const { now } = reading;
  // A future time comes from a wrong clock, and would mute the alert until then. If hours already caused notifications, the current clock
  // is the wrong one.
  const current =
    previous.hours.length === 0 && previous.from > now + publicationMs ? { ...previous, from: now } : previous;
  const since = Math.max(current.from, now - maxAgeMs, alert.snoozedUntil ?? -Infinity);
  const allFindings = findFindings(reading, alert, since);
  const findings = allFindings.filter(({ hour }) => !current.hours.includes(hour));
  if (alert.kind === 'late') return evaluateLate(current, alert, allFindings, findings, reading);
  const notified = findings.length > 0 ? addNotifiedHours(current, findings) : current;
  const latest = getLatestEvaluated(reading, alert);
  // Nothing is known about the time after the last hour that caused a notification.
  if (!latest || notified.hours.some(hour => hour > latest.hour)) return { next: notified, findings };
  const holds = latest.holds && (findings.length > 0 || current.holds);
  const hasEnded = current.holds && !latest.holds && !isSnoozed(alert, latest.hour);
  return {
    next: holds === notified.holds ? notified : { ...notified, holds },
    findings,
    ...(hasEnded && { endedAt: latest.hour }),
  };
}

function isSnoozed({ snoozedUntil = -Infinity }: Alert, hour: number): boolean {
  return hour < snoozedUntil;
}

/** Delayed data causes one notification, not one every hour. The next one follows only after data was on time, or after a snooze. */
function evaluateLate(
  current: EvaluatedAlert,
  alert: Alert,
  allFindings: readonly Finding[],
  findings: readonly Finding[],
  reading: Reading,
): AlertEvaluation {
  if (allFindings.length === 0) {
    const hasDelayEnded = current.holds && !reading.isPartial;
    // Data may still be delayed, hidden only by the snooze.
    const hasEnded =
      hasDelayEnded && findFindings(reading, alert, -Infinity).length === 0 && !isSnoozed(alert, reading.now);
    return {
      next: hasDelayEnded ? { ...current, holds: false } : current,
      findings: [],
      ...(hasEnded && { endedAt: reading.now }),
    };
  }
  if (current.holds || findings.length === 0) return { next: current, findings: [] };
  return { next: { ...addNotifiedHours(current, findings), holds: true }, findings };
}

/**
 * Adds hours that caused a notification and drops hours that are too old to cause a notification again. Their age is relative to the newest
 * of these hours, so that a wrong clock drops none.
 */
function addNotifiedHours(evaluated: EvaluatedAlert, findings: readonly Finding[]): EvaluatedAlert {
  const newHours = findings.map(({ hour }) => hour);
  const newest = newHours.reduce((latest, hour) => Math.max(latest, hour));
  return { ...evaluated, hours: [...evaluated.hours, ...newHours].filter(hour => hour > newest - 2 * maxAgeMs) };
}
