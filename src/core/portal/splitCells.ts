import { type PortalRow, correctLine, quoted, type Refuse } from './portalCells.ts';
import { commaColumn, type PortalColumn } from './portalColumns.ts';
import type { PlacedSum, PortalHeader } from './portalHeader.ts';

/** Of a whole file, with all its rows: seconds. */
const mostTried = 1_000_000;
const uncertain = 'its decimal commas cannot be told from the commas between fields';
/** Within rounding, in MW. */
const same = 0.1;
/** By so much the portal's own total of two columns is off in some hours. */
const mostOff = 1;
const decimalPoint = /^[-+]?\d*\.\d+$/;

/**
 * The rows with one cell a column: without those that separators at the end of a row make, and with the halves of numbers joined
 * that an unquoted decimal comma splits: beside decimal points that is the portal's own column alone. Refuses a row for which it is not
 * certain which halves belong together; where that leaves only cells open that are not `needed`, these become gaps, and a note counts them.
 */
export function wholeRows(
  header: PortalHeader,
  rows: readonly PortalRow[],
  splitsAtCommas: boolean,
  needed: readonly PortalColumn[],
  refuse: Refuse,
): { rows: readonly PortalRow[]; notes: readonly string[] } {
  const { width, columns, names, sums } = header;
  const ownPlace = columns.get(commaColumn) ?? -1;
  const trimmed = withoutTrailing(width, ownPlace, rows);
  const split = trimmed.filter(({ cells }) => cells.length > width);
  const own = sums.find(({ name }) => name === commaColumn);
  const hasWhole = trimmed.some(({ cells }) => cells.length === width && /^-?\d+$/.test(String(cells[ownPlace])));
  const joined = (row: PortalRow): readonly string[] | undefined => {
    // Where whole numbers are written without decimals, 0 is no decimal.
    const isWhole = hasWhole && /^0+$/.test(String(row.cells[ownPlace + 1]));
    if (isWhole || !isSplitAt(ownPlace, row, width)) return undefined;
    const texts = row.cells.map(String);
    const whole = texts.toSpliced(ownPlace, 2, `${texts[ownPlace]}.${texts[ownPlace + 1]}`);
    return own && differenceOf(own, whole) > mostOff ? undefined : whole;
  };
  const hasPoints = trimmed.some(({ cells }) =>
    cells.some((cell, place) => place !== ownPlace && !header.times.includes(place) && decimalPoint.test(String(cell))),
  );
  const isOwn = hasPoints || split.every(row => joined(row));
  const certain = new Set([...header.times, ...needed.map(name => columns.get(name))]);
  let [triesLeft, gaps] = [mostTried, 0];
  const whole = trimmed.map(row => {
    const { line, cells } = row;
    if (cells.length === width) return row;
    const fault = (what: string) => refuse(`, line ${line}`, `: ${what}`, correctLine);
    const texts = cells.map(String);
    const under = (place: number) => `under ${quoted(names[place] ?? '')}`;
    const miscounted = () => {
      const says = `${cells.length} fields where the header has ${width}: `;
      if (cells.length < width) return fault(`${says}nothing ${under(cells.length)}`);
      return fault(
        `${says}${quoted(texts[width] ?? '')} is left over behind the last one, ${quoted(names[width - 1] ?? '')}`,
      );
    };
    if (cells.length < width || !splitsAtCommas) throw miscounted();
    if (isOwn) {
      const whole = joined(row);
      if (!whole) throw miscounted();
      return { line, cells: whole };
    }
    const ways = triesLeft > 0 ? waysToRejoin(texts, width) : undefined;
    const first = texts.findIndex((text, place) => canBeSplit(text, texts[place + 1]));
    if (!ways) throw fault(`${uncertain}, as in ${quoted(`${texts[first]},${texts[first + 1]}`)} ${under(first)}`);
    triesLeft -= ways.length;
    const [best, ...others] = nearestBySums(sums, ways);
    if (!best) throw miscounted();
    const open = best.map((cell, place) => others.some(other => other[place] !== cell));
    const wanted = open.findIndex((isOpen, place) => isOpen && certain.has(place));
    const readings = [best, ...others].map(way => quoted(way[wanted] ?? ''));
    if (wanted !== -1) throw fault(`${uncertain}: ${[...new Set(readings)].slice(0, 2).join(' or ')} ${under(wanted)}`);
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

/** The ways whose sums are nearest, but for rounding; none where a sum of all is off: the row has a field too many. */
function nearestBySums(sums: readonly PlacedSum[], ways: readonly (readonly string[])[]): (readonly string[])[] {
  const missed = ways.map(way => ({ way, miss: offBy(sums, way) }));
  const least = missed.reduce((lowest, { miss }) => Math.min(lowest, miss), Infinity);
  return missed.filter(({ miss }) => miss - least <= same && miss < Infinity).map(({ way }) => way);
}

/** By how much the sums are off together; Infinity where one is by more than the portal's own. */
function offBy(sums: readonly PlacedSum[], way: readonly string[]): number {
  // A gap is not known to be any number: as 0, it lets a sum agree that does without it.
  const cells = way.map(cell => cell || '0');
  return sums.reduce((all, sum) => {
    if (sum.isRough) return all;
    const off = differenceOf(sum, cells);
    // Of what is no number, it is NaN, and no less than anything.
    return off <= (sum.name === commaColumn ? mostOff : same) ? all + off : Infinity;
  }, 0);
}

/** NaN where one of them is no number. */
function differenceOf({ sum, parts }: PlacedSum, cells: readonly string[]): number {
  const [total = NaN, ...terms] = [sum, ...parts].map(place => {
    const text = cells[place] ?? '';
    return text === '' ? NaN : Number(text.replace(',', '.'));
  });
  return Math.abs(terms.reduce((rest, term) => rest - term, total));
}

const integer = /^-?\d+$/;
/** What can follow a decimal comma: three digits, or fewer without a closing zero. */
const trimmedFraction = /^(?:\d{3}|\d{0,1}[1-9])$/;
const anyFraction = /^\d{1,3}$/;
const mostWays = 5_000;

/**
 * All ways to join the halves of numbers written with a decimal comma (`8304,617`), which an unquoted row falls apart
 * into, so that `columns` fields remain. Empty where there is none; undefined where there are too many to try.
 */
export function waysToRejoin(fields: readonly string[], columns: number): readonly (readonly string[])[] | undefined {
  const trimmed = waysWith(trimmedFraction, fields, columns);
  return trimmed?.length === 0 ? waysWith(anyFraction, fields, columns) : trimmed;
}

/** Whether a field and the next one can be a number with a decimal comma. */
function canBeSplit(field: string, next = ''): boolean {
  return integer.test(field) && anyFraction.test(next);
}

function waysWith(fraction: RegExp, fields: readonly string[], columns: number): string[][] | undefined {
  const joinable = fields.map((field, at) => integer.test(field) && fraction.test(fields[at + 1] ?? ''));
  const mostJoins = mostJoinsFrom(joinable);
  const ways: string[][] = [];
  const done: string[] = [];
  const walk = (at: number, joinsLeft: number): void => {
    if (joinsLeft > (mostJoins[at] ?? 0) || ways.length > mostWays) return;
    if (at >= fields.length) {
      ways.push([...done]);
      return;
    }
    const [here = '', next = ''] = [fields[at], fields[at + 1]];
    if (joinsLeft > 0 && joinable[at]) {
      done.push(`${here},${next}`);
      walk(at + 2, joinsLeft - 1);
      done.pop();
    }
    done.push(here);
    walk(at + 1, joinsLeft);
    done.pop();
  };
  walk(0, fields.length - columns);
  return ways.length > mostWays ? undefined : ways;
}

/** How many joins there is room for from each field on: the search leaves every way that cannot reach its count. */
function mostJoinsFrom(joinable: readonly boolean[]): number[] {
  const most: number[] = Array.from({ length: joinable.length + 2 }, () => 0);
  for (let at = joinable.length - 1; at >= 0; at--)
    most[at] = Math.max(most[at + 1] ?? 0, joinable[at] ? 1 + (most[at + 2] ?? 0) : 0);
  return most;
}
