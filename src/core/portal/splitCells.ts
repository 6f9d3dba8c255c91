import type { PortalRow } from './portalCells.ts';
import { commaColumn, type PortalColumn } from './portalColumns.ts';
import { correctLine, type Refuse } from './portalError.ts';
import type { PlacedSum, PortalHeader } from './portalHeader.ts';
import { waysToRejoin } from './waysToRejoin.ts';

/** Of a whole file, with all its rows: seconds. */
const mostTried = 1_000_000;
const uncertain = 'its decimal commas cannot be told from the commas between fields';
/** Within rounding, in MW. */
const same = 0.1;

/**
 * The rows with one cell a column: without those that separators at the end of a row make, and with the halves of numbers joined
 * that an unquoted decimal comma splits. Refuses a row for which it is not certain which halves belong together; where that leaves
 * only cells open that are not `needed`, these become gaps, and a note counts them.
 */
export function wholeRows(
  header: PortalHeader,
  rows: readonly PortalRow[],
  splitsAtCommas: boolean,
  needed: readonly PortalColumn[],
  refuse: Refuse,
): { rows: readonly PortalRow[]; notes: readonly string[] } {
  const { width, columns, sums } = header;
  const ownPlace = columns.get(commaColumn) ?? -1;
  const trimmed = withoutTrailing(width, ownPlace, rows);
  const split = trimmed.filter(({ cells }) => cells.length > width);
  const isOwn = splitsAtCommas && split.every(row => isSplitAt(ownPlace, row, width));
  const certain = new Set([...header.times, ...needed.map(name => columns.get(name))]);
  let [triesLeft, gaps] = [mostTried, 0];
  const whole = trimmed.map(row => {
    const { line, cells } = row;
    if (cells.length === width) return row;
    const fault = (what: string) => refuse(`, line ${line}`, `: ${what}`, correctLine);
    const miscounted = `${cells.length} fields where the header has ${width}`;
    if (cells.length < width || !splitsAtCommas) throw fault(miscounted);
    const texts = cells.map(String);
    if (isOwn) return { line, cells: texts.toSpliced(ownPlace, 2, `${texts[ownPlace]}.${texts[ownPlace + 1]}`) };
    const ways = triesLeft > 0 ? waysToRejoin(texts, width) : undefined;
    if (!ways) throw fault(uncertain);
    triesLeft -= ways.length;
    const [best, ...others] = nearestBySums(sums, ways);
    if (!best) throw fault(miscounted);
    const open = best.map((cell, place) => others.some(other => other[place] !== cell));
    if (open.some((isOpen, place) => isOpen && certain.has(place))) throw fault(uncertain);
    gaps += open.filter(Boolean).length;
    return { line, cells: best.map((cell, place) => (open[place] ? '' : cell)) };
  });
  const note = `${gaps} cells of other columns are gaps: their decimal commas cannot be told from the commas between fields.`;
  return { rows: whole, notes: gaps > 0 ? [note] : [] };
}

/**
 * An empty cell at the end of each row too many is none: a separator ends the row. Where only some rows are too long, and can be so by a split
 * number of the portal's own, their last column is empty.
 */
function withoutTrailing(width: number, ownPlace: number, rows: readonly PortalRow[]): readonly PortalRow[] {
  let cut = 0;
  for (;;) {
    const longer = rows.filter(({ cells }) => cells.length - cut > width);
    if (longer.length === 0 || !longer.every(({ cells }) => cells.at(-1 - cut) === '')) break;
    if (longer.length < rows.length && longer.every(row => isSplitAt(ownPlace, row, width + cut))) break;
    cut++;
  }
  if (cut === 0) return rows;
  return rows.map(({ line, cells }) => ({
    line,
    cells: cells.slice(0, Math.max(cells.length - cut, Math.min(cells.length, width))),
  }));
}

/** Whether the row is one cell too long, and the column's number can be what was split. */
function isSplitAt(place: number, { cells }: PortalRow, width: number): boolean {
  const [whole = '', decimals = ''] = [cells[place], cells[place + 1]];
  return cells.length === width + 1 && /^-?\d+$/.test(String(whole)) && /^\d+$/.test(String(decimals));
}

/** The ways whose sums are nearest, but for rounding; none where all are far off: the row has a field too many. */
function nearestBySums(sums: readonly PlacedSum[], ways: readonly (readonly string[])[]): (readonly string[])[] {
  const missed = ways.map(way => ({ way, ...missOf(sums, way) }));
  const least = missed.reduce((lowest, { miss }) => Math.min(lowest, miss), Infinity);
  return missed.filter(({ miss, scale }) => miss - least <= same && miss <= same + scale / 100).map(({ way }) => way);
}

/** By how much the sums are off together, and how large their terms are; what is no number is off by all. */
function missOf(sums: readonly PlacedSum[], way: readonly string[]): { miss: number; scale: number } {
  let [miss, scale] = [0, 0];
  for (const { sum, parts, isRough } of sums) {
    if (isRough) continue;
    const [total = Number.NaN, ...terms] = [sum, ...parts].map(place => Number(way[place]?.replace(',', '.')));
    const off = Math.abs(terms.reduce((rest, term) => rest - term, total));
    miss += Number.isNaN(off) ? Number.MAX_VALUE : off;
    scale += Math.abs(total);
  }
  return { miss, scale };
}
