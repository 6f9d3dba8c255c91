import { numberText } from '../../core/export/numberText.ts';
import type { NumberColumn } from '../../shared/frame.ts';
import type { GridColumn } from '../grid/gridColumn.ts';
import type { ColumnBadges } from './columnBadges.ts';
import { withGaps } from './gap.ts';
import { columnHead } from './head.ts';
import { numberTexts } from './numberTexts.ts';
import type { NumberFormatter, NumberStyle } from './numberTexts.ts';
import { rampBadges, rampField } from './rampHint.ts';
import { isStress, stressBadges } from './stressBand.ts';

/** Numbers stand right-aligned on the decimal point. */
export function numberGridColumn(
  column: NumberColumn,
  rowCount: number,
  locale: string,
  style: NumberStyle = 'locale',
  formatter?: NumberFormatter,
): GridColumn {
  const { format, hides, samples } = numberTexts(column, rowCount, locale, style, formatter);
  const valueAt = (row: number) => column.values[row] ?? NaN;
  const badges = badgesOf(column);
  return {
    ...columnHead(column),
    align: 'end',
    samples,
    ...(badges && { badges: badges.badges }),
    ...withGaps(column, {
      text: row => format(valueAt(row)),
      spoken: () => undefined,
      tooltip: row => (hides(valueAt(row)) ? String(valueAt(row)) : ''),
      exact: row => numberText(valueAt(row)),
      negative: row => valueAt(row) < 0,
      ...(badges && { badge: (row: number) => badges.badgeOf(valueAt(row)) }),
    }),
  };
}

function badgesOf(column: NumberColumn): ColumnBadges | undefined {
  if (isStress(column)) return stressBadges();
  return column.name === rampField ? rampBadges() : undefined;
}
