import type { Column } from '../../shared/frame.ts';
import { type CellStyle, createCellWriter, writeRowByRow, type TextLayout } from './cellWriter.ts';
import type { TimeFormatter } from './timeFormatters.ts';

/**
 * Writes a table in GitHub Flavored Markdown, which requires a heading: without names it is empty. Nulls, absent fields and empty texts
 * are all empty cells, which Markdown cannot distinguish.
 */
export function createMarkdownLayout(
  columns: readonly Column[],
  heading: readonly string[] | undefined,
  time: TimeFormatter,
): TextLayout {
  const style: CellStyle = {
    text: escapeMarkdown,
    number: digits => digits,
    nested: escapeMarkdown,
    null: '',
    absent: '',
    time,
  };
  const writers = columns.map(column => createCellWriter(column, style));
  const names = formatRow(columns.map((_, index) => escapeMarkdown(heading?.[index] ?? '')));
  const rule = formatRow(columns.map(({ kind }) => (kind === 'number' ? '---:' : '---')));
  const head = `${names}\n${rule}\n`;
  return {
    head,
    rows: writeRowByRow(row => formatRow(writers.map(write => write(row) ?? '')), '\n'),
    between: '\n',
    foot: '\n',
    empty: head,
  };
}

/** Formats a line above the table. */
export function formatMarkdownCaption(text: string): string {
  return `**${escapeMarkdown(text)}**\n\n`;
}

/** Formats a comment that is not rendered. */
export function formatMarkdownComment(lines: readonly string[]): string {
  const safe = lines.map(text => text.replace(/[\r\n]+/g, ' ').replace(/-(?=-)|[<>]/g, match => `${match} `));
  return `<!--\n${safe.join('\n')}\n-->\n\n`;
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Matches text that some Markdown renderers turn into a link: a scheme, two slashes, `www.`, an email address or a host name. */
const addressPattern = /[a-z]:\S|\/\/|www\.|@|\.\p{L}{2}/iu;

/**
 * Escapes text so that no Markdown renderer treats it as markup, in a table or outside; line ends become `<br>`. Text that may be an
 * address becomes code, because a link would include the escapes. An underscore within a word is not markup.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[^\s|`]+|[|`]/g, part => (addressPattern.test(part) ? `\`${part}\`` : escapeMarkup(part)))
    .replace(/\r\n|[\r\n\u2028\u2029]/g, '<br>');
}

function escapeMarkup(text: string): string {
  return text.replace(/[\\`*[\]<>|~&$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, String.raw`\$&`);
}
