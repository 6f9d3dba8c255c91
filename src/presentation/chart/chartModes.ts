import { t } from '@vscode/l10n';
import { stressBandIds, stressLimits } from '../../shared/stressBands.ts';
import { rampField } from '../../shared/fields.ts';
import type { Frame, NumberColumn } from '../../shared/frame.ts';
import { createColumnHeader } from '../columns/columnHeader.ts';
import { getStressBandNames } from '../columns/stressBand.ts';
import {
  hasBins,
  isChartable,
  findNumberColumn,
  listNumberColumns,
  findStressColumn,
  stressComponents,
} from '../../core/frame/chartColumns.ts';
import type { ChartChoice } from './chartChoice.ts';
import { listDurationChoices, drawDurationCurves } from './kinds/duration.ts';
import { canDrawForecastError, drawForecastError, listForecastErrorChoices } from './kinds/forecastError.ts';
import { canDrawHeatmap, drawHeatmap, listHeatmapChoices } from './kinds/heatmap.ts';
import { drawOverlay, listOverlayChoices } from './kinds/overlay.ts';
import { drawScatter, listScatterChoices } from './kinds/scatter.ts';
import { findComparedTimeOfColumn, listComparedTimes } from '../../core/compare/compareFrames.ts';
import { findTimeColumn } from '../../core/frame/clip.ts';
import { createTimeFormatter } from '../../core/time/timeFormatter.ts';
import { utc } from '../../core/time/zone.ts';
import { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { createRowEndLookup } from '../../core/bins/binEdges.ts';
import { dayMs } from '../../shared/durations.ts';
import { findExtremes } from './decimate.ts';
import { getTimelineValues } from './timeline.ts';
import { assignAxes, preferredLeftUnit, createTimelineLayer, createLineStyle, mainLineStyle } from './layers.ts';
import { assignSeriesColors } from './palette.ts';
import { hasMix } from '../../core/frame/mixColumns.ts';
import { drawGenerationMix, listMixAxisChoices } from './kinds/generationMix.ts';
import {
  comparedDashIndex,
  type Band,
  type ChartMode,
  type DrawContext,
  type DrawnPlot,
  type Layer,
  type LayerStyle,
} from './plot.ts';

/** All kinds of charts, in the order of their buttons. */
export const chartModes: readonly ChartMode[] = [
  {
    id: 'lines',
    name: () => t('Lines'),
    canDraw: () => true,
    listSelectableColumns: listNumberColumns,
    choices: frame => (hasBins(frame) ? [createBarsChoice()] : []),
    axisChoices: listLineAxisChoices,
    drawsComparison: true,
    draw: drawLines,
  },
  {
    id: 'mix',
    name: () => t('Generation Mix'),
    canDraw: hasMix,
    axisChoices: listMixAxisChoices,
    draw: drawGenerationMix,
  },
  {
    id: 'stress',
    name: () => t('Stress'),
    canDraw: frame => findStressColumn(frame) !== undefined,
    listSelectableColumns: stressComponents,
    draw: drawStress,
  },
  {
    id: 'ramps',
    name: () => t('OCGT Ramps'),
    canDraw: frame => findNumberColumn(frame, rampField) !== undefined,
    draw: drawRamps,
  },
  createMoreChartsMode({
    id: 'heatmap',
    name: () => t('Heatmap'),
    canDraw: canDrawHeatmap,
    choices: listHeatmapChoices,
    draw: drawHeatmap,
  }),
  createMoreChartsMode({
    id: 'overlay',
    name: () => t('Overlay'),
    canDraw: canDrawHeatmap,
    choices: listOverlayChoices,
    draw: drawOverlay,
  }),
  createMoreChartsMode({
    id: 'duration',
    name: () => t('Duration Curves'),
    canDraw: () => true,
    listSelectableColumns: listNumberColumns,
    choices: listDurationChoices,
    draw: drawDurationCurves,
  }),
  createMoreChartsMode({
    id: 'scatter',
    name: () => t('Scatter'),
    canDraw: frame => listNumberColumns(frame).length > 1,
    choices: listScatterChoices,
    draw: drawScatter,
  }),
  createMoreChartsMode({
    id: 'error',
    name: () => t('Forecast Error'),
    canDraw: canDrawForecastError,
    choices: listForecastErrorChoices,
    draw: drawForecastError,
  }),
];

/** Lists a mode in the menu of further charts. */
function createMoreChartsMode(mode: ChartMode): ChartMode {
  return { ...mode, isInMoreCharts: true };
}

/** Lists the modes that fit the columns of a frame. Returns an empty list if it has no times, rows or numbers. */
export function listAvailableModes(frame: Frame): ChartMode[] {
  return isChartable(frame) ? chartModes.filter(({ canDraw }) => canDraw(frame)) : [];
}

function listLineAxisChoices(frame: Frame): readonly ChartChoice[] {
  const scales = [
    { id: 'near', name: t('Automatic') },
    { id: 'zero', name: t('From Zero') },
    { id: 'fitted', name: t('Fit to Values') },
    { id: 'log', name: t('Logarithmic') },
  ];
  const columns = listNumberColumns(frame).map(column => ({
    id: column.name,
    name: t('Right Axis: {0}', createColumnHeader(column).label),
  }));
  return [
    { id: 'lines.scale', name: t('Axis'), options: scales },
    { id: 'lines.right', name: t('Right Axis'), options: [{ id: '', name: t('Axes by Unit') }, ...columns] },
  ];
}

function createBarsChoice(): ChartChoice {
  const options = [
    { id: 'lines', name: t('Lines') },
    { id: 'bars', name: t('Bars') },
  ];
  return { id: 'lines.as', name: t('Show As'), options };
}

function drawLines(drawing: DrawContext): DrawnPlot {
  const { model, frame, options, selectedIds } = drawing;
  const [scale, right, displayAs] = selectedIds;
  const columns = options.columns.flatMap(name => findNumberColumn(frame, name) ?? []);
  const { units, axisOf } = assignAxes(columns, right);
  const isLog = scale === 'log';
  // A bar starts at zero, which a logarithmic axis does not have.
  const areBars = displayAs === 'bars' && !isLog;
  const getColor = assignSeriesColors(options.columns);
  const formatPeriod = createPeriodFormatter(drawing);
  const addPeriod = (layer: Layer, period = ''): Layer =>
    period ? { ...layer, label: `${layer.label} · ${period}` } : layer;
  const layers = columns.flatMap((column, index) => {
    const axis = axisOf(column);
    if (axis === undefined) return [];
    const createLayer = (lineColumn: NumberColumn, style: LayerStyle): Layer => {
      const line = createTimelineLayer(lineColumn, drawing, axis, style);
      if (!isLog) return line;
      const values = line.values.map(value => (value > 0 ? value : NaN));
      return { ...line, values, edges: [values] };
    };
    const mainLayer = createLayer(column, createLineStyle(getColor(column.name), index));
    const comparedPairs = (model.compared ?? []).filter(([name]) => name === column.name);
    const comparedColumns = comparedPairs.flatMap(([, name]) => findNumberColumn(frame, name) ?? []);
    const comparedLayers = comparedColumns.map((comparedColumn, index) => {
      // The line of the latest period is the widest.
      const width = index > 0 ? 1 : mainLayer.style.width;
      const layer = createLayer(comparedColumn, {
        ...mainLayer.style,
        width,
        dash: comparedDashIndex,
        ...(areBars && { isPale: true }),
      });
      // A compared line is labeled by its dates or, on a cycle, by its name.
      const dates = formatPeriod(comparedColumn);
      const { label } = dates ? mainLayer : { label: t('{0} (compared)', layer.label) };
      const times = findComparedTimeOfColumn(frame, comparedColumn);
      const instants = times && { instants: getTimelineValues(drawing.timeline, times) };
      return {
        ...addPeriod({ ...layer, label }, dates),
        hidden: mainLayer.hidden,
        comparedTo: column.name,
        ...instants,
      };
    });
    return [...comparedLayers, comparedLayers.length > 0 ? addPeriod(mainLayer, formatPeriod(column)) : mainLayer];
  });
  const omittedLabels = columns
    .filter(column => axisOf(column) === undefined)
    .map(column => createColumnHeader(column).label);
  const zero = areBars || (scale === 'near' ? ('near' as const) : scale === 'zero');
  // If both axes have one unit, the right one names its column.
  const rightLabel = units[0] === units[1] ? layers.findLast(({ axis }) => axis === 1)?.label : undefined;
  const axes = units.map((unit, axis) => ({
    unit: [axis === 1 && rightLabel, unit].filter(Boolean).join(', '),
    zero,
    isLog,
  }));
  return {
    layers: areBars ? toBars(layers) : layers,
    axes,
    omittedLabels,
    ...(areBars && { isStepped: true }),
    ...(isLog && { caption: t("Values of zero or less can't be shown on a logarithmic axis.") }),
  };
}

/** Formats the days of a column's period, "16 Nov – 22 Nov"; undefined without times or a comparison. */
function createPeriodFormatter({ model, frame, timeline }: DrawContext): (column: NumberColumn) => string | undefined {
  const comparedTimes = listComparedTimes(frame);
  const mainTime = findTimeColumn(frame);
  if (comparedTimes.length === 0 || !mainTime) return () => undefined;
  const { bins } = mainTime;
  const isDaily = timeline.intervalMs !== undefined && timeline.intervalMs % dayMs === 0;
  const { timeZone } = bins ?? (isDaily ? utc : model.zone);
  const getLastInstant = (start: number): number =>
    bins ? (createRowEndLookup({ start, end: start + 1 }, { bins })?.(start) ?? start) - 1 : start;
  const periodsByTime = new Map(
    [mainTime, ...comparedTimes].map(time => {
      const timelineInstants = time === mainTime ? timeline.x : getTimelineValues(timeline, time);
      const instants = timelineInstants.filter(instant => !Number.isNaN(instant));
      if (instants.length === 0) return [time, []];
      const [first, last] = findExtremes(instants, 0, instants.length);
      return [time, [first, getLastInstant(last)]];
    }),
  );
  const offsets = new ZoneOffsets(timeZone);
  const years = new Set(
    [...periodsByTime.values()].flat().map(instant => new Date(offsets.getLocalTime(instant)).getUTCFullYear()),
  );
  const formatDate = createTimeFormatter(model.locale, timeZone, { year: years.size > 1 });
  return column => {
    const ends = periodsByTime.get(findComparedTimeOfColumn(frame, column) ?? mainTime) ?? [];
    return ends.length > 0 ? [...new Set(ends.map(formatDate))].join(' – ') : undefined;
  };
}

/** Turns the visible layers of the left axis into bars side by side, each after the layer that it is compared with. */
function toBars(layers: readonly Layer[]): Layer[] {
  const visibleLayers = layers.filter(({ hidden, axis }) => !hidden && axis === 0);
  const toBar = (layer: Layer): Layer => ({
    ...layer,
    kind: 'bars',
    bar: { index: Math.max(0, visibleLayers.indexOf(layer)), count: Math.max(1, visibleLayers.length) },
  });
  // Bars of two axes side by side would mislead: equal heights would be different values.
  return layers.map(layer => (layer.axis === 0 ? toBar(layer) : layer));
}

function drawStress(drawing: DrawContext): DrawnPlot {
  const { frame, options } = drawing;
  const stressIndex = findStressColumn(frame);
  const components = stressComponents(frame).filter(({ name }) => options.columns.includes(name));
  const getColor = assignSeriesColors(components.map(({ name }) => name));
  const layers = [
    ...components.map((column, index) =>
      createTimelineLayer(column, drawing, 0, createLineStyle(getColor(column.name), index + 1)),
    ),
    ...(stressIndex ? [createTimelineLayer(stressIndex, drawing, 0, mainLineStyle)] : []),
  ];
  return { layers, axes: [{ unit: '', fixed: [0, 1], zero: true }], bands: createStressBands() };
}

function drawRamps(drawing: DrawContext): DrawnPlot {
  const column = findNumberColumn(drawing.frame, rampField);
  const style = { color: assignSeriesColors([rampField])(rampField), dash: 0, width: 1 };
  const bars = { kind: 'bars', isChange: true } as const;
  const layers = column ? [{ ...createTimelineLayer(column, drawing, 0, style), ...bars }] : [];
  return { layers, axes: [{ unit: preferredLeftUnit, zero: true }], isStepped: true };
}

/** The bands of the stress index with their names, lowest first. */
function createStressBands(): Band[] {
  const names = getStressBandNames();
  return stressBandIds.map((id, index) => {
    const next = stressBandIds[index + 1];
    return { name: names[id], from: stressLimits[id], to: next ? stressLimits[next] : 1 };
  });
}
