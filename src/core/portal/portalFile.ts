import { readCsv } from './csvCells.ts';
import type { Cell, PortalRow } from './portalCells.ts';
import type { PortalColumn } from './portalColumns.ts';
import { refusing, type Refuse } from './portalError.ts';
import { readHeader, type PortalHeader } from './portalHeader.ts';
import { decideMarks, isOpen, readNumber } from './portalNumbers.ts';
import { readTimes } from './portalTime.ts';
import { wholeRows } from './splitCells.ts';
import { notesOfSums } from './sumDifferences.ts';

/** A file of the Eskom Data Portal: a row for each of its own, in its order, so an hour may come twice. */
export interface PortalFile {
  /** UTC milliseconds of the beginning of the hour. */
  readonly instants: readonly number[];
  /** The columns of the portal that the file has, a number for each row as it stands in the file; NaN for a gap. */
  readonly columns: ReadonlyMap<PortalColumn, Float64Array>;
  /** What a reader of the numbers should know, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * Reads a CSV file or an Excel workbook (.xlsx) as exported from the portal, or as saved again by a spreadsheet. Throws a PortalError that names
 * file, line, column and text. `fileName` is for sentences only; of the columns, those `needed` have to be there.
 */
export async function readPortalFile(
  bytes: Uint8Array,
  fileName: string,
  needed: readonly PortalColumn[],
): Promise<PortalFile> {
  const refuse = refusing(fileName);
  const { rows: all, splitsAtCommas } = await readCells(bytes, refuse);
  const [head, ...body] = all.filter(({ cells }) => cells.some(cell => cell !== ''));
  if (!head) throw refuse('', ' is empty');
  const header = readHeader(head, needed, refuse);
  if (body.length === 0) throw refuse('', ' holds no hours');
  const { rows, notes: splitNotes } = wholeRows(header, body, splitsAtCommas, needed, refuse);
  const times = rows.map(({ line, cells }) => ({ line, text: header.times.map(place => cells[place]).join(' ') }));
  const { instants, notes: timeNotes } = readTimes(times, refuse);
  const { marks, doubtful, notes: markNotes } = decideMarks(header, rows, needed, refuse);
  const numberAt = (cell: Cell, place: number) =>
    doubtful.has(place) && isOpen(cell) ? Number.NaN : (readNumber(cell, marks.get(place) ?? 'point') ?? Number.NaN);
  const columnAt = (place: number) => Float64Array.from(rows, ({ cells }) => numberAt(cells[place] ?? '', place));
  const columns = new Map([...header.columns].map(([name, place]) => [name, columnAt(place)]));
  const notes = [
    ...splitNotes,
    ...timeNotes,
    ...markNotes,
    ...notesOfRepeats(header, rows),
    ...notesOfSums(instants, columns),
  ];
  return { instants, columns, notes: notes.map(note => `${fileName}: ${note}`) };
}

async function readCells(bytes: Uint8Array, refuse: Refuse): Promise<{ rows: PortalRow[]; splitsAtCommas: boolean }> {
  const begins = (...mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte);
  if (begins(0xd0, 0xcf, 0x11, 0xe0))
    throw refuse('', ' is a workbook of an old kind (.xls)', 'save it as .xlsx or CSV');
  if (!begins(0x50, 0x4b, 0x03, 0x04)) return readCsv(bytes, refuse);
  // Loaded for workbooks alone: most files are CSV.
  const { readWorkbook } = await import('./workbookCells.ts');
  return { rows: await readWorkbook(bytes, refuse), splitsAtCommas: false };
}

function notesOfRepeats({ columns, repeated }: PortalHeader, rows: readonly PortalRow[]): string[] {
  return repeated.map(([name, place]) => {
    const first = columns.get(name) ?? -1;
    const differing = rows.filter(({ cells }) => cells[first] !== cells[place]).length;
    const differs = differing === 0 ? 'with the same cells' : `with other cells in ${differing} of ${rows.length} rows`;
    return `the column "${name}" is given more than once, ${differs}: the first one counts.`;
  });
}
