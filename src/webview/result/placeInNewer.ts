import { findTimeColumn } from '../../core/frame/clip.ts';
import type { TimeColumn } from '../../shared/frame.ts';
import type { GridPosition } from '../grid/gridSelection.ts';
import type { ShownRows } from '../../presentation/result/shownRows.ts';

/** Maximum distance in rows from the top at which the focus still counts as in view. */
const nearRows = 50;

type Rows = Pick<ShownRows, 'frame' | 'order' | 'rowCount'>;

/**
 * Maps a position to the same rows in another order or with another filter, or to a newer result of the same query: there "last
 * 7 days" begins an hour later, so the top row, the focus and the selection move with their hours. A view at the very top stays at
 * the top.
 */
export function placeInNewer(place: GridPosition, before: Rows, after: Rows): GridPosition {
  if (before.frame === after.frame) return before.order === after.order ? place : placeInOrder(place, before, after);
  if (!findTimeColumn(before.frame) || !findTimeColumn(after.frame)) return place;
  const moved = (row: number): number => rowOfSameHour(row, before, after);
  const whole = Math.floor(place.topRow);
  return {
    ...place,
    topRow: place.topRow === 0 ? 0 : moved(whole) + place.topRow - whole,
    row: moved(place.row),
    ...(place.anchor && { anchor: { ...place.anchor, row: moved(place.anchor.row) } }),
  };
}

/** Keeps focus and selection on their rows, but drops the selection if its rows are no longer contiguous. A focus on the first row stays on it. */
function placeInOrder(place: GridPosition, before: Rows, after: Rows): GridPosition {
  const { anchor, reach, row: focus, topRow, ...rest } = place;
  if (focus < 0 || (focus === 0 && !anchor) || reach === 'columns' || reach === 'all') return place;
  const corner = anchor?.row ?? focus;
  const found = whereShown([Math.min(focus, corner), Math.max(focus, corner)], before, after);
  if (!found) return { ...rest, topRow, row: Math.min(focus, after.rowCount - 1) };
  const { first, last, together } = found;
  const shown = whereShown([focus, focus], before, after)?.first;
  const below = focus - topRow;
  const top = (row: number): number => (below >= 0 && below < nearRows ? Math.max(0, row - below) : topRow);
  const at = (row: number): GridPosition => ({ ...rest, topRow: top(row), row });
  if (!anchor || !together) return at(shown ?? first);
  const row = shown === first || shown === last ? shown : focus < corner ? first : last;
  return { ...at(row), anchor: { ...anchor, row: row === first ? last : first }, ...(reach && { reach }) };
}

/** Finds the present visible rows of the former rows `from` to `to`; undefined if none of them is visible. */
function whereShown([from, to]: readonly [number, number], before: Rows, after: Rows): RowSpan | undefined {
  const wanted = new Uint8Array(before.frame.rowCount);
  for (let row = from; row <= to; row++) wanted[before.order?.[row] ?? row] = 1;
  return spanOfRows(after.rowCount, row => wanted[after.order?.[row] ?? row] === 1);
}

interface RowSpan {
  readonly first: number;
  readonly last: number;
  /** Whether there are no other rows between them. */
  readonly together: boolean;
}

/** Finds the first and the last visible row that pass a test; undefined if none does. */
export function spanOfRows(rowCount: number, test: (row: number) => boolean): RowSpan | undefined {
  let [first, last, count] = [-1, -1, 0];
  for (let row = 0; row < rowCount; row++) {
    if (!test(row)) continue;
    if (first < 0) first = row;
    last = row;
    count++;
  }
  return count === 0 ? undefined : { first, last, together: last - first + 1 === count };
}

/** Finds the row of the same hour or of the next one; returns the same row index if there is none or the row has no time. */
function rowOfSameHour(row: number, before: Rows, after: Rows): number {
  const instant = findTimeColumn(before.frame)?.values[before.order?.[row] ?? row];
  const found = instant === undefined ? undefined : rowAt(findTimeColumn(after.frame), after.order, instant);
  const next = found && instant !== undefined && found.ms >= instant ? found.row : row;
  return Math.max(0, Math.min(next, after.rowCount - 1));
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
export function rowAt(
  time: TimeColumn | undefined,
  order: Uint32Array | undefined,
  instant: number,
): TimedRow | undefined {
  let next: TimedRow | undefined;
  let last: TimedRow | undefined;
  const count = time ? (order?.length ?? time.values.length) : 0;
  for (let row = 0; row < count; row++) {
    const ms = time?.values[order?.[row] ?? row] ?? NaN;
    if (ms >= instant && ms < (next?.ms ?? Infinity)) next = { row, ms };
    if (ms < instant && ms > (last?.ms ?? -Infinity)) last = { row, ms };
  }
  return next ?? last;
}
