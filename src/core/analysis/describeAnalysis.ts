import type { Analysis, ComparedPeriod, JoinSource } from '../../shared/analysis.ts';
import type { DerivedColumn } from '../../shared/derivedColumns.ts';
import { describeResampling } from '../bins/resampleFrame.ts';
import { describeEvents } from '../events/eventFrame.ts';
import { describeScorecard } from '../forecast/scorecard.ts';
import { formatInstant } from '../time/instant.ts';
import type { AnalysisResult } from './analyze.ts';

/** The stages of an analysis whose description depends on how they were applied. */
interface AppliedStages extends Pick<AnalysisResult, 'derived' | 'resampling'> {
  readonly events?: Parameters<typeof describeEvents>[0];
  readonly scorecard?: Parameters<typeof describeScorecard>[0];
}

/** Describes the stages of an analysis in English, in the order in which they are applied. */
export function describeAnalysis(
  analysis: Analysis,
  { derived, resampling, events, scorecard }: AppliedStages,
): string[] {
  const { join = [], compare, where = {}, within, summarize, sort = [], limit } = analysis;
  // Rows for missing intervals are added only to received rows, not to computed ones.
  const missing = analysis.missing && !(resampling ?? events ?? scorecard ?? summarize);
  return [
    ...join.map(source => `with the columns of ${getSourceName(source)}`),
    ...(compare ? [describeComparison(compare)] : []),
    ...derived.map(describeDerivedColumn),
    ...Object.entries(where).map(describeFilter),
    ...(resampling ? [describeResampling(resampling)] : []),
    ...(events ? [describeEvents(events)] : []),
    ...(scorecard ? [describeScorecard(scorecard)] : []),
    ...(missing ? ['a row for each missing interval'] : []),
    ...(within ? [`only rows from ${formatInstant(within.start)} to before ${formatInstant(within.end)}`] : []),
    ...(summarize ? [describeSummary(summarize)] : []),
    ...(sort.length > 0 ? [describeSort(sort)] : []),
    ...(limit === undefined ? [] : [`at most ${limit} rows`]),
  ];
}

/** Returns the English name of a joined source: the name of the file or query. */
export function getSourceName(source: JoinSource): string {
  if (source.kind === 'query') return source.name;
  if (source.kind === 'installedCapacity') return 'Installed capacity';
  const name = source.path.slice(source.path.lastIndexOf('/') + 1);
  return source.path.startsWith('file:') ? decodeURIComponent(name) : name;
}

function describeComparison(compare: ComparedPeriod): string {
  if (compare.kind === 'range') return `compared with ${compare.range}, aligned by position`;
  const { count = 1 } = compare;
  const isYear = compare.kind === 'lastYear';
  const [singular, plural] = isYear ? ['last year', 'years'] : ['the previous period', 'periods'];
  const period = count === 1 ? singular : `each of the previous ${count} ${plural}`;
  return `compared with ${period}, aligned by ${compare.align === 'position' ? 'position' : 'weekday and hour'}`;
}

const describeSummary = (figures: readonly string[]): string => `a row for each column with its ${figures.join(', ')}`;

export const describeDerivedColumn = (column: DerivedColumn): string =>
  `the column ${column.name} = ${describeFormula(column)}`;

/** Returns a column's formula, with the source of its numbers in English. */
export function describeFormula({ formula, source }: DerivedColumn): string {
  return source === undefined ? formula : `${formula} (source: ${source})`;
}

export const describeFilter = ([name, text]: readonly [string, string]): string => `only rows where ${name} is ${text}`;

export function describeSort(sort: NonNullable<Analysis['sort']>): string {
  return `rows sorted by ${sort.map(({ column, descending }) => `${column}${descending ? ' (descending)' : ''}`).join(', ')}`;
}
