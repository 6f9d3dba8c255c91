import { t } from '@vscode/l10n';
import { GridError, type FailureReason } from '../../core/errors.ts';
import { resolveQuery, type Query } from '../../core/query/query.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import type { LastRun, RecentRun } from '../../service/savedQueries/recentRuns.ts';
import type { StoreProblem } from '../../service/savedQueries/storeProblem.ts';
import { formatShortZone } from '../../core/time/zone.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { findDifferingZone, displayZone, getQueryZone } from '../settings.ts';
import { formatRule } from '../messages/alertMessages.ts';
import { datasetTitle } from '../messages/catalogue.ts';
import { sampleDataName } from '../connections/connectionMessages.ts';
import { describeFailure } from '../messages/failures.ts';
import { formatCount, intervalName, formatRequests, formatRows } from '../messages/numbers.ts';
import { describeQueryProblem } from '../messages/problems.ts';
import { formatZonedInstant, formatRange, formatShortInstant, formatSpan } from '../messages/times.ts';

/** The mark of a query that refreshes hourly. */
const refreshMark = '⟳';

/** The facts about a saved query, which its contents do not include. */
export interface QueryStatus {
  /** The connection of the query. Undefined if the query has none, or names one that does not exist. */
  readonly connection: Pick<Connection, 'name' | 'service'> | undefined;
  readonly lastRun: LastRun | undefined;
  /** Whether the service has published no newer data since the last run. */
  readonly isFresh: boolean;
  /** The current time of the connection's service, in UTC milliseconds. */
  readonly now: number;
}

/** Formats a query, such as `System state · last 7 days · hourly`. */
export function formatQuery(query: Query): string {
  const { dataset, range, interval } = query;
  return [datasetTitle(dataset), formatRange(range, getQueryZone(query)), intervalName(interval)].join(' · ');
}

/** Formats a saved query. Adds the time zone, such as `days of UTC`, if it differs from not time zone setting. */
function formatSavedQuery(query: Query, now: number): string {
  const zone = findDifferingZone(query, now);
  return [formatQuery(query), ...(zone ? [t('days of {0}', formatShortZone(zone))] : [])].join(' · ');
}

/**
 * Formats the description of a saved query, such as `up to date · 168 rows · 05:00 UTC · System state · last 7 days · hourly`. The status comes
 * first, because a narrow view cuts off the end.
 */
export function formatDescription({ query, keepFresh }: SavedQuery, status: QueryStatus, zone: DisplayZone): string {
  const { lastRun } = status;
  const mark = keepFresh ? [refreshMark] : [];
  if (!lastRun) return [...mark, formatSavedQuery(query, status.now)].join(' · ');
  const when = formatShortInstant(lastRun.at, zone, status.now);
  return [
    ...mark,
    ...formatFreshness(status),
    formatOutcome(lastRun.outcome),
    when,
    formatSavedQuery(query, status.now),
  ].join(' · ');
}

/** Converts a description to a text for screen readers. */
export function toSpokenText(description: string): string {
  return description.replace(refreshMark, t('refresh hourly')).replaceAll(' · ', ', ');
}

/** Returns the lines of a saved query's tooltip: query, current range, parameters, connection, hourly refresh and last run. */
export function formatTooltipLines(saved: SavedQuery, status: QueryStatus, zone: DisplayZone): string[] {
  const { query, connection } = saved;
  const resolved = resolveQuery(query, status.now);
  const params = Object.entries(query.params).map(([name, value]) => `${name}=${value}`);
  const connectionText =
    status.connection?.name ??
    (connection === undefined ? t('no connection yet') : t("'{0}' (not found; select one when running)", connection));
  return [
    formatSavedQuery(query, status.now),
    resolved.ok ? t('Now: {0}', formatSpan(resolved.value, getQueryZone(query))) : describeQueryProblem(resolved),
    ...formatZoneLines(query, status.now),
    ...(params.length > 0 ? [t('Parameters: {0}', params.join(' '))] : []),
    t('Connection: {0}', connectionText),
    ...formatWatchLines(saved, status),
    ...formatLastRunLines(status, zone),
  ];
}

function formatZoneLines(query: Query, now: number): string[] {
  const zone = findDifferingZone(query, now);
  if (!zone) return [];
  return [t("Uses days of {0}; your setting is {1}. To change it, select 'Edit…'.", zone.label, displayZone().label)];
}

function formatWatchLines({ query, keepFresh, alerts = [] }: SavedQuery, { connection }: QueryStatus): string[] {
  if (!keepFresh) return [];
  const rules = alerts.filter(({ on }) => on).map(alert => formatRule(alert, query.dataset, connection));
  return [t('Refresh hourly'), ...(rules.length > 0 ? [t('Alerts: {0}', rules.join(', '))] : [])];
}

function formatLastRunLines({ lastRun, isFresh }: QueryStatus, zone: DisplayZone): string[] {
  if (!lastRun) return [t('Not run yet')];
  const { at: ranAt, outcome, requestsSpent } = lastRun;
  const runText = t('Last run: {0}, {1}', formatZonedInstant(ranAt, zone), formatRequests(requestsSpent));
  const outcomeText = outcome.kind === 'rows' ? formatRows(outcome.rows) : formatFailureReason(outcome.reason);
  const freshness = isFresh ? t('No newer data is published.') : t('Newer data may be available.');
  return [`${runText}: ${outcomeText}`, ...(outcome.kind === 'rows' ? [freshness] : [])];
}

function formatFreshness({ lastRun, isFresh }: QueryStatus): string[] {
  if (lastRun?.outcome.kind !== 'rows') return [];
  return [isFresh ? t('up to date') : t('due')];
}

function formatOutcome(outcome: LastRun['outcome']): string {
  return outcome.kind === 'rows' ? formatRows(outcome.rows) : t('failed');
}

function formatFailureReason(reason: string): string {
  return describeFailure(new GridError(reason as FailureReason))?.sentence ?? t('failed');
}

export function formatQueryCount(value: number): string {
  return value === 1 ? t('1 query') : t('{0} queries', formatCount(value));
}

/** Formats the label of a run, such as `System state · last 7 days`. */
export function formatRunLabel(query: Query, now: number): string {
  return [datasetTitle(query.dataset), formatRange(query.range, getQueryZone(query), now)].join(' · ');
}

/** Formats the description of a run, such as `20 Nov 09:41 UTC · 744 rows · hourly`. Adds a label to runs of Sample Data or replayed hours. */
export function formatRunDescription(run: RecentRun, zone: DisplayZone, now: number): string {
  const when = formatShortInstant(run.at, zone, now);
  const data = run.data ? [run.data === 'replay' ? t('Replayed Hours') : sampleDataName()] : [];
  return [when, ...data, formatOutcome(run.outcome), intervalName(run.query.interval)].join(' · ');
}

export function formatRunTooltip(run: RecentRun, zone: DisplayZone): string[] {
  return [
    formatQuery(run.query),
    t('Connection: {0}', run.connection.name),
    ...formatLastRunLines({ lastRun: run, isFresh: true, connection: undefined, now: 0 }, zone).slice(0, 1),
    t('Opens from the archive, without a request.'),
  ];
}

export function describeKeyLikePart(part: string): string {
  return t("'{0}' looks like a key. Keys are not stored in queries. Remove it and try again.", part);
}

/** Describes a problem with a store. `name` is what the message calls the contents of the store. */
export function describeStoreProblem(problem: StoreProblem, name: string): string {
  switch (problem.problem) {
    case 'damaged':
      return problem.unreadable === 'all'
        ? t('Cannot read {0}. Its contents were backed up: {1}', name, problem.backupName)
        : t('{0}: cannot read {1}. The original was backed up: {2}', name, problem.unreadable, problem.backupName);
    case 'newerVersion':
      return t('{0} was written by a newer version of Grid Data Inspector and is read-only.', name);
    case 'fileUnusable':
      return t('{0}: cannot use its file ({1}), so changes made here do not reach other windows.', name, problem.code);
  }
}
