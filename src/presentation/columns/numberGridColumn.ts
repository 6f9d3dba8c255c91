import { t } from '@vscode/l10n';
import { formatNumber } from '../../core/export/cellWriter.ts';
import { rampField } from '../../shared/fields.ts';
import type { NumberColumn } from '../../shared/frame.ts';
import type { GridColumn } from '../table/gridColumn.ts';
import { getScaleEnds, createColorScale } from './colorScale.ts';
import { createColumnHeader } from './columnHeader.ts';
import { withGaps } from './gap.ts';
import type { NumberStyle } from '../../shared/formatNumber.ts';
import { createNumberColumnFormat, type NumberFormatter } from './numberColumnFormat.ts';
import { isStressIndex, createStressBadges, type ColumnBadges } from './stressBand.ts';

/** Creates a column of numbers, aligned on the decimal point. */
export function createNumberGridColumn(
  column: NumberColumn,
  rowCount: number,
  locale: string,
  style: NumberStyle = 'rounded',
  formatter?: NumberFormatter,
  comparedColumns?: readonly NumberColumn[],
): GridColumn {
  const { format, hasHiddenDigits, samples } = createNumberColumnFormat(
    column,
    rowCount,
    locale,
    style,
    formatter,
    comparedColumns,
  );
  const getValue = (row: number) => column.values[row] ?? NaN;
  const listHiddenDigits = (row: number) => (hasHiddenDigits(getValue(row), row) ? [formatNumber(getValue(row))] : []);
  const badges = isStressIndex(column)
    ? createStressBadges()
    : column.name === rampField
      ? createRampBadges()
      : undefined;
  return {
    ...createColumnHeader(column),
    align: 'end',
    samples,
    scalePosition: createColorScale(column, rowCount),
    formatScaleEnds: () => {
      const ends = getScaleEnds(column, rowCount);
      if (!ends) return undefined;
      const texts = ends.map(value => format(value));
      return { text: t('{0} to {1}', ...texts), isSigned: ends[0] < 0 && ends[1] > 0 };
    },
    ...(badges && { badges: badges.badges }),
    ...withGaps(column, {
      text: row => format(getValue(row), row),
      searched: row => [format(getValue(row), row), ...listHiddenDigits(row)].join('\n'),
      formatTooltip: row => [...listHiddenDigits(row), formatHours(column, row)].filter(Boolean).join('\n'),
      exact: row => formatNumber(getValue(row)),
      negative: row => getValue(row) < 0,
      ...(badges && { badge: (row: number) => badges.findBadge(getValue(row)) }),
    }),
  };
}

/** Formats the hours that a derived value is computed over, if they are known. */
function formatHours({ field, hours }: NumberColumn, row: number): string {
  return field?.isDerived && hours ? t('over {0} h', hours[row] ?? 0) : '';
}

/** Creates the arrows up and down next to ramps, and a blank of the same width for unchanged output. */
function createRampBadges(): ColumnBadges {
  const up = { text: '▲', tone: 'up', spoken: t('up') } as const;
  const down = { text: '▼', tone: 'down', spoken: t('down') } as const;
  const none = { text: ' ', tone: 'none' } as const;
  return { badges: [up, down, none], findBadge: value => (value > 0 ? up : value < 0 ? down : none) };
}
