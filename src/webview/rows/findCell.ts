import type { Steps } from '../../core/time/steps.ts';
import type { CellPosition } from '../grid/gridSelection.ts';
import { textFold } from '../../core/filter/textFold.ts';

/** Texts as they are shown, by shown row and shown column. */
export interface SearchedCells {
  readonly rowCount: number;
  readonly columnCount: number;
  readonly textOf: (row: number, column: number) => string;
}

/** Cells a step reads. */
const stepCells = 256;

/**
 * The next cell that holds the needle, in reading order from the one after `from` and round to it again (`from` itself comes
 * last). Undefined where there is none.
 */
export function* findCell(
  cells: SearchedCells,
  needle: string,
  from: CellPosition | undefined,
  backwards: boolean,
  locale: string,
): Steps<CellPosition | undefined> {
  const total = cells.rowCount * cells.columnCount;
  const holds = cellTest(cells, needle, locale);
  if (!holds || total === 0) return undefined;
  const start = from ? from.row * cells.columnCount + from.column : backwards ? total : -1;
  const step = backwards ? -1 : 1;
  for (let walked = 1; walked <= total; walked++) {
    const at = (((start + step * walked) % total) + total) % total;
    if (holds(at)) return { row: Math.floor(at / cells.columnCount), column: at % cells.columnCount };
    if (walked % stepCells === 0) yield;
  }
  return undefined;
}

/** The cells that hold the needle in reading order, as row × columns + column: the first `limit` of them. */
export function* findAll(
  cells: SearchedCells,
  needle: string,
  limit: number,
  locale: string,
): Steps<readonly number[]> {
  const total = cells.rowCount * cells.columnCount;
  const holds = cellTest(cells, needle, locale);
  const found: number[] = [];
  for (let at = 0; holds && at < total && found.length < limit; at++) {
    if (holds(at)) found.push(at);
    if (at % stepCells === 0) yield;
  }
  return found;
}

/** Whether a text holds the needle; undefined for the empty one, which every text would hold. */
export function textTest(needle: string, locale: string): ((text: string) => boolean) | undefined {
  const fold = textFold(locale);
  const wanted = fold(needle);
  return wanted === '' ? undefined : text => fold(text).includes(wanted);
}

function cellTest(cells: SearchedCells, needle: string, locale: string): ((at: number) => boolean) | undefined {
  const holds = textTest(needle, locale);
  const { columnCount } = cells;
  return holds && (at => holds(cells.textOf(Math.floor(at / columnCount), at % columnCount)));
}
