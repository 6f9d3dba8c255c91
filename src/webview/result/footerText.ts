import { t } from '@vscode/l10n';
import {
  createEnergyFormatter,
  createFigureFormatter,
  createReceivedFormatter,
  computeDisplayDecimals,
  formatRounded,
  type NumberStyle,
} from '../../shared/formatNumber.ts';
import { isDifferenceOfQuotients, isEnergyChange, isShare, type UnitKind } from '../../shared/units.ts';
import { createCountFormatter } from '../../presentation/columns/numberColumnFormat.ts';
import { defaultArrangement, type FrozenColumns } from '../../presentation/table/columnArrangement.ts';
import type { SelectionFigures, SelectionStats } from '../rows/selectionStats.ts';

/** The kinds of units whose sum is meaningful. Power can be summed as energy; shares, rates and indexes cannot be summed. */
const summableUnits: ReadonlySet<UnitKind> = new Set(['energy', 'money', 'mass', 'none']);

/** Formats the statistics of a selection, such as "24 × 1 selected: count 24 · mean 20,413 · min 0 · max 26,118 MW · energy 490 GWh over 24 h"; empty for one cell. */
export function formatSelection(
  rows: number,
  columns: number,
  stats: SelectionStats,
  locale: string,
  numbers: NumberStyle,
): string {
  if (rows * columns < 2) return '';
  const formatNumber = createFigureFormatter(locale);
  const size = t('{0} × {1} selected', formatNumber(rows), formatNumber(columns));
  const { count, missing, figures } = stats;
  if (count === 0) return size;
  const parts = [
    t('count {0}', formatNumber(count)),
    ...(missing > 0 ? [t('missing {0}', formatNumber(missing))] : []),
    ...(figures
      ? [formatFigures(figures, locale, numbers), ...formatEnergy(figures, stats.columns, locale, formatNumber)]
      : []),
  ];
  return `${size}: ${parts.join(' · ')}`;
}

function formatFigures(figures: SelectionFigures, locale: string, numbers: NumberStyle): string {
  const { unit, sum, min, max } = figures;
  const rounded = numbers === 'rounded' ? createRoundedFormatter(figures, locale) : undefined;
  const [formatNumber, formatReceived] = [
    rounded ?? createFigureFormatter(locale),
    rounded ?? createReceivedFormatter(locale),
  ];
  const parts = [
    ...formatMean(figures, formatNumber),
    ...(summableUnits.has(unit.kind) && !unit.overlaps ? [t('sum {0}', formatNumber(sum))] : []),
    t('min {0}', formatReceived(min)),
    t('max {0}', formatReceived(max)),
  ];
  return `${parts.join(' · ')}${unit.text ? ` ${unit.text}` : ''}`;
}

/** Creates a formatter that rounds as the table rounds a column with these values. */
function createRoundedFormatter({ unit, min, max }: SelectionFigures, locale: string): (value: number) => string {
  const decimals = computeDisplayDecimals(unit.kind, Math.max(-min, max));
  const formatNumber = createFigureFormatter(locale, decimals);
  return value => formatRounded(value, decimals, formatNumber);
}

/** Formats the mean. Differences of shares or rates, and changes in percent, have a mean only if the energies are known. */
function formatMean({ unit, share, mean }: SelectionFigures, formatNumber: (value: number) => string): string[] {
  if (isDifferenceOfQuotients(unit) && share === undefined) return [];
  if (isEnergyChange(unit) && share !== undefined) return [t('change of sums {0}', formatNumber(share))];
  if (unit.kind === 'rate' && !unit.difference && share === undefined)
    return [t('mean of rates {0}', formatNumber(mean))];
  if (unit.kind === 'rate' && share !== undefined) return [t('mean {0}', formatNumber(share))];
  if (share === undefined)
    return [isShare(unit) ? t('mean of shares {0}', formatNumber(mean)) : t('mean {0}', formatNumber(mean))];
  return [
    unit.difference
      ? t('difference of shares {0}', formatNumber(share))
      : t('share of energies {0}', formatNumber(share)),
  ];
}

function formatEnergy(
  { energy }: SelectionFigures,
  columns: number,
  locale: string,
  formatNumber: (value: number) => string,
): string[] {
  if (!energy) return [];
  const amount = createEnergyFormatter(locale)(energy.mwh);
  const hours = formatNumber(energy.hours);
  return [
    columns === 1
      ? t('energy {0} over {1} h', amount, hours)
      : t('energy of {0} columns {1} over {2} h', formatNumber(columns), amount, hours),
  ];
}

/** Formats the notice that some of the frozen columns still scroll. Returns an empty text if no frozen column scrolls. */
export function formatFrozenNotice({ requested, fittingCount }: FrozenColumns): string {
  if (fittingCount === requested || requested <= defaultArrangement.frozen) return '';
  return t('Only {0} of {1} columns are frozen: the panel is too narrow.', fittingCount, requested);
}

/** Formats the row count, such as "The first 200 rows" before all rows are received. */
export function formatFirstRowCount(rows: number, locale: string): string {
  return t('The first {0} rows', createCountFormatter(locale)(rows));
}
