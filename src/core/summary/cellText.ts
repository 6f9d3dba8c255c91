import { cellState, stateAt, textAt, type Column } from '../../shared/frame.ts';
import { numberText } from '../export/numberText.ts';
import { formatInstant } from '../instant.ts';
import { serviceText } from './serviceText.ts';

/** A cell for a language model: numbers with all their digits, `null` for a null, `-` for a field that the record has not. */
export function cellText(column: Column, row: number): string {
  const state = stateAt(column, row);
  if (state === cellState.absent) return '-';
  if (state === cellState.null) return 'null';
  switch (column.kind) {
    case 'time':
      return instantText(column.values[row] ?? NaN);
    case 'number':
      return numberText(column.values[row] ?? NaN);
    case 'boolean':
      return column.values[row] === 1 ? 'true' : 'false';
    case 'text':
    case 'nested':
      return serviceText(textAt(column.texts, row), 40);
  }
}

/** `2026-11-14T05:00Z`; `-` for none. Seconds are there where they are not 0. */
export function instantText(ms: number): string {
  if (Math.abs(ms) > 8.64e15 || Number.isNaN(ms)) return '-';
  return formatInstant(ms).replace(/:00Z$/, 'Z');
}

/** A figure that was computed: six digits are enough. */
export function figureText(value: number): string {
  return String(Number(value.toPrecision(6)));
}
