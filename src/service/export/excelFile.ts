import writeXlsxFile from 'write-excel-file/node';
import type { Cell as AnyCell, CellObject, Sheet, Feature } from 'write-excel-file/node';
import { provenanceFacts, provenanceTitle } from '../../core/export/exportProvenance.ts';
import { excelColumns, excelHeadingOf, type WrittenTable } from '../../core/export/exportTable.ts';
import { isoTimes } from '../../core/export/isoTime.ts';
import { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { isNumberText, numberText } from '../../core/export/numberText.ts';
import { sampleDataMark } from '../../core/query/serviceMeta.ts';
import { cellState, textAt, type Column, type TimeColumn, type NumberColumn } from '../../shared/frame.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import type { ByteChunk } from './byteChunk.ts';
import { numberFormatter, numberShape } from '../../shared/formatNumber.ts';
import type { Blob } from 'node:buffer';
import type { Stream } from 'node:stream';
import { getCellAddress, sanitizeTextContent } from 'write-excel-file/utility';

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
      data,
      columns: looks,
      stickyRowsCount: heading.length,
      orientation: 'landscape',
      // Of its own, the library would look for a place for the frozen rows in the whole text of the sheet.
      zoomScale: 1,
    },
  ];
  if (provenance && (options.provenance === 'comment' || provenance.data !== undefined))
    sheets.push({
      sheet: 'Provenance',
      columns: provenanceWidths,
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
  const offsets = new ZoneOffsets(timeZone);
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

/** How a column of a sheet looks: its width in characters, and the format of its numbers where it has one of its own. */
interface ColumnLook {
  readonly width: number;
  /** Where Excel puts its values of itself. */
  readonly align: 'left' | 'center' | 'right';
  readonly format?: string;
}

const narrowest = 8;
/** Longer texts are cut off in view; a number or a date is always whole, or Excel shows ######## in its place. */
const widestText = 60;
/** Excel's own form of a number without a format is never longer. */
const generalWidth = 13;
/** Space on both sides of a cell, and the button of the filter beside a heading. */
const cellPadding = 2;
const headingPadding = 4;

const aligns = { number: 'right', time: 'right', boolean: 'center', text: 'left', nested: 'left' } as const;

/** Decimals and separators as the table has them, and room for the longest value. */
function columnLook(column: Column, { rowCount }: WrittenTable, heading: string): ColumnLook {
  const { width, format } = valuesLook(column, rowCount);
  const wanted = Math.max(narrowest, Math.min(heading.length, widestText) + headingPadding, width + cellPadding);
  return { width: wanted, align: aligns[column.kind], ...(format !== undefined && { format }) };
}

function valuesLook(column: Column, rowCount: number): Omit<ColumnLook, 'align'> {
  switch (column.kind) {
    case 'number':
      return numbersLook(column, rowCount);
    case 'time': {
      const format = dateFormat(column);
      return { width: format.length, format };
    }
    case 'boolean':
      return { width: 'FALSE'.length };
    case 'text':
    case 'nested': {
      let width = 0;
      for (const { length } of column.texts.entries) width = Math.max(width, length);
      return { width: Math.min(width, widestText) };
    }
  }
}

function numbersLook(column: NumberColumn, rowCount: number): Omit<ColumnLook, 'align'> {
  // Whole, however many: one number that is longer than the others would not be shown.
  const shape = numberShape(column, column.values.length);
  if (!shape.range || rowCount === 0) return { width: 0 };
  if (shape.hasExponents) return { width: generalWidth };
  const { decimals } = shape;
  const shown = numberFormatter('en', decimals);
  const format = decimals > 0 ? `#,##0.${'0'.repeat(decimals)}` : '#,##0';
  return { width: Math.max(...shape.range.map(value => shown(value).length)), format };
}

/** As fine as the finest of the instants. */
function dateFormat({ values }: TimeColumn): string {
  let format = 'yyyy-mm-dd hh:mm';
  for (const ms of values) {
    if (ms % 1000 !== 0 && Number.isFinite(ms)) return 'yyyy-mm-dd hh:mm:ss.000';
    if (ms % 60_000 !== 0 && Number.isFinite(ms)) format = 'yyyy-mm-dd hh:mm:ss';
  }
  return format;
}

/** Of the first sheet. */
interface SheetLayout {
  readonly columns: number;
  /** Rows below the heading; undefined where there is no heading. */
  readonly rows: number | undefined;
  /** What stands above each printed page; empty for nothing. */
  readonly title: string;
}

/** Excel's own font. */
const font = '<name val="Calibri"/><sz val="11"/>';

/** Excel takes 255 characters above a page, and some are written twice. */
const longestTitle = 120;

/**
 * What the library has no option for. Each number of a column gets the style of the first one: the library works a style out
 * anew for every cell that asks for one, which takes longer than the rest of the file, and so it is with a font: without a name each
 * program takes another one for the heading than for the rows. The table gets filters, and is printed with all columns on a page.
 */
function sheetFeature({ columns, rows, title }: SheetLayout): Feature<Stream | Buffer | Blob> {
  const styles = new Map<number, string | number>();
  const filters =
    rows === undefined || columns === 0 ? '' : `<autoFilter ref="A1:${getCellAddress(rows, columns - 1)}"/>`;
  const words = sanitizeTextContent(title.slice(0, longestTitle).replaceAll('&', '&&'));
  const above = title === '' ? '' : `<headerFooter><oddHeader>&amp;C${words}</oddHeader></headerFooter>`;
  return {
    files: {
      transform: {
        'xl/styles.xml': {
          transform: xml => xml.replaceAll('<font>', `<font>${font}`),
        },
        'xl/worksheets/sheet{id}.xml': {
          transformElementAttributes: (tag, attributes, index) => {
            if (tag === 'pageSetup') return { ...attributes, fitToWidth: 1, fitToHeight: 0 };
            const { s, t } = attributes;
            if (tag !== 'c' || t !== undefined || index === undefined) return attributes;
            const style = s ?? styles.get(index);
            if (style === undefined) return attributes;
            styles.set(index, style);
            attributes['s'] = style;
            return attributes;
          },
          transform: (xml, _options, { sheetIndex }) => {
            if (sheetIndex !== 0) return xml;
            // Excel wants its elements in one order.
            const [view, margins, drawing] = [
              xml.indexOf('<sheetViews>'),
              xml.lastIndexOf('<pageMargins '),
              xml.lastIndexOf('<drawing '),
            ];
            return [
              ...[xml.slice(0, view), '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>', xml.slice(view, margins)],
              ...[filters, xml.slice(margins, drawing), above, xml.slice(drawing)],
            ].join('');
          },
        },
      },
    },
  };
}
