import { entryWriter, isNumberText, numberText, rowByRow, textChunks } from '../../core/export/cellWriter.ts';
import type { TextLayout } from '../../core/export/cellWriter.ts';
import { provenanceFacts, provenanceTitle } from '../../core/export/exportProvenance.ts';
import { excelColumns, excelHeadingOf, type WrittenTable } from '../../core/export/exportTable.ts';
import { isoTimes } from '../../core/export/isoTime.ts';
import { markOf } from '../../core/query/serviceMeta.ts';
import { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { dayMs, minuteMs } from '../../shared/durations.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import { numberFormatter, numberShape } from '../../shared/formatNumber.ts';
import { cellState, type Column, type TimeColumn, type NumberColumn } from '../../shared/frame.ts';
import type { ByteChunk } from './byteChunk.ts';
import { checkExcelLimits } from './excelLimits.ts';
import { zipChunks } from './zipChunks.ts';

/** The first and the end of Excel's dates, in local time: before March 1900 it counts a day that never existed. */
const firstDate = Date.UTC(1900, 2, 1);
const endOfDates = Date.UTC(10_000, 0, 1);
/** Excel's number of 1970-01-01. */
const epochSerial = 25_569;

/** Widths of the names and values of the provenance, in characters. */
const provenanceWidths = [16, 90];

/** The length of a piece of the sheet: deflated in a few milliseconds, and long enough to be packed well. */
const pieceLength = 1 << 18;

/**
 * An Excel workbook: columns as wide as their content, numbers with the decimals of the table, a heading above them that stays in view,
 * and filters; printed with all columns on one page. Dates of the zone (named in the heading) as dates, numbers as numbers, texts as texts,
 * which Excel never runs as formulas. NaN, the infinities, and dates before March 1900 in the zone are texts; Excel shows 15 digits, but
 * keeps the double. A null and an absent field are both no cell, the empty text is an empty one. Characters that XML cannot hold are left
 * out. Throws ExcelLimitError.
 */
export function excelChunks(
  table: WrittenTable,
  options: ExportOptions,
  provenance: ExportProvenance | undefined,
): AsyncGenerator<ByteChunk> {
  checkExcelLimits(table, options);
  const written = excelColumns(table.columns, options.zone);
  const names = excelHeadingOf(written, options);
  const columns = written.map(({ column, zone }, at): SheetColumn => {
    const name = names?.[at] ?? '';
    return { column, zone, name, ...columnLook(column, table, name) };
  });
  const formats = [...new Set(columns.flatMap(({ format }) => format ?? []))];
  const title = provenance ? provenanceTitle(provenance) : '';
  const layout = tableSheet(columns, { rowCount: table.rowCount, hasHeading: names !== undefined, formats, title });
  const sheets = [provenance?.data === undefined ? 'Data' : markOf(provenance.data)];
  const others: [path: string, xml: string][] = [['xl/styles.xml', stylesXml(formats)]];
  if (provenance && (options.provenance === 'comment' || provenance.data !== undefined)) {
    others.push([sheetPath(sheets.length), provenanceSheet(provenance)]);
    sheets.push('Provenance');
  }
  return zipChunks([
    ...[...workbookParts(sheets), ...others].map(([path, text]) => [path, [{ text, rowsDone: 0 }]] as const),
    // The table comes last, since it is what the rows done count.
    [sheetPath(0), textChunks(layout, table, pieceLength)],
  ]);
}

/** A column as it is written. */
interface SheetColumn extends ColumnLook {
  readonly column: Column;
  readonly zone: ExportOptions['zone'];
  readonly name: string;
}

interface SheetFacts {
  readonly rowCount: number;
  readonly hasHeading: boolean;
  /** Those of all columns, each once. */
  readonly formats: readonly string[];
  /** The header of each printed page; empty for none. */
  readonly title: string;
}

/** The sheet with the rows of the table. Excel requires this order of elements. */
function tableSheet(columns: readonly SheetColumn[], { rowCount, hasHeading, formats, title }: SheetFacts): TextLayout {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  const writeRow = rowWriter(columns.length);
  const writers = columns.map(({ column, zone, format }) =>
    cellWriter(column, zone, format === undefined ? '' : styled(firstFormatStyle + formats.indexOf(format))),
  );
  const headingCell = ({ name, align }: SheetColumn): string => textCell(name, styled(1 + alignments.indexOf(align)));
  const head = [
    `${sheetStart}<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`,
    `<sheetViews><sheetView tabSelected="1" workbookViewId="0">${hasHeading ? pane : ''}</sheetView></sheetViews>`,
    columnsXml(columns.map(({ width }) => width)),
    '<sheetData>',
    hasHeading ? writeRow(columns.map(headingCell)) : '',
  ].join('');
  const header = xmlText(title.slice(0, longestTitle).replaceAll('&', '&&'));
  const foot = [
    '</sheetData>',
    hasHeading && columns.length > 0 ? `<autoFilter ref="A1:${lettersOf(columns.length - 1)}${rowCount + 1}"/>` : '',
    '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>',
    '<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>',
    header === '' ? '' : `<headerFooter><oddHeader>&amp;C${header}</oddHeader></headerFooter>`,
    '</worksheet>',
  ].join('');
  const rows = rowByRow(place => writeRow(writers.map(write => write(place))), '');
  return { head, rows, between: '', foot, empty: head + foot };
}

function provenanceSheet(provenance: ExportProvenance): string {
  const writeRow = rowWriter(provenanceWidths.length);
  const rows = provenanceFacts(provenance).map(pair => writeRow(pair.map(text => textCell(text))));
  return `${sheetStart}${columnsXml(provenanceWidths)}<sheetData>${rows.join('')}</sheetData></worksheet>`;
}

function columnsXml(widths: readonly number[]): string {
  const columns = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  return columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`;
}

/** Writes rows, one below the other, of the cells that are not empty. */
function rowWriter(columnCount: number): (cells: readonly string[]) => string {
  const letters = Array.from({ length: columnCount }, (_, at) => lettersOf(at));
  let row = 0;
  return cells => {
    row++;
    let text = `<row r="${row}">`;
    for (let at = 0; at < columnCount; at++) {
      const cell = cells[at];
      if (cell) text += `<c r="${letters[at]}${row}"${cell}</c>`;
    }
    return `${text}</row>`;
  };
}

/** A for the column at 0, AA for the one at 26. */
function lettersOf(at: number): string {
  return (at < 26 ? '' : lettersOf(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));
}

/** A cell is what stands behind its address. `style`: of the numbers of the column; empty for none. */
function cellWriter(column: Column, zone: ExportOptions['zone'], style: string): (place: number) => string {
  const { gaps } = column;
  const write = valueWriter(column, zone.timeZone, style);
  return gaps ? place => (gaps[place] === cellState.value ? write(place) : '') : write;
}

function valueWriter(column: Column, timeZone: string, style: string): (place: number) => string {
  switch (column.kind) {
    case 'number':
      return place => numberCell(column.values[place] ?? NaN, style);
    case 'boolean':
      return place => ` t="b"><v>${column.values[place] === 1 ? 1 : 0}</v>`;
    case 'time':
      return dateWriter(column, timeZone, style);
    case 'text':
      return entryWriter(column.texts, text => textCell(text));
    case 'nested':
      // A number that no double can hold stays a text with all digits.
      return entryWriter(column.texts, text =>
        isNumberText(text) && numberText(Number(text)) === text ? numberCell(Number(text)) : textCell(text),
      );
  }
}

function numberCell(value: number, style = ''): string {
  return Number.isFinite(value) ? `${style}><v>${value}</v>` : textCell(numberText(value));
}

function textCell(text: string, style = ''): string {
  // Spreadsheets read `_x0041_` as the character of that code (ECMA-376, ST_Xstring): its underscore is escaped the same way.
  const escaped = xmlText(text).replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
  const space = text.trim() === text ? '' : ' xml:space="preserve"';
  return `${style} t="inlineStr"><is><t${space}>${escaped}</t></is>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The text as content of an element, without characters that XML cannot hold, or that programs may refuse: controls and noncharacters. */
function xmlText(text: string): string {
  return text
    .replace(/(?![\t\n\r\x85])[\p{Cc}\p{Noncharacter_Code_Point}]/gu, '')
    .replace(/[&<>]/g, character => entities[character] ?? '');
}

/**
 * Excel's day number of a local time, in milliseconds as if it were UTC. Few hours are exact as doubles of days: rounded up where a reader
 * that truncates, as many do, would get the millisecond before.
 */
function serialOf(wallMs: number): number {
  const serial = wallMs / dayMs + epochSerial;
  return Math.floor((serial - epochSerial) * dayMs) < wallMs ? serial * (1 + Number.EPSILON) : serial;
}

function dateWriter(column: TimeColumn, timeZone: string, style: string): (place: number) => string {
  const offsets = new ZoneOffsets(timeZone);
  const timeText = isoTimes(timeZone);
  return place => {
    const ms = column.values[place] ?? NaN;
    const isNear = ms >= firstDate - dayMs && ms < endOfDates + dayMs;
    const local = isNear ? ms + offsets.at(ms) : NaN;
    if (local >= firstDate && local < endOfDates) return numberCell(serialOf(local), style);
    const text = timeText(column, place);
    return text === undefined ? '' : textCell(text);
  };
}

/** The look of a column: its width in characters, and the format of its numbers, if any. */
interface ColumnLook {
  readonly width: number;
  /** As Excel aligns its values by default. */
  readonly align: (typeof alignments)[number];
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
    if (ms % minuteMs === 0 || !Number.isFinite(ms)) continue;
    if (ms % 1000 !== 0) return 'yyyy-mm-dd hh:mm:ss.000';
    format = 'yyyy-mm-dd hh:mm:ss';
  }
  return format;
}

/** Excel allows 255 characters in the header of a page, and some are escaped. */
const longestTitle = 120;

const alignments = ['left', 'center', 'right'] as const;
/** Styles by their place: that of most cells, those of headings, and those of formats. */
const firstFormatStyle = 1 + alignments.length;
/** Excel has formats of its own below. */
const firstFormat = 164;

function styled(style: number): string {
  return ` s="${style}"`;
}

const start = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const openPackage = 'http://schemas.openxmlformats.org/package/2006';
const sheetStart = `${start}<worksheet xmlns="${main}">`;

function stylesXml(formats: readonly string[]): string {
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
  const numFmts = formats.map((format, at) => `<numFmt numFmtId="${firstFormat + at}" formatCode="${format}"/>`);
  const xfs = [
    '<xf numFmtId="0"/>',
    ...alignments.map(
      align => `<xf fontId="1" applyFont="1" applyAlignment="1"><alignment horizontal="${align}"/></xf>`,
    ),
    ...formats.map((_, at) => `<xf numFmtId="${firstFormat + at}" applyNumberFormat="1"/>`),
  ];
  return [
    `${start}<styleSheet xmlns="${main}">`,
    formats.length === 0 ? '' : `<numFmts count="${formats.length}">${numFmts.join('')}</numFmts>`,
    `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>`,
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf/></cellStyleXfs>',
    `<cellXfs count="${xfs.length}">${xfs.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join('');
}

function sheetPath(at: number): string {
  return `xl/worksheets/sheet${at + 1}.xml`;
}

/** What names the parts of a workbook to programs: paths and texts. */
function workbookParts(sheets: readonly string[]): (readonly [path: string, xml: string])[] {
  const type = (path: string, kind: string): string =>
    `<Override PartName="/${path}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`;
  const relation = (id: number, kind: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${office}/${kind}" Target="${target}"/>`;
  const relations = (...all: readonly string[]): string =>
    `${start}<Relationships xmlns="${openPackage}/relationships">${all.join('')}</Relationships>`;
  const types = [
    type('xl/workbook.xml', 'sheet.main'),
    type('xl/styles.xml', 'styles'),
    ...sheets.map((_, at) => type(sheetPath(at), 'worksheet')),
  ];
  const listed = sheets.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  return [
    [
      '[Content_Types].xml',
      `${start}<Types xmlns="${openPackage}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${types.join('')}</Types>`,
    ],
    ['_rels/.rels', relations(relation(1, 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      `${start}<workbook xmlns="${main}" xmlns:r="${office}"><bookViews><workbookView/></bookViews><sheets>${listed.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations(
        ...sheets.map((_, at) => relation(at + 1, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
        relation(sheets.length + 1, 'styles', 'styles.xml'),
      ),
    ],
  ];
}
