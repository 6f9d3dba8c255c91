import type { Column } from '../../shared/frame.ts';
import { type CellStyle, cellWriter, rowByRow, type TextLayout } from './cellWriter.ts';
import type { TimeText } from './isoTime.ts';

/**
 * Writes a table in GitHub Flavored Markdown, which requires a heading: without names it is empty. Nulls, absent fields and empty texts
 * are all empty cells, which Markdown cannot distinguish.
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

/** Formats a line above the table. */
export function markdownCaption(text: string): string {
  return `**${markdownText(text)}**\n\n`;
}

/** Formats a comment that is not rendered. */
export function markdownComment(lines: readonly string[]): string {
  const safe = lines.map(text => text.replace(/[\r\n]+/g, ' ').replace(/-(?=-)|[<>]/g, found => `${found} `));
  return `<!--\n${safe.join('\n')}\n-->\n\n`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Matches text that some Markdown renderers turn into a link: a scheme, two slashes, `www.`, an email address or a host name. */
const address = /[a-z]:\S|\/\/|www\.|@|\.\p{L}{2}/iu;

/**
 * Escapes text so that no Markdown renderer treats it as markup, in a table or outside; line ends become `<br>`. Text that may be an
 * address becomes code, because a link would include the escapes. An underscore within a word is not markup.
 */
export function markdownText(text: string): string {
  return text
    .replace(/[^\s|`]+|[|`]/g, part => (address.test(part) ? `\`${part}\`` : escaped(part)))
    .replace(/\r\n|[\r\n\u2028\u2029]/g, '<br>');
}

function escaped(text: string): string {
  return text.replace(/[\\`*[\]<>|~&$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, String.raw`\$&`);
}
