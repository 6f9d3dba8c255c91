import { dayMs, hourMs } from '../../shared/durations.ts';
import type { Figure, Frame, TextColumn, TimeColumn } from '../../shared/frame.ts';
import {
  isCycle,
  type Cycle,
  type ZonedCycle,
  type ResampledFigures,
  type Resampling,
} from '../../shared/resampling.ts';
import { isHourCount, unitOf } from '../../shared/units.ts';
import { eskomTariffs, createTariffPeriodFinder, tariffPeriods, uncertainHolidays } from '../calendar/tariffPeriods.ts';
import { compareBins, createComparedBinTimes, assignOtherBins, splitPeriods } from '../compare/comparedBins.ts';
import { findTimeColumn } from '../frame/clip.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';
import { computeBinEdges } from './binEdges.ts';
import { createBinTimes, aggregateBins } from './binFrame.ts';
import type { BinnedRows } from './binSums.ts';
import { getRowStarts, findRowsOfIntervals, getRowIntervals, type RowIntervals } from './rowIntervals.ts';

/** The column that names the bins of each cycle, and the number of bins. */
export const cycleColumns = {
  hourOfDay: { name: 'hour_of_day', label: 'Hour of day', bins: 24 },
  weekday: { name: 'weekday', label: 'Weekday', bins: 7 },
  monthOfYear: { name: 'month', label: 'Month', bins: 12 },
  season: { name: 'season', label: 'Season', bins: 4 },
  tariffPeriod: { name: 'tariff_period', label: 'Tariff period', bins: tariffPeriods.length },
} as const satisfies Record<Cycle, { readonly name: string; readonly label: string; readonly bins: number }>;

/** The English names of the bins, for exported files. */
export const binDescriptions: Readonly<Record<Resampling['by'], string>> = {
  '3h': 'three hours',
  day: 'days',
  week: 'weeks from Monday',
  month: 'months',
  quarter: 'quarters',
  year: 'years',
  hourOfDay: 'hours of the day',
  weekday: 'weekdays',
  monthOfYear: 'months of the year',
  season: 'seasons',
  tariffPeriod: 'tariff periods',
};

/** Describes resampled rows in English for exported files. */
export function describeResampling({ by, label, rows, start, end, tariffs, figures }: Resampling): string {
  const filterText = rows ? '; only rows that pass the filters' : '';
  const uncertainDates = by === 'tariffPeriod' ? uncertainHolidays({ start, end }, tariffs) : [];
  return `${binDescriptions[by]} of ${label}: each row belongs to the bin in which it starts; missing values are ignored${filterText}${figures ? `; only ${figureDescriptions[figures]}` : ''}${formatUncertainHolidays(uncertainDates)}`;
}

const figureDescriptions: Readonly<Record<ResampledFigures, string>> = {
  energy: 'energies',
  mean: 'means',
  extremes: 'minimums and maximums',
};

const maxListedDates = 20;

function formatUncertainHolidays(dates: readonly string[]): string {
  if (dates.length === 0) return '';
  const moreText = dates.length > maxListedDates ? ` and ${dates.length - maxListedDates} more` : '';
  return `; public holidays that Eskom's 2025/26 table does not list have the hours of its rule, which you can change in the setting gridData.tariffPeriods: ${dates.slice(0, maxListedDates).join(' ')}${moreText}`;
}

/** The intervals to sort into bins. */
export interface ResampledIntervals extends RowIntervals {
  /** The edges of the bins, as from `computeBinEdges`; undefined for a cycle. */
  readonly edges: Float64Array | undefined;
}

/**
 * Returns the intervals of a range. For calendar bins, they cover the whole first and last bin, even if the range contains these bins only
 * partly. Throws a RangeError if there are too many.
 */
export function getResampledIntervals({ by, timeZone, ...span }: Omit<Resampling, 'names'>): ResampledIntervals {
  const rowIntervals = getRowIntervals(span);
  if (isCycle(by)) return { ...rowIntervals, edges: undefined };
  // The last bin is the one in which the last row starts. The row may end in a later bin.
  const end = rowIntervals.count > 0 ? rowIntervals.getStart(rowIntervals.count - 1) + 1 : span.end;
  const edges = computeBinEdges({ start: span.start, end }, by, timeZone);
  return { ...getRowIntervals(span, { start: edges[0] ?? span.start, end: edges.at(-1) ?? span.end }), edges };
}

/**
 * Resamples the rows by month, hour of the day and so on. Returns a row for each bin that contains an interval, even if the interval has no
 * data. The figures are those of `aggregateBins`. If the frame has a compared period, the rows also have the figures of that period, which
 * are based on its hours. If an interval has several rows, the last one is used. Returns an empty frame if there is no time column. Throws a
 * RangeError if there are too many intervals.
 */
export function resampleFrame(frame: Frame, resampling: Resampling): Frame {
  const resampled = resampleAllFigures(frame, resampling);
  const { figures } = resampling;
  return figures ? selectFigures(resampled, figures) : resampled;
}

const figuresByChoice: Readonly<Record<ResampledFigures, readonly (Figure | undefined)[]>> = {
  energy: ['energy', 'total'],
  mean: ['mean', 'share', 'quotient'],
  extremes: ['min', 'max'],
};

/** Returns the frame with only these figures and the hours of each row. */
function selectFigures({ rowCount, columns }: Frame, figures: ResampledFigures): Frame {
  const selected = columns.filter(
    ({ kind, field }) =>
      kind !== 'number' ||
      figuresByChoice[figures].includes(field?.figure) ||
      (isHourCount(unitOf(field)) && !field?.figure),
  );
  return { rowCount, columns: selected };
}

function resampleAllFigures(frame: Frame, resampling: Resampling): Frame {
  const time = findTimeColumn(frame);
  if (!time) return { rowCount: 0, columns: [] };
  const { by, timeZone, label, names } = resampling;
  const intervals = getResampledIntervals(resampling);
  const rows = findRowsOfIntervals(time, intervals);
  const starts = getRowStarts(time, rows, intervals);
  const bins = isCycle(by) ? assignCycleBins(starts, by, resampling) : assignCalendarBins(starts, intervals.edges);
  excludeIntervals(bins, rows, frame.rowCount, resampling);
  const count = isCycle(by) ? cycleColumns[by].bins : (intervals.edges?.length ?? 1) - 1;
  const baseRows = sortRowsIntoBins(rows, bins, count, intervals);
  const { bounds } = baseRows;
  const nonEmptyBins = Uint32Array.from(bounds.keys()).filter(bin => (bounds[bin + 1] ?? 0) > (bounds[bin] ?? 0));
  const keyColumn = isCycle(by)
    ? createCycleColumn(time, { by, timeZone, label }, nonEmptyBins, names)
    : createBinTimes(time, { size: by, timeZone, label }, intervals.edges ?? new Float64Array(), nonEmptyBins);
  const periods = splitPeriods(frame);
  const [firstPeriod] = periods;
  if (!firstPeriod) return aggregateBins(frame, baseRows, nonEmptyBins, keyColumn, true);
  const findBinAt = isCycle(by) ? createCycleBinLookup(by, resampling) : undefined;
  const base = aggregateBins(firstPeriod.base, baseRows, nonEmptyBins, keyColumn, true);
  let comparedFrame = base;
  const times: TimeColumn[] = [];
  for (const period of periods) {
    const comparedIntervals = assignOtherBins(period, { starts, rows, bins }, findBinAt);
    const comparedRows = sortRowsIntoBins(comparedIntervals.rows, comparedIntervals.bins, count, intervals);
    const comparedBins = aggregateBins(period.other, comparedRows, nonEmptyBins, keyColumn, true);
    comparedFrame = compareBins(base, comparedBins, period, comparedFrame);
    if (keyColumn.kind === 'time' && keyColumn.bins)
      times.push(createComparedBinTimes(period, comparedRows, nonEmptyBins, keyColumn.bins));
  }
  const { rowCount, columns } = comparedFrame;
  return { rowCount, columns: [...columns.slice(0, 1), ...times, ...columns.slice(1)] };
}

/** Returns the bin of each interval, or -1 if it is outside all bins. `starts` must be ascending. */
function assignCalendarBins(starts: Float64Array, edges: Float64Array = new Float64Array()): Int32Array {
  const bins = new Int32Array(starts.length);
  let bin = -1;
  for (let index = 0; index < starts.length; index++) {
    while ((edges[bin + 1] ?? Infinity) <= (starts[index] ?? NaN)) bin++;
    bins[index] = bin < edges.length - 1 ? bin : -1;
  }
  return bins;
}

/** Returns the bin of each instant in a cycle, by the local time of the zone. Returns -1 for an instant outside all tariff periods. */
export function assignCycleBins(
  starts: Float64Array,
  cycle: Cycle,
  resampling: Pick<Resampling, 'timeZone' | 'tariffs'>,
): Int32Array {
  const getBin = createCycleBinLookup(cycle, resampling);
  return new Int32Array(starts.length).map((_, index) => getBin(starts[index] ?? NaN));
}

/** Creates a function that returns the bin of an instant, or -1 for an instant outside all tariff periods. */
export function createCycleBinLookup(
  cycle: Cycle,
  { timeZone, tariffs = eskomTariffs }: Pick<Resampling, 'timeZone' | 'tariffs'>,
): (ms: number) => number {
  const getTariffPeriod = createTariffPeriodFinder(tariffs);
  if (cycle === 'tariffPeriod') return ms => tariffPeriods.findIndex(period => period === getTariffPeriod(ms));
  const offsets = new ZoneOffsets(timeZone);
  let currentDay = NaN;
  let currentBin = 0;
  return ms => {
    const localTime = ms + offsets.at(ms);
    const day = Math.floor(localTime / dayMs);
    if (day !== currentDay) {
      currentDay = day;
      currentBin = getBinOfDate(cycle, new Date(day * dayMs));
    }
    return cycle === 'hourOfDay' ? Math.floor((localTime - day * dayMs) / hourMs) : currentBin;
  };
}

/** Returns the bin of a date. Monday, January and summer (December to February) are first. */
function getBinOfDate(cycle: Exclude<Cycle, 'tariffPeriod'>, date: Date): number {
  const month = date.getUTCMonth();
  return {
    hourOfDay: 0,
    weekday: (date.getUTCDay() + 6) % 7,
    monthOfYear: month,
    season: Math.floor(((month + 1) % 12) / 3),
  }[cycle];
}

/** Sets the bin of excluded intervals to -1: those whose row is filtered out, and those without a row whose item in `counted` is 0. */
export function excludeIntervals(
  bins: Int32Array,
  rowOfInterval: Int32Array,
  rowCount: number,
  { rows, counted }: Pick<Resampling, 'rows' | 'counted'>,
): void {
  if (!rows && !counted) return;
  const isExcluded = new Uint8Array(rowCount);
  if (rows) {
    isExcluded.fill(1);
    for (const row of rows) isExcluded[row] = 0;
  }
  for (let index = 0; index < bins.length; index++) {
    const row = rowOfInterval[index] ?? -1;
    if (row < 0 ? counted?.[index] === 0 : isExcluded[row] === 1) bins[index] = -1;
  }
}

/**
 * Sorts the rows of intervals by bin; the rows of a bin stay in order. `bins`: the bin of each interval, or -1; `count`: the number of
 * bins.
 */
export function sortIntoBins(
  rowOfInterval: Int32Array,
  bins: Int32Array,
  count: number,
): Pick<BinnedRows, 'rows' | 'bounds'> {
  const bounds = new Int32Array(count + 1);
  for (const bin of bins) if (bin >= 0) bounds[bin + 1] = (bounds[bin + 1] ?? 0) + 1;
  for (let bin = 0; bin < count; bin++) bounds[bin + 1] = (bounds[bin + 1] ?? 0) + (bounds[bin] ?? 0);
  const rows = new Int32Array(bounds[count] ?? 0);
  const nextPositions = bounds.slice();
  for (let index = 0; index < bins.length; index++) {
    const bin = bins[index] ?? -1;
    if (bin < 0) continue;
    const position = nextPositions[bin] ?? 0;
    rows[position] = rowOfInterval[index] ?? -1;
    nextPositions[bin] = position + 1;
  }
  return { rows, bounds };
}

/** Sorts the rows of intervals by bin. If the intervals differ in length, the result also has the length of each in hours. */
export function sortRowsIntoBins(
  rowOfInterval: Int32Array,
  bins: Int32Array,
  count: number,
  { intervalMs, getHours }: RowIntervals,
): BinnedRows {
  if (!getHours) return { ...sortIntoBins(rowOfInterval, bins, count), intervalMs };
  const { rows: order, bounds } = sortIntoBins(Int32Array.from(rowOfInterval.keys()), bins, count);
  const hours = new Float64Array(order.length).map((_, index) => getHours(order[index] ?? -1));
  return { rows: order.map(interval => rowOfInterval[interval] ?? -1), bounds, intervalMs, hours };
}

export function createCycleColumn(
  { path }: TimeColumn,
  cycle: ZonedCycle,
  codes: Uint32Array,
  names: readonly string[],
): TextColumn {
  const { name, label } = cycleColumns[cycle.by];
  const field = { label, meaning: '' };
  return { kind: 'text', name, path: [...path.slice(0, -1), name], texts: { codes, entries: names }, cycle, field };
}
