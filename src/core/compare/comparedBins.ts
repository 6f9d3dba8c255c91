import { cellState, stateAt, type Frame, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import type { BinsOfZone } from '../../shared/resampling.ts';
import type { SortedSteps } from '../bins/binSums.ts';
import { hourCountsIn } from '../bins/binFrame.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { rowLabels } from '../frame/describeFields.ts';
import { stepRows, type Steps } from '../time/steps.ts';
import { comparedNumbers, comparedTimeOf } from './compare.ts';

/** A comparison as two frames of the same rows. */
export interface Periods {
  /** Without what the comparison adds. */
  readonly base: Frame;
  /** The compared numbers, by the names and fields of those that they are compared with. */
  readonly other: Frame;
  readonly times: TimeColumn;
  /** What the other range is called. */
  readonly name: string;
}

/** Undefined where the frame is no comparison. */
export function periodsOf(frame: Frame): Periods | undefined {
  const times = comparedTimeOf(frame);
  const base = frame.columns.filter(({ field }) => !field?.compares);
  const byName = new Map(base.map(column => [column.name, column]));
  let period: string | undefined;
  const others = frame.columns.flatMap((column): NumberColumn[] => {
    if (column.kind !== 'number') return [];
    const { field, ...cells } = column;
    const { compares } = field ?? {};
    const own = byName.get(compares?.of ?? '');
    if (compares?.as !== 'compared' || !own) return [];
    period = compares.with;
    return [{ ...cells, name: own.name, path: own.path, ...(own.field && { field: own.field }) }];
  });
  if (!times || period === undefined) return undefined;
  const { rowCount } = frame;
  return { base: { rowCount, columns: base }, other: { rowCount, columns: others }, times, name: period };
}

/** Whether the other period has a row beside one of the base. */
export function hasOther({ other }: Periods, row: number): boolean {
  return other.columns.some(column => stateAt(column, row) !== cellState.absent);
}

/**
 * Tells, step by step, the instant of the other period that is paired with a step of the base; NaN where there is none, and where an
 * earlier step is paired with it. A step without a row is as far from its pair as the one before.
 */
export function otherInstants(
  { times }: Periods,
  rows: Int32Array,
  instantOf: (step: number) => number,
): (step: number) => number {
  const pairOf = (row: number): number => (stateAt(times, row) === cellState.value ? (times.values[row] ?? NaN) : NaN);
  const firstPaired = rows.findIndex(row => row >= 0 && !Number.isNaN(pairOf(row)));
  let shift = firstPaired < 0 ? NaN : pairOf(rows[firstPaired] ?? 0) - instantOf(firstPaired);
  const seen = new Set<number>();
  return step => {
    const row = rows[step] ?? -1;
    if (row < 0) return instantOf(step) + shift;
    const instant = pairOf(row);
    if (Number.isNaN(instant) || seen.has(instant)) return NaN;
    seen.add(instant);
    shift = instant - instantOf(step);
    return instant;
  };
}

/**
 * The steps of the other period in the bins of the base: of each hour that is paired with one, once, also where clocks pair it with two of
 * a bin. A step without a row of the base counts as one of the other too, and one of which the other has no row has none.
 */
export function* otherSteps(periods: Periods, { rows, bounds, stepMs }: SortedSteps): Steps<SortedSteps> {
  const { times } = periods;
  const own = new Int32Array(rows.length);
  const ends = new Int32Array(bounds.length);
  const seen = new Set<number>();
  let count = 0;
  for (let bin = 0; bin + 1 < bounds.length; bin++) {
    seen.clear();
    for (let step = bounds[bin] ?? 0; step < (bounds[bin + 1] ?? 0); step++) {
      if (step % stepRows === stepRows - 1) yield;
      const row = rows[step] ?? -1;
      const instant = row < 0 || stateAt(times, row) !== cellState.value ? NaN : (times.values[row] ?? NaN);
      if (row >= 0 && (Number.isNaN(instant) || seen.has(instant))) continue;
      if (row >= 0) seen.add(instant);
      own[count++] = row >= 0 && hasOther(periods, row) ? row : -1;
    }
    ends[bin + 1] = count;
  }
  return { rows: own.subarray(0, count), bounds: ends, stepMs };
}

/**
 * The bins of the base with those of the other period beside them, their differences and changes: as `compareFrames`, of the figures of the
 * bins, each over the hours that its own period has. A bin without a step of the other period is compared with nothing.
 */
export function compareBins(base: Frame, other: Frame, { name: period }: Periods): Frame {
  const ofHours = hourCountsIn(other)?.[1];
  const rows = Int32Array.from({ length: base.rowCount }, (_, row) => ((ofHours?.values[row] ?? 0) > 0 ? row : -1));
  const taken = new Set(base.columns.map(({ name }) => name));
  const others = new Map(other.columns.map(column => [column.name, column]));
  const columns = base.columns.flatMap(column => {
    const compared = others.get(column.name);
    if (column.kind !== 'number' || compared?.kind !== 'number') return [column];
    if (compared.field?.figure !== column.field?.figure) return [column];
    const { label = column.name, meaning = '', figure } = column.field ?? {};
    const fields = { label, meaning, ...(figure && { figure }) };
    return [
      column,
      ...comparedNumbers(column, compared, rows, taken, as => ({
        ...fields,
        compares: { as, of: column.name, with: period, plain: true },
      })),
    ];
  });
  return { rowCount: base.rowCount, columns };
}

/** The first instant of the other period that a bin is compared with; `bins`: those that have a row. */
export function comparedBinTimes(
  { times, name: period, base }: Periods,
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
    compares: { as: 'compared', of, with: period, plain: true },
  } as const;
  return { kind: 'time', name, path, values, gaps, field };
}
