import { dayMs, hourMs } from '../../shared/durations.ts';
import {
  cellState,
  getCellState,
  type Column,
  type Frame,
  type NumberColumn,
  type TimeColumn,
} from '../../shared/frame.ts';
import { intervalState, type Coverage, type Provenance, type Result } from '../../shared/result.ts';
import { canJoinRows } from '../../shared/tableLimits.ts';
import { isAmount, isHourCount, unitOf } from '../../shared/units.ts';
import { binLengthsMs } from '../analysis/rowIntervals.ts';
import { createRowEndLookup, getMaxRowLength } from '../bins/binEdges.ts';
import { createFewHoursTest } from '../bins/binFrame.ts';
import { aggregateColumn, aggregateShare, findShareParts } from '../bins/binSums.ts';
import { sortRowsIntoBins } from '../bins/resampleFrame.ts';
import { findRowsOfIntervals, getRowIntervals, getRowStarts, type RowIntervals } from '../bins/rowIntervals.ts';
import { GridError } from '../errors.ts';
import { findTimeColumn, numbersAt, takeRows } from '../frame/clip.ts';
import { createCoverage } from '../frame/coverage.ts';
import { getInstants, sliceByTime, sortByTime } from '../frame/frames.ts';
import { joinFrames } from '../frame/joinFrames.ts';
import { getIntervalMs } from '../query/catalogue.ts';
import type { Span } from '../range/resolveRange.ts';
import { countAtMost, quantile } from '../statistics/quantile.ts';

/** Rows of another source: a data file, a query, or a table of steps. */
export interface SourceRows {
  /** The displayed name, such as "plant.csv". Without its extension, it is the suffix of columns whose name is already used. */
  readonly name: string;
  readonly frame: Frame;
  /** The length of a row, such as "1h". Empty for rows at uneven distances, and for bins and mixed lengths, which the time column has. */
  readonly interval: string;
}

export interface JoinedResults {
  readonly result: Result;
  /** Columns that were not joined: amounts of longer rows, and columns that cannot be aggregated because they are not numbers of one unit. */
  readonly skipped: readonly {
    readonly column: string;
    readonly reason: 'amountOfLongerRow' | 'notNumber' | 'formula';
  }[];
  /** Whether rows were joined at their instants, aggregated to the intervals of the result, or repeated as long as they hold. */
  readonly pairing: 'sameInstant' | 'aggregated' | 'asOf';
}

/** The rows that others are joined onto. */
interface Base {
  readonly span: Span;
  /** The intervals, with the start of the row of each; undefined if the rows have no length. */
  readonly intervals: (RowIntervals & { readonly starts: Float64Array }) | undefined;
  /** Returns the length of the row at an instant in milliseconds, or the median distance of rows without a length. */
  readonly getLength: (ms: number) => number;
}

/** Returns the end of the row at an instant in UTC milliseconds. */
type EndLookup = (ms: number) => number;

/**
 * Joins the columns of the source after those of the result, which stay as they are. Rows of the same or of unknown length are joined at
 * their instants within the range of the result. Shorter rows are aggregated to the intervals in which they begin: amounts are summed,
 * other numbers averaged. An interval that the values do not fill exactly gets null, so that no sum is too small. The values of longer
 * rows are repeated while the row lasts; those of steps, which are rows at uneven distances or several days apart and lists of prices, until the
 * next row. Rows without an instant are not joined.
 *
 * The coverage remains that of the result, and has the coverage of each source in `parts`. Throws a GridError: `noTimes` if the result or
 * the source has no time column, `otherTimes` if its rows begin or end within those of the result, `fileTooLarge` if the joined rows exceed
 * the limits of a table. `reservedNames`: names that no joined column may have.
 */
export function joinResults(result: Result, source: SourceRows, reservedNames: readonly string[] = []): JoinedResults {
  const { frame: baseFrame, coverage, provenance } = result;
  const time = baseFrame && findTimeColumn(baseFrame);
  const sourceTime = findTimeColumn(source.frame);
  if (!time) throw new GridError('noTimes', { file: provenance.file ?? provenance.datasetTitle });
  // The archive has no columns either if it has no rows of the range.
  if (!sourceTime && source.frame.columns.length > 0) throw new GridError('noTimes', { file: source.name });
  const base = describeBase(baseFrame, time, provenance);
  const { intervals } = base;
  const sorted = sortByTime(source.frame);
  const instants = getInstants(sorted);
  const getEnd = isPriceList(sorted) ? undefined : createEndLookup(instants, sourceTime, source.interval);
  const pairing = choosePairing(instants, getEnd, base);
  const skipped = sorted.columns.flatMap(column => {
    const reason = column.name === sourceTime?.name ? undefined : findSkipReason(column, pairing);
    return reason ? [{ column: column.name, reason }] : [];
  });
  const columns = sorted.columns.filter(({ name }) => !skipped.some(({ column }) => column === name));
  const rows = { rowCount: sorted.rowCount, columns };
  const hold = (instants: Float64Array): Frame => holdRows(rows, instants, getEnd, base);
  const inRange = sliceByTime(rows, base.span);
  const isOutOfStep =
    intervals &&
    ((pairing === 'sameInstant' && beginsBetween(inRange, intervals)) ||
      (pairing === 'aggregated' && getEnd && endsBeyond(inRange, intervals, getEnd)));
  if (isOutOfStep) throw new GridError('otherTimes', { file: source.name });
  const paired =
    pairing === 'asOf'
      ? hold(getInstants(sortByTime(baseFrame)))
      : pairing === 'aggregated' && intervals
        ? aggregateRows(inRange, source.interval, intervals, base)
        : inRange;
  const labels = new Set(baseFrame.columns.map(({ field }) => field?.label));
  const id = source.name.replace(/\.[^.]*$/, '');
  const joined = {
    ...paired,
    columns: paired.columns.map(column => {
      const { label = column.name } = column.field ?? {};
      return addOrigin(column, labels.has(label) ? `${label} · ${id}` : label, source.name);
    }),
  };
  const frame = joinFrames(
    [
      { id: '', frame: baseFrame },
      { id, frame: joined },
    ],
    reservedNames,
  );
  if (!canJoinRows(frame.columns.length, frame.rowCount)) throw new GridError('fileTooLarge', { file: source.name });
  if (!coverage || !intervals) return { result: { ...result, frame }, skipped, pairing };
  // The source may also have values for intervals without a row of the result.
  const covered = pairing === 'asOf' ? hold(intervals.starts) : paired;
  const parts = [
    ...(coverage.parts ?? [{ title: provenance.datasetTitle, coverage }]),
    { title: source.name, coverage: coverSource(covered, coverage, intervals), isSource: true as const },
  ];
  return { result: { ...result, frame, coverage: { ...coverage, parts } }, skipped, pairing };
}

/** Whether no row begins with the row of its interval. Resampling would then use only one of the two rows of an interval. */
function beginsBetween(rows: Frame, { findInterval, starts }: NonNullable<Base['intervals']>): boolean {
  const instants = getInstants(rows);
  return instants.length > 0 && instants.every(ms => starts[findInterval(ms)] !== ms);
}

/** Whether a shorter row lasts into the next interval, whose part it would add to this one. */
function endsBeyond(rows: Frame, { count, findInterval, getStart }: RowIntervals, getEnd: EndLookup): boolean {
  return getInstants(rows).some(ms => {
    const interval = findInterval(ms);
    return interval >= 0 && interval < count && getEnd(ms) > getStart(interval + 1);
  });
}

function describeBase(frame: Frame, time: TimeColumn, { start, end, interval }: Provenance): Base {
  const span = { start, end };
  const timed = getIntervals(span, interval, time);
  const intervals = timed && { ...timed, starts: getRowStarts(time, findRowsOfIntervals(time, timed), timed) };
  const { getHours, intervalMs = computeMedianDistance(getInstants(sortByTime(frame))) } = intervals ?? {};
  const clamp = (index: number): number => Math.min((intervals?.count ?? 0) - 1, Math.max(0, index));
  const getLength: Base['getLength'] = ms =>
    getHours && intervals ? getHours(clamp(intervals.findInterval(ms))) * hourMs : intervalMs;
  return { span, intervals, getLength };
}

/** Returns the intervals of rows; undefined if their length is unknown. */
function getIntervals(span: Span, interval: string, { bins, lengths }: TimeColumn): RowIntervals | undefined {
  const intervalMs = bins ? binLengthsMs[bins.size] : lengths ? getMaxRowLength(lengths) : getIntervalMs(interval);
  return intervalMs === undefined ? undefined : getRowIntervals({ ...span, intervalMs, bins, lengths });
}

/** Returns the range in which the rows begin. `instants` must be sorted; those of rows without an instant are infinite. */
function findSpan(instants: Float64Array): Span {
  const last = instants.findLast(Number.isFinite);
  return last === undefined ? { start: 0, end: 0 } : { start: instants[0] ?? last, end: last + 1 };
}

/** Whether rows of weeks or longer periods have no numbers but prices or other rates, which are valid until they change. */
function isPriceList(frame: Frame): boolean {
  const { bins } = findTimeColumn(frame) ?? {};
  const numbers = frame.columns.filter(({ kind }) => kind === 'number');
  const isLong = bins !== undefined && binLengthsMs[bins.size] > dayMs;
  return isLong && numbers.length > 0 && numbers.every(({ field }) => unitOf(field).kind === 'rate');
}

/** Creates the lookup for rows with these sorted instants; undefined if the length of the rows is unknown. */
function createEndLookup(
  instants: Float64Array,
  time: TimeColumn | undefined,
  interval: string,
): EndLookup | undefined {
  const getEnd = time && createRowEndLookup(findSpan(instants), time);
  const intervalMs = getIntervalMs(interval) ?? Infinity;
  // The most frequent distance of rows that are several days apart, such as the dates of new prices, is not their length.
  return getEnd ?? (intervalMs > dayMs ? undefined : ms => ms + intervalMs);
}

/** Returns the median distance of different instants, in milliseconds; Infinity for a single one, NaN without any. */
function computeMedianDistance(sortedInstants: Float64Array): number {
  const instants = sortedInstants.filter((ms, row) => Number.isFinite(ms) && ms !== sortedInstants[row - 1]);
  const distances = instants.subarray(1).map((ms, row) => ms - (instants[row] ?? NaN));
  return instants.length === 1 ? Infinity : quantile(distances.sort(), 0.5);
}

/** Whether a length is greater than another. Months have the same length, and so do days of 23 to 25 hours. */
const isLonger = (ms: number, otherMs: number): boolean => ms > 1.15 * otherMs;

function choosePairing(instants: Float64Array, getEnd: EndLookup | undefined, base: Base): JoinedResults['pairing'] {
  const { span, intervals, getLength } = base;
  if (!getEnd) {
    const inRange = instants.filter(ms => ms >= span.start && ms < span.end);
    const isAtRow = (ms: number): boolean => !intervals || intervals.starts[intervals.findInterval(ms)] === ms;
    return computeMedianDistance(instants) > getLength(instants[0] ?? NaN) || !inRange.every(isAtRow)
      ? 'asOf'
      : 'sameInstant';
  }
  let pairing: JoinedResults['pairing'] = 'sameInstant';
  for (const ms of instants) {
    const end = getEnd(ms);
    if (!(ms < span.end && end > span.start)) continue;
    if (isLonger(end - ms, getLength(ms))) return 'asOf';
    if (intervals && isLonger(getLength(ms), end - ms)) pairing = 'aggregated';
  }
  return pairing;
}

function findSkipReason(
  column: Column,
  pairing: JoinedResults['pairing'],
): JoinedResults['skipped'][number]['reason'] | undefined {
  if (column.kind !== 'number' || column.units) return pairing === 'aggregated' ? 'notNumber' : undefined;
  return pairing === 'asOf' && isAmountOfRow(column) ? 'amountOfLongerRow' : undefined;
}

/** Whether values are amounts of their rows. An hour count is the number of hours of its row. */
function isAmountOfRow({ field }: NumberColumn): boolean {
  return isAmount(unitOf(field)) || isHourCount(unitOf(field));
}

/** Adds the source to a column. Removes the unit of an hour count, because the hour counts of a frame apply to all of its columns. */
function addOrigin(column: Column, label: string, joinedFrom: string): Column {
  const { meaning = '' } = column.field ?? {};
  const isCount = isHourCount(unitOf(column.field));
  return { ...column, field: { meaning, ...(!isCount && column.field), label, joinedFrom } };
}

/** Returns the row that holds at each of the sorted instants, with that instant. Omits the instants at which no row holds. */
function holdRows(rows: Frame, instants: Float64Array, getEnd: EndLookup | undefined, { getLength }: Base): Frame {
  const starts = getInstants(rows);
  const time = findTimeColumn(rows);
  const findRow = (ms: number): number => {
    const row = Number.isFinite(ms) ? countAtMost(starts, ms) - 1 : -1;
    if (row < 0 || !getEnd) return row;
    const start = starts[row] ?? NaN;
    // A shorter row among longer ones does not cover the whole interval.
    return ms < getEnd(start) && !isLonger(getLength(ms), getEnd(start) - start) ? row : -1;
  };
  const heldRows = instants.map(findRow);
  const values = instants.filter((_, index) => (heldRows[index] ?? -1) >= 0);
  const columns = takeRows(rows, new Uint32Array(heldRows.filter(row => row >= 0))).columns.map((column): Column => {
    if (column.name === time?.name) return { kind: 'time', name: column.name, path: column.path, values };
    if (column.kind !== 'number') return column;
    // A repeated value covers its new row. Parts that are amounts are those of the longer row.
    const { hours, parts, ...rest } = column;
    const newHours = hours && { hours: values.map(ms => getLength(ms) / hourMs) };
    return { ...rest, ...newHours, ...(parts && !parts.areAmounts && { parts }) };
  });
  return { rowCount: values.length, columns };
}

/** Aggregates the rows to the intervals of the base in which they begin. Returns one row for each interval in which any row begins. */
function aggregateRows(
  rows: Frame,
  interval: string,
  baseIntervals: NonNullable<Base['intervals']>,
  base: Base,
): Frame {
  const { findInterval, getHours, count, starts } = baseIntervals;
  const time = findTimeColumn(rows);
  const intervals = time && getIntervals(findSpan(getInstants(rows)), interval, time);
  if (!intervals) return rows;
  const allRows = findRowsOfIntervals(time, intervals);
  const bins = new Int32Array(getRowStarts(time, allRows, intervals).map(findInterval));
  let lastBin = -1;
  const isNextFilledBin = (bin: number, index: number): boolean => {
    if (bin <= lastBin || (allRows[index] ?? -1) < 0) return false;
    lastBin = bin;
    return true;
  };
  const filledBins = new Uint32Array(bins.filter(isNextFilledBin));
  // The amount of a row that lacks some of its hours is too small.
  const hasFewHours = createFewHoursTest(rows, 1);
  const completeRows = allRows.map(row => (row >= 0 && hasFewHours?.(row) ? -1 : row));
  const binned = sortRowsIntoBins(completeRows, bins, count, intervals);
  const values = numbersAt(starts, filledBins);
  const hours = values.map(ms => base.getLength(ms) / hourMs);
  const columns = rows.columns.flatMap((column): Column[] => {
    const { name, path, field } = column;
    if (column === time) return [{ kind: 'time', name, path, values }];
    if (column.kind !== 'number') return [];
    const sums = aggregateColumn(column, binned, filledBins);
    const shareParts = findShareParts(rows, column);
    const shares = shareParts && aggregateShare(shareParts, binned, filledBins);
    const figures = shares ?? sums;
    const gaps = figures.gaps.map((state, index) => {
      const isFilled = Math.abs((figures.hours[index] ?? NaN) - (hours[index] ?? NaN)) < 1e-6;
      return state === cellState.value && isFilled ? cellState.value : cellState.null;
    });
    const aggregated = { kind: column.kind, name, path, gaps, ...(field && { field }) };
    if (isAmountOfRow(column) && !unitOf(field).overlaps) return [{ ...aggregated, values: sums.sums }];
    const isExtreme = field?.figure === 'min' || field?.figure === 'max';
    const means = isExtreme ? sums[field.figure] : figures.means;
    return [{ ...aggregated, values: means, ...(shares && { parts: shares.parts }), ...(getHours && { hours }) }];
  });
  return { rowCount: values.length, columns };
}

/** Creates the coverage of a source: an interval is present if a row of the source that begins in it has any value. */
function coverSource(rows: Frame, { states, edges }: Coverage, { getStart, findInterval }: RowIntervals): Coverage {
  const { notPublished, missing, present } = intervalState;
  const sourceStates = states.map(state => (state === notPublished ? notPublished : missing));
  const time = findTimeColumn(rows);
  const columns = rows.columns.filter(column => column !== time);
  for (let row = 0; row < rows.rowCount; row++)
    if (columns.some(column => getCellState(column, row) === cellState.value))
      sourceStates[findInterval(time?.values[row] ?? NaN)] = present;
  const coverage = createCoverage(sourceStates, new Uint8Array(states.length), { start: 0, end: states.length }, 1);
  const missingRanges = coverage.missingRanges.map(([from, to]): [number, number] => [getStart(from), getStart(to)]);
  return { ...coverage, missingRanges, ...(edges && { edges }) };
}
