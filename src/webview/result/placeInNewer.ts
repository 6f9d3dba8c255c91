import { timeColumnOf } from '../../core/clip.ts';
import type { GridPlace } from '../grid/gridPlace.ts';
import { rowAt } from './rowAt.ts';
import type { ShownRows } from './shownRows.ts';

type Rows = Pick<ShownRows, 'frame' | 'order' | 'rowCount'>;

/**
 * The same hours in a newer answer to the same question: "last 7 days" is an hour further by then, and the row that was on
 * top, the focus and the selection move with their hours. Who stood at the very top stays there.
 */
export function placeInNewer(place: GridPlace, before: Rows, after: Rows): GridPlace {
  if (before.frame === after.frame || !timeColumnOf(before.frame) || !timeColumnOf(after.frame)) return place;
  const moved = (row: number): number => rowOfSameHour(row, before, after);
  const whole = Math.floor(place.topRow);
  return {
    ...place,
    topRow: place.topRow === 0 ? 0 : moved(whole) + place.topRow - whole,
    row: moved(place.row),
    ...(place.anchor && { anchor: { ...place.anchor, row: moved(place.anchor.row) } }),
  };
}

/** Of an hour that is gone, the next one; the row itself where it has no time. */
function rowOfSameHour(row: number, before: Rows, after: Rows): number {
  const instant = timeColumnOf(before.frame)?.values[before.order?.[row] ?? row];
  const found = instant === undefined ? undefined : rowAt(timeColumnOf(after.frame), after.order, instant);
  return Math.max(0, Math.min(found ?? row, after.rowCount - 1));
}
