import { rowEnds } from '../../core/bins/binEdges.ts';
import { shareSums, type CountedParts } from '../../core/bins/binSums.ts';
import { comparedTimeOfColumn } from '../../core/compare/compare.ts';
import { sortIntoBins } from '../../core/bins/resample.ts';
import { countBelow } from '../../core/statistics/sorted.ts';
import { hourMs } from '../../shared/durations.ts';
import type { BinSize } from '../../shared/resampling.ts';
import { cellState, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import type { ChartModel } from './chartModel.ts';

/** Instants in order, with one point without a row wherever the next row is further away than a step. */
export interface Timeline {
  /** Milliseconds UTC, ascending. */
  readonly x: Float64Array;
  /** The data row of each point, -1 where it only breaks the line; undefined where point p is row p. */
  readonly rows: Int32Array | undefined;
  /** The distance of two rows that belong together, milliseconds; of rows of several lengths the least; undefined below two rows. */
  readonly step: number | undefined;
  /** For rows of several lengths, the end of the row of an instant, UTC milliseconds. */
  readonly endOf?: (instant: number) => number;
}

// Without a known step, the usual distance is not exact: only what is clearly further away is a missing step.
const looseStep = 1.5;
// The next bin begins no later than this after one of a zone, whose clocks change by an hour at most.
const longest: Readonly<Record<BinSize, number>> = {
  '3h': 4.5 * hourMs,
  day: 25.5 * hourMs,
  week: 169.5 * hourMs,
  month: 746 * hourMs,
  quarter: 2210 * hourMs,
  year: 8786 * hourMs,
};
const noRow = -1;
/** A few years short of what a Date can hold, so that a clock can look around itself. */
const latest = 8.6e15;

/** The middle of the interval that a point begins. */
export function middleOf({ x, step = 0, endOf = instant => instant + step }: Timeline, point: number): number {
  const begin = x[point] ?? NaN;
  return (begin + Math.min(endOf(begin), x[point + 1] ?? Infinity)) / 2;
}

/**
 * Orders the rows by time. `asked` is the requested interval; the usual distance of the rows counts where it is smaller. Rows without an
 * instant are left out.
 */
export function timelineOf(time: TimeColumn, rowCount: number, rows?: Uint32Array, asked?: number): Timeline {
  const picked = orderedRows(time, rowCount, rows);
  const count = picked?.length ?? rowCount;
  const at = (point: number): number => time.values[picked ? (picked[point] ?? 0) : point] ?? NaN;
  const usual = usualDistance(at, count);
  const { bins, lengths } = time;
  const isKnown = asked !== undefined && usual !== undefined;
  const least = lengths && Math.min(...lengths.map(({ stepMs }) => stepMs));
  const step = least ?? (isKnown && !bins ? Math.min(asked, usual) : (asked ?? usual));
  const [start, end] = [at(0), at(count - 1) + 1];
  const ofLengths = count > 0 && lengths ? rowEnds({ start, end }, { lengths }) : undefined;
  const limit = bins ? longest[bins.size] : step === undefined ? Infinity : step === asked ? step : step * looseStep;
  const ordered = picked
    ? Float64Array.from(picked, row => time.values[row] ?? NaN)
    : time.values.subarray(0, rowCount);
  const isBreak = (from: number, to: number): boolean => (ofLengths ? to > ofLengths(from) : to - from > limit);
  const breaks = breaksIn(ordered, isBreak);
  const known = { step, ...(ofLengths && { endOf: ofLengths }) };
  if (breaks === 0) return { x: ordered, rows: picked, ...known };
  const x = new Float64Array(count + breaks);
  const endOf = rowEnds({ start, end }, time) ?? ((instant: number) => instant + (step ?? 0));
  const withBreaks = new Int32Array(count + breaks);
  let target = 0;
  for (let point = 0; point < count; point++) {
    if (point > 0 && isBreak(at(point - 1), at(point))) {
      x[target] = endOf(at(point - 1));
      withBreaks[target++] = noRow;
    }
    x[target] = at(point);
    withBreaks[target++] = picked ? (picked[point] ?? 0) : point;
  }
  return { x, rows: withBreaks, ...known };
}

/**
 * Rows of several lengths as rows of one, for what counts rows or sorts them by the clock: a point for each part of a row, as long as the
 * greatest that all lengths are multiples of. Any other timeline as it is.
 */
export function evenTimeline(timeline: Timeline): Timeline {
  const { x, step, endOf } = timeline;
  if (step === undefined || !endOf) return timeline;
  const partOf = (a: number, b: number): number => (b === 0 ? a : partOf(b, a % b));
  const lengths = x.map(begin => endOf(begin) - begin);
  const part = lengths.reduce(partOf, step);
  const counts = lengths.map((length, point) => (rowOf(timeline, point) === undefined ? 1 : length / part));
  const points = new Int32Array(counts.reduce((sum, count) => sum + count, 0));
  const even = new Float64Array(points.length);
  let at = 0;
  for (let point = 0; point < x.length; point++)
    for (let within = 0; within < (counts[point] ?? 0); within++) {
      even[at] = (x[point] ?? NaN) + within * part;
      points[at++] = rowOf(timeline, point) ?? noRow;
    }
  return { x: even, rows: points, step: part };
}

/** What a share is made of along such a timeline, each of whose points counts for a part of a row. */
export function evenParts({ endOf }: Timeline, parts: CountedParts | undefined): CountedParts | undefined {
  if (!parts || !endOf) return parts;
  const { hours: _, ...even } = parts;
  return even;
}

/** The timeline of a column's values: those of a compared period by their own times. */
export function timelineOfColumn(
  column: NumberColumn,
  received: Timeline,
  { frame, rows, step }: ChartModel,
): Timeline {
  const time = comparedTimeOfColumn(frame, column);
  return time ? timelineOf(time, frame.rowCount, rows, step) : received;
}

/** The numbers or instants of a column along a timeline; NaN where there is none. Shares the column's memory where it can. */
export function valuesAlong(timeline: Timeline, column: NumberColumn | TimeColumn): Float64Array {
  const { values, gaps } = column;
  const { rows, x } = timeline;
  if (!rows && !gaps && areNumbers(values)) return values.subarray(0, x.length);
  const along = new Float64Array(x.length);
  for (let point = 0; point < along.length; point++) {
    const row = rows ? (rows[point] ?? noRow) : point;
    const value = values[row] ?? NaN;
    along[point] = row !== noRow && (!gaps || gaps[row] === cellState.value) && isNumber(value) ? value : NaN;
  }
  return along;
}

/**
 * The share of the energies of the points in each of `count` places, in percent, as of a bin; NaN where there is none. `places`: that of each
 * point, -1 for none.
 */
export function sharesOfPlaces(
  { x, rows, step = hourMs }: Timeline,
  parts: CountedParts,
  places: Int32Array,
  count: number,
): Float64Array {
  const sorted = sortIntoBins(rows ?? Int32Array.from(x.keys()), places, count);
  const bins = Uint32Array.from({ length: count }, (_, place) => place);
  const { means, gaps } = shareSums(parts, { ...sorted, stepMs: step }, bins);
  return means.map((share, place) => (gaps[place] === cellState.value ? share : NaN));
}

/** The data row of a point; undefined where the point only breaks the line. */
export function rowOf(timeline: Timeline, point: number): number | undefined {
  const row = timeline.rows ? timeline.rows[point] : point;
  return row === noRow ? undefined : row;
}

/** Undefined where every row has an instant and all stand in order as they are. */
function orderedRows(time: TimeColumn, rowCount: number, rows: Uint32Array | undefined): Int32Array | undefined {
  const { values, gaps } = time;
  const usable = (row: number): boolean =>
    Math.abs(values[row] ?? NaN) < latest && (!gaps || (gaps[row] ?? cellState.value) === cellState.value);
  if (!rows) {
    let row = 0;
    let before = -Infinity;
    // The first look at every row of a result that may have millions: nothing but comparisons.
    for (; row < rowCount; row++) {
      const value = values[row] as number;
      if (!(value >= before && value < latest && value > -latest) || (gaps && gaps[row] !== cellState.value)) break;
      before = value;
    }
    if (row === rowCount) return undefined;
  }
  const picked = (rows ? Int32Array.from(rows) : Int32Array.from({ length: rowCount }, (_, row) => row)).filter(usable);
  const ordered = picked.every(
    (row, index) => index === 0 || (values[row] ?? 0) >= (values[picked[index - 1] ?? 0] ?? 0),
  );
  return ordered ? picked : picked.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);
}

/** The median distance of neighbours: some of them where there are very many. */
function usualDistance(at: (point: number) => number, count: number): number | undefined {
  const stride = Math.max(1, Math.floor(count / 10_000));
  const distances: number[] = [];
  for (let point = 1; point < count; point += stride) {
    const distance = at(point) - at(point - 1);
    if (distance > 0) distances.push(distance);
  }
  return distances.sort((a, b) => a - b)[Math.floor((distances.length - 1) / 2)];
}

/** How often there is a break before the next instant. */
function breaksIn(instants: Float64Array, isBreak: (from: number, to: number) => boolean): number {
  let breaks = 0;
  for (let point = 1; point < instants.length; point++)
    if (isBreak(instants[point - 1] as number, instants[point] as number)) breaks++;
  return breaks;
}

/** A loop of its own: `every` calls a function for each of millions. */
function areNumbers(values: Float64Array): boolean {
  for (let row = 0; row < values.length; row++) if (!isNumber(values[row] as number)) return false;
  return true;
}

/** Neither NaN nor infinite. */
function isNumber(value: number): boolean {
  return value - value === 0;
}

/** The index of the value nearest to `wanted`; -1 in an empty list. The values ascend. */
export function nearest(values: Float64Array, wanted: number): number {
  const after = countBelow(values, wanted);
  if (after === 0) return values.length === 0 ? -1 : 0;
  const before = after - 1;
  if (after === values.length) return before;
  return wanted - (values[before] ?? 0) <= (values[after] ?? 0) - wanted ? before : after;
}
