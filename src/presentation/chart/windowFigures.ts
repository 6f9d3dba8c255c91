import { t } from '@vscode/l10n';
import { hourMs } from '../../shared/durations.ts';
import { createEnergyFormatter, selectEnergyUnit, computeDisplayDecimals } from '../../shared/formatNumber.ts';
import { unitOf } from '../../shared/units.ts';
import type { TimeWindow } from './chartModel.ts';
import { findPointsInside } from './decimate.ts';
import type { Layer, MeasuredValues, Plot } from './plot.ts';
import type { PlotFormatter } from './plotFormatter.ts';

/** The figures of a series in a window. */
export interface WindowFigures {
  /** The energy of the known values in MWh; undefined for a series without energy. */
  readonly energy: number | undefined;
  /** The share of the energy of all areas, including hidden ones, 0 to 1; undefined for other layers. */
  readonly share: number | undefined;
  /** The maximum value; undefined if there is none. */
  readonly peak: number | undefined;
  /** Mean ÷ peak, as IEC 60050-691 defines the load factor; undefined without a positive peak, if a value is negative, and for a series without energy. */
  readonly loadFactor: number | undefined;
}

/**
 * Computes the figures of every layer over the rows that start in the window. For a row that is a mean of several hours, energy and mean count the
 * hours with a value, and the peak is the maximum hour, if known. If two rows have the same instant, there is no energy.
 */
export function computeWindowFigures(plot: Plot, { start, end }: TimeWindow): ReadonlyMap<Layer, WindowFigures> {
  const { x, intervalMs, endOf } = plot.timeline;
  const { from, to } = findPointsInside(x, { start, end: plot.isStepped && end > start ? end - 1 : end });
  const rowHours = plot.axis || intervalMs === undefined || endOf ? undefined : intervalMs / hourMs;
  const hasDuplicates = hasEqualNeighbors(x, from, to);
  const figures = plot.layers.map(layer => {
    const { values, hours, max }: MeasuredValues = layer.measured ?? layer;
    const {
      known,
      sum,
      hourCount,
      min,
      peak,
      maxHours = rowHours ?? 0,
    } = hours || max ? computeWeightedSums(layer.measured ?? layer, from, to) : computeSums(values, from, to);
    const perHour = hours ? 1 : rowHours;
    const hasEnergy = layer.hasEnergy && perHour !== undefined && !plot.axis && !hasDuplicates && hourCount > 0;
    const energy = hasEnergy ? sum * perHour * (unitOf(layer.source.field).mwhPerHour ?? NaN) : undefined;
    const isMeanOfHours = layer.hasEnergy && !max && maxHours > 1;
    const hasPeak = known > 0 && !isMeanOfHours && !Number.isNaN(peak);
    const hasLoadFactor = energy !== undefined && hasPeak && peak > 0 && min >= 0;
    const loadFactor = hasLoadFactor ? sum / hourCount / peak : undefined;
    return { layer, energy, loadFactor, peak: hasPeak ? peak : undefined };
  });
  const areas = figures.filter(({ layer }) => layer.kind === 'area');
  const total = areas.reduce((sum, { energy = NaN }) => sum + energy, 0);
  return new Map(
    figures.map(({ layer, energy, peak, loadFactor }) => {
      const share = layer.kind === 'area' && energy !== undefined && total > 0 ? energy / total : undefined;
      return [layer, { energy, share, peak, loadFactor }];
    }),
  );
}

/** The sums and extremes of a layer over the points [from, to). */
interface Sums {
  readonly known: number;
  readonly hourCount: number;
  readonly sum: number;
  readonly min: number;
  readonly peak: number;
  /** The maximum hours that a value is averaged over; omitted if that is the length of a row. */
  readonly maxHours?: number;
}

function computeWeightedSums({ values, hours, max }: MeasuredValues, from: number, to: number): Sums {
  let known = 0;
  let sum = 0;
  let hourCount = 0;
  let maxHours = 0;
  let min = Infinity;
  let peak = -Infinity;
  for (let point = from; point < to; point++) {
    const value = values[point] as number;
    if (Number.isNaN(value)) continue;
    const weight = hours ? (hours[point] ?? 0) : 1;
    known++;
    hourCount += weight;
    maxHours = Math.max(maxHours, weight);
    sum += value * weight;
    min = Math.min(min, value);
    peak = Math.max(peak, max?.[point] ?? value);
  }
  return { known, hourCount, sum, min, peak, ...(hours && { maxHours }) };
}

/** Sums values of equal weight. This is several times as fast as weighting, which matters for long results. */
function computeSums(values: Float64Array, from: number, to: number): Sums {
  let known = 0;
  let sum = 0;
  let min = Infinity;
  let peak = -Infinity;
  for (let point = from; point < to; point++) {
    const value = values[point] as number;
    if (Number.isNaN(value)) continue;
    known++;
    sum += value;
    if (value < min) min = value;
    if (value > peak) peak = value;
  }
  return { known, hourCount: known, sum, min, peak };
}

function hasEqualNeighbors(x: Float64Array, from: number, to: number): boolean {
  for (let point = from + 1; point < to; point++) if (x[point] === x[point - 1]) return true;
  return false;
}

/** Formats the figures of a series, such as "Energy 3,210 GWh · Share 72.1 % · Peak 19,502 MW · Load factor 0.93". Returns an empty text if there are no figures. */
export function formatFigures(
  layer: Layer,
  { energy, share, peak, loadFactor }: WindowFigures,
  formatter: PlotFormatter,
): string {
  const parts = [
    energy !== undefined && t('Energy {0}', createEnergyFormatter(formatter.locale)(energy)),
    share !== undefined && t('Share {0}', formatShare(share, formatter)),
    peak !== undefined && t('Peak {0}', formatter.formatValue(layer, peak)),
    loadFactor !== undefined && t('Load factor {0}', formatter.formatRounded(loadFactor, 2)),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Formats a column of figures in one unit. */
interface FigureColumn {
  readonly unit: string;
  readonly format: (value: number) => string;
}

/** The columns of figures in the table of series; undefined if no series has the figure. */
export interface FigureColumns {
  /** Formats energies given in MWh. */
  readonly energy: FigureColumn | undefined;
  /** Formats shares from 0 to 1. */
  readonly share: FigureColumn | undefined;
}

/** Creates the columns: energies in the unit that suits the largest, shares in percent, each with uniform decimals. */
export function createFigureColumns(
  figures: ReadonlyMap<Layer, WindowFigures>,
  formatter: PlotFormatter,
): FigureColumns {
  const energies = [...figures.values()].map(({ energy }) => Math.abs(energy ?? NaN)).filter(size => size >= 0);
  const largest = Math.max(...energies);
  const { unit, mwh } = selectEnergyUnit(largest);
  const decimals = computeDisplayDecimals('energy', largest / mwh);
  const hasShares = [...figures.values()].some(({ share }) => share !== undefined);
  return {
    energy:
      energies.length === 0 ? undefined : { unit, format: energy => formatter.formatRounded(energy / mwh, decimals) },
    share: hasShares ? { unit: '%', format: share => formatter.formatRounded(share * 100, 1) } : undefined,
  };
}

/** Formats a percentage, such as "72.1 %". */
function formatShare(share: number, formatter: PlotFormatter): string {
  return `${formatter.formatRounded(share * 100, 1)} %`;
}
