import { cellState, type Column, type NumberColumn } from '../../shared/frame.ts';
import { type CellStyle, createCellWriter, formatNumber, type TextLayout } from './cellWriter.ts';
import type { TimeFormatter } from './timeFormatters.ts';
import type { CsvDialect } from '../../shared/exportOptions.ts';
import { getDecimalSeparator } from '../../shared/formatNumber.ts';

/**
 * Matches where a formula may start within a text: after any character that may separate columns. Numbers in a JSON array are excluded:
 * a comma or bracket follows them.
 */
const formulaInText =
  /([,;|\t\r\n](?:"|[^\S\t\r\n])*)(?=[=+\-@＝＋－＠])(?!(?<=,)-\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?[,\]}])/gi;
const signedNumber = /^[+-]\d{1,30}(?:[.,]\d{1,30})?(?:e[+-]?\d{1,3})?$/i;

/** A dialect of delimited text. */
export interface DelimitedForm {
  readonly separator: ',' | ';' | '\t';
  readonly lineEnd: '\r\n' | '\n';
  readonly decimalComma: boolean;
  /** How an empty text is written. A cell without a value is always empty. */
  readonly emptyText: '""' | '';
}

/** The dialect of RFC 4180. */
export const standardCsv: DelimitedForm = { separator: ',', lineEnd: '\r\n', decimalComma: false, emptyText: '""' };
/** The dialect of Excel in locales with a decimal comma. */
export const semicolonCsv: DelimitedForm = { ...standardCsv, separator: ';', decimalComma: true };
export const tsv: DelimitedForm = { separator: '\t', lineEnd: '\n', decimalComma: false, emptyText: '""' };

/**
 * Writes one line per row, with quotes only where necessary. Null and absent fields are both empty cells; NaN and the infinities are
 * written as `NaN`, `Infinity` and `-Infinity`.
 */
export function createDelimitedLayout(
  columns: readonly Column[],
  heading: readonly string[] | undefined,
  time: TimeFormatter,
  form: DelimitedForm,
): TextLayout {
  const { separator, lineEnd, decimalComma } = form;
  const formatField = createFieldFormatter(form);
  const style: CellStyle = {
    text: formatField,
    number: decimalComma ? digits => digits.replace('.', ',') : digits => digits,
    nested: formatField,
    null: '',
    absent: '',
    time,
  };
  const head = heading ? heading.map(formatField).join(separator) + lineEnd : '';
  const writers = groupNumberColumns(columns).map(group => createColumnsWriter(group, style, form));
  return {
    head,
    rows: rowIndexes => joinColumns(writers, rowIndexes, form),
    between: lineEnd,
    foot: lineEnd,
    empty: head,
  };
}

/** Writes the texts of adjacent columns in some rows. */
type ColumnsWriter = (rowIndexes: readonly number[]) => readonly string[];

/** Groups adjacent number columns; other columns form groups of their own. */
function groupNumberColumns(columns: readonly Column[]): Column[][] {
  const groups: Column[][] = [];
  for (const column of columns) {
    const last = groups.at(-1);
    if (column.kind === 'number' && last?.[0]?.kind === 'number') last.push(column);
    else groups.push([column]);
  }
  return groups;
}

function createColumnsWriter(
  group: readonly Column[],
  style: CellStyle,
  { separator, decimalComma }: DelimitedForm,
): ColumnsWriter {
  const [first] = group;
  if (first?.kind !== 'number') {
    const write = first ? createCellWriter(first, style) : () => '';
    return rows => rows.map(row => write(row) ?? '');
  }
  return createNumberWriter(
    group.filter(column => column.kind === 'number'),
    separator,
    decimalComma,
  );
}

function joinColumns(
  writers: readonly ColumnsWriter[],
  rowIndexes: readonly number[],
  { separator, lineEnd }: DelimitedForm,
): string {
  const [first = [], ...furtherTexts] = writers.map(write => write(rowIndexes));
  let lines = '';
  for (let row = 0; row < rowIndexes.length; row++) {
    lines += row > 0 ? lineEnd + (first[row] ?? '') : (first[row] ?? '');
    for (const texts of furtherTexts) lines += separator + (texts[row] ?? '');
  }
  return lines;
}

/** Formats comment lines, which are guarded against formulas too. */
export function formatComments(lines: readonly string[], { lineEnd }: DelimitedForm): string {
  return lines.map(line => `# ${guardFormulas(line.replace(/[\r\n]+/g, ' '))}${lineEnd}`).join('');
}

function createFieldFormatter({ separator, emptyText }: DelimitedForm): (text: string) => string {
  // A byte order mark at the start of a file is lost unless quoted, and readers that expect comments cut an unquoted row at its first #.
  const unrepresentable = { ',': /^\uFEFF|["#,\r\n]/, ';': /^\uFEFF|["#;\r\n]/, '\t': /^\uFEFF|["#\t\r\n]/ }[separator];
  return text => {
    if (text === '') return emptyText;
    const safe = guardFormulas(text);
    return unrepresentable.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
}

/**
 * Inserts an apostrophe before text that a spreadsheet would evaluate as a formula (OWASP, CSV injection), but not before a number. The
 * separator that a spreadsheet expects depends on its language, so each part of a text may become a cell.
 */
function guardFormulas(text: string): string {
  if (signedNumber.test(text)) return text;
  const safe = /[=+\-@＝＋－＠]/.test(text) ? text.replace(formulaInText, "$1'") : text;
  return /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/.test(safe) ? `'${safe}` : safe;
}

/**
 * Writes the cells of adjacent number columns as one text per row by JSON.stringify, which takes half the time of String with the same
 * result. Cells without a value are empty.
 */
function createNumberWriter(
  columns: readonly NumberColumn[],
  separator: string,
  decimalComma: boolean,
): (rowIndexes: readonly number[]) => string[] {
  const formatDigits = (digits: string): string => (decimalComma ? digits.replace('.', ',') : digits);
  const writeRow = (row: number): string => {
    const cells = columns.map(({ values, gaps }) => {
      return gaps && gaps[row] !== cellState.value ? '' : formatDigits(formatNumber(values[row] ?? NaN));
    });
    return cells.join(separator);
  };
  const rows: number[][] = [];
  return rowIndexes => {
    while (rows.length < rowIndexes.length) rows.push(columns.map(() => 0.5));
    rows.length = rowIndexes.length;
    const unrepresentable = copyValues(rows, columns, rowIndexes);
    let json = JSON.stringify(rows);
    if (json.includes('null')) json = json.replaceAll('null', '');
    if (separator !== ',') json = json.replaceAll(',', separator);
    if (decimalComma) json = json.replaceAll('.', ',');
    const texts = json.slice(2, -2).split(`]${separator}[`);
    for (const position of unrepresentable) texts[position] = writeRow(rowIndexes[position] ?? -1);
    return texts;
  };
}

/**
 * Copies the values, with NaN (null in JSON) for no value. Returns the rows with a number that JSON cannot represent: -0, NaN,
 * ±Infinity.
 */
function copyValues(rows: number[][], columns: readonly NumberColumn[], rowIndexes: readonly number[]): Set<number> {
  const unrepresentable = new Set<number>();
  for (const [index, { values, gaps }] of columns.entries()) {
    for (let position = 0; position < rowIndexes.length; position++) {
      const row = rowIndexes[position] ?? -1;
      const value = gaps && gaps[row] !== cellState.value ? NaN : (values[row] ?? NaN);
      (rows[position] as number[])[index] = value;
      // Infinite or NaN, or a zero of either sign.
      if (value - value !== 0 || value === 0) addIfUnrepresentable(unrepresentable, position, value, gaps?.[row]);
    }
  }
  return unrepresentable;
}

function addIfUnrepresentable(
  unrepresentable: Set<number>,
  position: number,
  value: number,
  state: number | undefined,
): void {
  if (state !== undefined && state !== cellState.value) return;
  if (value !== 0 || Object.is(value, -0)) unrepresentable.add(position);
}

/** Returns the dialect for numbers in a locale's format: a comma cannot separate both columns and decimals. */
export function getCsvDialect(locale: string): CsvDialect {
  return getDecimalSeparator(locale) === ',' ? 'semicolon' : 'standard';
}

/**
 * Returns the locale whose number format a spreadsheet on this machine expects: the display locale or, if that is English, the operating
 * system's, because English uses a decimal comma in South Africa and a point elsewhere. `env`: POSIX's variables for numbers, and VS
 * Code's, which holds the first language of the system's settings as `osLocale`.
 */
export function findSpreadsheetLocale(
  displayLocale: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (!/^en\b/.test(displayLocale)) return displayLocale;
  const { LC_ALL, LC_NUMERIC, LANG, VSCODE_NLS_CONFIG } = env;
  const candidates = [LC_ALL || LC_NUMERIC, getOsLocale(VSCODE_NLS_CONFIG), LANG].map(canonicalLocale);
  return candidates.find(locale => locale !== undefined && locale !== 'en') ?? displayLocale;
}

function getOsLocale(config = '{}'): string | undefined {
  try {
    const { osLocale: locale } = JSON.parse(config) as { osLocale?: unknown };
    return typeof locale === 'string' ? locale : undefined;
  } catch {
    return undefined;
  }
}

/** Returns "en-ZA" for en_ZA.UTF-8; undefined for C and for names that Intl does not know. */
function canonicalLocale(name = ''): string | undefined {
  const [localeName = ''] = name.split(/[.@]/);
  try {
    return Intl.NumberFormat.supportedLocalesOf(localeName.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}
