import { anyKind, cellKind, isNoValue, kindsOf, numberKinds, timeKinds } from './cellKinds.ts';
import type { ImportOptions } from './importOptions.ts';
import type { Cell, TableRecords } from './records.ts';

/** Where the table of a file begins. */
export interface TableLayout {
  /** Undefined where the first line has data. */
  readonly heading: readonly Cell[] | undefined;
  /** The line of the heading, from 1; 0 without one. */
  readonly headingLine: number;
  /** The row of units below the heading. */
  readonly units: readonly Cell[] | undefined;
  /** The first line with data. */
  readonly firstLine: number;
  /** The kinds of the columns that most of the first rows agree on, by their index. */
  readonly usualKinds: ReadonlyMap<number, number>;
  /** How many lines with something above the table are no part of it. */
  readonly linesAbove: number;
}

interface SampleRow {
  readonly cells: readonly Cell[];
  readonly line: number;
  /** The kinds of each cell; -1 for one without a value. */
  readonly kinds: readonly number[];
  readonly filled: number;
}

const sampleRows = 300;
const sampleCells = 30_000;
const rowsScored = 60;
/** A line that a person chooses for the heading. */
const maxChosenLine = 10_000;
/** Lines of a report above its table; PVWatts writes 31. */
const maxLinesAbove = 100;

const typed = numberKinds | timeKinds | cellKind.clock | cellKind.boolean | cellKind.digitTime;

/**
 * The heading of a table: of the first lines the one below which most columns are of one kind, numbers or times, and that is itself of
 * words. A line with data is not taken for it. What the person chose decides.
 */
export function findLayout(records: TableRecords, { headingLine, firstLine }: ImportOptions): TableLayout {
  const rows = sampleOf(records, headingLine);
  const chosen = headingLine === undefined ? -1 : rows.findIndex(row => row.line >= headingLine);
  // A folder's options may not fit a shorter file.
  const found = chosen === -1 ? headingOf(rows) : chosen;
  const at = headingLine === 0 ? -1 : found;
  const row = rows[at];
  const start = row ? at + 1 : headingLine === 0 ? 0 : firstTableRow(rows);
  const heading = row && withRowNames(joinedHeading(rows, at), rows.slice(start));
  const second = rows[start];
  const below = firstLine === undefined && row && second;
  const units = below && isUnits(second.cells) ? second.cells : undefined;
  const isIndexName = below && isNameOfIndex(second, heading ?? [], rows[start + 1]);
  const first = firstLine ?? rows[units || isIndexName ? start + 1 : start]?.line ?? (row?.line ?? 0) + 1;
  return {
    heading: isIndexName ? [second.cells[0] ?? null, ...(heading ?? []).slice(1)] : heading,
    headingLine: row?.line ?? 0,
    units,
    firstLine: first,
    usualKinds: usualKinds(rows.filter(other => other.line >= first)),
    linesAbove: rows.filter(other => other.line < (row?.line ?? first) && !(heading && isGroupLine(other, row))).length,
  };
}

/** Whether the line below a heading without a first name has that name alone, as pandas writes that of an index. */
function isNameOfIndex({ kinds, filled }: SampleRow, heading: readonly Cell[], next: SampleRow | undefined): boolean {
  return (heading[0] ?? '') === '' && filled === 1 && kinds[0] === 0 && (next?.kinds[0] ?? 0) > 0;
}

/** Whether a line names the groups of the columns below: words, some of them again and again. */
function isGroupLine({ cells, kinds, filled }: SampleRow, heading: SampleRow | undefined): boolean {
  const names = cells.filter(cell => cell !== null && cell !== '');
  const isAlike = heading?.cells.length === cells.length && filled * 2 >= cells.length;
  return isAlike && kinds.every(kind => kind <= 0) && new Set(names).size < names.length;
}

/** The heading with the names of the groups above it. */
function joinedHeading(rows: readonly SampleRow[], at: number): readonly Cell[] {
  const [above, heading] = [rows[at - 1], rows[at]];
  const cells = heading?.cells ?? [];
  if (!above || !isGroupLine(above, heading)) return cells;
  return cells.map((cell, column) =>
    [above.cells[column], cell].filter(name => name !== null && name !== '').join(' '),
  );
}

/** R writes no name for the names of rows: all rows have a cell more than the heading then. */
function withRowNames(heading: readonly Cell[], rows: readonly SampleRow[]): readonly Cell[] {
  const isLonger = rows.length > 0 && rows.every(({ cells }) => cells.length === heading.length + 1);
  const isNumbered = rows.every(({ cells }, at) => cells[0] === String(at + 1));
  return isLonger && isNumbered ? [null, ...heading] : heading;
}

/** The first rows from a line on, with those above it. */
function sampleOf(records: TableRecords, from = 0): SampleRow[] {
  const rows: SampleRow[] = [];
  let count = 0;
  records.each(
    (cells, line) => {
      if (count > sampleCells) return;
      if (line >= from) count += cells.length;
      const kinds = cells.map(cell => (cell === null || isNoValue(cell) ? -1 : kindsOf(cell)));
      rows.push({ cells, line, kinds, filled: kinds.filter(kind => kind !== -1).length });
    },
    sampleRows + Math.min(from, maxChosenLine) || sampleRows,
  );
  return rows;
}

/** The number of cells that the rows have with most of all cells: lines of text have one or two. */
function usualWidth(rows: readonly SampleRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  // A single row of many cells is no table beside others.
  const widths = [...counts].filter(([, count]) => count > 1 || rows.length < 3);
  return widths.reduce((best, entry) => (entry[0] * entry[1] > best[0] * best[1] ? entry : best), [1, 0])[0];
}

function firstTableRow(rows: readonly SampleRow[]): number {
  const width = usualWidth(rows);
  return rows.findIndex(
    ({ cells, kinds, filled }) => cells.length === width || (filled * 2 >= width && kinds.some(kind => kind > 0)),
  );
}

/** How many columns have a name, and how many of these are of one kind: with another separator they are fewer. */
export function countColumns(records: TableRecords): { hasHeading: boolean; named: number; typed: number } {
  const rows = sampleOf(records);
  const at = headingOf(rows);
  const columns = usualKinds(rows.slice(at + 1));
  const named = rows[at]?.cells.length ?? usualWidth(rows);
  return { hasHeading: at !== -1, named, typed: [...columns.keys()].filter(column => column < named).length };
}

/** The index of the heading; -1 for none. */
function headingOf(rows: readonly SampleRow[]): number {
  const width = usualWidth(rows);
  const first = firstTableRow(rows);
  let best = -1;
  const headless = typedColumns(rows, first).size;
  let bestScore = 0;
  for (const [at, row] of rows.slice(0, maxLinesAbove).entries()) {
    if (row.filled * 2 < Math.min(width, row.cells.length)) continue;
    const isAlike = ({ cells, filled }: SampleRow): boolean =>
      cells.length === row.cells.length && filled > 1 && filled * 2 > row.cells.length;
    const above = rows.slice(0, at).filter(isAlike).length;
    if (best !== -1 && !mayReplace(row, above, rows.length - at - 1)) continue;
    const columns = typedColumns(rows, at + 1, row);
    const score = scoreOf(columns, row, rows.length - at - 1);
    if (!isHeading(row, columns) || (best === -1 ? columns.size < headless : score <= bestScore)) continue;
    // Without a typed column the first line is the heading, not any of those below.
    if (columns.size === 0 && at > first) break;
    [best, bestScore] = [at, score];
  }
  return best;
}

/** How many cells of the first rows are of one kind with others in columns that the heading names. */
function scoreOf(columns: ReadonlyMap<number, number>, { kinds }: SampleRow, rows: number): number {
  const named = [...columns.keys()].filter(column => (kinds[column] ?? -1) !== -1);
  return named.length * Math.min(rows, rowsScored);
}

/**
 * Whether a line of words below another may be the heading: with more rows below it than lines of as many cells above. Units, a single word and
 * a row with an odd cell are none.
 */
function mayReplace({ cells, filled }: SampleRow, above: number, below: number): boolean {
  return filled > 1 && below > above && !isUnits(cells) && !cells.some(cell => /^\s*[-+]?[.\d]/.test(cell ?? ''));
}

const totals =
  /^\s*(?:(?:grand |sub-?)?totals?|sum|averages?|avg|mean|min(?:imum)?|max(?:imum)?|count|std(?:ev)?|gesamt|summe)s?:?\s*$/i;

/** Whether a cell names a row of totals. */
export function isTotal(cell: string): boolean {
  return totals.test(cell);
}

/** The columns that are of one kind from a row on, and have a value in half of the rows, with that kind. `heading`: may be repeated below. */
function typedColumns(rows: readonly SampleRow[], from: number, heading?: SampleRow): ReadonlyMap<number, number> {
  const kinds: number[] = [];
  const values: number[] = [];
  let count = 0;
  for (const [at, row] of rows.slice(from, from + rowsScored).entries()) {
    const isAlone = row.filled < 2 && row.cells.length < (rows[from]?.cells.length ?? 0);
    if (isAlone || isTotal(row.cells.find(cell => cell !== null) ?? '')) continue;
    if (heading && (isSameRow(row.cells, heading.cells) || (at === 0 && isUnits(row.cells)))) continue;
    count++;
    for (const [column, kind] of row.kinds.entries()) {
      if (kind === -1) continue;
      kinds[column] = (kinds[column] ?? anyKind) & kind;
      values[column] = (values[column] ?? 0) + 1;
    }
  }
  const isTyped = (at: number): boolean => ((kinds[at] ?? 0) & typed) !== 0 && (values[at] ?? 0) * 2 >= count;
  return new Map([...kinds.keys()].filter(isTyped).map(at => [at, kinds[at] ?? 0]));
}

/** The kinds that three of five values of a column have in common, for each column where they do. */
function usualKinds(rows: readonly SampleRow[]): ReadonlyMap<number, number> {
  const width = usualWidth(rows);
  const full = rows.filter(
    ({ cells, filled }) => filled * 2 >= width && !isTotal(cells.find(cell => cell !== null) ?? ''),
  );
  const usual = new Map<number, number>();
  for (let column = 0; column < width; column++) {
    const kinds = full.map(row => row.kinds[column] ?? -1).filter(kind => kind !== -1);
    for (const mask of [timeKinds, numberKinds, cellKind.clock, cellKind.boolean]) {
      const fitting = kinds.filter(kind => (kind & mask) !== 0);
      const common = fitting.reduce((all, kind) => all & kind, anyKind);
      if ((common & mask) !== 0 && fitting.length > 0 && fitting.length * 5 >= kinds.length * 3)
        usual.set(column, common);
      if (usual.has(column)) break;
    }
  }
  return usual;
}

/** Whether a row may name columns: words, but for dates above numbers, years, or numbers beside a word above a column that has none. */
function isHeading({ cells, kinds }: SampleRow, columns: ReadonlyMap<number, number>): boolean {
  const times = timeKinds | cellKind.clock | cellKind.boolean;
  const others = [...kinds.entries()].filter(
    ([at, kind]) => kind > 0 && !(kind & times && (columns.get(at) ?? 0) & numberKinds),
  );
  if (!kinds.includes(0) || others.some(([, kind]) => (kind & times) !== 0)) return false;
  if (others.every(([at]) => /^(?:19|20)\d\d$/.test(cells[at] ?? ''))) return true;
  const isAscending = others.every(
    ([at], place) => place === 0 || Number(cells[at]) > Number(cells[others[place - 1]?.[0] ?? 0]),
  );
  return isAscending && [...columns.keys()].some(at => kinds[at] === 0);
}

export function isSameRow(a: readonly Cell[], b: readonly Cell[]): boolean {
  return a.length === b.length && a.every((cell, at) => cell === b[at]);
}

const unit =
  /^[([]?(?:[kMGT]?(?:Wh?|VAr?|V|A|Hz|J)|%|p\.?u\.?|°?[CFK]|h|hrs?|min|s|m\/s|km\/h|mm|cm|m|[hk]Pa|mbar|[kM]?W\/m(?:2|²|\^2)|(?:EUR|USD|GBP|AUD|ZAR|R|c|€|\$|£)(?:\/[kM]?Wh)?|k?g|t|t\/MWh|k?g\/[kM]Wh|deg(?:rees?)?|UTC|GMT|SAST|-)[)\]]?$/i;

/** Whether a row has units of measurement alone. */
function isUnits(cells: readonly Cell[]): boolean {
  const filled = cells.filter(cell => cell !== null && cell.trim() !== '');
  return filled.length > 0 && filled.every(cell => unit.test(cell?.trim() ?? '')) && filled.some(cell => cell !== '-');
}
