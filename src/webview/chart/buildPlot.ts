import { timeColumnOf } from '../../core/frame/clip.ts';
import { comparedTimeOf } from '../../core/compare/compare.ts';
import { t } from '@vscode/l10n';
import type { NumberColumn } from '../../shared/frame.ts';
import { numberShape } from '../../shared/formatNumber.ts';
import { columnHeader } from '../columns/columnHeader.ts';
import { availableModes, numberColumn, rampColumn, stressColumn, stressParts } from './chartColumns.ts';
import type { ChartModel, ChartOptions, TimeRange } from './chartModel.ts';
import { comparedDashIndex, dashes, type Layer, type LayerStyle, type Plot, type PlotAxis, type Band } from './plot.ts';
import { leastRemainder, mixOf } from './mix.ts';
import { timelineOf, valuesAlong, type Timeline } from './timeline.ts';
import { utc } from '../../core/time/zone.ts';
import { unitOf } from '../../shared/units.ts';
import { stressNames } from '../columns/stressBand.ts';
import { stressBandIds, stressLimits } from '../../shared/fields.ts';

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
      label: t('{0} (compared)', columnHeader(other).label),
      hidden: own.hidden,
      comparedTo: column.name,
    }));
    return [...compared, own];
  });
  const refused = columns.filter(column => axisOf(column) < 0).map(column => columnHeader(column).label);
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

/** The bands of the stress index with their names, lowest first. */
function stressBands(): Band[] {
  const names = stressNames();
  return stressBandIds.map((id, index) => {
    const next = stressBandIds[index + 1];
    return { name: names[id], from: stressLimits[id], to: next ? stressLimits[next] : 1 };
  });
}

/** One layer of a stack: pairs of a lower and an upper edge, a number at each point, NaN where the part is missing. */
interface StackLayer {
  /** What is above zero; without height where the value is below. */
  readonly above: readonly [lower: Float64Array, upper: Float64Array];
  /** What is below zero; undefined for a part that never is. */
  readonly below: readonly [lower: Float64Array, upper: Float64Array] | undefined;
}

/**
 * Lays parts on each other: what is above zero upward from zero, what is below zero downward from it, so that an export
 * (a negative import) takes nothing off the generation above it. Where a part is missing, it alone is open: nobody knows
 * how thick it is, and the others are known. Those above it lie lower than they should by that unknown part, which would
 * read as a fall in generation: `incompleteOf` says where, for a mark that says so.
 */
export function stackOf(parts: readonly Float64Array[]): StackLayer[] {
  const points = parts[0]?.length ?? 0;
  const tops = new Float64Array(points);
  const bottoms = new Float64Array(points);
  return parts.map(part => {
    const above = layOn(tops, part, value => Math.max(value, 0));
    const below = part.some(value => value < 0) ? layOn(bottoms, part, value => Math.min(value, 0)) : undefined;
    return { above, below: below && [below[1], below[0]] };
  });
}

/** The points where some of the parts are missing, but not all. Ascending. */
export function incompleteOf(parts: readonly Float64Array[]): Uint32Array {
  const known = new Uint8Array(parts[0]?.length ?? 0);
  for (const part of parts)
    for (let point = 0; point < known.length; point++)
      if (!Number.isNaN(part[point])) known[point] = (known[point] as number) + 1;
  const points: number[] = [];
  known.forEach((count, point) => count > 0 && count < parts.length && points.push(point));
  return Uint32Array.from(points);
}

/** Moves `ends` on by the share of each value, and returns where they were and where they are; NaN in both where there is none. */
function layOn(
  ends: Float64Array,
  values: Float64Array,
  share: (value: number) => number,
): readonly [before: Float64Array, after: Float64Array] {
  const before = ends.slice();
  const after = new Float64Array(ends.length);
  for (let point = 0; point < ends.length; point++) {
    const value = values[point] as number;
    if (Number.isNaN(value)) before[point] = after[point] = NaN;
    else after[point] = ends[point] = (ends[point] as number) + share(value);
  }
  return [before, after];
}
