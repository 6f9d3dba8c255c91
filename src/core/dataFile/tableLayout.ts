import { anyKind, cellKind, isNoValue, detectKinds, numberKinds, timeKinds } from './cellKinds.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import type { Cell, TableRecords } from './records.ts';

/** The position of the table in a file. */
export interface TableLayout {
  /** Undefined if the first line already has data. */
  readonly heading: readonly Cell[] | undefined;
  /** The line of the heading, counted from 1; 0 without a heading. */
  readonly headingLine: number;
  /** The row of units below the heading. */
  readonly units: readonly Cell[] | undefined;
  /** The first line with data. */
  readonly firstLine: number;
  /** The kinds that most cells of a column have in the first rows, by column index. */
  readonly typicalKinds: ReadonlyMap<number, number>;
  /** The number of non-empty lines above the table that are not part of it. */
  readonly linesAbove: number;
}

interface SampleRow {
  readonly cells: readonly Cell[];
  readonly line: number;
  /** The kinds of each cell, or -1 if it has no value. */
  readonly kinds: readonly number[];
  readonly filledCount: number;
}

const sampleRows = 300;
const sampleCells = 30_000;
const maxScoredRows = 60;
/** The largest line number that a user can select for the heading. */
const maxHeadingLine = 10_000;
/** A report may have lines above its table: PVWatts writes 31. */
const maxLinesAbove = 100;

const typedKinds = numberKinds | timeKinds | cellKind.clock | cellKind.boolean | cellKind.digitTime;

/**
 * Finds the heading of a table: among the first lines, the line of words below which most columns have one kind of value, numbers or times.
 * A line with data is never a heading. The user's selection takes precedence.
 */
export function findLayout(records: TableRecords, { headingLine, firstLine }: ImportOptions): TableLayout {
  const rows = readSample(records, headingLine);
  const selectedIndex = headingLine === undefined ? -1 : rows.findIndex(headingRow => headingRow.line >= headingLine);
  // Options of a folder apply to all its files, and a file may be shorter than the selected line.
  const headingIndex = selectedIndex === -1 ? findHeading(rows) : selectedIndex;
  const rowIndex = headingLine === 0 ? -1 : headingIndex;
  const headingRow = rows[rowIndex];
  const start = headingRow ? rowIndex + 1 : headingLine === 0 ? 0 : findFirstTableRow(rows);
  const heading = headingRow && addRowNumberColumn(joinGroupNames(rows, rowIndex), rows.slice(start));
  const nextRow = rows[start];
  const rowBelow = firstLine === undefined && headingRow && nextRow;
  const units = rowBelow && isUnits(nextRow.cells) ? nextRow.cells : undefined;
  const hasIndexName = rowBelow && isIndexName(nextRow, heading ?? [], rows[start + 1]);
  const firstDataLine =
    firstLine ?? rows[units || hasIndexName ? start + 1 : start]?.line ?? (headingRow?.line ?? 0) + 1;
  return {
    heading: hasIndexName ? [nextRow.cells[0] ?? null, ...(heading ?? []).slice(1)] : heading,
    headingLine: headingRow?.line ?? 0,
    units,
    firstLine: firstDataLine,
    typicalKinds: computeTypicalKinds(rows.filter(sampleRow => sampleRow.line >= firstDataLine)),
    linesAbove: rows.filter(
      sampleRow =>
        sampleRow.line < (headingRow?.line ?? firstDataLine) && !(heading && isGroupLine(sampleRow, headingRow)),
    ).length,
  };
}

/** Whether the line below a heading has only the name of the first column, which the heading lacks. Pandas writes the name of an index this way. */
function isIndexName(
  { kinds, filledCount }: SampleRow,
  heading: readonly Cell[],
  next: SampleRow | undefined,
): boolean {
  return (heading[0] ?? '') === '' && filledCount === 1 && kinds[0] === 0 && (next?.kinds[0] ?? 0) > 0;
}

/** Whether a line names groups of columns: it has words, some of them repeatedly. */
function isGroupLine({ cells, kinds, filledCount }: SampleRow, heading: SampleRow | undefined): boolean {
  const names = cells.filter(cell => cell !== null && cell !== '');
  const hasSameWidth = heading?.cells.length === cells.length && filledCount * 2 >= cells.length;
  return hasSameWidth && kinds.every(kind => kind <= 0) && new Set(names).size < names.length;
}

/** Returns the heading, with each name preceded by the name of the group above it. */
function joinGroupNames(rows: readonly SampleRow[], headingIndex: number): readonly Cell[] {
  const above = rows[headingIndex - 1];
  const heading = rows[headingIndex];
  const cells = heading?.cells ?? [];
  if (!above || !isGroupLine(above, heading)) return cells;
  return cells.map((cell, column) =>
    [above.cells[column], cell].filter(name => name !== null && name !== '').join(' '),
  );
}

/** Adds an empty first name to a heading written by R, which has no name for the column of row numbers. */
function addRowNumberColumn(heading: readonly Cell[], rows: readonly SampleRow[]): readonly Cell[] {
  const isLonger = rows.length > 0 && rows.every(({ cells }) => cells.length === heading.length + 1);
  const isNumbered = rows.every(({ cells }, index) => cells[0] === String(index + 1));
  return isLonger && isNumbered ? [null, ...heading] : heading;
}

/** Reads a sample of the first rows from a line on, together with the rows above it. */
function readSample(records: TableRecords, from = 0): SampleRow[] {
  const rows: SampleRow[] = [];
  let count = 0;
  records.forEach(
    (cells, line) => {
      if (count > sampleCells) return;
      if (line >= from) count += cells.length;
      const kinds = cells.map(cell => (cell === null || isNoValue(cell) ? -1 : detectKinds(cell)));
      rows.push({ cells, line, kinds, filledCount: kinds.filter(kind => kind !== -1).length });
    },
    sampleRows + Math.min(from, maxHeadingLine) || sampleRows,
  );
  return rows;
}

/** Returns the row width that accounts for the most cells. Lines of text have one or two cells, so they weigh little. */
function computeTypicalWidth(rows: readonly SampleRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  // A single wide row is not a table if there are other rows.
  const widths = [...counts].filter(([, count]) => count > 1 || rows.length < 3);
  return widths.reduce((best, entry) => (entry[0] * entry[1] > best[0] * best[1] ? entry : best), [1, 0])[0];
}

function findFirstTableRow(rows: readonly SampleRow[]): number {
  const width = computeTypicalWidth(rows);
  return rows.findIndex(
    ({ cells, kinds, filledCount }) =>
      cells.length === width || (filledCount * 2 >= width && kinds.some(kind => kind > 0)),
  );
}

/** Counts the named columns, and the columns of one kind among them. Both counts are highest with the right separator. */
export function countColumns(records: TableRecords): { hasHeading: boolean; namedCount: number; typedKinds: number } {
  const rows = readSample(records);
  const headingIndex = findHeading(rows);
  const columns = computeTypicalKinds(rows.slice(headingIndex + 1));
  const namedCount = rows[headingIndex]?.cells.length ?? computeTypicalWidth(rows);
  return {
    hasHeading: headingIndex !== -1,
    namedCount,
    typedKinds: [...columns.keys()].filter(column => column < namedCount).length,
  };
}

/** Returns the index of the heading row; -1 without a heading. */
function findHeading(rows: readonly SampleRow[]): number {
  const width = computeTypicalWidth(rows);
  const first = findFirstTableRow(rows);
  const columnsWithoutHeading = findTypedColumns(rows, first).size;
  let bestIndex = -1;
  let bestScore = 0;
  for (const [index, row] of rows.slice(0, maxLinesAbove).entries()) {
    if (row.filledCount * 2 < Math.min(width, row.cells.length)) continue;
    const isSimilar = ({ cells, filledCount }: SampleRow): boolean =>
      cells.length === row.cells.length && filledCount > 1 && filledCount * 2 > row.cells.length;
    const above = rows.slice(0, index).filter(isSimilar).length;
    if (bestIndex !== -1 && !canReplaceHeading(row, above, rows.length - index - 1)) continue;
    const columns = findTypedColumns(rows, index + 1, row);
    const score = scoreHeading(columns, row, rows.length - index - 1);
    if (!isHeading(row, columns) || (bestIndex === -1 ? columns.size < columnsWithoutHeading : score <= bestScore))
      continue;
    // If all columns are text, only the first line can be the heading.
    if (columns.size === 0 && index > first) break;
    bestIndex = index;
    bestScore = score;
  }
  return bestIndex;
}

/** Counts the sampled cells in typed columns that the heading names. */
function scoreHeading(columns: ReadonlyMap<number, number>, { kinds }: SampleRow, rows: number): number {
  const named = [...columns.keys()].filter(column => (kinds[column] ?? -1) !== -1);
  return named.length * Math.min(rows, maxScoredRows);
}

/**
 * Whether a line of words may be the heading although a line above it could be the heading, too: more rows must follow it than there are rows
 * of the same width above it. A row of units, a single word or a row with a number is not a heading.
 */
function canReplaceHeading({ cells, filledCount }: SampleRow, above: number, below: number): boolean {
  return filledCount > 1 && below > above && !isUnits(cells) && !cells.some(cell => /^\s*[-+]?[.\d]/.test(cell ?? ''));
}

const totalPattern =
  /^\s*(?:(?:grand |sub-?)?totals?|sum|averages?|avg|mean|min(?:imum)?|max(?:imum)?|count|std(?:ev)?|gesamt|summe)s?:?\s*$/i;

/** Whether a cell names a row of totals. */
export function isTotal(cell: string): boolean {
  return totalPattern.test(cell);
}

/**
 * Returns the kinds of the typed columns, by index. A column is typed if all its values from a row on have a kind in common, and at least half of
 * the rows have a value. Rows that repeat `heading` are skipped.
 */
function findTypedColumns(rows: readonly SampleRow[], from: number, heading?: SampleRow): ReadonlyMap<number, number> {
  const kinds: number[] = [];
  const values: number[] = [];
  let count = 0;
  for (const [offset, row] of rows.slice(from, from + maxScoredRows).entries()) {
    const isAlone = row.filledCount < 2 && row.cells.length < (rows[from]?.cells.length ?? 0);
    if (isAlone || isTotal(row.cells.find(cell => cell !== null) ?? '')) continue;
    if (heading && (isSameRow(row.cells, heading.cells) || (offset === 0 && isUnits(row.cells)))) continue;
    count++;
    for (const [column, kind] of row.kinds.entries()) {
      if (kind === -1) continue;
      kinds[column] = (kinds[column] ?? anyKind) & kind;
      values[column] = (values[column] ?? 0) + 1;
    }
  }
  const isTyped = (offset: number): boolean =>
    ((kinds[offset] ?? 0) & typedKinds) !== 0 && (values[offset] ?? 0) * 2 >= count;
  return new Map([...kinds.keys()].filter(isTyped).map(offset => [offset, kinds[offset] ?? 0]));
}

/** Returns the kinds that at least three of five values of a column have in common, by column index. */
function computeTypicalKinds(rows: readonly SampleRow[]): ReadonlyMap<number, number> {
  const width = computeTypicalWidth(rows);
  const fullRows = rows.filter(
    ({ cells, filledCount }) => filledCount * 2 >= width && !isTotal(cells.find(cell => cell !== null) ?? ''),
  );
  const typical = new Map<number, number>();
  for (let column = 0; column < width; column++) {
    const kinds = fullRows.map(row => row.kinds[column] ?? -1).filter(kind => kind !== -1);
    for (const mask of [timeKinds, numberKinds, cellKind.clock, cellKind.boolean]) {
      const matching = kinds.filter(kind => (kind & mask) !== 0);
      const common = matching.reduce((combined, kind) => combined & kind, anyKind);
      if ((common & mask) !== 0 && matching.length > 0 && matching.length * 5 >= kinds.length * 3)
        typical.set(column, common);
      if (typical.has(column)) break;
    }
  }
  return typical;
}

/**
 * Whether a row may name columns. It must have words, but may also have dates above columns of numbers, years, or ascending numbers if at least
 * one typed column has a word above it.
 */
function isHeading({ cells, kinds }: SampleRow, columns: ReadonlyMap<number, number>): boolean {
  const times = timeKinds | cellKind.clock | cellKind.boolean;
  const numericCells = [...kinds.entries()].filter(
    ([column, kind]) => kind > 0 && !(kind & times && (columns.get(column) ?? 0) & numberKinds),
  );
  if (!kinds.includes(0) || numericCells.some(([, kind]) => (kind & times) !== 0)) return false;
  if (numericCells.every(([column]) => /^(?:19|20)\d\d$/.test(cells[column] ?? ''))) return true;
  const isAscending = numericCells.every(
    ([column], index) => index === 0 || Number(cells[column]) > Number(cells[numericCells[index - 1]?.[0] ?? 0]),
  );
  return isAscending && [...columns.keys()].some(column => kinds[column] === 0);
}

export function isSameRow(a: readonly Cell[], b: readonly Cell[]): boolean {
  return a.length === b.length && a.every((cell, index) => cell === b[index]);
}

const unitPattern =
  /^[([]?(?:[kMGT]?(?:Wh?|VAr?|V|A|Hz|J)|%|p\.?u\.?|°?[CFK]|h|hrs?|min|s|m\/s|km\/h|mm|cm|m|[hk]Pa|mbar|[kM]?W\/m(?:2|²|\^2)|(?:EUR|USD|GBP|AUD|ZAR|R|c|€|\$|£)(?:\/[kM]?Wh)?|k?g|t|t\/MWh|k?g\/[kM]Wh|deg(?:rees?)?|UTC|GMT|SAST|-)[)\]]?$/i;

/** Whether a row has only units of measurement. */
function isUnits(cells: readonly Cell[]): boolean {
  const filled = cells.filter(cell => cell !== null && cell.trim() !== '');
  return (
    filled.length > 0 && filled.every(cell => unitPattern.test(cell?.trim() ?? '')) && filled.some(cell => cell !== '-')
  );
}
