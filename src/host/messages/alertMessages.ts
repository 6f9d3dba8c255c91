import { t } from '@vscode/l10n';
import { connectionData, type Connection } from '../../core/connections/connection.ts';
import { datasetById, membersOf, stepOf } from '../../core/query/catalogue.ts';
import type { Alert, AlertRule, ValueProblem } from '../../core/watch/alert.ts';
import type { AlertNotification } from '../../core/watch/alertHistory.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { dayMs } from '../../shared/durations.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { fieldLabel } from './catalogue.ts';
import { count, measured, requests } from './numbers.ts';
import { momentText } from './times.ts';
import type { StressBand } from '../../shared/stressBands.ts';
import type { Finding, PastFires } from '../../core/watch/reading.ts';

/** “low”, “moderate”, “high”, “critical”. */
export function bandName(band: StressBand): string {
  return { low: t('low'), moderate: t('moderate'), high: t('high'), critical: t('critical') }[band];
}

/** “Residual demand over 28,000 MW”, “Stress high or above”; over a connection to Sample Data “Local stress high or above”. */
export function ruleName(
  rule: AlertRule,
  dataset: string,
  connection: Pick<Connection, 'service' | 'data'> | undefined,
): string {
  const isSample = connection !== undefined && connectionData(connection) !== undefined;
  const label = (field: string): string => fieldLabel(dataset, field, isSample);
  switch (rule.kind) {
    case 'over':
      return t('{0} over {1}', label(rule.field), valueOf(dataset, rule.field, rule.value));
    case 'under':
      return t('{0} under {1}', label(rule.field), valueOf(dataset, rule.field, rule.value));
    case 'stressBand':
      return rule.band === 'critical'
        ? `${label('value')} ${bandName(rule.band)}`
        : t('{0} {1} or above', label('value'), bandName(rule.band));
    case 'rampAbove':
      return t('OCGT ramp above {0}', measured(rule.value, 'MW'));
    case 'late':
      return t('Data delayed');
  }
}

/** “on”, “off”, “snoozed until 21 Nov 2026 05:00 UTC”. */
export function alertState({ on, snoozedUntil }: Alert, now: number, zone: DisplayZone): string {
  if (!on) return t('off');
  return snoozedUntil !== undefined && snoozedUntil > now
    ? t('snoozed until {0}', momentText(snoozedUntil, zone))
    : t('on');
}

/** One notification for all that a run found: “Morning (Power Signals): Stress 0.72, high, 21 Nov 2026 05:00 UTC.” */
export function notificationText(
  query: SavedQuery,
  connection: string,
  notifications: readonly AlertNotification[],
  zone: DisplayZone,
): string {
  const parts = notifications.map(({ alert, findings }) => findingsText(alert, findings, zone));
  return t('{0} ({1}): {2}.', query.name, connection, parts.join('; '));
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
  // As the answer calls it: a sandbox's index is another than the service's.
  const label = field ? t(field.label) : '';
  const shown = measured(value, field?.unit);
  const when = momentText(hour, zone);
  if (alert.kind === 'over' || alert.kind === 'under') {
    const limit = measured(alert.value, field?.unit);
    return alert.kind === 'over'
      ? t('{0} {1}, over {2}, {3}', label, shown, limit, when)
      : t('{0} {1}, under {2}, {3}', label, shown, limit, when);
  }
  if (alert.kind === 'rampAbove') return t('{0} {1}, above {2}, {3}', label, shown, measured(alert.value, 'MW'), when);
  return t('{0} {1}, {2}, {3}', label, shown, band ? bandName(band) : '', when);
}

/** “would have fired in 12 of 716 archived hours of the last 30 days” */
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

/** As numbers are shown here. */
function examples(): [string, string] {
  return [measured(28_000, undefined), measured(0.6, undefined)];
}

/** The most requests of an hour: one for each dataset that is joined. */
export function hourlyRequests(dataset: string): number {
  const known = datasetById(dataset);
  return known ? membersOf(known).length : 1;
}

/** The requests that watching needs: shown before it is enabled. */
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
