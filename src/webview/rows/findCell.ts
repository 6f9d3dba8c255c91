import { textFold } from './textFold.ts';

/** Texts as they are shown, by shown row and shown column. */
export interface SearchedCells {
  readonly rowCount: number;
  readonly columnCount: number;
  readonly textOf: (row: number, column: number) => string;
}

/** A shown row and column. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** Lets others go on in between: `isOver` says that it is time, `pause` waits for the next turn and answers false to give up. */
export interface Slices {
  isOver(): boolean;
  pause(): Promise<boolean>;
}

/** A slice of `budgetMs`; `now` is a clock in milliseconds, `turn` lets the page do its other work. */
export function timeSlices(
  now: () => number,
  turn: () => Promise<void>,
  signal: { readonly aborted: boolean },
  budgetMs = 8,
): Slices {
  let began = now();
  return {
    isOver: () => now() - began >= budgetMs,
    pause: async () => {
      await turn();
      began = now();
      return !signal.aborted;
    },
  };
}

/** How many cells are looked at between two looks at the clock. */
const cellsAtOnce = 256;

/**
 * The next cell that holds the needle, in reading order from the one after `from` and round to it again (`from` itself comes
 * last). Undefined where there is none, or when given up.
 */
export async function findCell(
  cells: SearchedCells,
  needle: string,
  from: CellPlace | undefined,
  backwards: boolean,
  slices: Slices,
  locale: string,
): Promise<CellPlace | undefined> {
  const total = cells.rowCount * cells.columnCount;
  const holds = cellTest(cells, needle, locale);
  if (!holds || total === 0) return undefined;
  const start = from ? from.row * cells.columnCount + from.column : backwards ? total : -1;
  const step = backwards ? -1 : 1;
  for (let walked = 1; walked <= total; walked++) {
    const at = (((start + step * walked) % total) + total) % total;
    if (holds(at)) return { row: Math.floor(at / cells.columnCount), column: at % cells.columnCount };
    if (walked % cellsAtOnce === 0 && slices.isOver() && !(await slices.pause())) return undefined;
  }
  return undefined;
}

/** The cells that hold the needle in reading order, as row × columns + column: the first `cap` of them. Undefined when given up. */
export async function findAll(
  cells: SearchedCells,
  needle: string,
  cap: number,
  slices: Slices,
  locale: string,
): Promise<readonly number[] | undefined> {
  const total = cells.rowCount * cells.columnCount;
  const holds = cellTest(cells, needle, locale);
  const found: number[] = [];
  for (let at = 0; holds && at < total && found.length < cap; at++) {
    if (holds(at)) found.push(at);
    if (at % cellsAtOnce === 0 && slices.isOver() && !(await slices.pause())) return undefined;
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
