import { t } from '@vscode/l10n';
import { stressBandIds, stressLimits } from '../../shared/stressBands.ts';
import { rampField } from '../../shared/fields.ts';
import type { Frame, NumberColumn } from '../../shared/frame.ts';
import { columnHeader } from '../columns/columnHeader.ts';
import { stressNames } from '../columns/stressBand.ts';
import {
  hasBins,
  isChartable,
  findNumberColumn,
  listNumberColumns,
  findStressColumn,
  stressComponents,
} from '../../core/frame/chartColumns.ts';
import type { ChartChoice } from './chartChoice.ts';
import { durationChoices, durationCurves } from './kinds/duration.ts';
import { fitsForecastError, forecastError, forecastErrorChoices } from './kinds/forecastError.ts';
import { fitsHeatmap, heatmap, heatmapChoices } from './kinds/heatmap.ts';
import { overlay, overlayChoices } from './kinds/overlay.ts';
import { scatter, scatterChoices } from './kinds/scatter.ts';
import { findComparedTimeOfColumn, listComparedTimes } from '../../core/compare/compareFrames.ts';
import { findTimeColumn } from '../../core/frame/clip.ts';
import { timeFormatter } from '../../core/time/timeFormatter.ts';
import { utc } from '../../core/time/zone.ts';
import { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { createRowEndLookup } from '../../core/bins/binEdges.ts';
import { dayMs } from '../../shared/durations.ts';
import { extremesOf } from './decimate.ts';
import { valuesAlong } from './timeline.ts';
import { axesOf, firstUnit, lineAlong, lineStyle, mainLine } from './layers.ts';
import { coloursOfColumns } from './palette.ts';
import { hasMix } from '../../core/frame/mixColumns.ts';
import { generationMix, mixAxisChoices } from './kinds/generationMix.ts';
import {
  comparedDashIndex,
  type Band,
  type ChartMode,
  type Drawing,
  type DrawnPlot,
  type Layer,
  type LayerStyle,
} from './plot.ts';

/** All kinds of charts, in the order of their buttons. */
export const chartModes: readonly ChartMode[] = [
  {
    id: 'lines',
    name: () => t('Lines'),
    fits: () => true,
    choosable: listNumberColumns,
    choices: frame => (hasBins(frame) ? [barsChoice()] : []),
    axisChoices: lineAxisChoices,
    compares: true,
    draw: lines,
  },
  {
    id: 'mix',
    name: () => t('Generation Mix'),
    fits: hasMix,
    axisChoices: mixAxisChoices,
    draw: generationMix,
  },
  {
    id: 'stress',
    name: () => t('Stress'),
    fits: frame => findStressColumn(frame) !== undefined,
    choosable: stressComponents,
    draw: stress,
  },
  {
    id: 'ramps',
    name: () => t('OCGT Ramps'),
    fits: frame => findNumberColumn(frame, rampField) !== undefined,
    draw: ramps,
  },
  further({ id: 'heatmap', name: () => t('Heatmap'), fits: fitsHeatmap, choices: heatmapChoices, draw: heatmap }),
  further({ id: 'overlay', name: () => t('Overlay'), fits: fitsHeatmap, choices: overlayChoices, draw: overlay }),
  further({
    id: 'duration',
    name: () => t('Duration Curves'),
    fits: () => true,
    choosable: listNumberColumns,
    choices: durationChoices,
    draw: durationCurves,
  }),
  further({
    id: 'scatter',
    name: () => t('Scatter'),
    fits: frame => listNumberColumns(frame).length > 1,
    choices: scatterChoices,
    draw: scatter,
  }),
  further({
    id: 'error',
    name: () => t('Forecast Error'),
    fits: fitsForecastError,
    choices: forecastErrorChoices,
    draw: forecastError,
  }),
];

/** Lists a mode in the menu of further charts. */
function further(mode: ChartMode): ChartMode {
  return { ...mode, isFurther: true };
}

/** Lists the modes that fit the columns of a frame; none if it has no times, rows or numbers. */
export function availableModes(frame: Frame): ChartMode[] {
  return isChartable(frame) ? chartModes.filter(({ fits }) => fits(frame)) : [];
}

function lineAxisChoices(frame: Frame): readonly ChartChoice[] {
  const scales = [
    { id: 'near', name: t('Automatic') },
    { id: 'zero', name: t('From Zero') },
    { id: 'fitted', name: t('Fit to Values') },
    { id: 'log', name: t('Logarithmic') },
  ];
  const columns = listNumberColumns(frame).map(column => ({
    id: column.name,
    name: t('Right Axis: {0}', columnHeader(column).label),
  }));
  return [
    { id: 'lines.scale', name: t('Axis'), options: scales },
    { id: 'lines.right', name: t('Right Axis'), options: [{ id: '', name: t('Axes by Unit') }, ...columns] },
  ];
}

function barsChoice(): ChartChoice {
  const options = [
    { id: 'lines', name: t('Lines') },
    { id: 'bars', name: t('Bars') },
  ];
  return { id: 'lines.as', name: t('Show As'), options };
}

function lines(drawing: Drawing): DrawnPlot {
  const { model, frame, options, chosen } = drawing;
  const [scale, right, as] = chosen;
  const columns = options.columns.flatMap(name => findNumberColumn(frame, name) ?? []);
  const { units, axisOf } = axesOf(columns, right);
  const isLog = scale === 'log';
  // A bar starts at zero, which a logarithmic axis does not have.
  const areBars = as === 'bars' && !isLog;
  const colourOf = coloursOfColumns(options.columns);
  const datesOf = datesOfPeriods(drawing);
  const named = (layer: Layer, ofPeriod = ''): Layer =>
    ofPeriod ? { ...layer, label: `${layer.label} · ${ofPeriod}` } : layer;
  const layers = columns.flatMap((column, index) => {
    const axis = axisOf(column);
    if (axis === undefined) return [];
    const along = (one: NumberColumn, style: LayerStyle): Layer => {
      const line = lineAlong(one, drawing, axis, style);
      if (!isLog) return line;
      const values = line.values.map(value => (value > 0 ? value : NaN));
      return { ...line, values, edges: [values] };
    };
    const own = along(column, lineStyle(colourOf(column.name), index));
    const against = (model.compared ?? []).filter(([name]) => name === column.name);
    const others = against.flatMap(([, name]) => findNumberColumn(frame, name) ?? []);
    const compared = others.map((other, at) => {
      // The line of the latest period is the widest.
      const width = at > 0 ? 1 : own.style.width;
      const layer = along(other, { ...own.style, width, dash: comparedDashIndex, ...(areBars && { isPale: true }) });
      // A compared line is labelled by its dates or, on a cycle, by its name.
      const dates = datesOf(other);
      const { label } = dates ? own : { label: t('{0} (compared)', layer.label) };
      const times = findComparedTimeOfColumn(frame, other);
      const instants = times && { instants: valuesAlong(drawing.timeline, times) };
      return { ...named({ ...layer, label }, dates), hidden: own.hidden, comparedTo: column.name, ...instants };
    });
    return [...compared, compared.length > 0 ? named(own, datesOf(column)) : own];
  });
  const refused = columns.filter(column => axisOf(column) === undefined).map(column => columnHeader(column).label);
  const zero = areBars || (scale === 'near' ? ('near' as const) : scale === 'zero');
  // If both axes have one unit, the right one names its column.
  const own = units[0] === units[1] ? layers.findLast(({ axis }) => axis === 1)?.label : undefined;
  const axes = units.map((unit, axis) => ({ unit: [axis === 1 && own, unit].filter(Boolean).join(', '), zero, isLog }));
  return {
    layers: areBars ? asBars(layers) : layers,
    axes,
    refused,
    ...(areBars && { stepped: true }),
    ...(isLog && { caption: t("Values of zero or less can't be shown on a logarithmic axis.") }),
  };
}

/** Formats the days of a column's period, "16 Nov – 22 Nov"; undefined without times or a comparison. */
function datesOfPeriods({ model, frame, timeline }: Drawing): (column: NumberColumn) => string | undefined {
  const compared = listComparedTimes(frame);
  const own = findTimeColumn(frame);
  if (compared.length === 0 || !own) return () => undefined;
  const { bins } = own;
  const isDaily = timeline.step !== undefined && timeline.step % dayMs === 0;
  const { timeZone } = bins ?? (isDaily ? utc : model.zone);
  const lastOf = (start: number): number =>
    bins ? (createRowEndLookup({ start, end: start + 1 }, { bins })?.(start) ?? start) - 1 : start;
  const spans = new Map(
    [own, ...compared].map(time => {
      const along = time === own ? timeline.x : valuesAlong(timeline, time);
      const instants = along.filter(instant => !Number.isNaN(instant));
      if (instants.length === 0) return [time, []];
      const [first, last] = extremesOf(instants, 0, instants.length);
      return [time, [first, lastOf(last)]];
    }),
  );
  const offsets = new ZoneOffsets(timeZone);
  const years = new Set([...spans.values()].flat().map(instant => new Date(offsets.wallAt(instant)).getUTCFullYear()));
  const write = timeFormatter(model.locale, timeZone, { year: years.size > 1 });
  return column => {
    const ends = spans.get(findComparedTimeOfColumn(frame, column) ?? own) ?? [];
    return ends.length > 0 ? [...new Set(ends.map(write))].join(' – ') : undefined;
  };
}

/** Turns the visible layers of the left axis into bars side by side, each after the layer that it is compared with. */
function asBars(layers: readonly Layer[]): Layer[] {
  const shown = layers.filter(({ hidden, axis }) => !hidden && axis === 0);
  const asBar = (layer: Layer): Layer => ({
    ...layer,
    kind: 'bars',
    bar: { place: Math.max(0, shown.indexOf(layer)), of: Math.max(1, shown.length) },
  });
  // Bars of two axes side by side would mislead: equal heights would be different values.
  return layers.map(layer => (layer.axis === 0 ? asBar(layer) : layer));
}

function stress(drawing: Drawing): DrawnPlot {
  const { frame, options } = drawing;
  const index = findStressColumn(frame);
  const parts = stressComponents(frame).filter(({ name }) => options.columns.includes(name));
  const colourOf = coloursOfColumns(parts.map(({ name }) => name));
  const layers = [
    ...parts.map((column, place) => lineAlong(column, drawing, 0, lineStyle(colourOf(column.name), place + 1))),
    ...(index ? [lineAlong(index, drawing, 0, mainLine)] : []),
  ];
  return { layers, axes: [{ unit: '', fixed: [0, 1], zero: true }], bands: stressBands() };
}

function ramps(drawing: Drawing): DrawnPlot {
  const column = findNumberColumn(drawing.frame, rampField);
  const style = { colour: coloursOfColumns([rampField])(rampField), dash: 0, width: 1 };
  const bars = { kind: 'bars', isChange: true } as const;
  const layers = column ? [{ ...lineAlong(column, drawing, 0, style), ...bars }] : [];
  return { layers, axes: [{ unit: firstUnit, zero: true }], stepped: true };
}

/** The bands of the stress index with their names, lowest first. */
function stressBands(): Band[] {
  const names = stressNames();
  return stressBandIds.map((id, index) => {
    const next = stressBandIds[index + 1];
    return { name: names[id], from: stressLimits[id], to: next ? stressLimits[next] : 1 };
  });
}
