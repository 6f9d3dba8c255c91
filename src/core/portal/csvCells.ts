import { CsvError, parse } from 'csv-parse/sync';
import { checkSize, plainName, type PortalRow, PortalError, type Refuse } from './portalCells.ts';
import { portalColumns } from './portalColumns.ts';
import { isTimeColumn } from './portalTime.ts';

/** Bytes of one row. */
const longestRow = 1_000_000;

const delimiters = [',', ';', '\t'];
/** The most lines above the header. */
const mostTitles = 100;

/**
 * The rows of a CSV file in any encoding, from its header on; Excel's `sep=;` and titles may precede it. `splitsAtCommas`: whether the comma
 * is the delimiter, so that an unquoted decimal comma splits a number; `titles`: the number of titles above.
 */
export function readCsv(
  bytes: Uint8Array,
  refuse: Refuse,
): { rows: PortalRow[]; splitsAtCommas: boolean; titles: number } {
  const all = decodeText(bytes);
  const { above, start } = headerOf(all);
  const text = all.slice(start);
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const count = (mark: string) => head.split(mark).length;
  const delimiter = delimiters.reduce((best, mark) => (count(mark) > count(best) ? mark : best));
  const rows: PortalRow[] = [];
  let cellCount = 0;
  try {
    parse(text, {
      delimiter,
      max_record_size: longestRow,
      // Checks each record before the next one is read, and stores it only here.
      on_record(cells: string[], { lines: counted }) {
        const lines = counted + above.length;
        cellCount += cells.length;
        checkSize(cells.length, cellCount, `, line ${lines}`, refuse);
        // The parser does not trim quoted cells.
        rows.push({ line: lines, cells: cells.map(cell => cell.trim()) });
        return undefined;
      },
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
    const titles = above.filter(
      (line, at) => line.trim() !== '' && !(at === 0 && /^"?sep=.?"?$/i.test(line.trim())),
    ).length;
    return { rows, splitsAtCommas: delimiter === ',', titles };
  } catch (error) {
    if (error instanceof PortalError || !(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? `, line ${error['lines'] + above.length}` : '';
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw refuse(line, ' is too long for a row of hours');
    throw refuse(line, ' is not well-formed CSV (a quotation mark out of place?)');
  }
}

/** The offset of the line with the time column, and the lines above it; the first line where there is no time column. */
function headerOf(text: string): { readonly above: readonly string[]; readonly start: number } {
  const above: string[] = [];
  let start = 0;
  while (above.length <= mostTitles && start < text.length) {
    const length = text.slice(start, start + longestRow).search(/\r\n|[\r\n]/);
    const line = length === -1 ? text.slice(start, start + longestRow) : text.slice(start, start + length);
    const hasTime = (mark: string) => line.split(mark).some(cell => isTimeColumn(cell));
    if (delimiters.some(hasTime)) return { above, start };
    if (length === -1) break;
    above.push(line);
    start += length + (text.startsWith('\r\n', start + length) ? 2 : 1);
  }
  return { above: [], start: 0 };
}

/** Whether a text is a file of the portal: a line names the time and at least two other columns of it. */
export function isPortalText(text: string): boolean {
  const { start } = headerOf(text);
  const [line = ''] = text.slice(start, start + longestRow).split(/[\r\n]/, 1);
  return delimiters.some(mark => {
    const names = new Set(line.split(mark).map(plainName));
    const isKnown = (name: string): boolean => names.has(plainName(name));
    return line.split(mark).some(isTimeColumn) && portalColumns.filter(isKnown).length >= 2;
  });
}

/** The text of a file in UTF-8, UTF-16 or Windows-1252, without a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // Without a byte order mark: in UTF-16, every second byte of ASCII is 0, and rows of hours are ASCII.
  const zeros = [0, 0];
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) > bytes.length / 4)
    return new TextDecoder(odd > even ? 'utf-16le' : 'utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Excel's plain "CSV" is in the code page of its system, where the space between thousands is not valid UTF-8.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
