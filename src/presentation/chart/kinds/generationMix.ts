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
import { extremesOf } from '../decimate.ts';
import { firstUnit, lineAlong, lineOf, mainLine } from '../layers.ts';
import { mixOf } from '../mix.ts';
import { coloursOfColumns } from '../palette.ts';
import type { Drawing, DrawnPlot, Layer, LayerStyle } from '../plot.ts';
import { incompleteOf, stackOf } from '../stack.ts';
import { valuesAlong } from '../timeline.ts';
import { say } from '../../translate.ts';

export function mixAxisChoices(frame: Frame): readonly ChartChoice[] {
  const options = [
    ...(findTimeColumn(frame) && hasBins(frame) ? [{ id: 'energy', name: t('Energy') }] : []),
    { id: 'power', name: t('Power') },
    { id: 'percent', name: t('Percent of the Total') },
  ];
  return [{ id: 'mix.scale', name: t('Axis'), options }];
}

/** Draws generation by source as a stack: power, percent or, for longer rows, bars of energy. */
export function generationMix(drawing: Drawing): DrawnPlot {
  const { frame, options, timeline, chosen } = drawing;
  const { parts: columns, unpublished, remainder, over: demand, total, caption } = mixOf(frame, options.hidden);
  const shown = columns.filter(({ name }) => !options.hidden.includes(name));
  const [scale] = chosen;
  const powers = columns.map(column => valuesAlong(timeline, column));
  const energies = scale === 'energy' ? energiesOf(columns, powers, drawing) : undefined;
  // Percentages are of the total of all parts, visible or not.
  const all = scale === 'percent' ? percentsOf(powers) : (energies?.values ?? powers);
  const unit = scale === 'percent' ? share.text : (energies?.unit ?? firstUnit);
  const parts = all.filter((_, place) => shown.includes(columns[place] as NumberColumn));
  const stack = stackOf(parts);
  const colourOf = coloursOfColumns(columns.map(({ name }) => name));
  const areas = columns.map((column, place): Layer => {
    const edges = stack[shown.indexOf(column)];
    const pairs = edges ? [...edges.above, ...(edges.below ?? [])] : [];
    const colour = column.name === unpublished ? 'hatched' : colourOf(column.name);
    const look: LayerStyle = { colour, dash: 0, width: 1 };
    const area = { kind: 'area', edges: pairs } as const;
    const values = all[place] ?? new Float64Array();
    if (scale === 'percent')
      return { ...lineOf(column, values, options, 0, look), ...area, unit, decimals: 1, hasEnergy: false };
    const layer = { ...lineAlong(column, drawing, 0, look, powers[place]), ...area };
    return energies ? { ...ofEnergy(layer, values, energies), bar: { place: 0, of: 1 } } : layer;
  });
  const over = demand && scale !== 'percent' ? [overLine(demand, drawing, energies)] : [];
  const axes = [{ unit, zero: true }];
  const contradicted = remainder ? valuesAlong(timeline, remainder).filter(value => value < minRemainder).length : 0;
  const drawn = { layers: [...areas, ...over], axes, incomplete: incompleteOf(parts), total, caption };
  const [known, ofHours] = findHourCounts(frame)?.map(column => valuesAlong(timeline, column)) ?? [];
  const hours = energies && known && ofHours && { known, all: ofHours };
  return {
    ...drawn,
    ...(energies && { stepped: true }),
    ...(hours && { hours }),
    ...(contradicted > 0 && { contradicted }),
  };
}

/** Creates the line of demand over the stack. */
function overLine(demand: NumberColumn, drawing: Drawing, energies: Energies | undefined): Layer {
  const line = lineAlong(demand, drawing, 0, mainLine);
  if (!energies) return line;
  const values = mwhOf(demand, line.values, drawing).map(mwh => mwh / energies.mwh);
  return { ...ofEnergy(line, values, energies), edges: [values] };
}

/** Converts a layer of mean power to energy, which has no maximum hour. */
function ofEnergy(layer: Layer, values: Float64Array, { unit }: Energies): Layer {
  const help = say(figureFields.energy.meaning, layer.label);
  const measured = layer.measured && { ...layer.measured, greatest: undefined };
  return { ...layer, help, ...(measured && { measured }), values, unit, decimals: energyDecimals };
}

/** The maximum decimals, since energies are computed. */
const energyDecimals = 3;

interface Energies {
  /** The energies of each column, one per point; NaN for none. */
  readonly values: readonly Float64Array[];
  /** MWh, GWh or TWh, as suits the largest energy. */
  readonly unit: string;
  /** The number of MWh in the unit. */
  readonly mwh: number;
}

/** Computes the energies of mean powers, in one unit. */
function energiesOf(columns: readonly NumberColumn[], powers: readonly Float64Array[], drawing: Drawing): Energies {
  const energies = columns.map((column, place) => mwhOf(column, powers[place] ?? new Float64Array(), drawing));
  const most = energies.reduce((greatest, values) => Math.max(greatest, extremesOf(values, 0, values.length)[1]), 0);
  const { unit, mwh: size } = selectEnergyUnit(most);
  const values = energies.map(column => column.map(mwh => mwh / size));
  return { values, unit, mwh: size };
}

/** Computes the energy of each row: its mean power times the hours that have a value. */
function mwhOf(column: NumberColumn, power: Float64Array, { frame, timeline }: Drawing): Float64Array {
  const counted = findHourCounts(frame)?.[0].values;
  const values = column.hours ?? counted;
  const hours = values && valuesAlong(timeline, { ...column, values });
  return power.map((value, point) => value * (hours?.[point] ?? NaN));
}

/** Computes the percentages of the sum of all parts; NaN where a part is missing or the sum is not positive. */
function percentsOf(parts: readonly Float64Array[]): Float64Array[] {
  const total = (parts[0] ?? new Float64Array()).map((_, point) =>
    parts.reduce((sum, part) => sum + (part[point] ?? NaN), 0),
  );
  return parts.map(part =>
    part.map((value, point) => ((total[point] ?? 0) > 0 ? (value / (total[point] ?? NaN)) * 100 : NaN)),
  );
}
