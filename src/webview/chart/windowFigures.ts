import { t } from '@vscode/l10n';
import { energyFormatter } from '../../shared/formatNumber.ts';
import type { TimeRange } from './chartModel.ts';
import { pointsInside } from './decimate.ts';
import { visibleLayers, type Layer, type Plot } from './plot.ts';
import type { PlotWords } from './words.ts';

const hourMs = 3_600_000;

/** What a series comes to in a window. */
export interface WindowFigures {
  /** MWh of the values that are there; undefined for what has no energy. */
  readonly energy: number | undefined;
  /** Of the energy of all areas shown, 0 to 1; undefined for what is no area. */
  readonly share: number | undefined;
  /** The greatest value; undefined without any. */
  readonly peak: number | undefined;
  /** Mean ÷ peak, as IEC 60050-691 defines the load factor; undefined without a peak above zero, and for what has no energy. */
  readonly loadFactor: number | undefined;
}

/** Of every layer shown. The rows of a window are those that begin in it. */
export function windowFigures(plot: Plot, { start, end }: TimeRange): ReadonlyMap<Layer, WindowFigures> {
  const { x, step } = plot.timeline;
  const { from, to } = pointsInside(x, { start, end: plot.stepped && end > start ? end - 1 : end });
  const rowHours = plot.axis || step === undefined ? undefined : step / hourMs;
  const figures = visibleLayers(plot).map(layer => {
    let known = 0;
    let sum = 0;
    let peak = -Infinity;
    for (let point = from; point < to; point++) {
      const value = layer.values[point] as number;
      if (Number.isNaN(value)) continue;
      known++;
      sum += value;
      if (value > peak) peak = value;
    }
    const energy = known > 0 && layer.hasEnergy && rowHours !== undefined ? sum * rowHours : undefined;
    const loadFactor = energy !== undefined && peak > 0 ? sum / known / peak : undefined;
    return { layer, energy, loadFactor, peak: known > 0 ? peak : undefined };
  });
  const areas = figures.filter(({ layer }) => layer.kind === 'area');
  const total = areas.reduce((all, { energy = NaN }) => all + energy, 0);
  return new Map(
    figures.map(({ layer, energy, peak, loadFactor }) => {
      const share = layer.kind === 'area' && energy !== undefined && total > 0 ? energy / total : undefined;
      return [layer, { energy, share, peak, loadFactor }];
    }),
  );
}

/** "Energy 3,210.4 GWh · Share 72.1 % · Peak 19,502.0 MW · Load factor 0.93"; empty where there is none. */
export function figuresText(
  layer: Layer,
  { energy, share, peak, loadFactor }: WindowFigures,
  words: PlotWords,
): string {
  const parts = [
    energy !== undefined && t('Energy {0}', energyFormatter(words.locale)(energy)),
    share !== undefined && t('Share {0}', shareText(share, words)),
    peak !== undefined && t('Peak {0}', words.value(layer, peak)),
    loadFactor !== undefined && t('Load factor {0}', words.tick(loadFactor, 2)),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** "72.1 %" */
export function shareText(share: number, words: PlotWords): string {
  return `${words.tick(share * 100, 1)} %`;
}
