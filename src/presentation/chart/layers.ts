import { getFigureName } from '../../core/bins/binFrame.ts';
import { getNumberShape, computeDisplayDecimals } from '../../shared/formatNumber.ts';
import type { NumberColumn } from '../../shared/frame.ts';
import { energy, share, unitOf, type UnitKind } from '../../shared/units.ts';
import { columnHeader } from '../columns/columnHeader.ts';
import { findNumberColumn } from '../../core/frame/chartColumns.ts';
import type { ChartOptions } from './chartModel.ts';
import { extremesOf } from './decimate.ts';
import type { SeriesPlace } from './palette.ts';
import { dashes, type Drawing, type Layer, type LayerStyle } from './plot.ts';
import { valuesAlong } from './timeline.ts';

/** Creates a line of a column through `values`, one per point. */
export function lineOf(
  column: NumberColumn,
  values: Float64Array,
  options: ChartOptions,
  axis: number,
  style: LayerStyle,
): Layer {
  const { label, headerTooltip } = columnHeader(column);
  return {
    column: column.name,
    source: column,
    label,
    help: headerTooltip,
    unit: unitText(column),
    hasEnergy: unitOf(column.field).mwhPerHour === 1,
    decimals: getNumberShape(column, column.values.length).decimals,
    kind: 'line',
    axis,
    style,
    values,
    edges: [values],
    hidden: options.hidden.includes(column.name),
  };
}

/** Creates a line with its own id and label in the legend. */
export function namedLine(id: string, label: string, ...line: Parameters<typeof lineOf>): Layer {
  const [, , options] = line;
  return { ...lineOf(...line), column: id, label, hidden: options.hidden.includes(id) };
}

/** Creates a line of a column along the timeline. `values` are its values at the points, if already computed. */
export function lineAlong(
  column: NumberColumn,
  { frame, options, timeline }: Drawing,
  axis: number,
  style: LayerStyle,
  values = valuesAlong(timeline, column),
): Layer {
  const { hours, gaps } = column;
  const greatest = hours ? findNumberColumn(frame, getFigureName(column.name, 'max')) : undefined;
  return {
    ...lineOf(column, values, options, axis, style),
    measured: {
      values,
      hours: hours && valuesAlong(timeline, { ...column, values: hours, ...(gaps && { gaps }) }),
      greatest: greatest && valuesAlong(timeline, greatest),
    },
  };
}

/** The style of the main line of a chart, which is drawn over the others. */
export const mainLine: LayerStyle = { colour: 'foreground', dash: 0, width: 2 };

export function lineStyle(colour: SeriesPlace, index: number): LayerStyle {
  return { colour, dash: index % dashes.length, width: 1.5 };
}

/** Returns the kind of a layer's unit, which may differ from that of its column. */
export function kindOfLayer({ unit, source }: Pick<Layer, 'unit' | 'source'>): UnitKind {
  return unit === share.text ? share.kind : unit.endsWith('Wh') ? energy.kind : unitOf(source.field).kind;
}

/** Rounds the decimals of layers. Layers of one unit get the same number, since the legend lists them below each other. */
export function roundedLayers(layers: readonly Layer[]): Layer[] {
  const groupOf = (layer: Layer): string => JSON.stringify([kindOfLayer(layer), layer.unit]);
  const decimals = new Map(
    Array.from(Map.groupBy(layers, groupOf), ([group, some]) => {
      const largest = Math.max(...some.flatMap(largestOf));
      const received = Math.max(...some.map(layer => layer.decimals));
      return [group, computeDisplayDecimals(kindOfLayer(some[0] as Layer), largest, received)] as const;
    }),
  );
  return layers.map(layer => ({ ...layer, decimals: decimals.get(groupOf(layer)) ?? layer.decimals }));
}

/** Returns the absolute minimum and maximum. Those of a column are cached. */
function largestOf({ source, unit, values }: Layer): number[] {
  const isOfColumn = unit === unitText(source);
  const { range = [0] } = isOfColumn
    ? getNumberShape(source, source.values.length)
    : { range: extremesOf(values, 0, values.length) };
  return range.map(value => (Number.isFinite(value) ? Math.abs(value) : 0));
}

export function unitText({ field }: NumberColumn): string {
  return unitOf(field).text;
}

const mostAxes = 2;
/** The unit of the left axis if any column has it. */
export const firstUnit = 'MW';

/**
 * Assigns columns to at most two axes by their units; a column of a third unit gets none. If all columns have one unit, the column named `own`
 * gets the right axis.
 */
export function axesOf(
  columns: readonly NumberColumn[],
  own?: string,
): { readonly units: readonly string[]; readonly axisOf: (column: NumberColumn) => number | undefined } {
  const all = [...new Set(columns.map(unitText))].sort((a, b) => Number(b === firstUnit) - Number(a === firstUnit));
  const [only] = all;
  if (only !== undefined && all.length === 1 && columns.length > 1 && columns.some(({ name }) => name === own))
    return { units: [only, only], axisOf: ({ name }) => Number(name === own) };
  const units = all.slice(0, mostAxes);
  const axes = new Map(units.map((unit, axis) => [unit, axis]));
  return { units, axisOf: column => axes.get(unitText(column)) };
}
