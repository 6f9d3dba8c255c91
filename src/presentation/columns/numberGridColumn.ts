import { t } from '@vscode/l10n';
import { formatNumber } from '../../core/export/cellWriter.ts';
import { rampField } from '../../shared/fields.ts';
import type { NumberColumn } from '../../shared/frame.ts';
import type { GridColumn } from '../table/gridColumn.ts';
import { scaleEnds, scaleOf } from './colorScale.ts';
import { columnHeader } from './columnHeader.ts';
import { withGaps } from './gap.ts';
import type { NumberStyle } from '../../shared/formatNumber.ts';
import { numberTexts, type NumberFormatter } from './numberTexts.ts';
import { isStress, stressBadges, type ColumnBadges } from './stressBand.ts';

/** Creates a column of numbers, aligned on the decimal point. */
export function numberGridColumn(
  column: NumberColumn,
  rowCount: number,
  locale: string,
  style: NumberStyle = 'rounded',
  formatter?: NumberFormatter,
  alike?: readonly NumberColumn[],
): GridColumn {
  const { format, hides, samples } = numberTexts(column, rowCount, locale, style, formatter, alike);
  const valueAt = (row: number) => column.values[row] ?? NaN;
  const hidden = (row: number) => (hides(valueAt(row), row) ? [formatNumber(valueAt(row))] : []);
  const badges = isStress(column) ? stressBadges() : column.name === rampField ? rampBadges() : undefined;
  return {
    ...columnHeader(column),
    align: 'end',
    samples,
    place: scaleOf(column, rowCount),
    ends: () => {
      const ends = scaleEnds(column, rowCount);
      if (!ends) return undefined;
      const texts = ends.map(value => format(value));
      return { text: t('{0} to {1}', ...texts), isSigned: ends[0] < 0 && ends[1] > 0 };
    },
    ...(badges && { badges: badges.badges }),
    ...withGaps(column, {
      text: row => format(valueAt(row), row),
      searched: row => [format(valueAt(row), row), ...hidden(row)].join('\n'),
      tooltip: row => [...hidden(row), hoursText(column, row)].filter(Boolean).join('\n'),
      exact: row => formatNumber(valueAt(row)),
      negative: row => valueAt(row) < 0,
      ...(badges && { badge: (row: number) => badges.badgeOf(valueAt(row)) }),
    }),
  };
}

/** The hours that a derived value is computed over, if they are known. */
function hoursText({ field, hours }: NumberColumn, row: number): string {
  return field?.isDerived && hours ? t('over {0} h', hours[row] ?? 0) : '';
}

/** An arrow up or down beside a ramp; a blank of the same width where output did not change. */
function rampBadges(): ColumnBadges {
  const up = { text: '▲', tone: 'up', spoken: t('up') } as const;
  const down = { text: '▼', tone: 'down', spoken: t('down') } as const;
  const none = { text: ' ', tone: 'none' } as const;
  return { badges: [up, down, none], badgeOf: value => (value > 0 ? up : value < 0 ? down : none) };
}
