import { cellState, stateAt, type Frame, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import type { BinsOfZone } from '../../shared/resampling.ts';
import type { SortedSteps } from '../bins/binSums.ts';
import { hourCountsIn } from '../bins/binFrame.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { rowLabels } from '../frame/describeFields.ts';
import { comparedNumbers, comparedTimeOfColumn } from './compare.ts';

/** A comparison, split into two frames with the same rows. */
interface Periods {
  /** The base's columns, without those that the comparison adds. */
  readonly base: Frame;
  /** The times of the other period and the compared numbers, under the names and fields of the base's columns. */
  readonly other: Frame;
  readonly times: TimeColumn;
  /** The name of the other range. */
  readonly name: string;
  /** The number of the period, from 2; undefined for the first. */
  readonly period: number | undefined;
}

/** Splits a comparison into one item per compared period, in the order of its columns; empty if the frame has no comparison. */
export function periodsOf(frame: Frame): readonly Periods[] {
  const base = frame.columns.filter(({ field }) => !field?.compares);
  const byName = new Map(base.map(column => [column.name, column]));
  const others = new Map<TimeColumn, Pick<Periods, 'name' | 'period'> & { readonly columns: NumberColumn[] }>();
  for (const column of frame.columns) {
    if (column.kind !== 'number') continue;
    const { field, ...cells } = column;
    const { compares } = field ?? {};
    const own = byName.get(compares?.of ?? '');
    const times = comparedTimeOfColumn(frame, column);
    if (compares?.as !== 'compared' || !own || !times) continue;
    const { columns } = others.get(times) ?? {};
    const same = { ...cells, name: own.name, path: own.path, ...(own.field && { field: own.field }) };
    if (columns) columns.push(same);
    else others.set(times, { name: compares.with, period: compares.period, columns: [same] });
  }
  const { rowCount } = frame;
  return Array.from(others, ([times, { columns, ...named }]) => {
    return { base: { rowCount, columns: base }, other: { rowCount, columns: [times, ...columns] }, times, ...named };
  });
}

/** Intervals sorted by time, with the row and the bin of each; -1 if there is none. */
interface BinnedSteps {
  /** The start of each interval, in UTC milliseconds. */
  readonly begins: Float64Array;
  readonly rows: Int32Array;
  readonly bins: Int32Array;
}

/**
 * Assigns the intervals of the other period that are paired with those of the base to bins, each only once even if clock changes pair it
 * with two. They go into the bins of their base intervals or, with `binAt`, into those of their own instants: a Monday is compared with
 * Mondays, whichever days they are paired with. An interval without a base row is paired by the shift of the previous one; an interval
 * without a row in the other period has none here. Intervals excluded from the base are excluded from both.
 */
export function otherBins(
  { times, other }: Periods,
  { begins, rows, bins }: BinnedSteps,
  binAt: ((ms: number) => number) | undefined,
): Pick<BinnedSteps, 'rows' | 'bins'> {
  const own = { rows: new Int32Array(rows.length).fill(-1), bins: new Int32Array(bins.length).fill(-1) };
  const pairOf = (row: number): number =>
    row >= 0 && stateAt(times, row) === cellState.value ? (times.values[row] ?? NaN) : NaN;
  const paired = rows.findIndex(row => !Number.isNaN(pairOf(row)));
  let shift = pairOf(rows[paired] ?? -1) - (begins[paired] ?? NaN);
  const seen = new Set<number>();
  let last = -1;
  for (let step = 0; step < bins.length; step++) {
    const bin = bins[step] ?? -1;
    if (bin < 0) continue;
    const row = rows[step] ?? -1;
    const begin = begins[step] ?? NaN;
    const instant = row < 0 ? begin + shift : pairOf(row);
    if (!binAt && bin !== last) seen.clear();
    last = bin;
    if (row >= 0) {
      if (Number.isNaN(instant) || seen.has(instant)) continue;
      seen.add(instant);
      shift = instant - begin;
      if (other.columns.some(column => column !== times && stateAt(column, row) !== cellState.absent))
        own.rows[step] = row;
    }
    if (!binAt) own.bins[step] = bin;
    else if (!Number.isNaN(instant)) own.bins[step] = binAt(instant);
  }
  return own;
}

/**
 * Adds the other period's figures, differences and changes to the bins of the base. Works like `compareFrames`, but on the figures of
 * the bins, each over the hours of its own period. A bin without intervals of the other period has no compared values. A further period
 * adds only its figures to `compared`, which has the bins of the base and of the previous periods.
 */
export function compareBins(base: Frame, other: Frame, { name, period }: Periods, compared = base): Frame {
  const ofHours = hourCountsIn(other)?.[1];
  const rows = Int32Array.from({ length: base.rowCount }, (_, row) => ((ofHours?.values[row] ?? 0) > 0 ? row : -1));
  const isFurther = period !== undefined;
  const taken = new Set(compared.columns.map(column => column.name));
  const others = new Map(other.columns.map(column => [column.name, column]));
  const columns = base.columns.flatMap(column => {
    const beside = isFurther ? compared.columns.filter(({ field }) => field?.compares?.of === column.name) : [];
    const own = [column, ...beside];
    const partner = others.get(column.name);
    if (column.kind !== 'number' || partner?.kind !== 'number') return own;
    if (partner.field?.figure !== column.field?.figure) return own;
    const { label = column.name, meaning = '', figure } = column.field ?? {};
    const fields = { label, meaning, ...(figure && { figure }) };
    const added = comparedNumbers(column, partner, rows, taken, as => ({
      ...fields,
      compares: { as, of: column.name, with: name, plain: true, ...(isFurther && { period }) },
    }));
    return [...own, ...added.slice(0, isFurther ? 1 : undefined)];
  });
  return { rowCount: base.rowCount, columns };
}

/** Returns the first instant of the other period for each bin in `bins`, the bins that have a row. */
export function comparedBinTimes(
  { times, name: other, period, base }: Periods,
  { rows, bounds }: SortedSteps,
  bins: Uint32Array,
  { size }: BinsOfZone,
): TimeColumn {
  const values = Float64Array.from(bins, bin => {
    let first = Infinity;
    for (let step = bounds[bin] ?? 0; step < (bounds[bin + 1] ?? 0); step++) {
      const row = rows[step] ?? -1;
      if (row >= 0) first = Math.min(first, times.values[row] ?? Infinity);
    }
    return Number.isFinite(first) ? first : NaN;
  });
  const gaps = Uint8Array.from(values, ms => (Number.isNaN(ms) ? cellState.absent : cellState.value));
  const of = timeColumnOf(base)?.name ?? '';
  const { name, path } = times;
  const field = {
    label: rowLabels[size],
    meaning: '',
    compares: { as: 'compared', of, with: other, plain: true, ...(period !== undefined && { period }) },
  } as const;
  return { kind: 'time', name, path, values, gaps, field };
}
