import { t } from '@vscode/l10n';
import { findHourCounts } from '../../../core/bins/binFrame.ts';
import { figureFields } from '../../../core/bins/binSums.ts';
import { findTimeColumn } from '../../../core/frame/clip.ts';
import { hasBins } from '../../../core/frame/chartColumns.ts';
import { minRemainder } from '../../../core/frame/mixColumns.ts';
import { selectEnergyUnit } from '../../../shared/formatNumber.ts';
import type { Frame, NumberColumn } from '../../../shared/frame.ts';
import { share } from '../../../shared/units.ts';
import type { ChartChoice } from '../chartChoice.ts';
import { findExtremes } from '../decimate.ts';
import { preferredLeftUnit, createTimelineLayer, createLineLayer, mainLineStyle } from '../layers.ts';
import { createMix } from '../mix.ts';
import { assignSeriesColors } from '../palette.ts';
import type { DrawContext, DrawnPlot, Layer, LayerStyle } from '../plot.ts';
import { findIncompletePoints, stackParts } from '../stack.ts';
import { getTimelineValues } from '../timeline.ts';
import { translate } from '../../translate.ts';

export function listMixAxisChoices(frame: Frame): readonly ChartChoice[] {
  const options = [
    ...(findTimeColumn(frame) && hasBins(frame) ? [{ id: 'energy', name: t('Energy') }] : []),
    { id: 'power', name: t('Power') },
    { id: 'percent', name: t('Percent of the Total') },
  ];
  return [{ id: 'mix.scale', name: t('Axis'), options }];
}

/** Draws generation by source as a stack: power, percent or, for longer rows, bars of energy. */
export function drawGenerationMix(drawing: DrawContext): DrawnPlot {
  const { frame, options, timeline, selectedIds } = drawing;
  const { parts: columns, unpublishedName, remainder, demand, totalLabel, caption } = createMix(frame, options.hidden);
  const visibleColumns = columns.filter(({ name }) => !options.hidden.includes(name));
  const [scale] = selectedIds;
  const powers = columns.map(column => getTimelineValues(timeline, column));
  const energies = scale === 'energy' ? computeEnergies(columns, powers, drawing) : undefined;
  // Percentages are of the total of all parts, visible or not.
  const partValues = scale === 'percent' ? computePercentages(powers) : (energies?.values ?? powers);
  const unit = scale === 'percent' ? share.text : (energies?.unit ?? preferredLeftUnit);
  const visibleParts = partValues.filter((_, index) => visibleColumns.includes(columns[index] as NumberColumn));
  const stack = stackParts(visibleParts);
  const getColor = assignSeriesColors(columns.map(({ name }) => name));
  const areas = columns.map((column, index): Layer => {
    const edges = stack[visibleColumns.indexOf(column)];
    const pairs = edges ? [...edges.above, ...(edges.below ?? [])] : [];
    const color = column.name === unpublishedName ? 'hatched' : getColor(column.name);
    const style: LayerStyle = { color, dash: 0, width: 1 };
    const area = { kind: 'area', edges: pairs } as const;
    const values = partValues[index] ?? new Float64Array();
    if (scale === 'percent')
      return { ...createLineLayer(column, values, options, 0, style), ...area, unit, decimals: 1, hasEnergy: false };
    const layer = { ...createTimelineLayer(column, drawing, 0, style, powers[index]), ...area };
    return energies ? { ...toEnergyLayer(layer, values, energies), bar: { index: 0, count: 1 } } : layer;
  });
  const demandLayers = demand && scale !== 'percent' ? [createDemandLayer(demand, drawing, energies)] : [];
  const axes = [{ unit, zero: true }];
  const contradictionCount = remainder
    ? getTimelineValues(timeline, remainder).filter(value => value < minRemainder).length
    : 0;
  const plot: DrawnPlot = {
    layers: [...areas, ...demandLayers],
    axes,
    incomplete: findIncompletePoints(visibleParts),
    totalLabel,
    caption,
  };
  const [knownHours, coveredHours] = findHourCounts(frame)?.map(column => getTimelineValues(timeline, column)) ?? [];
  const hours = energies && knownHours && coveredHours && { known: knownHours, total: coveredHours };
  return {
    ...plot,
    ...(energies && { isStepped: true }),
    ...(hours && { hours }),
    ...(contradictionCount > 0 && { contradictionCount }),
  };
}

/** Creates the line of demand over the stack. */
function createDemandLayer(demand: NumberColumn, drawing: DrawContext, energies: Energies | undefined): Layer {
  const line = createTimelineLayer(demand, drawing, 0, mainLineStyle);
  if (!energies) return line;
  const values = computeMwh(demand, line.values, drawing).map(mwh => mwh / energies.mwhPerUnit);
  return { ...toEnergyLayer(line, values, energies), edges: [values] };
}

/** Converts a layer of mean power to energy, which has no maximum hour. */
function toEnergyLayer(layer: Layer, values: Float64Array, { unit }: Energies): Layer {
  const help = translate(figureFields.energy.meaning, layer.label);
  const measured = layer.measured && { ...layer.measured, max: undefined };
  return { ...layer, help, ...(measured && { measured }), values, unit, decimals: energyDecimals };
}

/** The maximum decimals, since energies are computed. */
const energyDecimals = 3;

interface Energies {
  /** The energies of each column, one per point. A missing energy is NaN. */
  readonly values: readonly Float64Array[];
  /** The unit MWh, GWh or TWh, whichever suits the largest energy. */
  readonly unit: string;
  /** The number of MWh in the unit. */
  readonly mwhPerUnit: number;
}

/** Computes the energies of mean powers, in one unit. */
function computeEnergies(
  columns: readonly NumberColumn[],
  powers: readonly Float64Array[],
  drawing: DrawContext,
): Energies {
  const energies = columns.map((column, index) => computeMwh(column, powers[index] ?? new Float64Array(), drawing));
  const maxEnergy = energies.reduce((max, values) => Math.max(max, findExtremes(values, 0, values.length)[1]), 0);
  const { unit, mwh: mwhPerUnit } = selectEnergyUnit(maxEnergy);
  const values = energies.map(column => column.map(mwh => mwh / mwhPerUnit));
  return { values, unit, mwhPerUnit };
}

/** Computes the energy of each row: its mean power times the hours that have a value. */
function computeMwh(column: NumberColumn, power: Float64Array, { frame, timeline }: DrawContext): Float64Array {
  const hourCounts = findHourCounts(frame)?.[0].values;
  const values = column.hours ?? hourCounts;
  const hours = values && getTimelineValues(timeline, { ...column, values });
  return power.map((value, point) => value * (hours?.[point] ?? NaN));
}

/** Computes the percentages of the sum of all parts; NaN where a part is missing or the sum is not positive. */
function computePercentages(parts: readonly Float64Array[]): Float64Array[] {
  const total = (parts[0] ?? new Float64Array()).map((_, point) =>
    parts.reduce((sum, part) => sum + (part[point] ?? NaN), 0),
  );
  return parts.map(part =>
    part.map((value, point) => ((total[point] ?? 0) > 0 ? (value / (total[point] ?? NaN)) * 100 : NaN)),
  );
}
