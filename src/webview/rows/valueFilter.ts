import { cellState, stateAt, textAt, type Column } from '../../shared/frame.ts';
import { isoText } from '../columns/timeTexts.ts';
import { numberReader } from '../../shared/localeNumber.ts';

/** What `parseFilter` reads as the rows with the value of this one (`=`), or as those with another value (`!=`). */
export function valueFilter(column: Column, row: number, sign: '=' | '!=', locale: string): string {
  if (stateAt(column, row) !== cellState.value) return sign === '=' ? 'null' : '!null';
  return `${sign}${valueText(column, row, locale)}`;
}

function valueText(column: Column, row: number, locale: string): string {
  switch (column.kind) {
    case 'number':
      return numberText(column.values[row] ?? NaN, locale);
    case 'time':
      return isoText(column.values[row] ?? NaN);
    case 'boolean':
      return String(column.values[row] === 1);
    case 'text':
    case 'nested':
      // Quoted whatever it is: commas, "or", the word null and quotes of its own mean themselves.
      return `"${textAt(column.texts, row).replaceAll('"', '""')}"`;
  }
}

/** All digits; with the locale's decimal separator where "1.234" could be a number in thousands. */
function numberText(value: number, locale: string): string {
  const plain = String(value);
  return numberReader(locale)(plain) === 'ambiguous' ? plain.replace('.', ',') : plain;
}
