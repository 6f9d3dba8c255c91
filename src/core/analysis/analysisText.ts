import type { Analysis, ComparedPeriod } from '../../shared/analysis.ts';
import type { DerivedColumn } from '../../shared/derivedColumns.ts';
import { resampledText } from '../bins/resample.ts';
import { eventsText } from '../events/eventFrame.ts';
import { scorecardText } from '../forecast/scorecard.ts';
import { formatInstant } from '../time/instant.ts';
import type { Analysed } from './analyse.ts';

/** Describes the rows of an analysis in English: one text per stage, in the order in which stages are applied. */
export function analysisTexts(analysis: Analysis, { derived, resampling, events, scorecard }: Analysed): string[] {
  const { compare, where = {}, missing, within, summarise, sort = [], limit } = analysis;
  return [
    ...(compare ? [comparedText(compare)] : []),
    ...derived.map(columnText),
    ...Object.entries(where).map(filterText),
    ...(resampling ? [resampledText(resampling)] : []),
    ...(events ? [eventsText(events)] : []),
    ...(scorecard ? [scorecardText(scorecard)] : []),
    ...(missing ? ['a row for each interval without one'] : []),
    ...(within ? [`only rows from ${formatInstant(within.start)} to before ${formatInstant(within.end)}`] : []),
    ...(summarise ? [summaryText(summarise)] : []),
    ...(sort.length > 0 ? [sortedText(sort)] : []),
    ...(limit === undefined ? [] : [`at most ${limit} rows`]),
  ];
}

function comparedText(compare: ComparedPeriod): string {
  if (compare.kind === 'range') return `beside them those of ${compare.range}, from the first on`;
  const { count = 1 } = compare;
  const isYear = compare.kind === 'lastYear';
  const [one, several] = isYear ? ['last year', 'years'] : ['the period before', 'periods'];
  const period = count === 1 ? one : `each of the ${count} ${several} before`;
  return `beside them those of ${period}, ${compare.align === 'position' ? 'from the first on' : 'by weekday and hour'}`;
}

const summaryText = (figures: readonly string[]): string => `a row for each column with its ${figures.join(', ')}`;

export const columnText = ({ name, formula }: DerivedColumn): string => `the column ${name} = ${formula}`;

export const filterText = ([name, text]: readonly [string, string]): string => `only rows where ${name} is ${text}`;

export function sortedText(sort: NonNullable<Analysis['sort']>): string {
  return `rows sorted by ${sort.map(({ column, descending }) => `${column}${descending ? ' (descending)' : ''}`).join(', ')}`;
}
