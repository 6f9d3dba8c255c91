import writeXlsxFile, { type Cell as AnyCell, type CellObject, type Sheet } from 'write-excel-file/node';
import { provenanceFacts, provenanceTitle } from '../../core/export/exportProvenance.ts';
import { excelColumns, excelHeadingOf, type WrittenTable } from '../../core/export/exportTable.ts';
import { isoTimes } from '../../core/export/isoTime.ts';
import { isNumberText, numberText } from '../../core/export/numberText.ts';
import { sampleDataMark } from '../../core/serviceMeta.ts';
import { DayOffsets } from '../../core/export/dayOffsets.ts';
import { cellState, textAt, type Column, type TimeColumn } from '../../shared/frame.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import type { ByteChunk } from './byteChunk.ts';
import { columnLook } from './excelColumns.ts';
import { sheetFeature } from './excelSheet.ts';

/** Where the dates begin and end that Excel has, on the clock of any zone: before March 1900 it has a day that never was. */
const firstDate = Date.UTC(1900, 2, 1);
const endOfDates = Date.UTC(10_000, 0, 1);
const dayMs = 86_400_000;
/** Excel's number of 1970-01-01. */
const epochSerial = 25_569;

/** A plain value takes less room than the object that says its type. */
type Cell = Extract<AnyCell, CellObject> | number | boolean | null;

/** Names and values of the provenance, in characters. */
const provenanceWidths = [{ width: 16 }, { width: 90 }];

/**
 * An Excel workbook, laid out to be read: columns as wide as what is in them, numbers with the decimals of the table, a
 * heading over them that stays in view, and filters. Dates of the zone (named in the heading) as dates, numbers as numbers, texts as texts,
 * which Excel never runs. NaN, the infinities, and what is before March 1900 in the zone are texts; Excel has 15 digits in view, but keeps
 * the double. A null and an absent field are both no cell, the empty text is an empty one. Characters that XML cannot hold are
 * left out. The table is within Excel's limits. Made in one go, a second for some 100,000 cells. `onRow`: rows done so far, on the way.
 */
export async function* excelChunks(
  table: WrittenTable,
  options: ExportOptions,
  provenance: ExportProvenance | undefined,
  onRow: (rowsDone: number) => void = () => undefined,
): AsyncGenerator<ByteChunk> {
  const { rows, rowCount } = table;
  const columns = excelColumns(table.columns, options.zone);
  const names = excelHeadingOf(columns, options);
  const looks = columns.map(({ column }, index) => columnLook(column, table, names?.[index] ?? ''));
  const headingCell = (name: string, index: number): Cell => {
    const align = looks[index]?.align;
    return { ...textCell(name), fontWeight: 'bold', ...(align && { align }) };
  };
  const heading: Cell[][] = names ? [names.map(headingCell)] : [];
  const writers = columns.map(({ column, zone }, index) => cellWriter(column, zone, looks[index]?.format));
  let reads = 0;
  const data = lazyRows(heading.length + rowCount, at => {
    const before = heading[at];
    if (before) return before;
    // The library reads each row twice: first to see which cells span others (none does), then to write it.
    onRow(Math.max(0, ++reads - rowCount));
    if (reads <= rowCount) return [];
    const row = at - heading.length;
    const place = rows ? (rows[row] ?? -1) : row;
    return writers.map(write => write(place));
  });
  const sheets: Sheet<Buffer>[] = [
    {
      sheet: provenance?.data === undefined ? 'Data' : sampleDataMark,
      ...{ data, columns: looks, stickyRowsCount: heading.length, orientation: 'landscape' },
      // Of its own, the library would look for a place for the frozen rows in the whole text of the sheet.
      zoomScale: 1,
    },
  ];
  if (provenance && (options.provenance === 'comment' || provenance.data !== undefined))
    sheets.push({
      ...{ sheet: 'Provenance', columns: provenanceWidths },
      data: provenanceFacts(provenance).map(pair => pair.map(textCell)),
    });
  const features = [
    sheetFeature({
      columns: columns.length,
      rows: names && rowCount,
      title: provenance ? provenanceTitle(provenance) : '',
    }),
  ];
  yield { bytes: await writeXlsxFile(sheets, { features }).toBuffer(), rowsDone: rowCount };
}

/** An array of rows that are made when they are read, so that they are never there all at once. */
function lazyRows(length: number, row: (at: number) => Cell[]): Cell[][] {
  const isPlace = (key: string | symbol): key is string => typeof key === 'string' && /^\d+$/.test(key);
  return new Proxy(new Array<Cell[]>(length), {
    has: (target, key) => (isPlace(key) ? Number(key) < length : Reflect.has(target, key)),
    get: (target, key) => (isPlace(key) ? row(Number(key)) : (Reflect.get(target, key) as unknown)),
  });
}

/** The first number of a column carries the format: `sheetFeature` gives it to those below. */
function cellWriter(column: Column, zone: ExportOptions['zone'], format?: string): (place: number) => Cell {
  const { gaps } = column;
  const write = valueWriter(column, zone.timeZone);
  let first: number | undefined;
  return place => {
    if (gaps && gaps[place] !== cellState.value) return null;
    const value = write(place);
    if (format === undefined || typeof value !== 'number') return value;
    first ??= place;
    return place === first ? { type: Number, value, format } : value;
  };
}

function valueWriter(column: Column, timeZone: string): (place: number) => Cell {
  switch (column.kind) {
    case 'number':
      return place => numberCell(column.values[place] ?? NaN);
    case 'boolean':
      return place => column.values[place] === 1;
    case 'time':
      return dateWriter(column, timeZone);
    case 'text':
      return place => textCell(textAt(column.texts, place));
    case 'nested':
      return place => {
        const text = textAt(column.texts, place);
        // A number that no double holds keeps its digits as text.
        return isNumberText(text) && numberText(Number(text)) === text ? numberCell(Number(text)) : textCell(text);
      };
  }
}

function numberCell(value: number): Cell {
  return Number.isFinite(value) ? value : textCell(numberText(value));
}

/** The library takes texts for names of an object's own members and drops the empty one; a character that XML cannot hold, which it leaves out, keeps them apart. */
function textCell(received: string): CellObject {
  // XML cannot hold these either, and the library takes the letter beside one with it.
  const held = received.replace(/\p{Noncharacter_Code_Point}/gu, '');
  // A spreadsheet reads `_x0041_` as the character of that code (ECMA-376, ST_Xstring): the underscore is written so itself.
  const text = held.replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
  return { type: String, value: text === '' || text in Object.prototype ? `${text}\u0000` : text };
}

/**
 * The day of Excel for wall-clock time in milliseconds as if it were UTC. Few hours are a double of days: of the two beside one, that which
 * does not fall into the millisecond before where a reader cuts off the rest, as many do.
 */
function serialOf(wallMs: number): number {
  const serial = wallMs / dayMs + epochSerial;
  return Math.floor((serial - epochSerial) * dayMs) < wallMs ? serial * (1 + Number.EPSILON) : serial;
}

function dateWriter(column: TimeColumn, timeZone: string): (place: number) => Cell {
  const offsets = new DayOffsets(timeZone);
  const timeText = isoTimes(timeZone);
  return place => {
    const ms = column.values[place] ?? NaN;
    const isNear = ms >= firstDate - dayMs && ms < endOfDates + dayMs;
    const local = isNear ? ms + offsets.at(ms) : NaN;
    if (local >= firstDate && local < endOfDates) return serialOf(local);
    const text = timeText(column, place);
    return text === undefined ? null : textCell(text);
  };
}
