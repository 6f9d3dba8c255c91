import { cellState, type Column, type Dictionary } from '../../shared/frame.ts';
import type { TimeText } from './isoTime.ts';

/** How a format spells cells. */
export interface CellStyle {
  /** A text, or a time. */
  readonly text: (text: string) => string;
  /** The digits of a number, with a decimal point; also for JSON cells that are a number. */
  readonly number: (digits: string) => string;
  /** The JSON of any other nested cell. */
  readonly nested: (json: string) => string;
  readonly null: string;
  /** Undefined leaves the cell out altogether. */
  readonly absent: string | undefined;
  readonly time: TimeText;
}

/** The text of a column's cell in a row. */
type CellWriter = (row: number) => string | undefined;

/** Writes the cells of a column in a style. A row outside the column is absent or empty. */
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

/** Caches the text of each entry. */
function entryWriter({ codes, entries }: Dictionary, spell: (entry: string) => string): CellWriter {
  const spelled = new Array<string | undefined>(entries.length);
  return row => {
    const code = codes[row] ?? 0;
    return (spelled[code] ??= spell(entries[code] ?? ''));
  };
}

/** The shortest text that parses to the same double, with the sign of -0; `NaN`, `Infinity` and `-Infinity` for these. */
export function numberText(value: number): string {
  return value === 0 && Object.is(value, -0) ? '-0' : String(value);
}

/** Whether the JSON text of a cell is a number, such as one that no double represents. */
export function isNumberText(text: string): boolean {
  return /^-?\d[\d.]*(?:[eE][+-]?\d+)?$/.test(text);
}
