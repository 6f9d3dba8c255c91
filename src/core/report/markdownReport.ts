import { escapeMarkdown } from '../export/markdown.ts';
import { removeHidden } from '../inertText.ts';
import type { ReportTable } from '../../shared/report.ts';
import { splitWideTable, type Report, type ReportPart } from './report.ts';

/**
 * Writes the report in GitHub Flavored Markdown. Returns its pictures as SVG documents, named as in the subfolder `folder`. The output
 * is deterministic.
 */
export function formatMarkdownReport(
  { title, note, parts, words }: Report,
  folder: string,
): { readonly text: string; readonly pictures: readonly { readonly name: string; readonly svg: string }[] } {
  const pictures: { name: string; svg: string }[] = [];
  const contents = parts.map((part, index) => `${index + 1}. ${escapeMarkdownLine(part.title)}\n`);
  const contentsList = parts.length > 1 ? `## ${escapeMarkdownLine(words.contents)}\n\n${contents.join('')}\n` : '';
  const sections = parts.map((part, index) => {
    const heading = parts.length > 1 || part.title !== title ? `## ${escapeMarkdownLine(part.title)}\n\n` : '';
    return `${heading}${formatSection(part, words, `chart-${index + 1}.svg`)}`;
  });
  return { text: `# ${escapeMarkdownLine(title)}\n\n${formatNote(note)}${contentsList}${sections.join('')}`, pictures };

  function formatSection(
    { facts, note, mark, content }: ReportPart,
    { methods: heading }: Report['words'],
    name: string,
  ): string {
    const factItems = facts.map(([fact, text]) => `- **${escapeMarkdownLine(fact)}:** ${escapeMarkdownLine(text)}\n`);
    const header = `${mark ? `**${escapeMarkdownLine(mark)}**\n\n` : ''}${formatNote(note)}`;
    const factList = `${factItems.join('')}\n`;
    if (typeof content === 'string') return `${header}${factList}${escapeMarkdownLine(content)}\n\n`;
    const { chart, tables, methods } = content;
    if (chart) pictures.push({ name, svg: chart.svg });
    const pictureUrl = [folder, name].map(part => encodeURIComponent(part).replace(/[()]/g, encodeBracket)).join('/');
    const notice = chart?.notice ? `${escapeMarkdownLine(chart.notice)}\n\n` : '';
    const picture = chart ? `![${escapeMarkdownLine(joinLines(chart.summary))}](${pictureUrl})\n\n${notice}` : '';
    const notes = methods.map(method => `- ${escapeMarkdownLine(method)}\n`).join('');
    const method = notes ? `### ${escapeMarkdownLine(heading)}\n\n${notes}\n` : '';
    return `${header}${picture}${factList}${tables.flatMap(splitWideTable).map(formatTable).join('')}${method}`;
  }
}

/** Formats the note's paragraphs. */
function formatNote(note: string): string {
  const paragraphs = note.split(/\n+/).filter(line => line.trim() !== '');
  return paragraphs.map(line => `${escapeMarkdownLine(line)}\n\n`).join('');
}

function formatTable({ title, caption, columns, rows }: ReportTable): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const heading = title ? `### ${escapeMarkdownLine(title)}\n\n` : '';
  const captionText = caption ? `${escapeMarkdownLine(caption)}\n\n` : '';
  const head = line(columns.map(({ label }) => escapeMarkdownLine(label)));
  const rule = line(columns.map(({ isNumber }) => (isNumber ? '---:' : '---')));
  return `${heading}${captionText}${head}${rule}${rows.map(cells => line(cells.map(escapeMarkdownLine))).join('')}\n`;
}

function encodeBracket(bracket: string): string {
  return `%${bracket.charCodeAt(0).toString(16)}`;
}

function joinLines(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

/** Escapes text that may start a line, where a dash would start a list and four spaces a code block. */
function escapeMarkdownLine(text: string): string {
  const safe = escapeMarkdown(removeHidden(text)).trimStart();
  return safe.replace(/^[-+#=](?!\d)/, String.raw`\$&`).replace(/^(\d+)(?=[.)](?:\s|$))/, '$1\\');
}
