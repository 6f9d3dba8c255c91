import type { CellPosition } from '../grid/gridSelection.ts';
import { createTextFolder } from '../../core/filter/textFold.ts';
import { createYieldPoint, type PageScheduler } from '../scheduling.ts';

/** The displayed texts of cells, by visible row and column. */
export interface SearchedCells {
  readonly rowCount: number;
  readonly columnCount: number;
  readonly getText: (row: number, column: number) => string;
}

/** The options of a search. A table can have so many cells that the search must pause to keep the page responsive. */
interface Search {
  readonly locale: string;
  readonly scheduling: PageScheduler;
  readonly signal: AbortSignal;
}

interface SearchStart {
  readonly from: CellPosition | undefined;
  readonly backwards: boolean;
}

/** The number of cells to compare before the clock is checked. */
const cellsPerCheck = 256;

/**
 * Finds the next cell that contains the needle, in reading order from the cell after `from`, wrapping around to `from` itself.
 * Resolves to undefined if there is no match or the search is aborted.
 */
export async function findCell(
  cells: SearchedCells,
  needle: string,
  { from, backwards, locale, scheduling, signal }: Search & SearchStart,
): Promise<CellPosition | undefined> {
  const total = cells.rowCount * cells.columnCount;
  const isMatch = createCellMatcher(cells, needle, locale);
  if (!isMatch || total === 0) return undefined;
  const start = from ? from.row * cells.columnCount + from.column : backwards ? total : -1;
  const direction = backwards ? -1 : 1;
  const yieldIfDue = createYieldPoint(scheduling);
  for (let offset = 1; offset <= total; offset++) {
    if (offset % cellsPerCheck === 0) await yieldIfDue();
    if (signal.aborted) return undefined;
    const index = (((start + direction * offset) % total) + total) % total;
    if (isMatch(index)) return { row: Math.floor(index / cells.columnCount), column: index % cells.columnCount };
  }
  return undefined;
}

/**
 * Finds the first `limit` cells that contain the needle, in reading order, as row × columns + column. Resolves to undefined if
 * the search is aborted.
 */
export async function findAllCells(
  cells: SearchedCells,
  needle: string,
  limit: number,
  { locale, scheduling, signal }: Search,
): Promise<readonly number[] | undefined> {
  const total = cells.rowCount * cells.columnCount;
  const isMatch = createCellMatcher(cells, needle, locale);
  const matches: number[] = [];
  const yieldIfDue = createYieldPoint(scheduling);
  for (let index = 0; isMatch && index < total && matches.length < limit; index++) {
    if (index % cellsPerCheck === cellsPerCheck - 1) await yieldIfDue();
    if (signal.aborted) return undefined;
    if (isMatch(index)) matches.push(index);
  }
  return matches;
}

/** Creates a function that tests whether a text contains the needle; undefined for an empty needle, which every text would contain. */
export function createTextMatcher(needle: string, locale: string): ((text: string) => boolean) | undefined {
  const fold = createTextFolder(locale);
  const foldedNeedle = fold(needle);
  return foldedNeedle === '' ? undefined : text => fold(text).includes(foldedNeedle);
}

function createCellMatcher(
  cells: SearchedCells,
  needle: string,
  locale: string,
): ((index: number) => boolean) | undefined {
  const isMatch = createTextMatcher(needle, locale);
  const { columnCount } = cells;
  return isMatch && (index => isMatch(cells.getText(Math.floor(index / columnCount), index % columnCount)));
}
