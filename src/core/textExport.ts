import { cellState, stateAt, textAt, type Column, type Frame } from '../shared/frame.ts';
import { columnTree, recordText } from './columnTree.ts';
import { receivedText } from './rows.ts';

/**
 * RFC 4180 text: a heading of the service's field names, times as received, numbers to the last digit, a gap as an empty
 * cell. Text that a spreadsheet would run as a formula gets a leading apostrophe (OWASP, CSV injection).
 */
export function toCsv(frame: Frame): string {
  const lines = [frame.columns.map(column => quoted(guarded(column.name))).join(',')];
  for (let row = 0; row < frame.rowCount; row++)
    lines.push(frame.columns.map(column => csvCell(column, row)).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

function csvCell(column: Column, row: number): string {
  if (stateAt(column, row) !== cellState.value) return '';
  switch (column.kind) {
    case 'number':
      return numberText(column.values[row] ?? NaN);
    case 'boolean':
      return column.values[row] === 1 ? 'true' : 'false';
    case 'time':
    case 'text':
      return quoted(guarded(receivedText(column, row)));
    case 'nested': {
      const text = textAt(column.texts, row);
      // A number among other things is still a number: its minus sign is no formula.
      return /^-?\d/.test(text) ? text : quoted(guarded(text));
    }
  }
}

function guarded(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  // The empty text is quoted: an empty cell without quotes means there is no value.
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The shortest text that reads back as the same double, with the sign of -0. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** A JSON array of the records as received, one record a line. */
export function toJsonRecords(frame: Frame): string {
  const tree = columnTree(frame.columns);
  const records = Array.from(
    { length: frame.rowCount },
    (_, row) => `  ${recordText(tree, column => jsonCell(column, row))}`,
  );
  return records.length === 0 ? '[]\n' : `[\n${records.join(',\n')}\n]\n`;
}

function jsonCell(column: Column, row: number): string | undefined {
  const state = stateAt(column, row);
  if (state !== cellState.value) return state === cellState.null ? 'null' : undefined;
  switch (column.kind) {
    case 'number':
      return numberText(column.values[row] ?? NaN);
    case 'boolean':
      return column.values[row] === 1 ? 'true' : 'false';
    case 'time':
    case 'text':
      return JSON.stringify(receivedText(column, row));
    case 'nested':
      return textAt(column.texts, row);
  }
}
