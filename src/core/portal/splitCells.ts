import { type PortalRow, correctLine, quoted, type Refuse } from './portalCells.ts';
import { commaColumn, type PortalColumn, type PlacedSum, type PortalHeader } from './portalColumns.ts';

/** The most combinations to try for a whole file: a few seconds. */
const mostTried = 1_000_000;
const uncertain = 'its decimal commas cannot be distinguished from the commas between fields';
/** Within rounding, in MW. */
const same = 0.1;
/** The most by which the portal's own total of two columns is off in some hours, in MW. */
const mostOff = 1;
const decimalPoint = /^[-+]?\d*\.\d+$/;

/**
 * The rows with one cell for each column: without empty cells from separators at the end of a row, and with the halves of numbers joined
 * that an unquoted decimal comma splits. In a file with decimal points only the portal's own column can be split. Throws for a row in which
 * it is unclear which halves belong together; where only columns that are not `needed` are unclear, their cells become gaps, which a note
 * counts.
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
    // Where whole numbers are written without decimals, zeros are not decimals.
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
      const problem = `${cells.length} fields where the header has ${width}: `;
      if (cells.length < width) return fault(`${problem}nothing ${under(cells.length)}`);
      return fault(
        `${problem}${quoted(texts[width] ?? '')} is left over behind the last one, ${quoted(names[width - 1] ?? '')}`,
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
  const note = `${gaps} cells of other columns are gaps: their decimal commas cannot be distinguished from the commas between fields.`;
  return { rows: whole, notes: gaps > 0 ? [note] : [] };
}

/**
 * Removes surplus empty cells at the end of rows, where a separator ends each row. Where only some rows are too long, which a split number of
 * the portal's own column explains, the empty cell is that of their last column.
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

/** Whether the row is one cell too long, and the number of the column may have been split. */
function isSplitAt(place: number, { cells }: PortalRow, width: number): boolean {
  const [whole = '', decimals = ''] = [cells[place], cells[place + 1]];
  return cells.length === width + 1 && /^-?\d+$/.test(String(whole)) && /^\d+$/.test(String(decimals));
}

/** The ways with the smallest error of the sums, within rounding; none where the sums of all ways are wrong. */
function nearestBySums(sums: readonly PlacedSum[], ways: readonly (readonly string[])[]): (readonly string[])[] {
  const missed = ways.map(way => ({ way, miss: offBy(sums, way) }));
  const least = missed.reduce((lowest, { miss }) => Math.min(lowest, miss), Infinity);
  return missed.filter(({ miss }) => miss - least <= same && miss < Infinity).map(({ way }) => way);
}

/** The total error of the sums; Infinity where one of them is wrong. */
function offBy(sums: readonly PlacedSum[], way: readonly string[]): number {
  // A gap counts as 0, so that a sum that omits it is right.
  const cells = way.map(cell => cell || '0');
  return sums.reduce((all, sum) => {
    if (sum.isRough) return all;
    const off = differenceOf(sum, cells);
    // NaN, where a cell is not a number, fails the comparison.
    return off <= (sum.name === commaColumn ? mostOff : same) ? all + off : Infinity;
  }, 0);
}

/** The error of a sum; NaN where a cell is not a number. */
function differenceOf({ sum, parts }: PlacedSum, cells: readonly string[]): number {
  const [total = NaN, ...terms] = [sum, ...parts].map(place => {
    const text = cells[place] ?? '';
    return text === '' ? NaN : Number(text.replace(',', '.'));
  });
  return Math.abs(terms.reduce((rest, term) => rest - term, total));
}

const integer = /^-?\d+$/;
/** Decimals: three digits, or fewer without a trailing zero. */
const trimmedFraction = /^(?:\d{3}|\d{0,1}[1-9])$/;
const anyFraction = /^\d{1,3}$/;
const mostWays = 5_000;

/**
 * All ways to join the halves of numbers that an unquoted decimal comma splits (`8304,617`), so that `columns` fields remain. Empty where
 * there is none; undefined where there are too many to try.
 */
export function waysToRejoin(fields: readonly string[], columns: number): readonly (readonly string[])[] | undefined {
  const trimmed = waysWith(trimmedFraction, fields, columns);
  return trimmed?.length === 0 ? waysWith(anyFraction, fields, columns) : trimmed;
}

/** Whether a field and the next one may be a number with a decimal comma. */
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

/** The most joins from each field on, with which the search skips ways that cannot reach the required number. */
function mostJoinsFrom(joinable: readonly boolean[]): number[] {
  const most: number[] = Array.from({ length: joinable.length + 2 }, () => 0);
  for (let at = joinable.length - 1; at >= 0; at--)
    most[at] = Math.max(most[at + 1] ?? 0, joinable[at] ? 1 + (most[at + 2] ?? 0) : 0);
  return most;
}
