import { t } from '@vscode/l10n';
import { stressBandIds, stressLimits } from '../../shared/stressBands.ts';
import { rampField } from '../../shared/fields.ts';
import { numberShape } from '../../shared/formatNumber.ts';
import type { Frame, NumberColumn } from '../../shared/frame.ts';
import { unitOf } from '../../shared/units.ts';
import { columnHeader } from '../columns/columnHeader.ts';
import { stressNames } from '../columns/stressBand.ts';
import { isChartable, numberColumn, numberColumns, rampColumn, stressColumn, stressParts } from './chartColumns.ts';
import type { ChartModel, ChartOptions } from './chartModel.ts';
import { coloursOfColumns, type SeriesPlace } from './palette.ts';
import { hasMix, leastRemainder, mixOf } from './mix.ts';
import {
  comparedDashIndex,
  dashes,
  type Band,
  type ChartMode,
  type DrawnPlot,
  type Layer,
  type LayerStyle,
} from './plot.ts';
import { incompleteOf, stackOf } from './stack.ts';
import { valuesAlong, type Timeline } from './timeline.ts';

const mostAxes = 2;
const firstUnit = 'MW';

/** The pictures a result can be drawn as, in the order of their buttons. */
export const chartModes: readonly ChartMode[] = [
  { id: 'lines', name: () => t('Lines'), fits: () => true, choosable: numberColumns, compares: true, draw: lines },
  { id: 'mix', name: () => t('Generation Mix'), fits: hasMix, draw: mix },
  {
    id: 'stress',
    name: () => t('Stress'),
    fits: frame => stressColumn(frame) !== undefined,
    choosable: stressParts,
    draw: stress,
  },
  { id: 'ramps', name: () => t('OCGT Ramps'), fits: frame => rampColumn(frame) !== undefined, draw: ramps },
];

/** The modes a frame has the columns for; none where it has no times, no rows or no numbers. */
export function availableModes(frame: Frame): ChartMode[] {
  return isChartable(frame) ? chartModes.filter(({ fits }) => fits(frame)) : [];
}

function lines(model: ChartModel, options: ChartOptions, timeline: Timeline): DrawnPlot {
  const columns = options.columns.flatMap(name => numberColumn(model.frame, name) ?? []);
  const all = [...new Set(columns.map(unitText))].sort((a, b) => Number(b === firstUnit) - Number(a === firstUnit));
  const units = all.slice(0, mostAxes);
  const axisOf = (column: NumberColumn): number => units.indexOf(unitText(column));
  const colourOf = coloursOfColumns(options.columns);
  const layers = columns.flatMap((column, index) => {
    if (axisOf(column) < 0) return [];
    const own = lineOf(column, timeline, options, axisOf(column), lineStyle(colourOf(column.name), index));
    const against = (model.compared ?? []).filter(([name]) => name === column.name);
    const others = against.flatMap(([, name]) => numberColumn(model.frame, name) ?? []);
    const style = { ...own.style, dash: comparedDashIndex };
    const compared = others.map(other => ({
      ...lineOf(other, timeline, options, axisOf(column), style),
      label: t('{0} (compared)', columnHeader(other).label),
      hidden: own.hidden,
      comparedTo: column.name,
    }));
    return [...compared, own];
  });
  const refused = columns.filter(column => axisOf(column) < 0).map(column => columnHeader(column).label);
  return { layers, axes: units.map(unit => ({ unit, zero: false })), refused };
}

function mix(model: ChartModel, options: ChartOptions, timeline: Timeline): DrawnPlot {
  const { parts: columns, unpublished, remainder, over: demand, total, caption } = mixOf(model.frame, options.hidden);
  const shown = columns.filter(({ name }) => !options.hidden.includes(name));
  const parts = shown.map(column => valuesAlong(timeline, column));
  const stack = stackOf(parts);
  const colourOf = coloursOfColumns(columns.map(({ name }) => name));
  const areas = columns.map((column): Layer => {
    const edges = stack[shown.indexOf(column)];
    const pairs = edges ? [...edges.above, ...(edges.below ?? [])] : [];
    const colour = column.name === unpublished ? 'hatched' : colourOf(column.name);
    const layer = lineOf(column, timeline, options, 0, { colour, dash: 0, width: 1 });
    return { ...layer, kind: 'area', edges: pairs };
  });
  const style = { colour: 'foreground', dash: 0, width: 2 } as const;
  const over = demand ? [lineOf(demand, timeline, options, 0, style)] : [];
  const axes = [{ unit: firstUnit, zero: true }];
  const contradicted = remainder ? valuesAlong(timeline, remainder).filter(value => value < leastRemainder).length : 0;
  const drawn = { layers: [...areas, ...over], axes, incomplete: incompleteOf(parts), total, caption };
  return { ...drawn, ...(contradicted > 0 && { contradicted }) };
}

function stress(model: ChartModel, options: ChartOptions, timeline: Timeline): DrawnPlot {
  const index = stressColumn(model.frame);
  const parts = stressParts(model.frame).filter(({ name }) => options.columns.includes(name));
  const style = { colour: 'foreground', dash: 0, width: 2 } as const;
  const colourOf = coloursOfColumns(parts.map(({ name }) => name));
  const layers = [
    ...parts.map((column, place) => lineOf(column, timeline, options, 0, lineStyle(colourOf(column.name), place + 1))),
    ...(index ? [lineOf(index, timeline, options, 0, style)] : []),
  ];
  return { layers, axes: [{ unit: '', fixed: [0, 1], zero: true }], bands: stressBands() };
}

function ramps(model: ChartModel, options: ChartOptions, timeline: Timeline): DrawnPlot {
  const column = rampColumn(model.frame);
  const style = { colour: coloursOfColumns([rampField])(rampField), dash: 0, width: 1 };
  const layers = column
    ? [{ ...lineOf(column, timeline, options, 0, style), kind: 'bars' as const, isChange: true as const }]
    : [];
  return { layers, axes: [{ unit: firstUnit, zero: true }], stepped: true };
}

function lineOf(
  column: NumberColumn,
  timeline: Timeline,
  options: ChartOptions,
  axis: number,
  style: LayerStyle,
): Layer {
  const values = valuesAlong(timeline, column);
  const { label, headerTooltip } = columnHeader(column);
  return {
    column: column.name,
    label,
    help: headerTooltip,
    unit: unitText(column),
    decimals: numberShape(column, column.values.length).decimals,
    kind: 'line',
    axis,
    style,
    values,
    edges: [values],
    hidden: options.hidden.includes(column.name),
  };
}

function lineStyle(colour: SeriesPlace, index: number): LayerStyle {
  return { colour, dash: index % dashes.length, width: 1.5 };
}

function unitText({ field }: NumberColumn): string {
  return unitOf(field).text;
}

/** The bands of the stress index with their names, lowest first. */
function stressBands(): Band[] {
  const names = stressNames();
  return stressBandIds.map((id, index) => {
    const next = stressBandIds[index + 1];
    return { name: names[id], from: stressLimits[id], to: next ? stressLimits[next] : 1 };
  });
}
