import * as v from 'valibot';
import { weekMs } from '../../shared/durations.ts';
import { publicationMs } from '../query/freshness.ts';
import { ruleText, type Alert } from './alert.ts';
import { type Reading, findingsOf, latestJudged, type Finding } from './reading.ts';

/** How long a window's refresh may take, with retries and waits for the budget. Then the window counts as crashed. */
const refreshMs = 300_000;

/** The last refresh of a query by any window. Instants are UTC milliseconds by the service's clock. */
const askedSchema = v.object({
  /** The hour of the refresh, counted since 1970. */
  hour: v.number(),
  /** The latest end of the refresh; 0 when it has ended. */
  until: v.number(),
  /** It used a request and failed. */
  failed: v.boolean(),
});
type Asked = v.InferOutput<typeof askedSchema>;

/** What a window may do: request what is due, only read the archive, or try again later. */
export type RefreshDecision = 'request' | 'readArchive' | 'wait';

/**
 * Decides whether a window may refresh a query. Only one window does at a time, and after a failure none within the hour: otherwise each
 * window would spend a request. `asked` is what to store; it is the given one where nothing changes.
 */
export function startRefresh(
  asked: Asked | undefined,
  now: number,
): { readonly decision: RefreshDecision; readonly asked: Asked | undefined } {
  const hour = hourOf(now);
  if (asked) {
    // An end much later than possible is from a wrong clock; the clocks of two windows may differ a little.
    if (asked.until > now && asked.until <= now + 2 * refreshMs) return { decision: 'wait', asked };
    if (asked.hour === hour && asked.failed) return { decision: 'readArchive', asked };
  }
  return { decision: 'request', asked: { hour, until: now + refreshMs, failed: false } };
}

export function endRefresh(now: number, failed: boolean): Asked {
  return { hour: hourOf(now), until: 0, failed };
}

function hourOf(now: number): number {
  return Math.floor(now / publicationMs);
}

/** Hours older than this never cause a notification, however late they are published. */
const newsMs = weekMs;

/** The notifications of one alert so far. Instants are UTC milliseconds. */
const evaluatedAlertSchema = v.object({
  id: v.string(),
  rule: v.string(),
  /** When it was first evaluated: it ignores hours that end earlier. */
  from: v.number(),
  /** The hours that were notified. */
  hours: v.array(v.number()),
  /** The rule was satisfied at the last evaluation, and that was notified. */
  holds: v.boolean(),
});
const isEvaluatedAlert = (one: unknown): one is EvaluatedAlert => v.is(evaluatedAlertSchema, one);
/** Invalid parts are left out. */
export const alertHistorySchema = v.object({
  alerts: v.pipe(
    v.array(v.unknown()),
    v.transform(alerts => alerts.filter(isEvaluatedAlert)),
  ),
  asked: v.fallback(v.optional(askedSchema), undefined),
});
type EvaluatedAlert = v.InferOutput<typeof evaluatedAlertSchema>;

/** The state of one refreshed query, shared by all windows: its last refresh, and the notifications of its alerts. */
export type AlertHistory = v.InferOutput<typeof alertHistorySchema>;

export const emptyAlertHistory: AlertHistory = { alerts: [] };

/** What is new of an alert: at least one of both. */
export interface AlertNotification {
  readonly alert: Alert;
  /** The hours that satisfy it, the oldest first. */
  readonly findings: readonly Finding[];
  /** An hour that does not satisfy it any more, or when late data was there: UTC milliseconds. */
  readonly endedAt?: number | undefined;
}

/**
 * Starts the history of new alerts, and forgets alerts that are not in the list: one that is turned on again, or whose condition changes,
 * ignores earlier hours.
 */
export function keepAlerts(history: AlertHistory, alerts: readonly Alert[], now: number): AlertHistory {
  const all = withAll(history, alerts, now);
  const current = all.alerts.filter(one => alerts.some(alert => isOf(one, alert)));
  return current.length === all.alerts.length ? all : { ...all, alerts: current };
}

/** The notifications for a reading, and the history after them, which is the given one where nothing changes. */
export function evaluateAlerts(
  history: AlertHistory,
  alerts: readonly Alert[],
  reading: Reading,
): { readonly history: AlertHistory; readonly notifications: readonly AlertNotification[] } {
  const notifications: AlertNotification[] = [];
  let after = withAll(history, alerts, reading.now);
  for (const alert of alerts) {
    const before = after.alerts.find(one => isOf(one, alert));
    if (!before) continue;
    const { next, findings, endedAt } = evaluateAlert(before, alert, reading);
    if (findings.length > 0 || endedAt !== undefined) notifications.push({ alert, findings, endedAt });
    if (next !== before) after = { ...after, alerts: after.alerts.map(one => (one === before ? next : one)) };
  }
  return { history: after, notifications };
}

/** The hours of the last two weeks that were notified of each alert, by its id: UTC milliseconds, ascending. */
export function notifiedHours(
  history: AlertHistory,
  alerts: readonly Alert[],
  now: number,
): ReadonlyMap<string, readonly number[]> {
  return new Map(
    alerts.map(alert => {
      const { hours = [] } = history.alerts.find(one => isOf(one, alert)) ?? {};
      return [alert.id, hours.filter(hour => hour > now - 2 * newsMs).toSorted((a, b) => a - b)];
    }),
  );
}

/** Merges the histories of two windows, so that no hour is notified twice. */
export function mergeAlertHistories(history: AlertHistory, other: AlertHistory): AlertHistory {
  const merged = history.alerts.map(one => {
    const same = other.alerts.find(({ id, rule }) => id === one.id && rule === one.rule);
    return same ? { ...one, hours: [...new Set([...one.hours, ...same.hours])], holds: one.holds || same.holds } : one;
  });
  const missing = other.alerts.filter(({ id, rule }) => !merged.some(one => one.id === id && one.rule === rule));
  return { ...history, alerts: [...merged, ...missing] };
}

function isOf(one: EvaluatedAlert, alert: Alert): boolean {
  return one.id === alert.id && one.rule === ruleText(alert);
}

function withAll(history: AlertHistory, alerts: readonly Alert[], now: number): AlertHistory {
  const added = alerts
    .filter(alert => !history.alerts.some(one => isOf(one, alert)))
    .map(alert => ({ id: alert.id, rule: ruleText(alert), from: now, hours: [], holds: false }));
  return added.length > 0 ? { ...history, alerts: [...history.alerts, ...added] } : history;
}

interface Evaluated extends Pick<AlertNotification, 'findings' | 'endedAt'> {
  readonly next: EvaluatedAlert;
}

function evaluateAlert(before: EvaluatedAlert, alert: Alert, reading: Reading): Evaluated {
  const { now } = reading;
  // A future time is from a wrong clock, and would mute the alert until then; where hours were notified, the clock is wrong now.
  const one = before.hours.length === 0 && before.from > now + publicationMs ? { ...before, from: now } : before;
  const since = Math.max(one.from, now - newsMs, alert.snoozedUntil ?? -Infinity);
  const found = findingsOf(reading, alert, since);
  const findings = found.filter(({ hour }) => !one.hours.includes(hour));
  if (alert.kind === 'late') return evaluateLate(one, alert, found, findings, reading);
  const notified = findings.length > 0 ? withHours(one, findings) : one;
  const latest = latestJudged(reading, alert);
  // Nothing is known of the time since the last hour that was notified.
  if (!latest || notified.hours.some(hour => hour > latest.hour)) return { next: notified, findings };
  const holds = latest.holds && (findings.length > 0 || one.holds);
  const hasEnded = one.holds && !latest.holds && !isSnoozed(alert, latest.hour);
  return {
    next: holds === notified.holds ? notified : { ...notified, holds },
    findings,
    ...(hasEnded && { endedAt: latest.hour }),
  };
}

function isSnoozed({ snoozedUntil = -Infinity }: Alert, hour: number): boolean {
  return hour < snoozedUntil;
}

/** Late data is notified once, not every hour: again only after it was on time, or after a snooze. */
function evaluateLate(
  one: EvaluatedAlert,
  alert: Alert,
  found: readonly Finding[],
  findings: readonly Finding[],
  reading: Reading,
): Evaluated {
  if (found.length === 0) {
    const isOver = one.holds && !reading.partial;
    // It may be late still, for nobody to be told while it is snoozed.
    const hasEnded = isOver && findingsOf(reading, alert, -Infinity).length === 0 && !isSnoozed(alert, reading.now);
    return { next: isOver ? { ...one, holds: false } : one, findings: [], ...(hasEnded && { endedAt: reading.now }) };
  }
  if (one.holds || findings.length === 0) return { next: one, findings: [] };
  return { next: { ...withHours(one, findings), holds: true }, findings };
}

/**
 * Adds notified hours, and forgets those that are too old to be notified again. Their age is relative to the notified hours, so that a
 * wrong clock forgets nothing.
 */
function withHours(one: EvaluatedAlert, findings: readonly Finding[]): EvaluatedAlert {
  const found = findings.map(({ hour }) => hour);
  const newest = found.reduce((latest, hour) => Math.max(latest, hour));
  return { ...one, hours: [...one.hours, ...found].filter(hour => hour > newest - 2 * newsMs) };
}
