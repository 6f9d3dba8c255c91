import { unzipSync } from 'fflate';
import readXlsxFile from 'read-excel-file/universal';
import { hourMs } from '../../shared/durations.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { GridError } from '../errors.ts';
import type { Cell, TableRecords } from './records.ts';

/** The maximum size of all unpacked parts in bytes: enough for ten years of hours in all columns of the Eskom Data Portal. */
const maxUnpacked = 200_000_000;
/** The maximum number of parts. A typical workbook has about ten. */
const maxParts = 1_000;
/** The maximum number of cells: twenty years of hours in all columns of the portal, which take about 0.5 GB of memory. */
const maxCells = 10_000_000;

/** The rows of a sheet of a workbook (.xlsx), and the names of all sheets. */
export interface Workbook {
  readonly records: TableRecords;
  readonly sheets: readonly string[];
  readonly sheet: string;
}

/**
 * Reads the sheet with this name, or the sheet with the most rows if there is no such sheet. Dates become "2022-06-23 14:00:00", times of day
 * "14:00:00". Throws a GridError.
 */
export async function readWorkbook(bytes: Uint8Array, requestedSheet?: string): Promise<Workbook> {
  const sheets = await readSheets(bytes);
  const longest = sheets.reduce(
    (a, b) => (b.data.length > a.data.length ? b : a),
    sheets[0] ?? { sheet: '', data: [] },
  );
  const { sheet, data } = sheets.find(candidate => candidate.sheet === requestedSheet) ?? longest;
  const rows = data.map(row => row.map(formatCell));
  const records: TableRecords = {
    forEach(visit, maxCount = Infinity) {
      let count = 0;
      for (const [index, row] of rows.entries()) {
        if (!row.some(cell => cell !== null)) continue;
        if (++count > maxCount) return;
        visit(row, index + 1);
      }
    },
    comments: [],
    notes: [],
  };
  return { records, sheets: sheets.map(candidate => candidate.sheet), sheet };
}

async function readSheets(bytes: Uint8Array) {
  try {
    checkSize(bytes);
    return await readXlsxFile(new Uint8Array(bytes).buffer);
  } catch (error) {
    // instanceof doesn't work here: the bundle of this lazily loaded module has its own copy of the class.
    if (error instanceof Error && error.name === 'GridError') throw error;
    throw new GridError('fileDamaged', { detail: 'an unreadable workbook' });
  }
}

/** Limits the declared size of a workbook and the number of its rows before the library allocates memory for them. */
function checkSize(bytes: Uint8Array): void {
  let unpacked = 0;
  let count = 0;
  const parts = unzipSync(bytes, {
    filter({ name, size, originalSize }) {
      // Parts may overlap in the file and each is copied, so the stored size counts, too.
      unpacked += Math.max(size, originalSize);
      if (++count > maxParts || unpacked > maxUnpacked)
        throw new GridError('fileTooLarge', { detail: 'a workbook of more than 200 MB' });
      return name.endsWith('.xml');
    },
  });
  let cells = 0;
  for (const part of Object.values(parts)) {
    const xml = new TextDecoder().decode(part);
    const start = xml.indexOf('sheetData');
    if (start === -1) continue;
    let lastColumn = 1;
    let lastRow = 1;
    for (const [, double, single = double ?? ''] of xml
      .slice(start)
      .matchAll(/(?<![A-Za-z])r\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
      // References in any other form are rejected, because they could hide a large row or column number.
      const [reference, letters = '', digits = ''] = /^([A-Z]{0,3})(\d{1,7})$/.exec(single) ?? [];
      if (reference === undefined) throw new GridError('fileDamaged', { detail: 'an unreadable workbook' });
      lastColumn = Math.max(lastColumn, parseColumnLetters(letters));
      lastRow = Math.max(lastRow, Number(digits));
    }
    cells += lastColumn * lastRow;
    if (lastColumn > tableLimits.columns) throw new GridError('fileTooLarge', { detail: 'too many columns' });
    if (cells > maxCells) throw new GridError('fileTooLarge', { detail: 'more than 10 million cells' });
  }
}

/** Returns the number of a column: 1 for A, 27 for AA. */
function parseColumnLetters(letters: string): number {
  return Array.from(letters).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

/** The days on which Excel counts a time of day from 00:00, by the date system of the workbook. A time of 24:00 is on the next day. */
const epochs = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };
const firstDate = Date.UTC(1905, 0, 1);

function formatCell(value: unknown): Cell {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (!(value instanceof Date)) return null;
  // Rounds to seconds, which fractions of a day only approximate.
  const ms = Math.round(value.getTime() / 1000) * 1000;
  const [date = '', time = ''] = new Date(ms).toISOString().slice(0, 19).split('T');
  if (ms >= firstDate) return `${date} ${time}`;
  const hours = Math.floor((ms - (ms < epochs[1904] ? epochs[1900] : epochs[1904])) / hourMs);
  return `${String(hours).padStart(2, '0')}${time.slice(2)}`;
}
