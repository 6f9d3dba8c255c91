import type { Column } from '../../shared/frame.ts';
import { type CellStyle, cellWriter, rowByRow, type TextLayout } from './cellWriter.ts';
import type { TimeText } from './isoTime.ts';

/**
 * A table in GitHub's Markdown, which requires a heading: without names it is empty. Null, absent and the empty text are all empty cells,
 * which Markdown cannot tell apart.
 */
export function markdownLayout(
  columns: readonly Column[],
  heading: readonly string[] | undefined,
  time: TimeText,
): TextLayout {
  const style: CellStyle = {
    text: markdownText,
    number: digits => digits,
    nested: markdownText,
    null: '',
    absent: '',
    time,
  };
  const writers = columns.map(column => cellWriter(column, style));
  const names = line(columns.map((_, at) => markdownText(heading?.[at] ?? '')));
  const rule = line(columns.map(({ kind }) => (kind === 'number' ? '---:' : '---')));
  const head = `${names}\n${rule}\n`;
  return {
    head,
    rows: rowByRow(place => line(writers.map(write => write(place) ?? '')), '\n'),
    between: '\n',
    foot: '\n',
    empty: head,
  };
}

/** A line above the table. */
export function markdownCaption(text: string): string {
  return `**${markdownText(text)}**\n\n`;
}

/** A comment that is not rendered. */
export function markdownComment(lines: readonly string[]): string {
  const safe = lines.map(text => text.replace(/[\r\n]+/g, ' ').replace(/-(?=-)|[<>]/g, found => `${found} `));
  return `<!--\n${safe.join('\n')}\n-->\n\n`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** What some reader of Markdown makes a link of by itself: a scheme, two slashes, `www.`, an email address or the name of a host. */
const address = /[a-z]:\S|\/\/|www\.|@|\.\p{L}{2}/iu;

/**
 * Text that no reader of Markdown takes for markup, in a table or beside it; line ends become breaks. Markup is escaped. What may be an
 * address is code, since a link would take the escapes in it as a part of itself. An underscore within a word is not markup.
 */
export function markdownText(text: string): string {
  return text
    .replace(/[^\s|`]+|[|`]/g, part => (address.test(part) ? `\`${part}\`` : escaped(part)))
    .replace(/\r\n|[\r\n\u2028\u2029]/g, '<br>');
}

function escaped(text: string): string {
  return text.replace(/[\\`*[\]<>|~&$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, String.raw`\$&`);
}
