import writeXlsxFile from 'write-excel-file/node';
import type { Cell as AnyCell, CellObject, Sheet, Feature } from 'write-excel-file/node';
import { provenanceFacts, provenanceTitle } from '../../core/export/exportProvenance.ts';
import { excelColumns, excelHeadingOf, type WrittenTable } from '../../core/export/exportTable.ts';
import { isoTimes } from '../../core/export/isoTime.ts';
import { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { sampleDataMark } from '../../core/query/serviceMeta.ts';
import { cellState, textAt, type Column, type TimeColumn, type NumberColumn } from '../../shared/frame.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import type { ByteChunk } from './byteChunk.ts';
import { numberFormatter, numberShape } from '../../shared/formatNumber.ts';
import type { Blob } from 'node:buffer';
import type { Stream } from 'node:stream';
import { getCellAddress, sanitizeTextContent } from 'write-excel-file/utility';
import { isNumberText, numberText } from '../../core/export/cellWriter.ts';

/** The first and the end of Excel's dates, in local time: before March 1900 it counts a day that never existed. */
const firstDate = Date.UTC(1900, 2, 1);
const endOfDates = Date.UTC(10_000, 0, 1);
const dayMs = 86_400_000;
/** Excel's number of 1970-01-01. */
const epochSerial = 25_569;

/** A plain value takes less memory than an object with its type. */
type Cell = Extract<AnyCell, CellObject> | number | boolean | null;

/** Names and values of the provenance, in characters. */
const provenanceWidths = [{ width: 16 }, { width: 90 }];

/**
 * An Excel workbook: columns as wide as their content, numbers with the decimals of the table, a heading above them that stays in view,
 * and filters. Dates of the zone (named in the heading) as dates, numbers as numbers, texts as texts, which Excel never runs as
 * formulas. NaN, the infinities, and dates before March 1900 in the zone are texts; Excel shows 15 digits, but keeps the double. A null
 * and an absent field are both no cell, the empty text is an empty one. Characters that XML cannot hold are left out. The table must be
 * within Excel's limits. Made in one go, in about a second for 100,000 cells. `onRow`: called with the rows done so far.
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
    // The library reads each row twice: first for cells that span others (there are none), then to write it.
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
      // Without it, the library would search the whole text of the sheet for a place for the frozen rows.
      zoomScale: 1,
    },
  ];
  if (provenance && (options.provenance === 'comment' || provenance.data !== undefined))
    sheets.push({
      sheet: 'Provenance',
      columns: provenanceWidths,
      data: provenanceFacts(provenance).map(pair => pair.map(textCell)),
    });
  const feature = sheetFeature(columns.length, names && rowCount, provenance ? provenanceTitle(provenance) : '');
  yield { bytes: await writeXlsxFile(sheets, { features: [feature] }).toBuffer(), rowsDone: rowCount };
}

/** An array of rows that are made when they are read, so that they are never all in memory. */
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
        // A number that no double can hold stays a text with all digits.
        return isNumberText(text) && numberText(Number(text)) === text ? numberCell(Number(text)) : textCell(text);
      };
  }
}

function numberCell(value: number): Cell {
  return Number.isFinite(value) ? value : textCell(numberText(value));
}

/** The library confuses texts with members of Object, and drops the empty text: both get a character that XML cannot hold, which it leaves out. */
function textCell(received: string): CellObject {
  // XML cannot hold these either, and the library would also drop the character beside one.
  const held = received.replace(/\p{Noncharacter_Code_Point}/gu, '');
  // Spreadsheets read `_x0041_` as the character of that code (ECMA-376, ST_Xstring): its underscore is escaped the same way.
  const text = held.replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
  return { type: String, value: text === '' || text in Object.prototype ? `${text}\u0000` : text };
}

/**
 * Excel's day number of a local time, in milliseconds as if it were UTC. Few hours are exact as doubles of days: rounded up where a reader
 * that truncates, as many do, would get the millisecond before.
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

/** The look of a column: its width in characters, and the format of its numbers, if any. */
interface ColumnLook {
  readonly width: number;
  /** As Excel aligns its values by default. */
  readonly align: 'left' | 'center' | 'right';
  readonly format?: string;
}

const narrowest = 8;
/** Longer texts are cut off in view; numbers and dates always fit, since Excel would show ######## instead. */
const widestText = 60;
/** The longest number that Excel shows without a format. */
const generalWidth = 13;
/** Space on both sides of a cell, and for the filter button beside a heading. */
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
    case 'nested':
      return {
        width: column.texts.entries.reduce((most, { length }) => Math.max(most, Math.min(length, widestText)), 0),
      };
  }
}

function numbersLook(column: NumberColumn, rowCount: number): Omit<ColumnLook, 'align'> {
  // Of all values: a single number that is longer than the others would not be shown.
  const shape = numberShape(column, column.values.length);
  if (!shape.range || rowCount === 0) return { width: 0 };
  if (shape.hasExponents) return { width: generalWidth };
  const { decimals } = shape;
  const shown = numberFormatter('en', decimals);
  const format = decimals > 0 ? `#,##0.${'0'.repeat(decimals)}` : '#,##0';
  return { width: Math.max(...shape.range.map(value => shown(value).length)), format };
}

/** With seconds and milliseconds only where an instant has some. */
function dateFormat({ values }: TimeColumn): string {
  let format = 'yyyy-mm-dd hh:mm';
  for (const ms of values) {
    if (ms % 1000 !== 0 && Number.isFinite(ms)) return 'yyyy-mm-dd hh:mm:ss.000';
    if (ms % 60_000 !== 0 && Number.isFinite(ms)) format = 'yyyy-mm-dd hh:mm:ss';
  }
  return format;
}

/** Excel's own font. */
const font = '<name val="Calibri"/><sz val="11"/>';

/** Excel allows 255 characters in the header of a page, and some are escaped. */
const longestTitle = 120;

/**
 * What the library has no option for. Each number of a column gets the style of the first one: the library would compute a style for
 * every cell that has one, which takes longer than the rest of the file. Fonts get a name: without one, programs use another font for the
 * heading than for the rows. The table gets filters, and is printed with all columns on one page. `rows`: below the heading, undefined where
 * there is none; `title`: the header of each printed page, empty for none.
 */
function sheetFeature(columns: number, rows: number | undefined, title: string): Feature<Stream | Buffer | Blob> {
  const styles = new Map<number, string | number>();
  const filters =
    rows === undefined || columns === 0 ? '' : `<autoFilter ref="A1:${getCellAddress(rows, columns - 1)}"/>`;
  const text = sanitizeTextContent(title.slice(0, longestTitle).replaceAll('&', '&&'));
  const header = title === '' ? '' : `<headerFooter><oddHeader>&amp;C${text}</oddHeader></headerFooter>`;
  return {
    files: {
      transform: {
        'xl/styles.xml': { transform: xml => xml.replaceAll('<font>', `<font>${font}`) },
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
            // Excel requires a certain order of elements.
            const [view, margins, drawing] = [
              xml.indexOf('<sheetViews>'),
              xml.lastIndexOf('<pageMargins '),
              xml.lastIndexOf('<drawing '),
            ];
            return [
              ...[xml.slice(0, view), '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>', xml.slice(view, margins)],
              ...[filters, xml.slice(margins, drawing), header, xml.slice(drawing)],
            ].join('');
          },
        },
      },
    },
  };
}
