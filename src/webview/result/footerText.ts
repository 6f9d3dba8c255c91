import { t } from '@vscode/l10n';
import {
  createEnergyFormatter,
  createFigureFormatter,
  createReceivedFormatter,
  computeDisplayDecimals,
  formatRounded,
  type NumberStyle,
} from '../../shared/formatNumber.ts';
import { isDifferenceOfShares, isEnergyChange, isShare, type UnitKind } from '../../shared/units.ts';
import { countFormatter } from '../../presentation/columns/numberTexts.ts';
import { plainArrangement, type FrozenColumns } from '../../presentation/table/columnArrangement.ts';
import type { SelectionFigures, SelectionStats } from '../rows/selectionStats.ts';

/** The kinds of units whose sum is meaningful. Power adds up as energy, and shares and indexes not at all. */
const summed: ReadonlySet<UnitKind> = new Set(['energy', 'none']);

/** Formats the statistics of a selection, such as "24 × 1 selected: count 24 · mean 20,413 · min 0 · max 26,118 MW · energy 490 GWh over 24 h"; empty for one cell. */
export function selectionText(
  rows: number,
  columns: number,
  stats: SelectionStats,
  locale: string,
  numbers: NumberStyle,
): string {
  if (rows * columns < 2) return '';
  const write = createFigureFormatter(locale);
  const size = t('{0} × {1} selected', write(rows), write(columns));
  const { count, missing, figures } = stats;
  if (count === 0) return size;
  const parts = [
    t('count {0}', write(count)),
    ...(missing > 0 ? [t('missing {0}', write(missing))] : []),
    ...(figures ? [figuresText(figures, locale, numbers), ...energyText(figures, stats.columns, locale, write)] : []),
  ];
  return `${size}: ${parts.join(' · ')}`;
}

function figuresText(figures: SelectionFigures, locale: string, numbers: NumberStyle): string {
  const { unit, sum, min, max } = figures;
  const rounded = numbers === 'rounded' ? roundedFormatter(figures, locale) : undefined;
  const [write, received] = [rounded ?? createFigureFormatter(locale), rounded ?? createReceivedFormatter(locale)];
  const parts = [
    ...meanText(figures, write),
    ...(summed.has(unit.kind) && !unit.overlaps ? [t('sum {0}', write(sum))] : []),
    t('min {0}', received(min)),
    t('max {0}', received(max)),
  ];
  return `${parts.join(' · ')}${unit.text ? ` ${unit.text}` : ''}`;
}

/** Creates a formatter that rounds as the table rounds a column with these values. */
function roundedFormatter({ unit, min, max }: SelectionFigures, locale: string): (value: number) => string {
  const decimals = computeDisplayDecimals(unit.kind, Math.max(-min, max));
  const write = createFigureFormatter(locale, decimals);
  return value => formatRounded(value, decimals, write);
}

/** Formats the mean. Differences of shares, and changes in percent, have none unless the energies are known. */
function meanText({ unit, share, mean }: SelectionFigures, write: (value: number) => string): string[] {
  if (isDifferenceOfShares(unit) && share === undefined) return [];
  if (isEnergyChange(unit) && share !== undefined) return [t('change of energies {0}', write(share))];
  if (share === undefined) return [isShare(unit) ? t('mean of shares {0}', write(mean)) : t('mean {0}', write(mean))];
  return [unit.difference ? t('difference of shares {0}', write(share)) : t('share of energies {0}', write(share))];
}

function energyText(
  { energy }: SelectionFigures,
  columns: number,
  locale: string,
  write: (value: number) => string,
): string[] {
  if (!energy) return [];
  const [amount, hours] = [createEnergyFormatter(locale)(energy.mwh), write(energy.hours)];
  return [
    columns === 1
      ? t('energy {0} over {1} h', amount, hours)
      : t('energy of {0} columns {1} over {2} h', write(columns), amount, hours),
  ];
}

/** Formats the notice that some of the frozen columns still scroll; empty if none does or the user has frozen none. */
export function frozenText({ wanted, fitting }: FrozenColumns): string {
  if (fitting === wanted || wanted <= plainArrangement.frozen) return '';
  return t('Only {0} of {1} columns are frozen: the panel is too narrow.', fitting, wanted);
}

/** Formats the row count, such as "The first 200 rows", before the others are received. */
export function headText(rows: number, locale: string): string {
  return t('The first {0} rows', countFormatter(locale)(rows));
}
