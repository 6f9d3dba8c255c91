import { t } from '@vscode/l10n';
import { energyFormatter, figureFormatter, receivedFormatter } from '../../shared/formatNumber.ts';
import type { UnitKind } from '../../shared/units.ts';
import type { SelectionFigures, SelectionStats } from '../rows/selectionStats.ts';
import type { TimeColumn } from '../../shared/frame.ts';
import type { SelectedInterval } from '../chart/chartModel.ts';
import type { TimeWindow } from './panelView.ts';

/** What adds up. Of power that is its energy, and of a share or an index nothing. */
const summed: ReadonlySet<UnitKind> = new Set(['energy', 'none']);

/** "24 × 1 selected: count 24 · mean 20,412.7 · min 0.0 · max 26,118.3 MW · energy 489,905 MWh over 24 h"; empty for one cell. */
export function selectionText(rows: number, columns: number, stats: SelectionStats, locale: string): string {
  if (rows * columns < 2) return '';
  const write = figureFormatter(locale);
  const size = t('{0} × {1} selected', write(rows), write(columns));
  const { count, missing, figures } = stats;
  if (count === 0) return size;
  const parts = [
    t('count {0}', write(count)),
    ...(missing > 0 ? [t('missing {0}', write(missing))] : []),
    ...(figures ? [figuresText(figures, locale), ...energyText(figures, stats.columns, locale, write)] : []),
  ];
  return `${size}: ${parts.join(' · ')}`;
}

function figuresText({ unit, mean, sum, min, max }: SelectionFigures, locale: string): string {
  const [write, received] = [figureFormatter(locale), receivedFormatter(locale)];
  const parts = [
    t('mean {0}', write(mean)),
    ...(summed.has(unit.kind) ? [t('sum {0}', write(sum))] : []),
    t('min {0}', received(min)),
    t('max {0}', received(max)),
  ];
  return `${parts.join(' · ')}${unit.text ? ` ${unit.text}` : ''}`;
}

function energyText(
  { energy }: SelectionFigures,
  columns: number,
  locale: string,
  write: (value: number) => string,
): string[] {
  if (!energy) return [];
  const [amount, hours] = [energyFormatter(locale)(energy.mwh), write(energy.hours)];
  return [
    columns === 1
      ? t('energy {0} over {1} h', amount, hours)
      : t('energy of {0} columns {1} over {2} h', write(columns), amount, hours),
  ];
}

/** The stretches of time that data rows cover, in any order: rows that follow each other in the data are one stretch. */
export function selectedIntervals({ values }: TimeColumn, rows: Uint32Array): SelectedInterval[] {
  const stretches: SelectedInterval[] = [];
  let before = NaN;
  for (const row of rows.slice().sort()) {
    const instant = values[row] ?? NaN;
    const last = stretches.at(-1);
    if (Number.isNaN(instant)) continue;
    if (last && row === before + 1) stretches[stretches.length - 1] = { ...last, end: instant, rows: last.rows + 1 };
    else stretches.push({ start: instant, end: instant, rows: 1 });
    before = row;
  }
  return stretches;
}

/**
 * The shown rows whose instants lie in a window, both ends included; `scattered` where an order by something else has put
 * other rows between them, undefined where there is none.
 */
export function selectedRowsWithin(
  { values }: TimeColumn,
  order: Uint32Array | undefined,
  { start, end }: TimeWindow,
): readonly [first: number, last: number] | 'scattered' | undefined {
  const rowCount = order?.length ?? values.length;
  let [first, last, count] = [-1, -1, 0];
  for (let row = 0; row < rowCount; row++) {
    const instant = values[order?.[row] ?? row] ?? NaN;
    if (!(instant >= start && instant <= end)) continue;
    if (first < 0) first = row;
    last = row;
    count++;
  }
  if (count === 0) return undefined;
  return last - first + 1 === count ? [first, last] : 'scattered';
}
