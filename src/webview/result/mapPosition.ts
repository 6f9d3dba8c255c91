import { findTimeColumn } from '../../core/frame/clip.ts';
import type { TimeColumn } from '../../shared/frame.ts';
import type { GridPosition } from '../grid/gridSelection.ts';
import type { DisplayedRows } from '../../presentation/result/displayedRows.ts';

/** Maximum distance in rows from the top at which the focus is still considered in view. */
const maxFocusDistance = 50;

type Rows = Pick<DisplayedRows, 'frame' | 'order' | 'rowCount'>;

/**
 * Maps a position to the same rows in another order or with another filter, or to a newer result of the same query: a newer "last
 * 7 days" begins an hour later, so the top row, the focus and the selection move with their hours. A view that is scrolled to the top
 * stays at the top.
 */
export function mapPosition(position: GridPosition, previous: Rows, current: Rows): GridPosition {
  if (previous.frame === current.frame)
    return previous.order === current.order ? position : mapToOrder(position, previous, current);
  if (!findTimeColumn(previous.frame) || !findTimeColumn(current.frame)) return position;
  const mapRow = (row: number): number => findRowOfSameHour(row, previous, current);
  const topIndex = Math.floor(position.topRow);
  return {
    ...position,
    topRow: position.topRow === 0 ? 0 : mapRow(topIndex) + position.topRow - topIndex,
    row: mapRow(position.row),
    ...(position.anchor && { anchor: { ...position.anchor, row: mapRow(position.anchor.row) } }),
  };
}

/** Keeps focus and selection on their rows, but drops the selection if its rows are no longer contiguous. A focus on the first row stays on it. */
function mapToOrder(position: GridPosition, previous: Rows, current: Rows): GridPosition {
  const { anchor, reach, row: focus, topRow, ...rest } = position;
  if (focus < 0 || (focus === 0 && !anchor) || reach === 'columns' || reach === 'all') return position;
  const corner = anchor?.row ?? focus;
  const span = findVisibleSpan([Math.min(focus, corner), Math.max(focus, corner)], previous, current);
  if (!span) return { ...rest, topRow, row: Math.min(focus, current.rowCount - 1) };
  const { first, last, isContiguous } = span;
  const focusedRow = findVisibleSpan([focus, focus], previous, current)?.first;
  const rowsBelowTop = focus - topRow;
  const computeTopRow = (row: number): number =>
    rowsBelowTop >= 0 && rowsBelowTop < maxFocusDistance ? Math.max(0, row - rowsBelowTop) : topRow;
  const positionAt = (row: number): GridPosition => ({ ...rest, topRow: computeTopRow(row), row });
  if (!anchor || !isContiguous) return positionAt(focusedRow ?? first);
  const row = focusedRow === first || focusedRow === last ? focusedRow : focus < corner ? first : last;
  return { ...positionAt(row), anchor: { ...anchor, row: row === first ? last : first }, ...(reach && { reach }) };
}

/** Finds the current visible rows that were at `from` to `to` before. Returns undefined if none of them is still visible. */
function findVisibleSpan([from, to]: readonly [number, number], previous: Rows, current: Rows): RowSpan | undefined {
  const wasSelected = new Uint8Array(previous.frame.rowCount);
  for (let row = from; row <= to; row++) wasSelected[previous.order?.[row] ?? row] = 1;
  return findRowSpan(current.rowCount, row => wasSelected[current.order?.[row] ?? row] === 1);
}

interface RowSpan {
  readonly first: number;
  readonly last: number;
  /** Whether there are no other rows between the first and the last one. */
  readonly isContiguous: boolean;
}

/** Finds the first and the last visible row that pass a test. Returns undefined if no row passes. */
export function findRowSpan(rowCount: number, test: (row: number) => boolean): RowSpan | undefined {
  let first = -1;
  let last = -1;
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    if (!test(row)) continue;
    if (first < 0) first = row;
    last = row;
    count++;
  }
  return count === 0 ? undefined : { first, last, isContiguous: last - first + 1 === count };
}

/** Finds the row of the same hour, or of the next one. Returns the same row index if there is neither, or if the row has no time. */
function findRowOfSameHour(row: number, previous: Rows, current: Rows): number {
  const instant = findTimeColumn(previous.frame)?.values[previous.order?.[row] ?? row];
  const match = instant === undefined ? undefined : findRowAt(findTimeColumn(current.frame), current.order, instant);
  const next = match && instant !== undefined && match.ms >= instant ? match.row : row;
  return Math.max(0, Math.min(next, current.rowCount - 1));
}

/** A visible row and its time in UTC milliseconds. */
interface TimedRow {
  readonly row: number;
  readonly ms: number;
}

/**
 * Finds the visible row of the first instant at or after `instant` or, if there is none, of the last one before it. The rows may be in any
 * order. Returns undefined if no row has a time.
 */
export function findRowAt(
  time: TimeColumn | undefined,
  order: Uint32Array | undefined,
  instant: number,
): TimedRow | undefined {
  let next: TimedRow | undefined;
  let last: TimedRow | undefined;
  const rowCount = time ? (order?.length ?? time.values.length) : 0;
  for (let row = 0; row < rowCount; row++) {
    const ms = time?.values[order?.[row] ?? row] ?? NaN;
    if (ms >= instant && ms < (next?.ms ?? Infinity)) next = { row, ms };
    if (ms < instant && ms > (last?.ms ?? -Infinity)) last = { row, ms };
  }
  return next ?? last;
}
