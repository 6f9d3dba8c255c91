import type { CellPosition } from '../grid/gridSelection.ts';
import { textFold } from '../../core/filter/textFold.ts';
import { createYieldPoint, type PageScheduler } from '../scheduling.ts';

/** Texts as they are shown, by shown row and shown column. */
export interface SearchedCells {
  readonly rowCount: number;
  readonly columnCount: number;
  readonly textOf: (row: number, column: number) => string;
}

/** How cells are searched: a million rows have so many that the page goes on with its other work meanwhile. */
interface Search {
  readonly locale: string;
  readonly scheduling: PageScheduler;
  readonly signal: AbortSignal;
}

interface SearchStart {
  readonly from: CellPosition | undefined;
  readonly backwards: boolean;
}

/** Cells that are read before the clock is. */
const readAtOnce = 256;

/**
 * The next cell that holds the needle, in reading order from the one after `from` and round to it again (`from` itself comes
 * last). Undefined where there is none, and where the search is stopped.
 */
export async function findCell(
  cells: SearchedCells,
  needle: string,
  { from, backwards, locale, scheduling, signal }: Search & SearchStart,
): Promise<CellPosition | undefined> {
  const total = cells.rowCount * cells.columnCount;
  const holds = cellTest(cells, needle, locale);
  if (!holds || total === 0) return undefined;
  const start = from ? from.row * cells.columnCount + from.column : backwards ? total : -1;
  const step = backwards ? -1 : 1;
  const pause = createYieldPoint(scheduling);
  for (let walked = 1; walked <= total; walked++) {
    if (walked % readAtOnce === 0) await pause();
    if (signal.aborted) return undefined;
    const at = (((start + step * walked) % total) + total) % total;
    if (holds(at)) return { row: Math.floor(at / cells.columnCount), column: at % cells.columnCount };
  }
  return undefined;
}

/**
 * The cells that hold the needle in reading order, as row × columns + column: the first `limit` of them. Undefined where the search is
 * stopped.
 */
export async function findAll(
  cells: SearchedCells,
  needle: string,
  limit: number,
  { locale, scheduling, signal }: Search,
): Promise<readonly number[] | undefined> {
  const total = cells.rowCount * cells.columnCount;
  const holds = cellTest(cells, needle, locale);
  const found: number[] = [];
  const pause = createYieldPoint(scheduling);
  for (let at = 0; holds && at < total && found.length < limit; at++) {
    if (at % readAtOnce === readAtOnce - 1) await pause();
    if (signal.aborted) return undefined;
    if (holds(at)) found.push(at);
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
