import type { CellTexts } from './cellTexts.ts';
import type { CopyRange } from './copyRange.ts';

/** A table as GitHub reads it; without headers its heading is empty, since there is no table without one. */
export function* markdownLines(
  { columns, rows }: CopyRange,
  heading: readonly string[] | undefined,
  textOf: CellTexts,
): Generator<string> {
  yield line(columns.map((_, at) => escaped(heading?.[at] ?? '')));
  yield line(columns.map(({ kind }) => (kind === 'number' ? '---:' : '---')));
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? -1;
    yield line(columns.map(column => escaped(textOf(column, row)?.text ?? '')));
  }
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Shows a text as it is: nothing in it is markup, a line end is a break. An underscore within a word is no markup. */
function escaped(text: string): string {
  return text
    .replace(/[\\`*[\]<>|~&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, String.raw`\$&`)
    .replace(/\r\n|\r|\n/g, '<br>');
}
