import { oneLine } from '../inertText.ts';

/** A trimmed text, empty for none; or a number, where the file stores it as such. */
export type Cell = string | number;

export interface PortalRow {
  /** Counted from 1, as an editor or a spreadsheet does. */
  readonly line: number;
  readonly cells: readonly Cell[];
}

/** Twenty years of hours in all columns of the portal; some 0.5 GB in memory. */
const mostCells = 10_000_000;
/** Ten times the columns of the portal, since unquoted decimal commas split cells. */
const mostColumns = 400;

/** Throws where a file has too many cells. */
export function checkSize(columns: number, cells: number, place: string, refuse: Refuse): void {
  if (columns > mostColumns) throw refuse(place, `: ${columns} cells are too many for a row of hours`);
  if (cells > mostCells)
    throw refuse(
      place,
      ': too many cells to be read at once',
      `give its years in files of their own, or ${exportAgain}`,
    );
}

/** A portal file cannot be read. The message is one sentence for the person, with a remedy, safe for a terminal. */
export class PortalError extends Error {
  override readonly name = 'PortalError';
}

/** Creates the errors of one file: `place` is "" or ", line 3", and `what` continues the sentence. */
export type Refuse = (place: string, what: string, remedy?: string) => PortalError;

/** `fileName` is shown as it is. */
export function refusing(fileName: string): Refuse {
  return (place, what, remedy = exportAgain) => new PortalError(`${fileName}${place}${what}; ${remedy}.`);
}

export const exportAgain = 'export the hours again from the Eskom Data Portal';
export const correctLine = `correct the line, or ${exportAgain}`;

/** A text of a file, quoted: shortened, and without control characters for a terminal. */
export function quoted(text: string): string {
  return `"${oneLine(text.length > 40 ? `${text.slice(0, 40)}…` : text)}"`;
}

/** A name without case and punctuation, which differ between exports. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '');
}
