import { cellState, getCellState, type Frame, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import type { ZonedBins } from '../../shared/resampling.ts';
import type { BinnedRows } from '../bins/binSums.ts';
import { findHourCounts } from '../bins/binFrame.ts';
import { findTimeColumn } from '../frame/clip.ts';
import { rowLabels } from '../frame/describeFields.ts';
import { createComparedColumns, findComparedTimeOfColumn } from './compareFrames.ts';

/** A comparison, split into two frames with the same rows. */
interface ComparedFrames {
  /** The rows of the base, without the columns that the comparison adds. */
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
export function splitPeriods(frame: Frame): readonly ComparedFrames[] {
  const base = frame.columns.filter(({ field }) => !field?.comparison);
  const byName = new Map(base.map(column => [column.name, column]));
  const partsByTimes = new Map<
    TimeColumn,
    Pick<ComparedFrames, 'name' | 'period'> & { readonly columns: NumberColumn[] }
  >();
  for (const column of frame.columns) {
    if (column.kind !== 'number') continue;
    const { field, ...cells } = column;
    const { comparison } = field ?? {};
    const baseColumn = byName.get(comparison?.baseName ?? '');
    const times = findComparedTimeOfColumn(frame, column);
    if (comparison?.role !== 'compared' || !baseColumn || !times) continue;
    const { columns } = partsByTimes.get(times) ?? {};
    const renamed = {
      ...cells,
      name: baseColumn.name,
      path: baseColumn.path,
      ...(baseColumn.field && { field: baseColumn.field }),
    };
    if (columns) columns.push(renamed);
    else partsByTimes.set(times, { name: comparison.rangeName, period: comparison.period, columns: [renamed] });
  }
  const { rowCount } = frame;
  return Array.from(partsByTimes, ([times, { columns, ...identity }]) => {
    return { base: { rowCount, columns: base }, other: { rowCount, columns: [times, ...columns] }, times, ...identity };
  });
}

/** Intervals sorted by time, with the row and the bin of each; -1 for an interval without a row or outside all bins. */
interface BinnedIntervals {
  /** The start of each interval, in UTC milliseconds. */
  readonly starts: Float64Array;
  readonly rows: Int32Array;
  readonly bins: Int32Array;
}

/**
 * Assigns the intervals of the other period to bins. An interval gets the bin of the base interval that it is paired with. With
 * `findBinAt`, it gets the bin of its own instant instead, so that Mondays are compared with Mondays even if they are paired with other
 * days. Each interval is assigned only once, even if clock changes pair it with two intervals of the base. If a base interval has no row,
 * it is paired by the shift of the previous interval. Intervals that are excluded from the base are excluded here too.
 */
export function assignOtherBins(
  { times, other }: ComparedFrames,
  { starts, rows, bins }: BinnedIntervals,
  findBinAt: ((ms: number) => number) | undefined,
): Pick<BinnedIntervals, 'rows' | 'bins'> {
  const assigned = { rows: new Int32Array(rows.length).fill(-1), bins: new Int32Array(bins.length).fill(-1) };
  const getPairedInstant = (row: number): number =>
    row >= 0 && getCellState(times, row) === cellState.value ? (times.values[row] ?? NaN) : NaN;
  const firstPaired = rows.findIndex(row => !Number.isNaN(getPairedInstant(row)));
  let shift = getPairedInstant(rows[firstPaired] ?? -1) - (starts[firstPaired] ?? NaN);
  const usedInstants = new Set<number>();
  let previousBin = -1;
  for (let interval = 0; interval < bins.length; interval++) {
    const bin = bins[interval] ?? -1;
    if (bin < 0) continue;
    const row = rows[interval] ?? -1;
    const start = starts[interval] ?? NaN;
    const instant = row < 0 ? start + shift : getPairedInstant(row);
    if (!findBinAt && bin !== previousBin) usedInstants.clear();
    previousBin = bin;
    if (row >= 0) {
      if (Number.isNaN(instant) || usedInstants.has(instant)) continue;
      usedInstants.add(instant);
      shift = instant - start;
      if (other.columns.some(column => column !== times && getCellState(column, row) !== cellState.absent))
        assigned.rows[interval] = row;
    }
    if (!findBinAt) assigned.bins[interval] = bin;
    else if (!Number.isNaN(instant)) assigned.bins[interval] = findBinAt(instant);
  }
  return assigned;
}

/**
 * Adds the other period's figures, differences and changes to the bins of the base, like `compareFrames` does for rows. Each figure
 * covers the hours of its own period. A bin without intervals of the other period has no compared values. A further period adds only its
 * figures to `compared`, which has the bins of the base and of the previous periods.
 */
export function compareBins(base: Frame, other: Frame, { name, period }: ComparedFrames, compared = base): Frame {
  const hourTotals = findHourCounts(other)?.[1];
  const rows = Int32Array.from({ length: base.rowCount }, (_, row) => ((hourTotals?.values[row] ?? 0) > 0 ? row : -1));
  const isFurtherPeriod = period !== undefined;
  const usedNames = new Set(compared.columns.map(column => column.name));
  const otherColumns = new Map(other.columns.map(column => [column.name, column]));
  const columns = base.columns.flatMap(column => {
    const existing = isFurtherPeriod
      ? compared.columns.filter(({ field }) => field?.comparison?.baseName === column.name)
      : [];
    const baseColumns = [column, ...existing];
    const otherColumn = otherColumns.get(column.name);
    if (column.kind !== 'number' || otherColumn?.kind !== 'number') return baseColumns;
    if (otherColumn.field?.figure !== column.field?.figure) return baseColumns;
    const { label = column.name, meaning = '', figure } = column.field ?? {};
    const fields = { label, meaning, ...(figure && { figure }) };
    const added = createComparedColumns(column, otherColumn, rows, usedNames, role => ({
      ...fields,
      comparison: {
        role,
        baseName: column.name,
        rangeName: name,
        hasBaseLabel: true,
        ...(isFurtherPeriod && { period }),
      },
    }));
    return [...baseColumns, ...added.slice(0, isFurtherPeriod ? 1 : undefined)];
  });
  return { rowCount: base.rowCount, columns };
}

/** Creates the column with the first instant of the other period in each of `bins`, the bins that have a row. */
export function createComparedBinTimes(
  { times, name: periodName, period, base }: ComparedFrames,
  { rows, bounds }: BinnedRows,
  bins: Uint32Array,
  { size }: ZonedBins,
): TimeColumn {
  const values = Float64Array.from(bins, bin => {
    let first = Infinity;
    for (let interval = bounds[bin] ?? 0; interval < (bounds[bin + 1] ?? 0); interval++) {
      const row = rows[interval] ?? -1;
      if (row >= 0) first = Math.min(first, times.values[row] ?? Infinity);
    }
    return Number.isFinite(first) ? first : NaN;
  });
  const gaps = Uint8Array.from(values, ms => (Number.isNaN(ms) ? cellState.absent : cellState.value));
  const baseName = findTimeColumn(base)?.name ?? '';
  const { name, path } = times;
  const field = {
    label: rowLabels[size],
    meaning: '',
    comparison: {
      role: 'compared',
      baseName,
      rangeName: periodName,
      hasBaseLabel: true,
      ...(period !== undefined && { period }),
    },
  } as const;
  return { kind: 'time', name, path, values, gaps, field };
}
