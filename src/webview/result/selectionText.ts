import { t } from '@vscode/l10n';
import { isExponential, numberFormatter } from '../../shared/formatNumber.ts';
import type { SelectionStats } from '../rows/selectionStats.ts';

const maximumFractionDigits = 3;

/** "3 × 24 selected: count 72 · mean 20,412.7 · sum 1,469,714 · min 0.0 · max 26,118.3 MW"; empty for one cell. */
export function selectionText(rows: number, columns: number, stats: SelectionStats, locale: string): string {
  if (rows * columns < 2) return '';
  const usual = new Intl.NumberFormat(locale, {
    maximumFractionDigits,
    numberingSystem: 'latn',
    signDisplay: 'negative',
  });
  const unusual = numberFormatter(locale, maximumFractionDigits);
  const write = (value: number): string =>
    isExponential(value, maximumFractionDigits) ? unusual(value) : usual.format(value);
  const size = t('{0} × {1} selected', write(rows), write(columns));
  const { count, missing, mean, min, max, sum, unit } = stats;
  if (count === 0 || mean === undefined || min === undefined || max === undefined) return size;
  const parts = [
    t('count {0}', write(count)),
    ...(missing > 0 ? [t('missing {0}', write(missing))] : []),
    t('mean {0}', write(mean)),
    t('sum {0}', write(sum)),
    t('min {0}', write(min)),
    t('max {0}', write(max)),
  ];
  return `${size}: ${parts.join(' · ')}${unit ? ` ${unit}` : ''}`;
}
