import { t } from '@vscode/l10n';
import { eskomTariffs, uncertainHolidays } from '../../core/calendar/tariffPeriods.ts';
import { lastKnownYear, proclaimedHolidays } from '../../core/calendar/holidays.ts';
import type { CalendarPart } from '../../core/calendar/calendarMatcher.ts';
import { parseFilterConditions } from '../../core/filter/readFilter.ts';
import type { Column, ColumnKind } from '../../shared/frame.ts';
import {
  filterProblems,
  maxAlternatives,
  type FilterContext,
  type FilterProblem,
  type FilterConditions,
} from '../../core/filter/filterTypes.ts';

/** Formats a sentence that explains why a filter is invalid and how to correct it. */
export function formatFilterProblem({ problem, part, example = '' }: FilterProblem): string {
  return t(filterProblems[problem], part, maxAlternatives, example);
}

/** Formats the syntax of filters for a column, as the lines of a tooltip. `zone` is the label of the display zone. */
export function formatFilterHelp(kind: ColumnKind, zone: string, tariffs = eskomTariffs): string {
  const examples = {
    number: t('>100   <=5   !=0   100..<200   100..200 (both ends)'),
    time: t('2023-05   >=2023-05-03 06:00   2023-05..2023-06   (in {0})', zone),
    text: t('coal (contains)   !coal   =Coal (exactly)   "" (empty text)'),
    nested: t('coal (contains)   !coal   =Coal (exactly)   "" (empty text)'),
    boolean: t('true   false'),
  };
  const calendarExamples =
    kind === 'time'
      ? [t('06:00-18:00   17 (hour)   Mon-Fri   weekend   Jun-Aug   Q1   winter   2023 Mon-Fri !holiday (all)')]
      : [];
  const tariffNotes = tariffs.map(({ from, source }) => t('Periods from {0}: {1}', from, source));
  const holidayNotes = [
    t('Holidays proclaimed once, such as for elections, are known until {0}.', lastKnownYear),
    t(
      "Tariff days of public holidays follow Eskom's 2025/26 table, and in other years its rule. To change them, set gridData.tariffPeriods.",
    ),
  ];
  const periodNotes =
    kind === 'time' ? [...holidayNotes, t('peak   standard   off-peak   (by SAST)'), ...tariffNotes] : [];
  return [examples[kind], ...calendarExamples, t('null (no value)   !null'), t('a or b'), ...periodNotes].join('\n');
}

/** Formats a note about the public holidays in a range whose tariff table is unknown; returns undefined if there are none. */
export function formatTariffNote(
  range: { readonly start: number; readonly end: number } & { readonly tariffs?: typeof eskomTariffs },
): string | undefined {
  const dates = uncertainHolidays(range, range.tariffs);
  if (dates.length === 0) return undefined;
  return t(
    "Public holidays not in Eskom's 2025/26 table follow its rule: {0}. To change them, set gridData.tariffPeriods.",
    formatDates(dates),
  );
}

/** Lists notes about a calendar filter: about tariff periods without a table, and about holidays proclaimed for one year. */
export function listCalendarNotes(column: Column, text: string, context: FilterContext): string[] {
  if (column.kind !== 'time') return [];
  const filter = parseFilterConditions(text, column, context);
  const parts = filter.ok ? collectCalendarParts(filter).map(({ kind }) => kind) : [];
  if (!parts.includes('holiday') && !parts.includes('period')) return [];
  let start = Infinity;
  let end = -Infinity;
  for (const instant of column.values)
    [start, end] = [instant < start ? instant : start, instant >= end ? instant + 1 : end];
  const range = { start, end, ...(context.tariffs && { tariffs: context.tariffs }) };
  if (!(start < end)) return [];
  return [
    ...(parts.includes('period') ? [formatTariffNote(range)] : []),
    ...(parts.includes('holiday') ? [formatHolidayNote(range)] : []),
  ].filter(note => note !== undefined);
}

function collectCalendarParts({ conditions }: FilterConditions): readonly CalendarPart[] {
  return conditions.flatMap(({ cells }) =>
    cells.kind === 'calendar' ? cells.parts : cells.kind === 'filter' ? collectCalendarParts(cells) : [],
  );
}

function formatHolidayNote(range: { readonly start: number; readonly end: number }): string | undefined {
  const dates = proclaimedHolidays(range);
  const knownNotes = dates.length > 0 ? [t('Holidays proclaimed for one year: {0}.', formatDates(dates))] : [];
  const isLater = range.end > Date.UTC(lastKnownYear + 1, 0);
  const laterNotes = isLater ? [t('Holidays proclaimed after {0} are not known.', lastKnownYear)] : [];
  return [...knownNotes, ...laterNotes].join(' ') || undefined;
}

function formatDates(dates: readonly string[]): string {
  const listed = dates.slice(0, 3).join(', ');
  return dates.length > 3 ? t('{0} and {1} more', listed, dates.length - 3) : listed;
}
