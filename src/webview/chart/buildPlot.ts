import { timeColumnOf } from '../../core/clip.ts';
import { comparedTimeOf } from '../../core/compare.ts';
import { t } from '@vscode/l10n';
import type { NumberColumn } from '../../shared/frame.ts';
import { numberShape } from '../../shared/formatNumber.ts';
import { columnHead } from '../columns/head.ts';
import { availableModes, numberColumn, rampColumn, stressColumn, stressParts } from './chartColumns.ts';
import type { ChartModel, ChartOptions, TimeRange } from './chartModel.ts';
import { comparedDashIndex, dashes } from './plot.ts';
import type { Layer, LayerStyle, Plot, PlotAxis } from './plot.ts';
import { leastRemainder, mixOf } from './mix.ts';
import { incompleteOf, stackOf } from './stack.ts';
import { stressBands } from './stressBands.ts';
import { timelineOf, valuesAlong } from './timeline.ts';
import type { Timeline } from './timeline.ts';
import { utc } from '../../core/zone.ts';
import { unitOf } from '../../shared/units.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const mostAxes = 2;
const firstUnit = 'MW';

/** What the layers of a mode are made from. */
interface Drawn {
  readonly layers: readonly Layer[];
  readonly axes: readonly PlotAxis[];
  readonly incomplete?: Uint32Array;
  readonly refused?: readonly string[];
  readonly total?: string;
  readonly caption?: string;
  readonly contradicted?: number;
}

/** The plot of a model in the mode chosen, or in the first one it has the columns for; undefined where there is nothing to draw. */
export function buildPlot(model: ChartModel, options: ChartOptions): Plot | undefined {
  const { frame, step: asked } = model;
  const time = timeColumnOf(frame);
  const modes = availableModes(frame);
  const mode = modes.find(candidate => candidate === options.mode) ?? modes[0];
  if (!time || !mode) return undefined;
  const timeline = timelineOf(time, frame.rowCount, model.rows, asked);
  if (timeline.x.length === 0) return undefined;
  const daily = time.days !== undefined || (timeline.step !== undefined && timeline.step % dayMs === 0);
  const drawn = draw(mode, model, options, timeline);
  const stepped = daily && mode !== 'ramps';
  const comparedTime = mode === 'lines' && model.compared?.length ? comparedTimeOf(frame) : undefined;
  return {
    mode,
    timeline,
    ...(comparedTime && { comparedTimes: valuesAlong(timeline, comparedTime) }),
    zone: time.days ?? (daily ? utc : model.zone),
    daily,
    stepped,
    domain: domainOf(timeline, stepped || mode === 'ramps'),
    bands: mode === 'stress' ? stressBands() : [],
    incomplete: new Uint32Array(),
    selected: model.selected ?? [],
    refused: [],
    ...drawn,
  };
}

function draw(mode: Plot['mode'], model: ChartModel, options: ChartOptions, timeline: Timeline): Drawn {
  switch (mode) {
    case 'lines':
      return lines(model, options, timeline);
    case 'mix':
      return mix(model, options, timeline);
    case 'stress':
      return stress(model, options, timeline);
    case 'ramps':
      return ramps(model, options, timeline);
  }
}

function lines(model: ChartModel, options: ChartOptions, timeline: Timeline): Drawn {
  const columns = options.columns.flatMap(name => numberColumn(model.frame, name) ?? []);
  const all = [...new Set(columns.map(unitText))].sort((a, b) => Number(b === firstUnit) - Number(a === firstUnit));
  const units = all.slice(0, mostAxes);
  const axisOf = (column: NumberColumn): number => units.indexOf(unitText(column));
  const layers = columns.flatMap((column, index) => {
    if (axisOf(column) < 0) return [];
    const own = lineOf(column, timeline, options, axisOf(column), lineStyle(index));
    const against = (model.compared ?? []).filter(([name]) => name === column.name);
    const others = against.flatMap(([, name]) => numberColumn(model.frame, name) ?? []);
    const style = { ...own.style, dash: comparedDashIndex };
    const compared = others.map(other => ({
      ...lineOf(other, timeline, options, axisOf(column), style),
      label: t('{0} (compared)', columnHead(other).label),
      hidden: own.hidden,
      comparedTo: column.name,
    }));
    return [...compared, own];
  });
  const refused = columns.filter(column => axisOf(column) < 0).map(column => columnHead(column).label);
  return { layers, axes: units.map(unit => ({ unit, zero: false })), refused };
}

function mix(model: ChartModel, options: ChartOptions, timeline: Timeline): Drawn {
  const { parts: columns, unpublished, remainder, over: demand, total, caption } = mixOf(model.frame, options.hidden);
  const shown = columns.filter(({ name }) => !options.hidden.includes(name));
  const parts = shown.map(column => valuesAlong(timeline, column));
  const stack = stackOf(parts);
  const coloured = columns.filter(({ name }) => name !== unpublished);
  const areas = columns.map((column): Layer => {
    const edges = stack[shown.indexOf(column)];
    const pairs = edges ? [...edges.above, ...(edges.below ?? [])] : [];
    const colour = column.name === unpublished ? 'hatched' : coloured.indexOf(column);
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

function stress(model: ChartModel, options: ChartOptions, timeline: Timeline): Drawn {
  const index = stressColumn(model.frame);
  const parts = stressParts(model.frame).filter(({ name }) => options.columns.includes(name));
  const style = { colour: 'foreground', dash: 0, width: 2 } as const;
  const layers = [
    ...parts.map((column, place) => lineOf(column, timeline, options, 0, lineStyle(place, 1))),
    ...(index ? [lineOf(index, timeline, options, 0, style)] : []),
  ];
  return { layers, axes: [{ unit: '', fixed: [0, 1], zero: true }] };
}

function ramps(model: ChartModel, options: ChartOptions, timeline: Timeline): Drawn {
  const column = rampColumn(model.frame);
  const style = { colour: 0, dash: 0, width: 1 };
  const layers = column ? [{ ...lineOf(column, timeline, options, 0, style), kind: 'bars' as const }] : [];
  return { layers, axes: [{ unit: firstUnit, zero: true }] };
}

function lineOf(
  column: NumberColumn,
  timeline: Timeline,
  options: ChartOptions,
  axis: number,
  style: LayerStyle,
): Layer {
  const values = valuesAlong(timeline, column);
  const { label, headerTooltip } = columnHead(column);
  return {
    ...{ column: column.name, label, help: headerTooltip },
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

function lineStyle(index: number, firstDash = 0): LayerStyle {
  return { colour: index, dash: (index + firstDash) % dashes.length, width: 1.5 };
}

function unitText({ field }: NumberColumn): string {
  return unitOf(field).text;
}

/** From the first instant to the last, or to the end of its interval where that is drawn. Never without length. */
function domainOf({ x, step }: Timeline, wholeIntervals: boolean): TimeRange {
  const start = x[0] ?? 0;
  const last = x.at(-1) ?? 0;
  const end = wholeIntervals ? last + (step ?? hourMs) : last;
  return end > start ? { start, end } : { start: start - hourMs, end: end + hourMs };
}
