import type { Column } from '../../shared/frame.ts';
import { cellWriter, type CellStyle } from './cellWriter.ts';
import type { TimeText } from './isoTime.ts';
import { numberRun } from './numberRun.ts';
import type { TextLayout } from './textLayout.ts';

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
