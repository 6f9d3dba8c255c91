import { dayMs, hourMs } from '../../shared/durations.ts';
import type { Figure, Frame, TextColumn, TimeColumn } from '../../shared/frame.ts';
import {
  isCycle,
  type Cycle,
  type CycleOfZone,
  type ResampledFigures,
  type Resampling,
} from '../../shared/resampling.ts';
import { isHourCount, unitOf } from '../../shared/units.ts';
import { eskomTariffs, tariffPeriodAt, tariffPeriods, uncertainHolidays } from '../calendar/tariffPeriods.ts';
import { compareBins, comparedBinTimes, otherBins, periodsOf } from '../compare/comparedBins.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';
import { binEdges } from './binEdges.ts';
import { binTimes, figuresOfBins } from './binFrame.ts';
import type { SortedSteps } from './binSums.ts';
import { rowBegins, rowsOfSteps, rowSteps, type RowSteps } from './rowSteps.ts';

/** The column that names the bins of each cycle, and the number of bins. */
export const cycleColumns = {
  hourOfDay: { name: 'hour_of_day', label: 'Hour of day', bins: 24 },
  weekday: { name: 'weekday', label: 'Weekday', bins: 7 },
  monthOfYear: { name: 'month', label: 'Month', bins: 12 },
  season: { name: 'season', label: 'Season', bins: 4 },
  tariffPeriod: { name: 'tariff_period', label: 'Tariff period', bins: tariffPeriods.length },
} as const satisfies Record<Cycle, { readonly name: string; readonly label: string; readonly bins: number }>;

/** Names of the bins in exported files. */
export const binsInFiles: Readonly<Record<Resampling['by'], string>> = {
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
export function resampledText({ by, label, rows, start, end, tariffs, figures }: Resampling): string {
  const filtered = rows ? ', of those that pass the filters' : '';
  const uncertain = by === 'tariffPeriod' ? uncertainHolidays({ start, end }, tariffs) : [];
  return `${binsInFiles[by]} of ${label}: a row counts where it begins, and only where it has a value${filtered}${figures ? `; only ${figureWords[figures]}` : ''}${uncertainText(uncertain)}`;
}

const figureWords: Readonly<Record<ResampledFigures, string>> = {
  energy: 'energies',
  mean: 'means',
  extremes: 'the lowest and the highest',
};

const mostListed = 20;

function uncertainText(dates: readonly string[]): string {
  if (dates.length === 0) return '';
  const more = dates.length > mostListed ? ` and ${dates.length - mostListed} more` : '';
  return `; public holidays outside Eskom's table of 2025/26 follow its rule, which the setting gridData.tariffPeriods changes: ${dates.slice(0, mostListed).join(' ')}${more}`;
}

/** The intervals to sort into bins. */
export interface ResampledSteps extends RowSteps {
  /** The edges of the bins, as from `computeBinEdges`; undefined for a cycle. */
  readonly edges: Float64Array | undefined;
}

/**
 * Returns the intervals of a range. For calendar bins it extends over the whole first and last bin, even if the range contains them only
 * partly. Throws a RangeError if there are too many.
 */
export function resampledSteps({ by, timeZone, ...span }: Omit<Resampling, 'names'>): ResampledSteps {
  const own = rowSteps(span);
  if (isCycle(by)) return { ...own, edges: undefined };
  // The last row may end in a bin in which no row begins.
  const end = own.count > 0 ? own.startOf(own.count - 1) + 1 : span.end;
  const edges = binEdges({ start: span.start, end }, by, timeZone);
  return { ...rowSteps(span, { start: edges[0] ?? span.start, end: edges.at(-1) ?? span.end }), edges };
}

/**
 * Resamples the rows by month, hour of day and so on. Returns one row for each bin that has an interval, with or without data, with the
 * figures of `aggregateBins`. A comparison also has the figures of the other period, over its own hours. If several rows share an
 * interval, the last one counts. Empty without a time column. Throws a RangeError if there are too many intervals.
 */
export function resampleFrame(frame: Frame, resampling: Resampling): Frame {
  const made = allFigures(frame, resampling);
  const { figures } = resampling;
  return figures ? withFigures(made, figures) : made;
}

const figuresOf: Readonly<Record<ResampledFigures, readonly (Figure | undefined)[]>> = {
  energy: ['energy', 'total'],
  mean: ['mean', 'share', 'quotient'],
  extremes: ['min', 'max'],
};

/** Keeps only these figures and the hours of each row. */
function withFigures({ rowCount, columns }: Frame, figures: ResampledFigures): Frame {
  const kept = columns.filter(
    ({ kind, field }) =>
      kind !== 'number' || figuresOf[figures].includes(field?.figure) || (isHourCount(unitOf(field)) && !field?.figure),
  );
  return { rowCount, columns: kept };
}

function allFigures(frame: Frame, resampling: Resampling): Frame {
  const time = timeColumnOf(frame);
  if (!time) return { rowCount: 0, columns: [] };
  const { by, timeZone, label, names } = resampling;
  const steps = resampledSteps(resampling);
  const rows = rowsOfSteps(time, steps);
  const begins = rowBegins(time, rows, steps);
  const bins = isCycle(by) ? binsOfCycle(begins, by, resampling) : orderBins(begins, steps.edges);
  leaveOut(bins, rows, frame.rowCount, resampling);
  const count = isCycle(by) ? cycleColumns[by].bins : (steps.edges?.length ?? 1) - 1;
  const ofBase = sortedSteps(rows, bins, count, steps);
  const { bounds } = ofBase;
  const shown = Uint32Array.from(bounds.keys()).filter(bin => (bounds[bin + 1] ?? 0) > (bounds[bin] ?? 0));
  const key = isCycle(by)
    ? cycleColumn(time, { by, timeZone, label }, shown, names)
    : binTimes(time, { size: by, timeZone, label }, steps.edges ?? new Float64Array(), shown);
  const periods = periodsOf(frame);
  const [first] = periods;
  if (!first) return figuresOfBins(frame, ofBase, shown, key, true);
  const binAt = isCycle(by) ? classesOf(by, resampling) : undefined;
  const base = figuresOfBins(first.base, ofBase, shown, key, true);
  let compared = base;
  const times: TimeColumn[] = [];
  for (const period of periods) {
    const others = otherBins(period, { begins, rows, bins }, binAt);
    const ofOther = sortedSteps(others.rows, others.bins, count, steps);
    const other = figuresOfBins(period.other, ofOther, shown, key, true);
    compared = compareBins(base, other, period, compared);
    if (key.kind === 'time' && key.bins) times.push(comparedBinTimes(period, ofOther, shown, key.bins));
  }
  const { rowCount, columns } = compared;
  return { rowCount, columns: [...columns.slice(0, 1), ...times, ...columns.slice(1)] };
}

/** Returns the bin of each interval, in order of time; -1 if it is outside all bins. */
function orderBins(begins: Float64Array, edges: Float64Array = new Float64Array()): Int32Array {
  const bins = new Int32Array(begins.length);
  let bin = -1;
  for (let step = 0; step < begins.length; step++) {
    while ((edges[bin + 1] ?? Infinity) <= (begins[step] ?? NaN)) bin++;
    bins[step] = bin < edges.length - 1 ? bin : -1;
  }
  return bins;
}

/** Returns the bin of each instant in a cycle, by the local time of the zone; -1 for an instant outside all tariff periods. */
export function binsOfCycle(
  begins: Float64Array,
  cycle: Cycle,
  resampling: Pick<Resampling, 'timeZone' | 'tariffs'>,
): Int32Array {
  const classAt = classesOf(cycle, resampling);
  return new Int32Array(begins.length).map((_, step) => classAt(begins[step] ?? NaN));
}

/** Returns a function for the bin of an instant; -1 for an instant outside all tariff periods. */
export function classesOf(
  cycle: Cycle,
  { timeZone, tariffs = eskomTariffs }: Pick<Resampling, 'timeZone' | 'tariffs'>,
): (ms: number) => number {
  const periodAt = tariffPeriodAt(tariffs);
  if (cycle === 'tariffPeriod') return ms => tariffPeriods.findIndex(period => period === periodAt(ms));
  const offsets = new ZoneOffsets(timeZone);
  let [today, ofDay] = [NaN, 0];
  return ms => {
    const wall = ms + offsets.at(ms);
    const day = Math.floor(wall / dayMs);
    if (day !== today) [today, ofDay] = [day, classOfDay(cycle, new Date(day * dayMs))];
    return cycle === 'hourOfDay' ? Math.floor((wall - day * dayMs) / hourMs) : ofDay;
  };
}

/** Returns the bin of a date. Monday, January and summer (December to February) are first. */
function classOfDay(cycle: Exclude<Cycle, 'tariffPeriod'>, date: Date): number {
  const month = date.getUTCMonth();
  return {
    hourOfDay: 0,
    weekday: (date.getUTCDay() + 6) % 7,
    monthOfYear: month,
    season: Math.floor(((month + 1) % 12) / 3),
  }[cycle];
}

/** Sets the bin of excluded intervals to -1: those whose row is filtered out and, without a row, those that do not count. */
export function leaveOut(
  bins: Int32Array,
  rowOfStep: Int32Array,
  rowCount: number,
  { rows, counted }: Pick<Resampling, 'rows' | 'counted'>,
): void {
  if (!rows && !counted) return;
  const isOut = new Uint8Array(rowCount);
  if (rows) {
    isOut.fill(1);
    for (const row of rows) isOut[row] = 0;
  }
  for (let step = 0; step < bins.length; step++) {
    const row = rowOfStep[step] ?? -1;
    if (row < 0 ? counted?.[step] === 0 : isOut[row] === 1) bins[step] = -1;
  }
}

/**
 * Sorts the rows of intervals by bin; within a bin they stay in order. `bins`: the bin of each interval, -1 if there is none; `count`:
 * the number of bins.
 */
export function sortIntoBins(
  rowOfStep: Int32Array,
  bins: Int32Array,
  count: number,
): Pick<SortedSteps, 'rows' | 'bounds'> {
  const bounds = new Int32Array(count + 1);
  for (const bin of bins) if (bin >= 0) bounds[bin + 1] = (bounds[bin + 1] ?? 0) + 1;
  for (let bin = 0; bin < count; bin++) bounds[bin + 1] = (bounds[bin + 1] ?? 0) + (bounds[bin] ?? 0);
  const rows = new Int32Array(bounds[count] ?? 0);
  const next = bounds.slice();
  for (let step = 0; step < bins.length; step++) {
    const bin = bins[step] ?? -1;
    if (bin < 0) continue;
    const place = next[bin] ?? 0;
    rows[place] = rowOfStep[step] ?? -1;
    next[bin] = place + 1;
  }
  return { rows, bounds };
}

/** Sorts intervals into bins and adds their lengths. */
export function sortedSteps(
  rowOfStep: Int32Array,
  bins: Int32Array,
  count: number,
  { stepMs, hoursOf }: RowSteps,
): SortedSteps {
  if (!hoursOf) return { ...sortIntoBins(rowOfStep, bins, count), stepMs };
  const { rows: order, bounds } = sortIntoBins(Int32Array.from(rowOfStep.keys()), bins, count);
  const hours = new Float64Array(order.length).map((_, at) => hoursOf(order[at] ?? -1));
  return { rows: order.map(step => rowOfStep[step] ?? -1), bounds, stepMs, hours };
}

export function cycleColumn(
  { path }: TimeColumn,
  cycle: CycleOfZone,
  codes: Uint32Array,
  names: readonly string[],
): TextColumn {
  const { name, label } = cycleColumns[cycle.by];
  const field = { label, meaning: '' };
  return { kind: 'text', name, path: [...path.slice(0, -1), name], texts: { codes, entries: names }, cycle, field };
}
