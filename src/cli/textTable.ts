import { createCellWriter, formatNumber } from '../core/export/cellWriter.ts';
import { createIsoTimeFormatter } from '../core/export/timeFormatters.ts';
import { toInertText } from '../core/inertText.ts';
import type { Column, Frame } from '../shared/frame.ts';

/** The maximum width of a column in characters. */
const maxWidth = 40;
const gap = '  ';

/**
 * Formats rows as an aligned table for a terminal, with the names and units of the columns. A null is `null`, and a cell that no response
 * contained is empty. Control characters in texts are removed, because a terminal would obey them.
 */
export function formatTextTable({ rowCount, columns }: Frame, timeZone: string): string {
  const cells = columns.map(column => {
    const heading = [column.name, column.field?.unit?.text].filter(Boolean).join(' ');
    const write = createCellWriter(column, {
      text: text => shorten(toInertText(text)),
      number: digits => digits,
      nested: json => shorten(toInertText(json)),
      null: 'null',
      absent: '',
      time: createIsoTimeFormatter(timeZone),
    });
    return [
      shorten(toInertText(heading)),
      ...Array.from({ length: rowCount }, (_, row) => roundText(write(row) ?? '', column)),
    ];
  });
  const widths = cells.map(texts => texts.reduce((width, text) => Math.max(width, text.length), 0));
  const pad = (text: string, index: number): string =>
    columns[index]?.kind === 'number' ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0);
  const lines = Array.from({ length: rowCount + 1 }, (_, line) =>
    cells
      .map((texts, index) => pad(texts[line] ?? '', index))
      .join(gap)
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** Rounds computed numbers to 9 significant digits, which no measured value exceeds. */
function roundText(text: string, { kind }: Column): string {
  return kind === 'number' && /\d{10}|\.\d{7}/.test(text) ? formatNumber(Number(Number(text).toPrecision(9))) : text;
}

function shorten(text: string): string {
  return text.length > maxWidth ? `${text.slice(0, maxWidth - 1)}…` : text;
}
