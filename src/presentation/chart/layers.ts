import { getFigureName } from '../../core/bins/binFrame.ts';
import { getNumberShape, computeDisplayDecimals } from '../../shared/formatNumber.ts';
import type { NumberColumn } from '../../shared/frame.ts';
import { energy, share, unitOf, type UnitKind } from '../../shared/units.ts';
import { createColumnHeader } from '../columns/columnHeader.ts';
import { findNumberColumn } from '../../core/frame/chartColumns.ts';
import type { ChartOptions } from './chartModel.ts';
import { findExtremes } from './decimate.ts';
import type { SeriesColor } from './palette.ts';
import { dashes, type DrawContext, type Layer, type LayerStyle } from './plot.ts';
import { getTimelineValues } from './timeline.ts';

/** Creates a line for a column. `values` has the value of each point. */
export function createLineLayer(
  column: NumberColumn,
  values: Float64Array,
  options: ChartOptions,
  axis: number,
  style: LayerStyle,
): Layer {
  const { label, headerTooltip } = createColumnHeader(column);
  return {
    column: column.name,
    source: column,
    label,
    help: headerTooltip,
    unit: getUnitText(column),
    hasEnergy: unitOf(column.field).mwhPerHour !== undefined,
    decimals: getNumberShape(column, column.values.length).decimals,
    kind: 'line',
    axis,
    style,
    values,
    edges: [values],
    hidden: options.hidden.includes(column.name),
  };
}

/** Creates a line with this id, and this label in the legend. */
export function createNamedLineLayer(id: string, label: string, ...line: Parameters<typeof createLineLayer>): Layer {
  const [, , options] = line;
  return { ...createLineLayer(...line), column: id, label, hidden: options.hidden.includes(id) };
}

/** Creates a line for a column over time. `values` has the value of each point; computed by default. */
export function createTimelineLayer(
  column: NumberColumn,
  { frame, options, timeline }: DrawContext,
  axis: number,
  style: LayerStyle,
  values = getTimelineValues(timeline, column),
): Layer {
  const { hours, gaps } = column;
  const maxColumn = hours ? findNumberColumn(frame, getFigureName(column.name, 'max')) : undefined;
  return {
    ...createLineLayer(column, values, options, axis, style),
    measured: {
      values,
      hours: hours && getTimelineValues(timeline, { ...column, values: hours, ...(gaps && { gaps }) }),
      max: maxColumn && getTimelineValues(timeline, maxColumn),
    },
  };
}

/** The style of the main line of a chart. It is drawn above the other lines. */
export const mainLineStyle: LayerStyle = { color: 'foreground', dash: 0, width: 2 };

export function createLineStyle(color: SeriesColor, index: number): LayerStyle {
  return { color, dash: index % dashes.length, width: 1.5 };
}

/** Returns the kind of a layer's unit. It may differ from the unit of its column. */
export function getLayerUnitKind({ unit, source }: Pick<Layer, 'unit' | 'source'>): UnitKind {
  return unit === share.text ? share.kind : /^.?Wh$/.test(unit) ? energy.kind : unitOf(source.field).kind;
}

/** Sets the number of decimals of layers. It is the same for layers with the same unit, since the legend lists them below each other. */
export function roundLayerDecimals(layers: readonly Layer[]): Layer[] {
  const getGroupKey = (layer: Layer): string => JSON.stringify([getLayerUnitKind(layer), layer.unit]);
  const decimals = new Map(
    Array.from(Map.groupBy(layers, getGroupKey), ([group, groupLayers]) => {
      const maxValue = Math.max(...groupLayers.flatMap(getAbsoluteExtremes));
      const maxReceivedDecimals = Math.max(...groupLayers.map(layer => layer.decimals));
      return [
        group,
        computeDisplayDecimals(getLayerUnitKind(groupLayers[0] as Layer), maxValue, maxReceivedDecimals),
      ] as const;
    }),
  );
  return layers.map(layer => ({ ...layer, decimals: decimals.get(getGroupKey(layer)) ?? layer.decimals }));
}

/** Returns the absolute values of the minimum and the maximum. They are cached if the layer has the values of its column. */
function getAbsoluteExtremes({ source, unit, values }: Layer): number[] {
  const hasColumnValues = unit === getUnitText(source);
  const { range = [0] } = hasColumnValues
    ? getNumberShape(source, source.values.length)
    : { range: findExtremes(values, 0, values.length) };
  return range.map(value => (Number.isFinite(value) ? Math.abs(value) : 0));
}

export function getUnitText({ field }: NumberColumn): string {
  return unitOf(field).text;
}

const maxAxes = 2;
/** The unit of the left axis whenever a column has it. */
export const preferredLeftUnit = 'MW';

/**
 * Assigns columns to at most two axes by their units. A column with a third unit gets no axis. If all columns have the same unit, the
 * column `rightColumn` gets the right axis.
 */
export function assignAxes(
  columns: readonly NumberColumn[],
  rightColumn?: string,
): { readonly units: readonly string[]; readonly axisOf: (column: NumberColumn) => number | undefined } {
  const distinctUnits = [...new Set(columns.map(getUnitText))].sort(
    (a, b) => Number(b === preferredLeftUnit) - Number(a === preferredLeftUnit),
  );
  const [onlyUnit] = distinctUnits;
  if (
    onlyUnit !== undefined &&
    distinctUnits.length === 1 &&
    columns.length > 1 &&
    columns.some(({ name }) => name === rightColumn)
  )
    return { units: [onlyUnit, onlyUnit], axisOf: ({ name }) => Number(name === rightColumn) };
  const units = distinctUnits.slice(0, maxAxes);
  const axes = new Map(units.map((unit, axis) => [unit, axis]));
  return { units, axisOf: column => axes.get(getUnitText(column)) };
}
