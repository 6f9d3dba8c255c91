import { exportAgain, type Refuse } from './portalError.ts';

/** A text as written, trimmed and empty for none; or a number, where the file itself knows it for one. */
export type Cell = string | number;

export interface PortalRow {
  /** Counted from 1, as an editor or a spreadsheet does. */
  readonly line: number;
  readonly cells: readonly Cell[];
}

/** Twenty years of hours in all columns of the portal; some 0.5 GB in memory. */
const mostCells = 10_000_000;
/** Ten times what the portal has: unquoted decimal commas split cells. */
const mostColumns = 400;

/** Refuses a file that has grown too large to be held as cells. */
export function checkSize(columns: number, cells: number, place: string, refuse: Refuse): void {
  if (columns > mostColumns) throw refuse(place, `: ${columns} cells are too many for a row of hours`);
  if (cells > mostCells)
    throw refuse(
      place,
      ': too many cells to be read at once',
      `give its years in files of their own, or ${exportAgain}`,
    );
}
