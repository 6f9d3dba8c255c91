import { t } from '@vscode/l10n';
import { connectionData, type Connection } from '../../core/connections/connection.ts';
import { datasetById, membersOf, stepOf } from '../../core/query/catalogue.ts';
import { bandOf, parseLimit } from '../../core/formula/columnLimit.ts';
import type { Alert, AlertRule, ValueProblem } from '../../core/watch/alert.ts';
import type { AlertNotification } from '../../core/watch/alertHistory.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { dayMs } from '../../shared/durations.ts';
import { rampField } from '../../shared/fields.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { fieldLabel } from './catalogue.ts';
import { count, measured, requests } from './numbers.ts';
import { momentText } from './times.ts';
import type { StressBand } from '../../shared/stressBands.ts';
import type { Finding, PastFires } from '../../core/watch/reading.ts';

/** Returns the name of a band: “low”, “moderate”, “high” or “critical”. */
export function bandName(band: StressBand): string {
  return { low: t('low'), moderate: t('moderate'), high: t('high'), critical: t('critical') }[band];
}

/** Formats a rule: “Residual demand over 28,000 MW”, “Stress high or above”, or “Local stress high or above” for Sample Data. */
export function ruleName(
  rule: AlertRule,
  dataset: string,
  connection: Pick<Connection, 'service' | 'data'> | undefined,
): string {
  const isSample = connection !== undefined && connectionData(connection) !== undefined;
  if (rule.kind === 'late') return t('Data delayed');
  const { condition, rows = 1 } = rule;
  const name = conditionName(condition, dataset, isSample);
  return rows > 1 ? t('{0}, {1} rows in a row', name, rows) : name;
}

function conditionName(condition: string, dataset: string, isSample: boolean): string {
  const limit = parseLimit(condition);
  if (!limit) return condition;
  const { column, sign, value } = limit;
  const label = fieldLabel(dataset, column, isSample);
  const band = bandOf(limit);
  if (band) return band === 'critical' ? `${label} ${bandName(band)}` : t('{0} {1} or above', label, bandName(band));
  if (sign === '>=') return condition;
  const shown = valueOf(dataset, column, value);
  if (sign === '<') return t('{0} under {1}', label, shown);
  return column === rampField ? t('OCGT ramp above {0}', shown) : t('{0} over {1}', label, shown);
}

/** Formats the state of an alert: “on”, “off” or “snoozed until 21 Nov 2026 05:00 UTC”. */
export function alertState({ on, snoozedUntil }: Alert, now: number, zone: DisplayZone): string {
  if (!on) return t('off');
  return snoozedUntil !== undefined && snoozedUntil > now
    ? t('snoozed until {0}', momentText(snoozedUntil, zone))
    : t('on');
}

/** The connection that a notification names, and the zone of its times. */
export interface NotifiedOf {
  readonly connection: Pick<Connection, 'service' | 'data'>;
  /** The connection's display name. */
  readonly label: string;
  readonly zone: DisplayZone;
}

/** Formats one notification for all alerts of a run: “Morning (Power Signals): Stress 0.72, high, 21 Nov 2026 05:00 UTC.” */
export function notificationText(
  { name, query }: SavedQuery,
  notifications: readonly AlertNotification[],
  { connection, label, zone }: NotifiedOf,
): string {
  const parts = notifications.flatMap(({ alert, findings, endedAt }) => [
    ...(findings.length > 0 ? [findingsText(alert, findings, zone)] : []),
    ...(endedAt === undefined
      ? []
      : [endText(ruleName(alert, query.dataset, connection), alert, momentText(endedAt, zone))]),
  ]);
  return t('{0} ({1}): {2}.', name, label, parts.join('; '));
}

function endText(rule: string, { kind }: Alert, when: string): string {
  return kind === 'late' ? t('data no longer delayed, {0}', when) : t('no longer: {0}, {1}', rule, when);
}

function findingsText(alert: Alert, findings: readonly Finding[], zone: DisplayZone): string {
  const newest = findings.at(-1);
  if (!newest) return '';
  const text = findingText(alert, newest, zone);
  const earlier = findings.length - 1;
  if (earlier === 0) return text;
  return earlier === 1 ? t('{0}, and 1 earlier time', text) : t('{0}, and {1} earlier times', text, count(earlier));
}

function findingText(alert: Alert, finding: Finding, zone: DisplayZone): string {
  const { hour, value = NaN, field, band, lateSince } = finding;
  if (alert.kind === 'late') return t('data delayed, none since {0}', momentText(lateSince ?? hour, zone));
  // The label comes from the response, since the sandbox's stress index is not the service's.
  const label = field ? t(field.label) : '';
  const shown = measured(value, field?.unit);
  const when = momentText(hour, zone);
  const limit = parseLimit(alert.condition);
  if (limit && bandOf(limit) && band) return t('{0} {1}, {2}, {3}', label, shown, bandName(band), when);
  if (limit && limit.sign !== '>=') {
    const most = measured(limit.value, field?.unit);
    if (limit.sign === '<') return t('{0} {1}, under {2}, {3}', label, shown, most, when);
    return limit.column === rampField
      ? t('{0} {1}, above {2}, {3}', label, shown, most, when)
      : t('{0} {1}, over {2}, {3}', label, shown, most, when);
  }
  return field ? t('{0} {1}, {2}, {3}', label, shown, alert.condition, when) : t('{0}, {1}', alert.condition, when);
}

const listedHours = 5;

/** Formats when an alert fired, the latest first: “Fired 7 times in 14 days: 21 Nov 2026 05:00 UTC, … and 2 more”. Empty if it never did. */
export function firedText(hours: readonly number[], zone: DisplayZone): string {
  const latest = hours.toReversed().slice(0, listedHours);
  const shown = latest.map(hour => momentText(hour, zone)).join(', ');
  const more = hours.length - latest.length;
  if (hours.length === 0) return '';
  if (hours.length === 1) return t('Fired once in 14 days: {0}', shown);
  return more > 0
    ? t('Fired {0} times in 14 days: {1}, and {2} more', count(hours.length), shown, count(more))
    : t('Fired {0} times in 14 days: {1}', count(hours.length), shown);
}

/** Formats how often an alert would have fired: “would have fired in 12 of 716 archived hours of the last 30 days”. */
export function firesText(fires: PastFires | undefined, interval: string): string {
  if (!fires) return '';
  const [fired, known] = [count(fires.fired), count(fires.known)];
  return (stepOf(interval) ?? 0) < dayMs
    ? t('would have fired in {0} of {1} archived hours of the last 30 days', fired, known)
    : t('would have fired on {0} of {1} archived days of the last 30 days', fired, known);
}

export function valueProblemSentence(problem: ValueProblem): string {
  switch (problem) {
    case 'noNumber':
      return t('Enter a number such as {0} or {1}.', ...examples());
    case 'ambiguous':
      return t('This number is ambiguous. Write it as in {0} or {1}.', ...examples());
    case 'outsideIndex':
      return t('Enter a number between 0 and 1, such as 0.6.');
    case 'rampNotAbove0':
      return t('An OCGT ramp is a rise of output within the hour. Enter a number of MW above 0.');
  }
}

/** Returns two numbers in the display format, as examples. */
function examples(): [string, string] {
  return [measured(28_000, undefined), measured(0.6, undefined)];
}

/** Returns the maximum number of requests per hour: one for each joined dataset. */
export function hourlyRequests(dataset: string): number {
  const known = datasetById(dataset);
  return known ? membersOf(known).length : 1;
}

/** Describes the requests that hourly refresh needs. It is displayed before the user enables it. */
export function watchingCost(dataset: string, keepFresh: boolean | undefined): string {
  const hourly = hourlyRequests(dataset);
  return keepFresh === true
    ? t('No extra requests: the query already refreshes hourly.')
    : t(
        'Refreshes the query hourly: at most {0} an hour, {1} a day, while VS Code is open.',
        requests(hourly),
        24 * hourly,
      );
}

function valueOf(dataset: string, field: string, value: number): string {
  return measured(value, datasetById(dataset)?.fields.get(field)?.unit?.text);
}
