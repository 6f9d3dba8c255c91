import { GridError } from '../core/errors.ts';
import { parseCondition } from '../core/formula/parseFormula.ts';
import { FormulaError } from '../core/formula/formula.ts';
import { getWindowRowMs } from '../core/formula/deriveColumns.ts';
import { toInertText } from '../core/inertText.ts';
import type { AlertRule } from '../core/watch/alert.ts';
import { createReading, findFindings, countPastAlerts, type Reading } from '../core/watch/alertReading.ts';
import { InputError } from '../host/inputError.ts';
import { formatIntervals } from '../host/messages/numbers.ts';
import { formatZonedInstant } from '../host/messages/times.ts';
import { getQueryZone } from '../host/settings.ts';
import { getIntervalStart, intervalState, type Coverage, type Result } from '../shared/result.ts';
import { exitCodes, type CommandArguments } from './commandLine.ts';
import type { CommandContext } from './commandContext.ts';
import { findFailure, warnOfFailures } from './failures.ts';
import { queryOptions, readRequestedQueries, type NamedQuery } from './requestedQuery.ts';

export const checkCommandOptions = {
  ...queryOptions,
  'min-coverage': { type: 'string' },
  condition: { type: 'string', multiple: true },
  late: { type: 'boolean' },
} as const;

/** The minimum coverage, in percent, if the command line names no check. */
const defaultMinCoverage = 99;

/** The checks that a command line names. */
interface Checks {
  /** In percent; undefined if the coverage is not checked. */
  readonly minCoverage: number | undefined;
  readonly conditions: readonly string[];
  readonly late: boolean;
  /** Whether to check the alerts of the saved queries. */
  readonly alerts: boolean;
}

/** Prints one line for each finding in the rows of the queries, or one line that begins with OK. Returns the exit code. */
export async function runCheckCommand(args: CommandArguments, context: CommandContext): Promise<number> {
  const checks = parseChecks(args);
  const { queries } = await readRequestedQueries(args, context.folder);
  const environment = await context.openEnvironment();
  const results = await environment.run(queries, context.requestOptions);
  const hasFailed = warnOfFailures(queries, results, context);
  const now = environment.nowAt(environment.connection);
  const findings = queries.flatMap((query, index) => {
    const result = results[index];
    if (!result || result instanceof GridError) return [];
    const name = toInertText(query.name ?? query.query.dataset);
    return listFindings(query, result, checks, now).map(finding => `${name}: ${finding}`);
  });
  for (const finding of findings) context.stdout.write(`${finding}\n`);
  if (findings.length > 0) return exitCodes.found;
  if (hasFailed) return exitCodes.failure;
  const names = queries.map(({ name, query }) => toInertText(name ?? query.dataset));
  context.stdout.write(`OK: ${names.join(', ')}\n`);
  return exitCodes.success;
}

function parseChecks(args: CommandArguments): Checks {
  const percent = args.text('min-coverage');
  if (percent !== undefined && (!/^\d{1,3}(\.\d{1,6})?$/.test(percent) || Number(percent) > 100))
    throw new InputError('--min-coverage takes a percentage from 0 to 100.');
  const conditions = args.texts('condition');
  const late = args.has('late');
  const alerts = percent === undefined && conditions.length === 0 && !late;
  const minCoverage = percent === undefined ? (alerts ? defaultMinCoverage : undefined) : Number(percent);
  return { minCoverage, conditions, late, alerts };
}

/** Describes what the checks find in a result, each in one line. Throws InputError for an invalid condition. */
function listFindings(
  { query, analysis, alerts = [] }: NamedQuery,
  result: Result,
  checks: Checks,
  now: number,
): string[] {
  const reading = createReading(result, now, analysis?.derive);
  const zone = getQueryZone(query);
  const formatTime = (ms: number): string => formatZonedInstant(ms, zone);
  const { coverage } = result;
  // After a failure, a missing hour proves nothing.
  const hasKnownCoverage = findFailure(result) === undefined;
  const lines: string[] = [];
  if (checks.minCoverage !== undefined && hasKnownCoverage)
    lines.push(...describeLowCoverage(coverage, checks.minCoverage, result.provenance.days ? '1h' : query.interval));
  for (const condition of checks.conditions) checkCondition(condition, reading);
  const rules: readonly (AlertRule & { readonly snoozedUntil?: number | undefined })[] = [
    ...checks.conditions.map(condition => ({ kind: 'condition', condition }) as const),
    ...(checks.late ? [{ kind: 'late' } as const] : []),
    ...(checks.alerts ? alerts.filter(({ on }) => on) : []),
  ];
  for (const rule of rules) {
    const findings = findFindings(reading, rule, rule.snoozedUntil ?? -Infinity);
    const [first] = findings;
    const last = findings.at(-1);
    if (!first || !last) continue;
    if (rule.kind === 'late') {
      lines.push(`The service reports late data: no rows since ${formatTime(first.lateSince ?? first.hour)}.`);
      continue;
    }
    const rows = rule.rows === undefined || rule.rows === 1 ? '' : ` for ${rule.rows} rows in a row`;
    const known = countPastAlerts(reading, rule)?.known ?? findings.length;
    lines.push(
      `${toInertText(rule.condition)}${rows}: ${findings.length} of ${known} rows, first ${formatTime(first.hour)}, last ${formatTime(last.hour)}.`,
    );
  }
  const newest = checks.late && hasKnownCoverage ? findMissingNewest(reading) : undefined;
  if (newest !== undefined) lines.push(`The newest published row is missing: ${formatTime(newest)}.`);
  return lines;
}

function checkCondition(condition: string, { frame, intervalMs }: Reading): void {
  if (!frame) return;
  const parsed = parseCondition(condition, frame.columns, getWindowRowMs(frame, intervalMs));
  if (parsed instanceof FormulaError) throw new InputError(`Condition '${toInertText(condition)}': ${parsed.message}`);
}

/** Describes a coverage below the minimum, among the intervals that should be published. */
function describeLowCoverage(coverage: Coverage | undefined, minPercent: number, interval: string): string[] {
  if (!coverage) return ['The coverage is unknown, because the rows have no times at known distances.'];
  const { present, expected, notPublished, notRequested } = coverage.hours?.counts ?? coverage;
  const published = expected - notPublished;
  const percent = (100 * present) / published;
  if (published <= 0 || percent >= minPercent) return [];
  // Rounding down never shows the minimum that was not reached.
  const shown = Math.floor(percent * 100) / 100;
  const unrequested = notRequested > 0 ? `, ${notRequested} not requested` : '';
  return [
    `Coverage ${shown} % is below ${minPercent} %: ${present} of ${formatIntervals(published, interval)}${unrequested}.`,
  ];
}

/** Returns the start of the newest interval that should be published, if its row is missing. */
function findMissingNewest({ coverage, start, intervalMs }: Reading): number | undefined {
  if (!coverage || intervalMs === undefined) return undefined;
  const index = coverage.states.findLastIndex(state => state !== intervalState.notPublished);
  return coverage.states[index] === intervalState.missing
    ? getIntervalStart(coverage, start, intervalMs, index)
    : undefined;
}
