import { cellState, stateAt, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';

/** The values of a column over some rows, collected so far. */
export interface Collected {
  /** The first `count` are the values, in the order of the rows. */
  readonly values: Float64Array;
  count: number;
  absent: number;
  /** Whether all values are whole numbers. */
  whole: boolean;
  readonly low: Mark;
  readonly high: Mark;
}

export interface Mark {
  value: number;
  /** The earliest instant of a row with this value; Infinity while none has one. */
  instant: number;
}

export function nothingCollected(rows: number): Collected {
  const low = { value: Infinity, instant: Infinity };
  const high = { value: -Infinity, instant: Infinity };
  return { values: new Float64Array(rows), count: 0, absent: 0, whole: true, low, high };
}

/** Adds the rows from `start` to below `end`. Not a generator, in which the loop would take several times as long. */
export function collect(
  into: Collected,
  { values, gaps }: NumberColumn,
  time: TimeColumn | undefined,
  rows: Uint32Array | undefined,
  [start, end]: readonly [number, number],
): void {
  const { low, high } = into;
  for (let index = start; index < end; index++) {
    const row = rows ? (rows[index] ?? 0) : index;
    const state = gaps ? (gaps[row] ?? cellState.value) : cellState.value;
    const value = values[row] ?? NaN;
    if (state === cellState.absent) into.absent++;
    if (state !== cellState.value || !Number.isFinite(value)) continue;
    into.values[into.count++] = value;
    if (into.whole && !Number.isInteger(value)) into.whole = false;
    if (value <= low.value) mark(low, value, time, row);
    if (value >= high.value) mark(high, value, time, row);
  }
}

/** Notes a value that is as extreme as the mark's, or more so. */
function mark(into: Mark, value: number, time: TimeColumn | undefined, row: number): void {
  const known = time && stateAt(time, row) === cellState.value ? (time.values[row] ?? NaN) : NaN;
  const instant = Number.isFinite(known) ? known : Infinity;
  if (value !== into.value || instant < into.instant) into.instant = instant;
  into.value = value;
}
