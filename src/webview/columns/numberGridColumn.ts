import type { NumberColumn } from '../../shared/frame.ts';
import { hidesDigits, numberFormatter, numberShape } from '../../shared/formatNumber.ts';
import type { GridColumn } from '../grid/gridColumn.ts';
import { withGaps } from './gap.ts';
import { columnHead } from './head.ts';

/** Numbers stand right-aligned on the decimal point. */
export function numberGridColumn(column: NumberColumn, rowCount: number, locale: string): GridColumn {
  const { decimals, range } = numberShape(column, rowCount);
  const format = numberFormatter(locale, decimals);
  const valueAt = (row: number) => column.values[row] ?? NaN;
  return {
    ...columnHead(column),
    align: 'end',
    samples: range ? range.map(format) : [],
    ...withGaps(column, {
      text: row => format(valueAt(row)),
      spoken: () => undefined,
      tooltip: row => (hidesDigits(valueAt(row), decimals) ? String(valueAt(row)) : ''),
      exact: row => String(valueAt(row)),
    }),
  };
}
