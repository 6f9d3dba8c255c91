import { type Column, cellState, type NumberColumn } from '../../shared/frame.ts';
import { cellWriter, type CellStyle } from './cellWriter.ts';
import type { TimeText } from './isoTime.ts';
import type { TextLayout } from './textLayout.ts';
import { numberText } from './numberText.ts';

/** Where a formula begins that is not the whole text. A number in a list is none: another number or the end follows it. */
const partFormula =
  /([,;\t\r\n](?:"|[^\S\t\r\n])*)(?=[=+\-@＝＋－＠])(?!(?<=,)-\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?[,\]}])/gi;

/** A form of delimited text. */
export interface DelimitedForm {
  readonly separator: ',' | ';' | '\t';
  readonly lineEnd: '\r\n' | '\n';
  readonly decimalComma: boolean;
  /** How the empty text is written; a cell without a value is always empty. */
  readonly emptyText: '""' | '';
}

/** RFC 4180. */
export const standardCsv: DelimitedForm = { separator: ',', lineEnd: '\r\n', decimalComma: false, emptyText: '""' };
/** What Excel opens as a table where the decimal sign is a comma. */
export const semicolonCsv: DelimitedForm = { ...standardCsv, separator: ';', decimalComma: true };
export const tsv: DelimitedForm = { separator: '\t', lineEnd: '\n', decimalComma: false, emptyText: '""' };

/**
 * A line a row; quotes only where the text would be misread without. A null and an absent field are both an empty cell;
 * numbers that are none are spelled `NaN`, `Infinity` and `-Infinity`.
 */
export function delimitedLayout(
  columns: readonly Column[],
  heading: readonly string[] | undefined,
  time: TimeText,
  form: DelimitedForm,
): TextLayout {
  const { separator, lineEnd, decimalComma } = form;
  const field = fieldSpeller(form);
  const style: CellStyle = {
    text: field,
    number: decimalComma ? digits => digits.replace('.', ',') : digits => digits,
    nested: field,
    null: '',
    absent: '',
    time,
  };
  const head = heading ? heading.map(field).join(separator) + lineEnd : '';
  const parts = runsOf(columns).map(run => partWriter(run, style, form));
  return { head, rows: places => joined(parts, places, form), between: lineEnd, foot: lineEnd, empty: head };
}

/** The texts of some columns in some rows. */
type PartWriter = (places: readonly number[]) => readonly string[];

/** Neighbouring columns of numbers together, others alone. */
function runsOf(columns: readonly Column[]): Column[][] {
  const runs: Column[][] = [];
  for (const column of columns) {
    const last = runs.at(-1);
    if (column.kind === 'number' && last?.[0]?.kind === 'number') last.push(column);
    else runs.push([column]);
  }
  return runs;
}

function partWriter(run: readonly Column[], style: CellStyle, { separator, decimalComma }: DelimitedForm): PartWriter {
  const [first] = run;
  if (first?.kind !== 'number') {
    const write = first ? cellWriter(first, style) : () => '';
    return places => places.map(place => write(place) ?? '');
  }
  return numberRun(
    run.filter(column => column.kind === 'number'),
    separator,
    decimalComma,
  );
}

function joined(
  parts: readonly PartWriter[],
  places: readonly number[],
  { separator, lineEnd }: DelimitedForm,
): string {
  const [first = [], ...others] = parts.map(write => write(places));
  let lines = '';
  for (let row = 0; row < places.length; row++) {
    lines += row > 0 ? lineEnd + (first[row] ?? '') : (first[row] ?? '');
    for (const texts of others) lines += separator + (texts[row] ?? '');
  }
  return lines;
}

/** Comment lines; what follows a separator in them is no formula either. */
export function commentLines(lines: readonly string[], { lineEnd }: DelimitedForm): string {
  return lines.map(line => `# ${guarded(line.replace(/[\r\n]+/g, ' '))}${lineEnd}`).join('');
}

function fieldSpeller({ separator, emptyText }: DelimitedForm): (text: string) => string {
  // A byte order mark at the beginning of a file is eaten unless quoted; readers told of comments cut a row at its first #.
  const special = { ',': /^\uFEFF|["#,\r\n]/, ';': /^\uFEFF|["#;\r\n]/, '\t': /^\uFEFF|["#\t\r\n]/ }[separator];
  return text => {
    if (text === '') return emptyText;
    const safe = guarded(text);
    return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
}

/**
 * Text that a spreadsheet would run as a formula gets an apostrophe before it (OWASP, CSV injection). Which separator it splits at
 * depends on its language, so each part counts as a cell.
 */
function guarded(text: string): string {
  const safe = /[=+\-@＝＋－＠]/.test(text) ? text.replace(partFormula, "$1'") : text;
  return /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/.test(safe) ? `'${safe}` : safe;
}

/**
 * The cells of neighbouring number columns, one text a row, written by JSON.stringify: it spells numbers as String does, but
 * many at once in half the time. Cells without a value are empty.
 */
function numberRun(
  columns: readonly NumberColumn[],
  separator: string,
  decimalComma: boolean,
): (places: readonly number[]) => string[] {
  const spell = (digits: string): string => (decimalComma ? digits.replace('.', ',') : digits);
  const oneByOne = (place: number): string => {
    const cells = columns.map(({ values, gaps }) => {
      return gaps && gaps[place] !== cellState.value ? '' : spell(numberText(values[place] ?? NaN));
    });
    return cells.join(separator);
  };
  const rows: number[][] = [];
  return places => {
    while (rows.length < places.length) rows.push(columns.map(() => 0.5));
    rows.length = places.length;
    const odd = fillRows(rows, columns, places);
    let json = JSON.stringify(rows);
    if (json.includes('null')) json = json.replaceAll('null', '');
    if (separator !== ',') json = json.replaceAll(',', separator);
    if (decimalComma) json = json.replaceAll('.', ',');
    const texts = json.slice(2, -2).split(`]${separator}[`);
    for (const at of odd) texts[at] = oneByOne(places[at] ?? -1);
    return texts;
  };
}

/** NaN stands for no value, since JSON has null for it. Returns the rows with a number that JSON cannot say: -0, NaN, ±Infinity. */
function fillRows(rows: number[][], columns: readonly NumberColumn[], places: readonly number[]): Set<number> {
  const odd = new Set<number>();
  for (const [index, { values, gaps }] of columns.entries()) {
    for (let at = 0; at < places.length; at++) {
      const place = places[at] ?? -1;
      const value = gaps && gaps[place] !== cellState.value ? NaN : (values[place] ?? NaN);
      (rows[at] as number[])[index] = value;
      // Infinite or NaN; or a zero of either sign.
      if (value - value !== 0 || value === 0) noteOdd(odd, at, value, gaps?.[place]);
    }
  }
  return odd;
}

function noteOdd(odd: Set<number>, at: number, value: number, state: number | undefined): void {
  if (state !== undefined && state !== cellState.value) return;
  if (value !== 0 || Object.is(value, -0)) odd.add(at);
}
