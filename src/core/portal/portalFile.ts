import { readCsv } from './csvCells.ts';
import { type PortalRow, quoted, refusing, type Refuse } from './portalCells.ts';
import { type PortalColumn, portalSums, readHeader, type PortalHeader } from './portalColumns.ts';
import { decideMarks, isSpreadsheetError, readNumber } from './portalNumbers.ts';
import { isTimeColumn, readTimes } from './portalTime.ts';
import { wholeRows } from './splitCells.ts';
import { formatInstant } from '../time/instant.ts';

/** A file of the Eskom Data Portal, with its rows in file order: an hour may occur twice. */
export interface PortalFile {
  /** UTC milliseconds of the beginning of the hour. */
  readonly instants: readonly number[];
  /** The portal columns of the file, with a number for each row; NaN for a gap. */
  readonly columns: ReadonlyMap<PortalColumn, Float64Array>;
  /** Notes about the numbers, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Reads a CSV file or an Excel workbook (.xlsx) as exported from the portal, or as saved by a spreadsheet. Throws a PortalError that names
 * file, line, column and text. `fileName` is only for messages; the file must have the columns in `needed`.
 */
export async function readPortalFile(
  bytes: Uint8Array,
  fileName: string,
  needed: readonly PortalColumn[],
): Promise<PortalFile> {
  const refuse = refusing(fileName);
  const { rows: all, splitsAtCommas, titles } = await readCells(bytes, refuse);
  const [head, ...body] = all;
  if (!head) throw refuse('', ' is empty');
  const header = readHeader(head, needed, refuse);
  if (body.length === 0) throw refuse('', ' holds no hours');
  const rows = wholeRows(header, body, splitsAtCommas, refuse);
  const times = rows.map(({ line, cells }) => ({ line, text: header.times.map(place => cells[place]).join(' ') }));
  const { instants, notes: timeNotes } = readTimes(times, refuse);
  const marks = decideMarks(header, rows, refuse);
  const columnAt = (place: number) =>
    Float64Array.from(rows, ({ cells }) => readNumber(cells[place] ?? '', marks.get(place) ?? 'point') ?? NaN);
  const columns = new Map([...header.columns].map(([name, place]) => [name, columnAt(place)]));
  const titleNote = `${titles === 1 ? '1 line above the header is' : `${titles} lines above the header are`} left out.`;
  const notes = [
    ...(titles > 0 ? [titleNote] : []),
    ...timeNotes,
    ...notesOfRepeats(header, rows),
    ...notesOfErrors(header, rows),
    ...notesOfSums(instants, columns),
  ];
  return { instants, columns, notes: notes.map(note => `${fileName}: ${note}`) };
}

/** All rows that are not empty, the header first; `titles`: the number of rows above it. */
async function readCells(
  bytes: Uint8Array,
  refuse: Refuse,
): Promise<{ rows: PortalRow[]; splitsAtCommas: boolean; titles: number }> {
  const begins = (...mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte);
  if (begins(0xd0, 0xcf, 0x11, 0xe0))
    throw refuse('', ' is a workbook of an old kind (.xls)', 'save it as .xlsx or CSV');
  if (!begins(0x50, 0x4b, 0x03, 0x04)) return withCells(readCsv(bytes, refuse));
  // Loaded only for workbooks, since most files are CSV.
  const { readWorkbook } = await import('./workbookCells.ts');
  const { rows } = withCells({ rows: await readWorkbook(bytes, refuse) });
  const titles = Math.max(
    0,
    rows.findIndex(({ cells }) => cells.some(cell => isTimeColumn(String(cell)))),
  );
  return { rows: rows.slice(titles), splitsAtCommas: false, titles };
}

function withCells<Read extends { readonly rows: readonly PortalRow[] }>(read: Read): Read & { rows: PortalRow[] } {
  return { ...read, rows: read.rows.filter(({ cells }) => cells.some(cell => cell !== '')) };
}

/** A note about spreadsheet errors, which are read as gaps. */
function notesOfErrors({ columns }: PortalHeader, rows: readonly PortalRow[]): string[] {
  let count = 0;
  let first: string | undefined;
  for (const [name, place] of columns)
    for (const { line, cells } of rows) {
      const cell = cells[place] ?? '';
      if (!isSpreadsheetError(cell)) continue;
      count++;
      first ??= `${quoted(String(cell))} under "${name}" in line ${line}`;
    }
  const cells = count === 1 ? '1 cell is a gap' : `${count} cells are gaps`;
  return count === 0 ? [] : [`${cells}, as a spreadsheet wrote an error such as ${first}.`];
}

function notesOfRepeats({ columns, repeated }: PortalHeader, rows: readonly PortalRow[]): string[] {
  return repeated.map(([name, place]) => {
    const first = columns.get(name) ?? -1;
    const differing = rows.filter(({ cells }) => cells[first] !== cells[place]).length;
    const differs = differing === 0 ? 'with the same cells' : `with other cells in ${differing} of ${rows.length} rows`;
    return `the column "${name}" is given more than once, ${differs}: the first one counts.`;
  });
}

/** The effect of the portal's own rounding, in MW. */
const usualRounding = 0.1;

/**
 * A note that counts the rows whose sums are off by more than rounding, if any. The numbers stay as they are: the portal has such hours, and
 * it is unknown which of the terms is wrong.
 */
function notesOfSums(instants: readonly number[], columns: ReadonlyMap<PortalColumn, Float64Array>): string[] {
  const off = new Set<number>();
  let [most, mostAt, mostName] = [0, 0, ''];
  for (const { sum, parts } of portalSums) {
    const [total, ...terms] = [sum, ...parts].map(name => columns.get(name)).filter(found => found !== undefined);
    if (!total || terms.length < parts.length) continue;
    const allowed = Math.max(usualRounding, (stepOf([total, ...terms]) * (terms.length + 1)) / 2);
    for (const [row, value] of total.entries()) {
      const difference = Math.abs(terms.reduce((rest, term) => rest - (term[row] ?? 0), value));
      // NaN, from a gap, is never greater.
      if (!(difference > allowed)) continue;
      off.add(row);
      if (difference > most) [most, mostAt, mostName] = [difference, row, sum];
    }
  }
  if (off.size === 0) return [];
  const where = `"${mostName}" at ${formatInstant(instants[mostAt] ?? 0)}`;
  return [
    `in ${off.size} of ${instants.length} rows the sums of columns are off, by ${Number(most.toFixed(3))} MW at most (${where}): the numbers are left as they are.`,
  ];
}

/** The rounding of the columns: 1, 0.1, or 0 for finer. */
function stepOf(columns: readonly Float64Array[]): number {
  const isWhole = (tenths: number) => {
    const isOne = (value: number) =>
      Number.isNaN(value) || Math.abs(value * tenths - Math.round(value * tenths)) < 1e-6;
    return columns.every(values => values.every(isOne));
  };
  return isWhole(1) ? 1 : isWhole(10) ? 0.1 : 0;
}
