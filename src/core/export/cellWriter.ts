import { cellState, type Column, type Dictionary } from '../../shared/frame.ts';
import type { TimeText } from './isoTime.ts';
import { isNumberText, numberText } from './numberText.ts';

/** How a format spells cells. */
export interface CellStyle {
  /** Words, and times, whose own text is safe. */
  readonly text: (text: string) => string;
  /** A number's own digits, with a decimal point: of numbers and of cells of JSON that are one. */
  readonly number: (digits: string) => string;
  /** The JSON of a cell that is no number. */
  readonly nested: (json: string) => string;
  readonly null: string;
  /** Undefined leaves the cell out altogether. */
  readonly absent: string | undefined;
  readonly time: TimeText;
}

/** The text of a column's cell in a row. */
export type CellWriter = (row: number) => string | undefined;

/** Writes the cells of a column in a style. A place outside the column reads as absent or empty. */
export function cellWriter(column: Column, style: CellStyle): CellWriter {
  const write = valueWriter(column, style);
  const { gaps } = column;
  if (!gaps) return write;
  return row => {
    const state = gaps[row];
    if (state === cellState.value) return write(row);
    return state === cellState.null ? style.null : style.absent;
  };
}

function valueWriter(column: Column, style: CellStyle): CellWriter {
  switch (column.kind) {
    case 'number': {
      const { values } = column;
      return row => style.number(numberText(values[row] ?? NaN));
    }
    case 'boolean':
      return row => (column.values[row] === 1 ? 'true' : 'false');
    case 'time':
      return row => {
        const text = style.time(column, row);
        return text === undefined ? style.null : style.text(text);
      };
    case 'text':
      return entryWriter(column.texts, style.text);
    case 'nested':
      return entryWriter(column.texts, json => {
        if (json === 'true' || json === 'false') return json;
        return isNumberText(json) ? style.number(json) : style.nested(json);
      });
  }
}

/** Each entry is spelled once. */
function entryWriter({ codes, entries }: Dictionary, spell: (entry: string) => string): CellWriter {
  const spelled = new Array<string | undefined>(entries.length);
  return row => {
    const code = codes[row] ?? 0;
    return (spelled[code] ??= spell(entries[code] ?? ''));
  };
}
