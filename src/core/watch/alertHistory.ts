import * as v from 'valibot';
import { publicationMs } from '../query/freshness.ts';
import { ruleText, type Alert } from './alert.ts';
import { findingsOf, type Finding } from './findings.ts';
import type { Reading } from './reading.ts';

/** So long a window has the turn: a request, its retries and the wait for the budget are mostly over sooner. Then it is taken for dead. */
const turnMs = 300_000;

/** Which window asks for a query within an hour. Instants are UTC milliseconds by the service's clock. */
const askedSchema = v.object({
  /** The hour of the last turn, counted since 1970. */
  hour: v.number(),
  /** Until when that turn lasts; 0 once it is over. */
  until: v.number(),
  /** It cost a request and brought nothing. */
  failed: v.boolean(),
});
type Asked = v.InferOutput<typeof askedSchema>;

/** What a window may do: ask for what is due, only look at what is kept, or come back later. */
export type RefreshTurn = 'ask' | 'look' | 'wait';

/**
 * One window at a time asks, and after a request that failed none does within the hour: what the archive cannot know must
 * not cost a request in each window. `asked` is the one given where the turn needs no note.
 */
export function takeRefreshTurn(
  asked: Asked | undefined,
  now: number,
): { readonly turn: RefreshTurn; readonly asked: Asked | undefined } {
  const hour = hourOf(now);
  if (asked) {
    // One that lasts far longer than a turn is from a clock that was wrong; those of two windows may differ a little.
    if (asked.until > now && asked.until <= now + 2 * turnMs) return { turn: 'wait', asked };
    if (asked.hour === hour && asked.failed) return { turn: 'look', asked };
  }
  return { turn: 'ask', asked: { hour, until: now + turnMs, failed: false } };
}

export function endRefreshTurn(now: number, failed: boolean): Asked {
  return { hour: hourOf(now), until: 0, failed };
}

function hourOf(now: number): number {
  return Math.floor(now / publicationMs);
}

/** Older hours are no news, however late they come. */
const newsMs = 7 * 86_400_000;

/** What became of one alert so far. Instants are UTC milliseconds. */
const evaluatedAlertSchema = v.object({
  id: v.string(),
  rule: v.string(),
  /** When it was first watched: it speaks of hours that end later. */
  from: v.number(),
  /** The hours that were told. */
  hours: v.array(v.number()),
  /** Data was late when it was last looked at, and that was told. */
  late: v.boolean(),
});
const isEvaluatedAlert = (one: unknown): one is EvaluatedAlert => v.is(evaluatedAlertSchema, one);
/** What of it cannot be read is left out. */
export const alertHistorySchema = v.object({
  alerts: v.pipe(
    v.array(v.unknown()),
    v.transform(alerts => alerts.filter(isEvaluatedAlert)),
  ),
  asked: v.fallback(v.optional(askedSchema), undefined),
});
type EvaluatedAlert = v.InferOutput<typeof evaluatedAlertSchema>;

/** What all windows know together of one query that is kept fresh: its turns, and what was told of its alerts. */
export type AlertHistory = v.InferOutput<typeof alertHistorySchema>;

export const emptyAlertHistory: AlertHistory = { alerts: [] };

/** One alert and the hours it speaks of now, the oldest first; never empty. */
export interface AlertNotification {
  readonly alert: Alert;
  readonly findings: readonly Finding[];
}

/**
 * The alerts of a query are these from now on: others are forgotten, so that an alert that is switched on again, or waits
 * for something else than before, says nothing of the time before.
 */
export function keepAlerts(told: AlertHistory, alerts: readonly Alert[], now: number): AlertHistory {
  const begun = withAll(told, alerts, now);
  const kept = begun.alerts.filter(one => alerts.some(alert => isOf(one, alert)));
  return kept.length === begun.alerts.length ? begun : { ...begun, alerts: kept };
}

/** What is to be told of a reading, and what was told then. The second is the first it was given where nothing changed. */
export function evaluateAlerts(
  told: AlertHistory,
  alerts: readonly Alert[],
  reading: Reading,
): { readonly told: AlertHistory; readonly tellings: readonly AlertNotification[] } {
  const tellings: AlertNotification[] = [];
  let after = withAll(told, alerts, reading.now);
  for (const alert of alerts) {
    const before = after.alerts.find(one => isOf(one, alert));
    if (!before) continue;
    const { next, findings } = evaluateAlert(before, alert, reading);
    if (findings.length > 0) tellings.push({ alert, findings });
    if (next !== before) after = { ...after, alerts: after.alerts.map(one => (one === before ? next : one)) };
  }
  return { told: after, tellings };
}

/** Both windows' memories in one: nothing that either told is told again. */
export function mergeAlertHistories(told: AlertHistory, other: AlertHistory): AlertHistory {
  const merged = told.alerts.map(one => {
    const same = other.alerts.find(({ id, rule }) => id === one.id && rule === one.rule);
    return same ? { ...one, hours: [...new Set([...one.hours, ...same.hours])], late: one.late || same.late } : one;
  });
  const missing = other.alerts.filter(({ id, rule }) => !merged.some(one => one.id === id && one.rule === rule));
  return { ...told, alerts: [...merged, ...missing] };
}

function isOf(one: EvaluatedAlert, alert: Alert): boolean {
  return one.id === alert.id && one.rule === ruleText(alert);
}

function withAll(told: AlertHistory, alerts: readonly Alert[], now: number): AlertHistory {
  const added = alerts
    .filter(alert => !told.alerts.some(one => isOf(one, alert)))
    .map(alert => ({ id: alert.id, rule: ruleText(alert), from: now, hours: [], late: false }));
  return added.length > 0 ? { ...told, alerts: [...told.alerts, ...added] } : told;
}

function evaluateAlert(
  before: EvaluatedAlert,
  alert: Alert,
  reading: Reading,
): { next: EvaluatedAlert; findings: readonly Finding[] } {
  const { now } = reading;
  // From a time that has not come: a clock was wrong then, and the alert would be silent until it was right.
  const one = before.from > now + publicationMs ? { ...before, from: now } : before;
  const since = Math.max(one.from, now - newsMs, alert.snoozedUntil ?? -Infinity);
  const found = findingsOf(reading, alert, since);
  const findings = found.filter(({ hour }) => !one.hours.includes(hour));
  if (alert.kind === 'late') return tellLate(one, found, findings, reading);
  return { next: findings.length > 0 ? withHours(one, findings) : one, findings };
}

/** That data is late is told once, until it has been on time again (or snoozed): every hour would be nothing new. */
function tellLate(
  one: EvaluatedAlert,
  found: readonly Finding[],
  findings: readonly Finding[],
  reading: Reading,
): { next: EvaluatedAlert; findings: readonly Finding[] } {
  if (found.length === 0) return { next: one.late && !reading.partial ? { ...one, late: false } : one, findings: [] };
  if (one.late || findings.length === 0) return { next: one, findings: [] };
  return { next: { ...withHours(one, findings), late: true }, findings };
}

/**
 * Kept for twice as long as hours are news, by the hours found: a clock that is wrong for a while forgets nothing, and an hour that
 * has not come makes none of these old.
 */
function withHours(one: EvaluatedAlert, findings: readonly Finding[]): EvaluatedAlert {
  const found = findings.map(({ hour }) => hour);
  const newest = found.reduce((latest, hour) => Math.max(latest, hour));
  return { ...one, hours: [...one.hours, ...found].filter(hour => hour > newest - 2 * newsMs) };
}
