import { t } from '@vscode/l10n';
import { eskomTariffs, uncertainHolidays } from '../../core/calendar/tariffPeriods.ts';
import { lastKnownYear, proclaimedHolidays } from '../../core/calendar/holidays.ts';
import type { CalendarPart } from '../../core/calendar/calendarTest.ts';
import { readFilter } from '../../core/filter/readFilter.ts';
import type { Column, ColumnKind } from '../../shared/frame.ts';
import {
  filterProblems,
  mostAlternatives,
  type FilterContext,
  type FilterProblem,
  type ReadFilter,
} from '../../core/filter/filterTypes.ts';

/** One sentence on why a text is no filter, and what to write instead. */
export function filterProblemText({ problem, part, example = '' }: FilterProblem): string {
  return t(filterProblems[problem], part, mostAlternatives, example);
}

/** What can be written as the filter of a column, for a tooltip of a few lines. `zone` is the label of the zone shown. */
export function filterHelp(kind: ColumnKind, zone: string, tariffs = eskomTariffs): string {
  const forms = {
    number: t('>100   <=5   !=0   100..<200   100..200 (both ends)'),
    time: t('2023-05   >=2023-05-03 06:00   2023-05..2023-06   (in {0})', zone),
    text: t('coal (contains)   !coal   =Coal (exactly)   "" (empty text)'),
    nested: t('coal (contains)   !coal   =Coal (exactly)   "" (empty text)'),
    boolean: t('true   false'),
  };
  const calendar =
    kind === 'time'
      ? [t('06:00-18:00   17 (hour)   Mon-Fri   weekend   Jun-Aug   Q1   winter   2023 Mon-Fri !holiday (all)')]
      : [];
  const valid = tariffs.map(({ from, source }) => t('Periods from {0}: {1}', from, source));
  const holidays = [
    t('Holidays proclaimed once, such as for elections, are known until {0}.', lastKnownYear),
    t(
      "Tariff days of public holidays follow Eskom's 2025/26 table, and in other years its rule. To change them, set gridData.tariffPeriods.",
    ),
  ];
  const periods = kind === 'time' ? [...holidays, t('peak   standard   off-peak   (by SAST)'), ...valid] : [];
  return [forms[kind], ...calendar, t('null (no value)   !null'), t('a or b'), ...periods].join('\n');
}

/** Which public holidays of rows by tariff periods are of a year whose table is not known; undefined for none. */
export function tariffNote(
  span: { readonly start: number; readonly end: number } & { readonly tariffs?: typeof eskomTariffs },
): string | undefined {
  const dates = uncertainHolidays(span, span.tariffs);
  if (dates.length === 0) return undefined;
  return t(
    "Public holidays not in Eskom's 2025/26 table follow its rule: {0}. To change them, set gridData.tariffPeriods.",
    datesText(dates),
  );
}

/** What is said of the days that a filter of times by the calendar is about: tariff periods without a table, and holidays proclaimed once. */
export function calendarNotes(column: Column, text: string, context: FilterContext): string[] {
  if (column.kind !== 'time') return [];
  const read = readFilter(text, column, context);
  const parts = read.ok ? partsOf(read).map(({ of }) => of) : [];
  if (!parts.includes('holiday') && !parts.includes('period')) return [];
  let [start, end] = [Infinity, -Infinity];
  for (const at of column.values) [start, end] = [at < start ? at : start, at >= end ? at + 1 : end];
  const span = { start, end, ...(context.tariffs && { tariffs: context.tariffs }) };
  if (!(start < end)) return [];
  return [
    ...(parts.includes('period') ? [tariffNote(span)] : []),
    ...(parts.includes('holiday') ? [holidayNote(span)] : []),
  ].filter(note => note !== undefined);
}

function partsOf({ conditions }: ReadFilter): readonly CalendarPart[] {
  return conditions.flatMap(({ cells }) =>
    cells.kind === 'calendar' ? cells.parts : cells.kind === 'filter' ? partsOf(cells) : [],
  );
}

function holidayNote(span: { readonly start: number; readonly end: number }): string | undefined {
  const dates = proclaimedHolidays(span);
  const known = dates.length > 0 ? [t('Holidays proclaimed for one year: {0}.', datesText(dates))] : [];
  const isLater = span.end > Date.UTC(lastKnownYear + 1, 0);
  const later = isLater ? [t('Holidays proclaimed after {0} are not known.', lastKnownYear)] : [];
  return [...known, ...later].join(' ') || undefined;
}

function datesText(dates: readonly string[]): string {
  const listed = dates.slice(0, 3).join(', ');
  return dates.length > 3 ? t('{0} and {1} more', listed, dates.length - 3) : listed;
}
