import { unzipSync } from 'fflate';
import readXlsxFile from 'read-excel-file/universal';
import { checkSize, type Cell, type PortalRow, type Refuse } from './portalCells.ts';
import { isTimeColumn } from './portalTime.ts';

/** Bytes of all unpacked parts: ten years of hours in all columns. */
const mostUnpacked = 200_000_000;
/** A workbook has about ten. */
const mostParts = 1_000;
const asCsv = 'save it as CSV, or give its years in files of their own';

/** The rows of the first sheet with a time column, or of the first sheet. Dates become "2022-06-23 14:00:00", and times of day "14:00:00". */
export async function readWorkbook(bytes: Uint8Array, refuse: Refuse): Promise<PortalRow[]> {
  try {
    checkUnpacked(bytes, refuse);
    const sheets = await readXlsxFile(new Uint8Array(bytes).buffer);
    const found =
      sheets.find(({ data }) => data.some(row => row.some(cell => isTimeColumn(String(cell))))) ?? sheets[0];
    return (found?.data ?? []).map((row, at) => ({ line: at + 1, cells: row.map(cellOf) }));
  } catch (error) {
    // Not instanceof: the bundle of this lazily loaded module has its own copy of the class.
    if (error instanceof Error && error.name === 'PortalError') throw error;
    throw refuse('', ' is not a workbook that can be read', asCsv);
  }
}

/** Limits the declared size of a workbook and the number of its rows before the library allocates memory for them. */
function checkUnpacked(bytes: Uint8Array, refuse: Refuse): void {
  let [unpacked, count] = [0, 0];
  const parts = unzipSync(bytes, {
    filter({ name, size, originalSize }) {
      // Parts may overlap in the file, and each is copied: the stored size counts too.
      unpacked += Math.max(size, originalSize);
      if (++count > mostParts) throw refuse('', ` has more than ${mostParts} parts`, asCsv);
      if (unpacked > mostUnpacked) throw refuse('', ` is larger than ${mostUnpacked / 1e6} MB unpacked`, asCsv);
      return name.endsWith('.xml');
    },
  });
  let cells = 0;
  for (const part of Object.values(parts)) {
    const xml = new TextDecoder().decode(part);
    const start = xml.indexOf('sheetData');
    if (start === -1) continue;
    let [lastColumn, lastRow] = [1, 1];
    for (const [, double, single = double ?? ''] of xml
      .slice(start)
      .matchAll(/(?<![A-Za-z])r\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
      // An unusual spelling could hide a large row or column.
      const [whole, letters = '', digits = ''] = /^([A-Z]{0,3})(\d{1,7})$/.exec(single) ?? [];
      if (whole === undefined) throw refuse('', ' is not a workbook that can be read', asCsv);
      lastColumn = Math.max(lastColumn, columnOf(letters));
      lastRow = Math.max(lastRow, Number(digits));
    }
    cells += lastColumn * lastRow;
    checkSize(lastColumn, cells, '', refuse);
  }
}

/** 1 for A, 27 for AA. */
function columnOf(letters: string): number {
  return Array.from(letters).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

/** Times of day are on the first day that Excel counts, in 1900 or 1904. */
const firstDate = Date.UTC(1905, 0, 1);

function cellOf(value: unknown): Cell {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return value.trim();
  if (!(value instanceof Date)) return typeof value === 'boolean' ? String(value) : '';
  // Rounds to seconds, which fractions of a day only approximate.
  const seconds = new Date(Math.round(value.getTime() / 1000) * 1000);
  const [date = '', time = ''] = seconds.toISOString().slice(0, 19).split('T');
  return seconds.getTime() < firstDate ? time : `${date} ${time}`;
}
