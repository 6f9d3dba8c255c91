import { t } from '@vscode/l10n';
import { GridError, type FailureReason } from '../../core/errors.ts';
import { resolveQuery, type Query } from '../../core/query/query.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import type { LastRun, RecentRun } from '../../service/savedQueries/recentRuns.ts';
import type { StoreProblem } from '../../service/savedQueries/lockedText.ts';
import { shortZone } from '../../core/time/zone.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { differentZone, displayZone, zoneOf } from '../settings.ts';
import { ruleName } from '../messages/alertMessages.ts';
import { datasetTitle } from '../messages/catalogue.ts';
import { sampleDataName } from '../connections/connectionMessages.ts';
import { failureWords } from '../messages/failures.ts';
import { count, intervalName, requests, rows } from '../messages/numbers.ts';
import { problemSentence } from '../messages/problems.ts';
import { momentText, rangeText, shortMomentText, spanText } from '../messages/times.ts';

/** Marks a query with hourly refresh. */
const freshMark = '⟳';

/** The state of a saved query that is not part of the query itself. */
export interface QueryStatus {
  /** The connection of the query; undefined if there is none, or none of that name. */
  readonly connection: Pick<Connection, 'name' | 'service'> | undefined;
  readonly lastRun: LastRun | undefined;
  readonly isFresh: boolean;
  /** The current time by the clock of the connection's service, in UTC milliseconds. */
  readonly now: number;
}

/** Formats a query: `System state · last 7 days · hourly`. */
export function queryText(query: Query): string {
  const { dataset, range, interval } = query;
  return [datasetTitle(dataset), rangeText(range, zoneOf(query)), intervalName(interval)].join(' · ');
}

/** Formats a saved query, with `days of UTC` if its days differ from those of the time zone setting. */
function savedText(query: Query, now: number): string {
  const zone = differentZone(query, now);
  return [queryText(query), ...(zone ? [t('days of {0}', shortZone(zone))] : [])].join(' · ');
}

/** Formats a description: `fresh · 168 rows · 05:00 UTC · System state · last 7 days · hourly`. A narrow view shows only its beginning. */
export function savedDescription({ query, keepFresh }: SavedQuery, facts: QueryStatus, zone: DisplayZone): string {
  const { lastRun } = facts;
  const mark = keepFresh ? [freshMark] : [];
  if (!lastRun) return [...mark, savedText(query, facts.now)].join(' · ');
  const when = shortMomentText(lastRun.at, zone, facts.now);
  return [...mark, ...freshnessWord(facts), outcomeText(lastRun.outcome), when, savedText(query, facts.now)].join(
    ' · ',
  );
}

/** Converts a description to a text for screen readers. */
export function spokenDescription(description: string): string {
  return description.replace(freshMark, t('refresh hourly')).replaceAll(' · ', ', ');
}

/** Returns the lines of a saved query's tooltip: query, current range, parameters, connection, hourly refresh and last run. */
export function savedLines(saved: SavedQuery, facts: QueryStatus, zone: DisplayZone): string[] {
  const { query, connection } = saved;
  const resolved = resolveQuery(query, facts.now);
  const params = Object.entries(query.params).map(([name, value]) => `${name}=${value}`);
  const goesTo =
    facts.connection?.name ??
    (connection === undefined ? t('no connection yet') : t("'{0}', not found: select one on run", connection));
  return [
    savedText(query, facts.now),
    resolved.ok ? t('Now: {0}', spanText(resolved.value, zoneOf(query))) : problemSentence(resolved),
    ...zoneLines(query, facts.now),
    ...(params.length > 0 ? [t('Parameters: {0}', params.join(' '))] : []),
    t('Connection: {0}', goesTo),
    ...watchLines(saved, facts),
    ...lastRunLines(facts, zone),
  ];
}

function zoneLines(query: Query, now: number): string[] {
  const zone = differentZone(query, now);
  if (!zone) return [];
  return [t("Its days are those of {0}, your setting is {1}. 'Edit…' changes them.", zone.label, displayZone().label)];
}

function watchLines({ query, keepFresh, alerts = [] }: SavedQuery, { connection }: QueryStatus): string[] {
  if (!keepFresh) return [];
  const rules = alerts.filter(({ on }) => on).map(alert => ruleName(alert, query.dataset, connection));
  return [t('Refresh hourly'), ...(rules.length > 0 ? [t('Alerts: {0}', rules.join(', '))] : [])];
}

function lastRunLines({ lastRun, isFresh }: QueryStatus, zone: DisplayZone): string[] {
  if (!lastRun) return [t('Not run yet')];
  const { at, outcome, requestsSpent } = lastRun;
  const run = t('Last run: {0}, {1}', momentText(at, zone), requests(requestsSpent));
  const came = outcome.kind === 'rows' ? rows(outcome.rows) : failureSentence(outcome.reason);
  const news = isFresh ? t('No newer data is published.') : t('Newer data may be available.');
  return [`${run}: ${came}`, ...(outcome.kind === 'rows' ? [news] : [])];
}

function freshnessWord({ lastRun, isFresh }: QueryStatus): string[] {
  if (lastRun?.outcome.kind !== 'rows') return [];
  return [isFresh ? t('up to date') : t('due')];
}

function outcomeText(outcome: LastRun['outcome']): string {
  return outcome.kind === 'rows' ? rows(outcome.rows) : t('failed');
}

function failureSentence(reason: string): string {
  return failureWords(new GridError(reason as FailureReason))?.sentence ?? t('failed');
}

export function queryCount(value: number): string {
  return value === 1 ? t('1 query') : t('{0} queries', count(value));
}

/** Formats the label of a run: `System state · last 7 days`. The interval is in the description. */
export function recentTitle(query: Query, now: number): string {
  return [datasetTitle(query.dataset), rangeText(query.range, zoneOf(query), now)].join(' · ');
}

/** Formats the description of a run: `20 Nov 09:41 UTC · 744 rows · hourly`, with a label for Sample Data and replayed hours. */
export function recentDescription(run: RecentRun, zone: DisplayZone, now: number): string {
  const when = shortMomentText(run.at, zone, now);
  const data = run.data ? [run.data === 'replay' ? t('Replayed Hours') : sampleDataName()] : [];
  return [when, ...data, outcomeText(run.outcome), intervalName(run.query.interval)].join(' · ');
}

export function recentLines(run: RecentRun, zone: DisplayZone): string[] {
  return [
    queryText(run.query),
    t('Connection: {0}', run.connection.name),
    ...lastRunLines({ lastRun: run, isFresh: true, connection: undefined, now: 0 }, zone).slice(0, 1),
    t('Opens from the archive, without a request.'),
  ];
}

export function keyLikeSentence(part: string): string {
  return t("'{0}' looks like a key. Keys are not stored in queries. Remove it and try again.", part);
}

/** Describes a problem of a store. `name` is that of its contents. */
export function storeProblemSentence(problem: StoreProblem, name: string): string {
  switch (problem.problem) {
    case 'damaged':
      return problem.unreadable === 'all'
        ? t('Cannot read {0}. Its contents were backed up: {1}', name, problem.keptAs)
        : t('{0}: cannot read {1}. The original was backed up: {2}', name, problem.unreadable, problem.keptAs);
    case 'newerVersion':
      return t('{0} was written by a newer version of Grid Data Inspector and is read-only.', name);
    case 'fileUnusable':
      return t('{0}: cannot use its file ({1}), so changes made here do not reach other windows.', name, problem.code);
  }
}
