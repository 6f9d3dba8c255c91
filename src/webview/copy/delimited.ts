import type { CellText, CellTexts } from './cellTexts.ts';
import type { CopyRange } from './copyRange.ts';

type Heading = readonly string[] | undefined;

/** RFC 4180 lines. The empty text is quoted: an empty cell without quotes means there is no value. */
export function csvLines(range: CopyRange, heading: Heading, textOf: CellTexts): Iterable<string> {
  return lines(range, heading, textOf, ',', text => (text === '' ? '""' : quotedIf(/[",\r\n]/, text)));
}

/** Lines as spreadsheets put them on the clipboard: quotes only where a tab, a line end or a quote would be misread. */
export function tsvLines(range: CopyRange, heading: Heading, textOf: CellTexts): Iterable<string> {
  return lines(range, heading, textOf, '\t', text => quotedIf(/["\t\r\n]/, text));
}

function* lines(
  { columns, rows }: CopyRange,
  heading: Heading,
  textOf: CellTexts,
  separator: string,
  quoted: (text: string) => string,
): Generator<string> {
  const cell = (found: CellText | undefined): string =>
    found === undefined ? '' : found.literal ? found.text : quoted(guarded(found.text));
  if (heading) yield heading.map(name => quoted(guarded(name))).join(separator);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? -1;
    yield columns.map(column => cell(textOf(column, row))).join(separator);
  }
}

/** Text that a spreadsheet would run as a formula gets a leading apostrophe (OWASP, CSV injection). */
function guarded(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

function quotedIf(special: RegExp, text: string): string {
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
