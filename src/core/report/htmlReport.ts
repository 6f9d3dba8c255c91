import { removeHidden } from '../inertText.ts';
import { splitWideTable, type Report, type ReportPart } from './report.ts';
import type { ReportTable } from '../../shared/report.ts';

/** The page loads and runs nothing: pictures are embedded, and an SVG document in an image cannot run scripts. */
const contentSecurityPolicy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const style = `:root{color-scheme:light}
body{margin:0 auto;padding:24px;max-width:1232px;font:14px/1.45 system-ui,"Segoe UI",Arial,sans-serif;color:#1f1f1f;background:#fff}
h1{font-size:24px;margin:0 0 12px}
h2{font-size:19px;margin:40px 0 8px;padding-top:12px;border-top:2px solid #12304a}
h3{font-size:15px;margin:24px 0 4px}
h1,h2,dd,li{overflow-wrap:anywhere}
td,th{overflow-wrap:break-word}
a{color:#0b4f8a}
.mark{display:inline-block;margin:0 0 12px;padding:2px 10px;border:2px solid #a84300;color:#a84300;font-weight:600}
dl{display:grid;grid-template-columns:max-content 1fr;gap:3px 16px;margin:0 0 16px}
dt{color:#4d4d4d}
dd{margin:0}
.own{white-space:pre-line;overflow-wrap:anywhere;max-width:80ch}
figure{margin:16px 0}
img{display:block;box-sizing:border-box;max-width:100%;height:auto;border:1px solid #d0d0d0}
.note,figcaption,caption{color:#4d4d4d}
.table{overflow-x:auto;margin-bottom:12px}
table{border-collapse:collapse;font-size:12px;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:0 0 4px}
th,td{padding:3px 8px;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
thead th{border-bottom:2px solid #767676;vertical-align:bottom}
tbody th{font-weight:400;white-space:nowrap}
nav h2{border:0;margin:0;padding:0}
td{min-width:7em;max-width:26em}
td.n{min-width:0}
.n{text-align:right;white-space:nowrap}
thead .n{white-space:normal}
li{margin:2px 0}
@media print{
@page{size:A4 landscape;margin:12mm}
body{max-width:none;padding:0;font-size:9pt}
h2{margin-top:0;border:0;padding:0}
nav~main,section+section{break-before:page}
h1,h2,h3,caption{break-after:avoid}
tbody tr:first-child{break-before:avoid}
img{max-height:170mm}
figure,tr,dl,.mark{break-inside:avoid}
thead{display:table-header-group}
.table{overflow:visible}
table{font-size:7.5pt}
th,td{padding:2px 5px}
}`;

/** Writes the report as a single, self-contained HTML page. The output is deterministic. */
export function formatHtmlReport({ title, note, language, parts, words }: Report): string {
  const contents = parts.map(
    ({ title: name }, index) => `<li><a href="#part-${index + 1}">${escapeHtml(name)}</a></li>`,
  );
  const nav =
    parts.length > 1 ? `<nav><h2>${escapeHtml(words.contents)}</h2>\n<ol>${contents.join('')}</ol></nav>\n` : '';
  const sections = parts.map((part, index) => {
    const heading = parts.length > 1 || part.title !== title ? `<h2>${escapeHtml(part.title)}</h2>\n` : '';
    return `<section id="part-${index + 1}">\n${heading}${formatSection(part, words)}</section>\n`;
  });
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Grid Data Inspector">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${formatNote(note)}${nav}<main>
${sections.join('')}</main>
</body>
</html>
`;
}

function formatNote(note: string): string {
  return note ? `<p class="own">${escapeHtml(note)}</p>\n` : '';
}

function formatSection({ facts, note, mark, content }: ReportPart, words: Report['words']): string {
  const factItems = facts.map(([name, text]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(text)}</dd>\n`);
  const header = `${mark ? `<p class="mark">${escapeHtml(mark)}</p>\n` : ''}${formatNote(note)}`;
  const factList = `<dl>${factItems.join('')}</dl>\n`;
  if (typeof content === 'string') return `${header}${factList}<p>${escapeHtml(content)}</p>\n`;
  const { chart, tables, methods } = content;
  const notice = chart?.notice ? `<figcaption>${escapeHtml(chart.notice)}</figcaption>` : '';
  const figure = chart
    ? `<figure><img alt="${escapeHtml(chart.summary)}" src="${createPictureUrl(chart.svg)}">${notice}</figure>\n`
    : '';
  const notes = methods.map(method => `<li>${escapeHtml(method)}</li>\n`);
  const method =
    methods.length > 0 ? `<h3>${escapeHtml(words.methods)}</h3>\n<ul class="note">${notes.join('')}</ul>\n` : '';
  // The picture comes first, because readers look for it.
  return `${header}${figure}${factList}${tables.flatMap(splitWideTable).map(formatTable).join('')}${method}`;
}

function formatTable({ title, caption, columns, rows }: ReportTable): string {
  const alignment = (column: number): string => (columns[column]?.isNumber ? ' class="n"' : '');
  const headerCells = columns.map(
    ({ label }, column) => `<th scope="col"${alignment(column)}>${escapeHtml(label)}</th>`,
  );
  const lines = rows.map(cells => {
    const texts = cells.map((cell, column) =>
      column === 0
        ? `<th scope="row"${alignment(column)}>${escapeHtml(cell)}</th>`
        : `<td${alignment(column)}>${escapeHtml(cell)}</td>`,
    );
    return `<tr>${texts.join('')}</tr>\n`;
  });
  const heading = title ? `<h3>${escapeHtml(title)}</h3>\n` : '';
  const captionHtml = caption ? `<caption>${escapeHtml(caption)}</caption>\n` : '';
  return `${heading}<div class="table"><table>
${captionHtml}<thead><tr>${headerCells.join('')}</tr></thead>
<tbody>
${lines.join('')}</tbody>
</table></div>
`;
}

/** Returns the picture as a data URL. */
function createPictureUrl(svg: string): string {
  // Base64 of UTF-8 is shorter than percent-encoding and contains no markup characters.
  const bytes = new TextEncoder().encode(svg);
  let text = '';
  for (let from = 0; from < bytes.length; from += 8192)
    text += String.fromCharCode(...bytes.subarray(from, from + 8192));
  return `data:image/svg+xml;base64,${btoa(text)}`;
}

/** Escapes text for an element or a quoted attribute. */
function escapeHtml(text: string): string {
  return removeHidden(text).replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`);
}
