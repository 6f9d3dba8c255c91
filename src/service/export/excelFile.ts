import {
  createEntryWriter,
  isJsonNumber,
  formatNumber,
  writeRowByRow,
  writeTextChunks,
} from '../../core/export/cellWriter.ts';
import type { TextLayout } from '../../core/export/cellWriter.ts';
import { listProvenanceFacts, formatProvenanceTitle } from '../../core/export/exportProvenance.ts';
import { createExcelColumns, createExcelHeading, type TableToWrite } from '../../core/export/exportTable.ts';
import { createIsoTimeFormatter } from '../../core/export/timeFormatters.ts';
import { parseMark } from '../../core/query/serviceMeta.ts';
import { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { dayMs, minuteMs } from '../../shared/durations.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import { createNumberFormatter, getNumberShape } from '../../shared/formatNumber.ts';
import { cellState, type Column, type TimeColumn, type NumberColumn } from '../../shared/frame.ts';
import type { ByteChunk } from './byteChunk.ts';
import { checkExcelLimits } from './excelLimits.ts';
import { zipChunks } from './zipChunks.ts';

/** The range of Excel's dates in local time. Before March 1900 Excel counts a day that never existed. */
const minDate = Date.UTC(1900, 2, 1);
const maxDate = Date.UTC(10_000, 0, 1);
/** Excel's day number of 1970-01-01. */
const epochSerial = 25_569;

/** The column widths of the provenance sheet, in characters. */
const provenanceWidths = [16, 90];

/** The length of a chunk of the sheet: it is deflated in a few milliseconds, and long enough to be compressed well. */
const chunkLength = 1 << 18;

/**
 * Writes an Excel workbook: columns fit their content, numbers have the decimals of the table, the heading row is frozen and has filters, and
 * all columns are printed on one page. Instants become dates in the zone that the heading names, numbers stay numbers, and texts stay texts,
 * which Excel never runs as formulas. NaN, the infinities, and dates before March 1900 become texts. Excel shows 15 digits, but stores the
 * double. A null or absent field has no cell; the empty text is an empty cell. Characters that are invalid in XML are removed.
 * Throws ExcelLimitError.
 */
export function excelChunks(
  table: TableToWrite,
  options: ExportOptions,
  provenance: ExportProvenance | undefined,
): AsyncGenerator<ByteChunk> {
  checkExcelLimits(table, options);
  const exported = createExcelColumns(table.columns, options.zone);
  const names = createExcelHeading(exported, options);
  const columns = exported.map(({ column, zone }, index): SheetColumn => {
    const name = names?.[index] ?? '';
    return { column, zone, name, ...getColumnStyle(column, table, name) };
  });
  const formats = [...new Set(columns.flatMap(({ format }) => format ?? []))];
  const title = provenance ? formatProvenanceTitle(provenance) : '';
  const layout = createTableSheet(columns, {
    rowCount: table.rowCount,
    hasHeading: names !== undefined,
    formats,
    title,
  });
  const sheets = [provenance?.data === undefined ? 'Data' : parseMark(provenance.data)];
  const otherParts: [path: string, xml: string][] = [['xl/styles.xml', createStyles(formats)]];
  if (provenance && (options.provenance === 'comment' || provenance.data !== undefined)) {
    otherParts.push([getSheetPath(sheets.length), createProvenanceSheet(provenance)]);
    sheets.push('Provenance');
  }
  return zipChunks([
    ...[...createWorkbookParts(sheets), ...otherParts].map(([path, text]) => [path, [{ text, rowsDone: 0 }]] as const),
    // The table comes last, so that `rowsDone` counts its rows.
    [getSheetPath(0), writeTextChunks(layout, table, chunkLength)],
  ]);
}

/** A column of the sheet. */
interface SheetColumn extends ColumnStyle {
  readonly column: Column;
  readonly zone: ExportOptions['zone'];
  readonly name: string;
}

interface SheetOptions {
  readonly rowCount: number;
  readonly hasHeading: boolean;
  /** The distinct number formats of all columns. */
  readonly formats: readonly string[];
  /** The header of each printed page; empty for none. */
  readonly title: string;
}

/** Lays out the sheet of the table. Excel requires this order of elements. */
function createTableSheet(
  columns: readonly SheetColumn[],
  { rowCount, hasHeading, formats, title }: SheetOptions,
): TextLayout {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  const writeRow = createRowWriter(columns.length);
  const writers = columns.map(({ column, zone, format }) =>
    createCellWriter(column, zone, format === undefined ? '' : formatStyle(firstFormatStyle + formats.indexOf(format))),
  );
  const headingCell = ({ name, align }: SheetColumn): string =>
    formatTextCell(name, formatStyle(1 + alignments.indexOf(align)));
  const head = [
    `${sheetStart}<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`,
    `<sheetViews><sheetView tabSelected="1" workbookViewId="0">${hasHeading ? pane : ''}</sheetView></sheetViews>`,
    formatColumns(columns.map(({ width }) => width)),
    '<sheetData>',
    hasHeading ? writeRow(columns.map(headingCell)) : '',
  ].join('');
  const header = escapeXml(title.slice(0, maxTitleLength).replaceAll('&', '&&'));
  const foot = [
    '</sheetData>',
    hasHeading && columns.length > 0
      ? `<autoFilter ref="A1:${formatColumnLetters(columns.length - 1)}${rowCount + 1}"/>`
      : '',
    '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>',
    '<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>',
    header === '' ? '' : `<headerFooter><oddHeader>&amp;C${header}</oddHeader></headerFooter>`,
    '</worksheet>',
  ].join('');
  const rows = writeRowByRow(row => writeRow(writers.map(write => write(row))), '');
  return { head, rows, between: '', foot, empty: head + foot };
}

function createProvenanceSheet(provenance: ExportProvenance): string {
  const writeRow = createRowWriter(provenanceWidths.length);
  const rows = listProvenanceFacts(provenance).map(pair => writeRow(pair.map(text => formatTextCell(text))));
  return `${sheetStart}${formatColumns(provenanceWidths)}<sheetData>${rows.join('')}</sheetData></worksheet>`;
}

function formatColumns(widths: readonly number[]): string {
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  return columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`;
}

/** Creates a function that writes consecutive rows. Empty cells are omitted. */
function createRowWriter(columnCount: number): (cells: readonly string[]) => string {
  const letters = Array.from({ length: columnCount }, (_, index) => formatColumnLetters(index));
  let row = 0;
  return cells => {
    row++;
    let text = `<row r="${row}">`;
    for (let index = 0; index < columnCount; index++) {
      const cell = cells[index];
      if (cell) text += `<c r="${letters[index]}${row}"${cell}</c>`;
    }
    return `${text}</row>`;
  };
}

/** Formats a column index: A for 0, AA for 26. */
function formatColumnLetters(index: number): string {
  const prefix = index < 26 ? '' : formatColumnLetters(Math.floor(index / 26) - 1);
  return prefix + String.fromCharCode(65 + (index % 26));
}

/** Creates a function that writes the part of a cell after its address. `style`: the style of the column's numbers; empty for none. */
function createCellWriter(column: Column, zone: ExportOptions['zone'], style: string): (row: number) => string {
  const { gaps } = column;
  const write = createValueWriter(column, zone.timeZone, style);
  return gaps ? row => (gaps[row] === cellState.value ? write(row) : '') : write;
}

function createValueWriter(column: Column, timeZone: string, style: string): (row: number) => string {
  switch (column.kind) {
    case 'number':
      return row => formatNumberCell(column.values[row] ?? NaN, style);
    case 'boolean':
      return row => ` t="b"><v>${column.values[row] === 1 ? 1 : 0}</v>`;
    case 'time':
      return createDateWriter(column, timeZone, style);
    case 'text':
      return createEntryWriter(column.texts, text => formatTextCell(text));
    case 'nested':
      // A number that a double cannot represent stays a text with all digits.
      return createEntryWriter(column.texts, text =>
        isJsonNumber(text) && formatNumber(Number(text)) === text
          ? formatNumberCell(Number(text))
          : formatTextCell(text),
      );
  }
}

function formatNumberCell(value: number, style = ''): string {
  return Number.isFinite(value) ? `${style}><v>${value}</v>` : formatTextCell(formatNumber(value));
}

function formatTextCell(text: string, style = ''): string {
  // Spreadsheets read `_x0041_` as the character with that code (ECMA-376, ST_Xstring), so its underscore is escaped in the same way.
  const escaped = escapeXml(text).replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
  const space = text.trim() === text ? '' : ' xml:space="preserve"';
  return `${style} t="inlineStr"><is><t${space}>${escaped}</t></is>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes text for XML, and removes characters that XML or some programs reject: controls and noncharacters. */
function escapeXml(text: string): string {
  return text
    .replace(/(?![\t\n\r\x85])[\p{Cc}\p{Noncharacter_Code_Point}]/gu, '')
    .replace(/[&<>]/g, character => entities[character] ?? '');
}

/**
 * Converts a local time, in milliseconds as if it were UTC, to Excel's day number. Few hours are exact as a fraction of a day: the number is
 * rounded up if a reader that truncates, as many do, would get the previous millisecond.
 */
function toSerial(localMs: number): number {
  const serial = localMs / dayMs + epochSerial;
  return Math.floor((serial - epochSerial) * dayMs) < localMs ? serial * (1 + Number.EPSILON) : serial;
}

function createDateWriter(column: TimeColumn, timeZone: string, style: string): (row: number) => string {
  const offsets = new ZoneOffsets(timeZone);
  const formatTime = createIsoTimeFormatter(timeZone);
  return row => {
    const ms = column.values[row] ?? NaN;
    const isInRange = ms >= minDate - dayMs && ms < maxDate + dayMs;
    const local = isInRange ? ms + offsets.at(ms) : NaN;
    if (local >= minDate && local < maxDate) return formatNumberCell(toSerial(local), style);
    const text = formatTime(column, row);
    return text === undefined ? '' : formatTextCell(text);
  };
}

/** The style of a column. `width` is in characters. */
interface ColumnStyle {
  readonly width: number;
  /** Excel's default alignment of the values, for the heading. */
  readonly align: (typeof alignments)[number];
  readonly format?: string;
}

const minWidth = 8;
/** The maximum width for texts. Longer texts are cut off; numbers and dates always fit, since Excel would show ######## instead. */
const maxTextWidth = 60;
/** The width of the longest number that Excel shows without a format. */
const generalWidth = 13;
/** Space on both sides of a cell, and for the filter button next to a heading. */
const cellPadding = 2;
const headingPadding = 4;

const alignmentByKind = { number: 'right', time: 'right', boolean: 'center', text: 'left', nested: 'left' } as const;

/** Determines the style of a column: the decimals and separators of the table, and the width of the longest value. */
function getColumnStyle(column: Column, { rowCount }: TableToWrite, heading: string): ColumnStyle {
  const { width, format } = getValueStyle(column, rowCount);
  const totalWidth = Math.max(minWidth, Math.min(heading.length, maxTextWidth) + headingPadding, width + cellPadding);
  return { width: totalWidth, align: alignmentByKind[column.kind], ...(format !== undefined && { format }) };
}

function getValueStyle(column: Column, rowCount: number): Omit<ColumnStyle, 'align'> {
  switch (column.kind) {
    case 'number':
      return getNumberStyle(column, rowCount);
    case 'time': {
      const format = getDateFormat(column);
      return { width: format.length, format };
    }
    case 'boolean':
      return { width: 'FALSE'.length };
    case 'text':
    case 'nested':
      return {
        width: column.texts.entries.reduce((max, { length }) => Math.max(max, Math.min(length, maxTextWidth)), 0),
      };
  }
}

function getNumberStyle(column: NumberColumn, rowCount: number): Omit<ColumnStyle, 'align'> {
  // All values are used, since Excel would not show a number that is longer than the column.
  const shape = getNumberShape(column, column.values.length);
  if (!shape.range || rowCount === 0) return { width: 0 };
  if (shape.hasExponents) return { width: generalWidth };
  const { decimals } = shape;
  const formatValue = createNumberFormatter('en', decimals);
  const format = decimals > 0 ? `#,##0.${'0'.repeat(decimals)}` : '#,##0';
  return { width: Math.max(...shape.range.map(value => formatValue(value).length)), format };
}

/** Returns the date format, with seconds and milliseconds only if an instant has them. */
function getDateFormat({ values }: TimeColumn): string {
  let format = 'yyyy-mm-dd hh:mm';
  for (const ms of values) {
    if (ms % minuteMs === 0 || !Number.isFinite(ms)) continue;
    if (ms % 1000 !== 0) return 'yyyy-mm-dd hh:mm:ss.000';
    format = 'yyyy-mm-dd hh:mm:ss';
  }
  return format;
}

/** The maximum length of a page header. Excel allows 255 characters, and some are escaped. */
const maxTitleLength = 120;

const alignments = ['left', 'center', 'right'] as const;
/** The index of the first style for a number format, after the default style and the styles of headings. */
const firstFormatStyle = 1 + alignments.length;
/** The id of the first custom number format; lower ids are Excel's own. */
const firstFormatId = 164;

function formatStyle(style: number): string {
  return ` s="${style}"`;
}

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationshipsNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006';
const sheetStart = `${xmlDeclaration}<worksheet xmlns="${mainNamespace}">`;

function createStyles(formats: readonly string[]): string {
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
  const numFmts = formats.map(
    (format, index) => `<numFmt numFmtId="${firstFormatId + index}" formatCode="${format}"/>`,
  );
  const xfs = [
    '<xf numFmtId="0"/>',
    ...alignments.map(
      align => `<xf fontId="1" applyFont="1" applyAlignment="1"><alignment horizontal="${align}"/></xf>`,
    ),
    ...formats.map((_, index) => `<xf numFmtId="${firstFormatId + index}" applyNumberFormat="1"/>`),
  ];
  return [
    `${xmlDeclaration}<styleSheet xmlns="${mainNamespace}">`,
    formats.length === 0 ? '' : `<numFmts count="${formats.length}">${numFmts.join('')}</numFmts>`,
    `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>`,
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf/></cellStyleXfs>',
    `<cellXfs count="${xfs.length}">${xfs.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join('');
}

function getSheetPath(index: number): string {
  return `xl/worksheets/sheet${index + 1}.xml`;
}

/** Creates the files of a workbook that list its parts, as paths and XML. */
function createWorkbookParts(sheets: readonly string[]): (readonly [path: string, xml: string])[] {
  const type = (path: string, kind: string): string =>
    `<Override PartName="/${path}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`;
  const relation = (id: number, kind: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${relationshipsNamespace}/${kind}" Target="${target}"/>`;
  const relations = (...elements: readonly string[]): string =>
    `${xmlDeclaration}<Relationships xmlns="${packageNamespace}/relationships">${elements.join('')}</Relationships>`;
  const types = [
    type('xl/workbook.xml', 'sheet.main'),
    type('xl/styles.xml', 'styles'),
    ...sheets.map((_, index) => type(getSheetPath(index), 'worksheet')),
  ];
  const sheetElements = sheets.map(
    (name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return [
    [
      '[Content_Types].xml',
      `${xmlDeclaration}<Types xmlns="${packageNamespace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${types.join('')}</Types>`,
    ],
    ['_rels/.rels', relations(relation(1, 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      `${xmlDeclaration}<workbook xmlns="${mainNamespace}" xmlns:r="${relationshipsNamespace}"><bookViews><workbookView/></bookViews><sheets>${sheetElements.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations(
        ...sheets.map((_, index) => relation(index + 1, 'worksheet', `worksheets/sheet${index + 1}.xml`)),
        relation(sheets.length + 1, 'styles', 'styles.xml'),
      ),
    ],
  ];
}
