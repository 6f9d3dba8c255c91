import { markdownText } from '../export/markdown.ts';
import { withoutHidden } from '../inertText.ts';
import type { ReportTable } from '../../shared/report.ts';
import { narrowTables, type Report, type ReportPart } from './report.ts';

/**
 * Writes the report in GitHub Flavored Markdown. Returns its pictures as SVG documents, named as in the subfolder `folder`. The output
 * is deterministic.
 */
export function markdownReport(
  { title, note, parts, words }: Report,
  folder: string,
): { readonly text: string; readonly pictures: readonly { readonly name: string; readonly svg: string }[] } {
  const pictures: { name: string; svg: string }[] = [];
  const contents = parts.map((part, at) => `${at + 1}. ${escaped(part.title)}\n`);
  const list = parts.length > 1 ? `## ${escaped(words.contents)}\n\n${contents.join('')}\n` : '';
  const sections = parts.map((part, at) => {
    const heading = parts.length > 1 || part.title !== title ? `## ${escaped(part.title)}\n\n` : '';
    return `${heading}${sectionText(part, words, `chart-${at + 1}.svg`)}`;
  });
  return { text: `# ${escaped(title)}\n\n${noteText(note)}${list}${sections.join('')}`, pictures };

  function sectionText(
    { facts, note, mark, shown }: ReportPart,
    { methods: heading }: Report['words'],
    name: string,
  ): string {
    const pairs = facts.map(([fact, text]) => `- **${escaped(fact)}:** ${escaped(text)}\n`);
    const marked = `${mark ? `**${escaped(mark)}**\n\n` : ''}${noteText(note)}`;
    const origin = `${pairs.join('')}\n`;
    if (typeof shown === 'string') return `${marked}${origin}${escaped(shown)}\n\n`;
    const { chart, tables, methods } = shown;
    if (chart) pictures.push({ name, svg: chart.svg });
    const address = [folder, name].map(part => encodeURIComponent(part).replace(/[()]/g, escapedBracket)).join('/');
    const notice = chart?.notice ? `${escaped(chart.notice)}\n\n` : '';
    const picture = chart ? `![${escaped(oneParagraph(chart.summary))}](${address})\n\n${notice}` : '';
    const notes = methods.map(method => `- ${escaped(method)}\n`).join('');
    const method = notes ? `### ${escaped(heading)}\n\n${notes}\n` : '';
    return `${marked}${picture}${origin}${tables.flatMap(narrowTables).map(tableText).join('')}${method}`;
  }
}

/** Formats the note's paragraphs. */
function noteText(note: string): string {
  const paragraphs = note.split(/\n+/).filter(line => line.trim() !== '');
  return paragraphs.map(line => `${escaped(line)}\n\n`).join('');
}

function tableText({ title, caption, columns, rows }: ReportTable): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const heading = title ? `### ${escaped(title)}\n\n` : '';
  const said = caption ? `${escaped(caption)}\n\n` : '';
  const head = line(columns.map(({ label }) => escaped(label)));
  const rule = line(columns.map(({ isNumber }) => (isNumber ? '---:' : '---')));
  return `${heading}${said}${head}${rule}${rows.map(cells => line(cells.map(escaped))).join('')}\n`;
}

function escapedBracket(bracket: string): string {
  return `%${bracket.charCodeAt(0).toString(16)}`;
}

function oneParagraph(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

/** Escapes text that may start a line, where a dash would start a list and four spaces a code block. */
function escaped(text: string): string {
  const safe = markdownText(withoutHidden(text)).trimStart();
  return safe.replace(/^[-+#=](?!\d)/, String.raw`\$&`).replace(/^(\d+)(?=[.)](?:\s|$))/, '$1\\');
}
