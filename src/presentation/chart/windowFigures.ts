import { t } from '@vscode/l10n';
import { hourMs } from '../../shared/durations.ts';
import { energyFormatter, energyUnitOf, roundedDecimals } from '../../shared/formatNumber.ts';
import type { TimeRange } from './chartModel.ts';
import { pointsInside } from './decimate.ts';
import type { Layer, Measured, Plot } from './plot.ts';
import type { PlotWords } from './words.ts';

/** What a series comes to in a window. */
export interface WindowFigures {
  /** MWh of the values that are there; undefined for what has no energy. */
  readonly energy: number | undefined;
  /** Of the energy of all areas, also of those that are hidden, 0 to 1; undefined for what is no area. */
  readonly share: number | undefined;
  /** The greatest value; undefined without any. */
  readonly peak: number | undefined;
  /** Mean ÷ peak, as IEC 60050-691 defines the load factor; undefined without a peak above zero, where a value is below it, and for what has no energy. */
  readonly loadFactor: number | undefined;
}

/**
 * Of every layer. The rows of a window are those that begin in it. Of a row that is a mean of several hours, energy and mean count
 * the hours that have a value, and the peak is that of its hours: none where that is not known. No energy where an instant has two rows.
 */
export function windowFigures(plot: Plot, { start, end }: TimeRange): ReadonlyMap<Layer, WindowFigures> {
  const { x, step, endOf } = plot.timeline;
  const { from, to } = pointsInside(x, { start, end: plot.stepped && end > start ? end - 1 : end });
  const rowHours = plot.axis || step === undefined || endOf ? undefined : step / hourMs;
  const hasTwins = hasEqualNeighbours(x, from, to);
  const figures = plot.layers.map(layer => {
    const { values, hours, greatest }: Measured = layer.measured ?? layer;
    const {
      known,
      sum,
      ofHours,
      least,
      peak,
      longest = rowHours ?? 0,
    } = hours || greatest ? sumsOf(layer.measured ?? layer, from, to) : plainSumsOf(values, from, to);
    const perHour = hours ? 1 : rowHours;
    const hasEnergy = layer.hasEnergy && perHour !== undefined && !plot.axis && !hasTwins && ofHours > 0;
    const energy = hasEnergy ? sum * perHour : undefined;
    const isMeanOfHours = layer.hasEnergy && !greatest && longest > 1;
    const hasPeak = known > 0 && !isMeanOfHours && !Number.isNaN(peak);
    const isLoad = energy !== undefined && hasPeak && peak > 0 && least >= 0;
    const loadFactor = isLoad ? sum / ofHours / peak : undefined;
    return { layer, energy, loadFactor, peak: hasPeak ? peak : undefined };
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

/** What a layer comes to in the points [from, to). */
interface Sums {
  readonly known: number;
  readonly ofHours: number;
  readonly sum: number;
  readonly least: number;
  readonly peak: number;
  /** The most hours that one of the values counts for; left out where that is the length of a row. */
  readonly longest?: number;
}

function sumsOf({ values, hours, greatest }: Measured, from: number, to: number): Sums {
  let [known, sum, ofHours, longest] = [0, 0, 0, 0];
  let [least, peak] = [Infinity, -Infinity];
  for (let point = from; point < to; point++) {
    const value = values[point] as number;
    if (Number.isNaN(value)) continue;
    const own = hours ? (hours[point] ?? 0) : 1;
    known++;
    ofHours += own;
    longest = Math.max(longest, own);
    sum += value * own;
    least = Math.min(least, value);
    peak = Math.max(peak, greatest?.[point] ?? value);
  }
  return { known, ofHours, sum, least, peak, ...(hours && { longest }) };
}

/** The same of values that count once: several times as fast, for the whole of a long result. */
function plainSumsOf(values: Float64Array, from: number, to: number): Sums {
  let [known, sum] = [0, 0];
  let [least, peak] = [Infinity, -Infinity];
  for (let point = from; point < to; point++) {
    const value = values[point] as number;
    if (Number.isNaN(value)) continue;
    known++;
    sum += value;
    if (value < least) least = value;
    if (value > peak) peak = value;
  }
  return { known, ofHours: known, sum, least, peak };
}

function hasEqualNeighbours(x: Float64Array, from: number, to: number): boolean {
  for (let point = from + 1; point < to; point++) if (x[point] === x[point - 1]) return true;
  return false;
}

/** "Energy 3,210 GWh · Share 72.1 % · Peak 19,502 MW · Load factor 0.93"; empty where there is none. */
export function figuresText(
  layer: Layer,
  { energy, share, peak, loadFactor }: WindowFigures,
  words: PlotWords,
): string {
  const parts = [
    energy !== undefined && t('Energy {0}', energyFormatter(words.locale)(energy)),
    share !== undefined && t('Share {0}', shareText(share, words)),
    peak !== undefined && t('Peak {0}', words.value(layer, peak)),
    loadFactor !== undefined && t('Load factor {0}', words.rounded(loadFactor, 2)),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** A column of figures in one unit. */
interface FigureColumn {
  readonly unit: string;
  readonly write: (value: number) => string;
}

/** The columns of a table of the series; undefined where no series has such a figure. */
export interface FigureColumns {
  /** Of energies in MWh. */
  readonly energy: FigureColumn | undefined;
  /** Of shares from 0 to 1. */
  readonly share: FigureColumn | undefined;
}

/** Energies in the unit that suits the largest, and shares in percent; each column with the same digits after the point. */
export function figureColumns(figures: ReadonlyMap<Layer, WindowFigures>, words: PlotWords): FigureColumns {
  const energies = [...figures.values()].map(({ energy }) => Math.abs(energy ?? NaN)).filter(size => size >= 0);
  const largest = Math.max(...energies);
  const { unit, mwh } = energyUnitOf(largest);
  const decimals = roundedDecimals('energy', largest / mwh);
  const hasShares = [...figures.values()].some(({ share }) => share !== undefined);
  return {
    energy: energies.length === 0 ? undefined : { unit, write: energy => words.rounded(energy / mwh, decimals) },
    share: hasShares ? { unit: '%', write: share => words.rounded(share * 100, 1) } : undefined,
  };
}

/** "72.1 %" */
function shareText(share: number, words: PlotWords): string {
  return `${words.rounded(share * 100, 1)} %`;
}
