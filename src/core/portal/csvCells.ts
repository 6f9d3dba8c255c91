import { CsvError, parse } from 'csv-parse/sync';
import { checkSize, type PortalRow } from './portalCells.ts';
import { PortalError, type Refuse } from './portalError.ts';

/** Of one row, in bytes. */
const longestRow = 1_000_000;

/** The rows of a CSV file in any of its encodings; `splitsAtCommas` if a comma ends a cell, so that one within an unquoted number splits it. */
export function readCsv(bytes: Uint8Array, refuse: Refuse): { rows: PortalRow[]; splitsAtCommas: boolean } {
  const text = decode(bytes);
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const count = (mark: string) => head.split(mark).length;
  const delimiter = [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
  const rows: PortalRow[] = [];
  let cellCount = 0;
  try {
    parse(text, {
      delimiter,
      max_record_size: longestRow,
      // Kept here alone, and looked at before the next one is read.
      on_record(cells: string[], { lines }) {
        cellCount += cells.length;
        checkSize(cells.length, cellCount, `, line ${lines}`, refuse);
        // Of quoted cells the parser leaves the blanks.
        rows.push({ line: lines, cells: cells.map(cell => cell.trim()) });
        return undefined;
      },
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
    return { rows, splitsAtCommas: delimiter === ',' };
  } catch (error) {
    if (error instanceof PortalError || !(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? `, line ${error['lines']}` : '';
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw refuse(line, ' is too long for a row of hours');
    throw refuse(line, ' is not well-formed CSV (a quotation mark out of place?)');
  }
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Excel's plain "CSV" is in the code page of its system, where the blank between thousands is no UTF-8.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
