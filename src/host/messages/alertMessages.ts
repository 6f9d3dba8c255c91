import { t } from '@vscode/l10n';
import { getConnectionData, type Connection } from '../../core/connections/connection.ts';
import { findDataset, getMembers, getIntervalMs } from '../../core/query/catalogue.ts';
import { findStressBand, parseLimit } from '../../core/formula/columnLimit.ts';
import type { Alert, AlertRule, ValueProblem } from '../../core/watch/alert.ts';
import type { AlertNotification } from '../../core/watch/alertHistory.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { dayMs } from '../../shared/durations.ts';
import { rampField } from '../../shared/fields.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { fieldLabel } from './catalogue.ts';
import { formatCount, formatMeasured, formatRequests } from './numbers.ts';
import { formatZonedInstant } from './times.ts';
import type { StressBand } from '../../shared/stressBands.ts';
import type { Finding, PastAlertCount } from '../../core/watch/alertReading.ts';

/** Returns the name of a band: “low”, “moderate”, “high” or “critical”. */
export function bandName(band: StressBand): string {
  return { low: t('low'), moderate: t('moderate'), high: t('high'), critical: t('critical') }[band];
}

/** Formats a rule: “Residual demand over 28,000 MW”, “Stress high or above”, or “Local stress high or above” for Sample Data. */
export function formatRule(
  rule: AlertRule,
  dataset: string,
  connection: Pick<Connection, 'service' | 'data'> | undefined,
): string {
  const isSample = connection !== undefined && getConnectionData(connection) !== undefined;
  if (rule.kind === 'late') return t('Data delayed');
  const { condition, rows = 1 } = rule;
  const name = formatCondition(condition, dataset, isSample);
  return rows > 1 ? t('{0}, {1} rows in a row', name, rows) : name;
}

function formatCondition(condition: string, dataset: string, isSample: boolean): string {
  const limit = parseLimit(condition);
  if (!limit) return condition;
  const { column, sign, value } = limit;
  const label = fieldLabel(dataset, column, isSample);
  const band = findStressBand(limit);
  if (band) return band === 'critical' ? `${label} ${bandName(band)}` : t('{0} {1} or above', label, bandName(band));
  if (sign === '>=') return condition;
  const valueText = formatFieldValue(dataset, column, value);
  if (sign === '<') return t('{0} under {1}', label, valueText);
  return column === rampField ? t('OCGT ramp above {0}', valueText) : t('{0} over {1}', label, valueText);
}

/** Formats the state of an alert: “on”, “off” or “snoozed until 21 Nov 2026 05:00 UTC”. */
export function formatAlertState({ on, snoozedUntil }: Alert, now: number, zone: DisplayZone): string {
  if (!on) return t('off');
  return snoozedUntil !== undefined && snoozedUntil > now
    ? t('snoozed until {0}', formatZonedInstant(snoozedUntil, zone))
    : t('on');
}

/** The connection that a notification names, and the zone of its times. */
export interface NotificationContext {
  readonly connection: Pick<Connection, 'service' | 'data'>;
  /** The connection's display name. */
  readonly label: string;
  readonly zone: DisplayZone;
}

/** Formats one notification for all alerts of a run: “Morning (Power Signals): Stress 0.72, high, 21 Nov 2026 05:00 UTC.” */
export function formatNotification(
  { name, query }: SavedQuery,
  notifications: readonly AlertNotification[],
  { connection, label, zone }: NotificationContext,
): string {
  const parts = notifications.flatMap(({ alert, findings, endedAt }) => [
    ...(findings.length > 0 ? [formatFindings(alert, findings, zone)] : []),
    ...(endedAt === undefined
      ? []
      : [formatEnd(formatRule(alert, query.dataset, connection), alert, formatZonedInstant(endedAt, zone))]),
  ]);
  return t('{0} ({1}): {2}.', name, label, parts.join('; '));
}

function formatEnd(rule: string, { kind }: Alert, when: string): string {
  return kind === 'late' ? t('data no longer delayed, {0}', when) : t('condition ended: {0}, {1}', rule, when);
}

function formatFindings(alert: Alert, findings: readonly Finding[], zone: DisplayZone): string {
  const newest = findings.at(-1);
  if (!newest) return '';
  const text = formatFinding(alert, newest, zone);
  const earlier = findings.length - 1;
  if (earlier === 0) return text;
  return earlier === 1
    ? t('{0}, and 1 earlier time', text)
    : t('{0}, and {1} earlier times', text, formatCount(earlier));
}

function formatFinding(alert: Alert, finding: Finding, zone: DisplayZone): string {
  const { hour, value = NaN, field, band, lateSince } = finding;
  if (alert.kind === 'late') return t('data delayed, none since {0}', formatZonedInstant(lateSince ?? hour, zone));
  // The label comes from the response, since the sandbox's stress index is not the service's.
  const label = field ? t(field.label) : '';
  const valueText = formatMeasured(value, field?.unit);
  const when = formatZonedInstant(hour, zone);
  const limit = parseLimit(alert.condition);
  if (limit && findStressBand(limit) && band) return t('{0} {1}, {2}, {3}', label, valueText, bandName(band), when);
  if (limit && limit.sign !== '>=') {
    const limitText = formatMeasured(limit.value, field?.unit);
    if (limit.sign === '<') return t('{0} {1}, under {2}, {3}', label, valueText, limitText, when);
    return limit.column === rampField
      ? t('{0} {1}, above {2}, {3}', label, valueText, limitText, when)
      : t('{0} {1}, over {2}, {3}', label, valueText, limitText, when);
  }
  return field ? t('{0} {1}, {2}, {3}', label, valueText, alert.condition, when) : t('{0}, {1}', alert.condition, when);
}

const maxListedHours = 5;

/** Formats when an alert fired, the latest first: “Fired 7 times in 14 days: 21 Nov 2026 05:00 UTC, … and 2 more”. Empty if it never did. */
export function formatFiredHours(hours: readonly number[], zone: DisplayZone): string {
  const latest = hours.toReversed().slice(0, maxListedHours);
  const hoursText = latest.map(hour => formatZonedInstant(hour, zone)).join(', ');
  const more = hours.length - latest.length;
  if (hours.length === 0) return '';
  if (hours.length === 1) return t('Fired once in 14 days: {0}', hoursText);
  return more > 0
    ? t('Fired {0} times in 14 days: {1}, and {2} more', formatCount(hours.length), hoursText, formatCount(more))
    : t('Fired {0} times in 14 days: {1}', formatCount(hours.length), hoursText);
}

/** Formats how often an alert would have fired: “would have fired in 12 of 716 archived hours of the last 30 days”. */
export function formatPastFires(fires: PastAlertCount | undefined, interval: string): string {
  if (!fires) return '';
  const fired = formatCount(fires.fired);
  const checkedCount = formatCount(fires.known);
  return (getIntervalMs(interval) ?? 0) < dayMs
    ? t('would have fired in {0} of {1} archived hours of the last 30 days', fired, checkedCount)
    : t('would have fired on {0} of {1} archived days of the last 30 days', fired, checkedCount);
}

export function describeValueProblem(problem: ValueProblem): string {
  switch (problem) {
    case 'noNumber':
      return t('Enter a number such as {0} or {1}.', ...formatExamples());
    case 'ambiguous':
      return t('This number is ambiguous. Write it as in {0} or {1}.', ...formatExamples());
    case 'outsideIndex':
      return t('Enter a number between 0 and 1, such as 0.6.');
    case 'rampNotAbove0':
      return t('An OCGT ramp is a rise of output within the hour. Enter a number of MW above 0.');
  }
}

/** Returns two numbers in the display format, as examples. */
function formatExamples(): [string, string] {
  return [formatMeasured(28_000, undefined), formatMeasured(0.6, undefined)];
}

/** Returns the maximum number of requests per hour: one for each joined dataset. */
export function maxHourlyRequests(dataset: string): number {
  const knownDataset = findDataset(dataset);
  return knownDataset ? getMembers(knownDataset).length : 1;
}

/** Describes the requests that hourly refresh needs. It is displayed before the user enables it. */
export function describeWatchingCost(dataset: string, keepFresh: boolean | undefined): string {
  const hourly = maxHourlyRequests(dataset);
  return keepFresh === true
    ? t('No extra requests: the query already refreshes hourly.')
    : t(
        'Refreshes the query hourly: at most {0} an hour, {1} a day, while VS Code is open.',
        formatRequests(hourly),
        24 * hourly,
      );
}

function formatFieldValue(dataset: string, field: string, value: number): string {
  return formatMeasured(value, findDataset(dataset)?.fields.get(field)?.unit?.text);
}
