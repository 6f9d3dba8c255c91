import { cellState, stateAt, textAt, type Column } from '../../shared/frame.ts';
import { isoTimes } from './isoTime.ts';

/** A cell in plain words. `literal`: its text is a number or a boolean, safe without quotes anywhere. Undefined: no value. */
export interface CellText {
  readonly text: string;
  readonly literal: boolean;
}

export type CellTexts = (column: Column, row: number) => CellText | undefined;

/** Exact texts of cells, times in the zone. */
export function cellTexts(timeZone: string): CellTexts {
  const timeText = isoTimes(timeZone);
  return (column, row) => {
    if (stateAt(column, row) !== cellState.value) return undefined;
    switch (column.kind) {
      case 'number':
        return { text: numberText(column.values[row] ?? NaN), literal: true };
      case 'boolean':
        return { text: column.values[row] === 1 ? 'true' : 'false', literal: true };
      case 'time':
        return { text: timeText(column, row), literal: false };
      case 'text':
        return { text: textAt(column.texts, row), literal: false };
      case 'nested': {
        const text = textAt(column.texts, row);
        // Numbers that no double holds are kept as their digits.
        return { text, literal: /^-?\d/.test(text) || text === 'true' || text === 'false' };
      }
    }
  };
}

/** The shortest text that reads back as the same double, with the sign of -0. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
