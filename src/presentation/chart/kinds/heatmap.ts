import { t } from '@vscode/l10n';
import { computeBinEdges } from '../../../core/bins/binEdges.ts';
import { findHourCounts } from '../../../core/bins/binFrame.ts';
import { getHoursOfRows, findShareParts, type WeightedShareParts } from '../../../core/bins/binSums.ts';
import { isComparedPeriodColumn, getTimesOfColumn } from '../../../core/compare/compareFrames.ts';
import { createCycleBinLookup } from '../../../core/bins/resampleFrame.ts';
import { countBelow } from '../../../core/statistics/quantile.ts';
import { dayMs, hourMs } from '../../../shared/durations.ts';
import { stressField } from '../../../shared/fields.ts';
import type { Frame, NumberColumn } from '../../../shared/frame.ts';
import { maxIntervals, type Cycle } from '../../../shared/resampling.ts';
import { getIntervalStart, intervalState } from '../../../shared/result.ts';
import { unitOf } from '../../../shared/units.ts';
import { getCycleNames } from '../../../core/bins/cycleNames.ts';
import { translate } from '../../translate.ts';
import { createNumberColumnFormat } from '../../columns/numberColumnFormat.ts';
import { createColumnChoice, type ChartChoice } from '../chartChoice.ts';
import { getChartTimes, findCycleColumn, findNumberColumn } from '../../../core/frame/chartColumns.ts';
import type { ChartModel } from '../chartModel.ts';
import { createLineLayer } from '../layers.ts';
import { createCycleAxis } from '../nonTimeAxes.ts';
import { getCellsOfHour } from '../cellShapes.ts';
import { hoursOfDay, type Cells, type DrawContext, type DrawnPlot, type MeasuredValues, type Plot } from '../plot.ts';
import { findExtremes } from '../decimate.ts';
import {
  omitPartHours,
  toEvenTimeline,
  getRow,
  computeShares,
  createTimeline,
  getColumnTimeline,
  getTimelineValues,
  type Timeline,
} from '../timeline.ts';

/** The maximum number of days in a range that includes days without rows; a longer range omits them. */
const maxDays = 40_000;

export function listHeatmapChoices(frame: Frame): readonly ChartChoice[] {
  const options = [
    { id: 'days', name: t('Days') },
    { id: 'monthOfYear', name: t('Months of the Year') },
    { id: 'weekday', name: t('Weekdays') },
  ];
  return [createColumnChoice(frame, 'heatmap.column'), { id: 'heatmap.across', name: t('Across'), options }];
}

/** Whether rows have instants less than a day apart. */
export function canDrawHeatmap(frame: Frame): boolean {
  const { values, bins } = getChartTimes(frame) ?? {};
  if (!values || findCycleColumn(frame) || (bins && bins.size !== '3h')) return false;
  for (let row = 1; row < frame.rowCount; row++)
    if (Math.abs((values[row] ?? NaN) - (values[row - 1] ?? NaN)) < dayMs) return true;
  return false;
}

/**
 * Draws a column as colors: hours of the day upward; days, months of the year or weekdays across, in the display zone. A cell is the mean of its
 * values or, for a share with known parts, the share of their energies. A cell that covers several hours reports how many of them have a value.
 */
export function drawHeatmap({
  model,
  frame,
  options,
  timeline: received,
  selectedIds: [columnName, acrossId],
}: DrawContext): DrawnPlot {
  const { locale, zone } = model;
  const column = findNumberColumn(frame, columnName);
  if (!column) return { layers: [], axes: [] };
  const timeline = toEvenTimeline(getColumnTimeline(column, received, model));
  const { hours: _, ...columnWithoutHours } = column;
  const across = acrossId as 'days' | (Cycle & ('monthOfYear' | 'weekday'));
  const { horizontalAxis, findPosition } =
    across === 'days' ? createAcrossDays(timeline, model) : createAcrossCycle(across, model);
  const findHour = createCycleBinLookup('hourOfDay', zone);
  const findCell = (instant: number): number => findPosition(instant) * hoursOfDay + findHour(instant);
  const parts = omitPartHours(received, findShareParts(frame, column));
  const { values, counts } = computeCellMeans(
    timeline,
    received.endOf ? columnWithoutHours : column,
    parts,
    horizontalAxis.timeline.x.length,
    findCell,
  );
  const coversSeveralHours = across !== 'days' || timeline.intervalMs !== hourMs;
  const hours = coversSeveralHours ? countCellHours(counts, timeline, column, model, findCell) : undefined;
  const { minCoverage = 0 } = model;
  const fewHours =
    hours &&
    Uint8Array.from(hours.known, (known, cell) => Number(known > 0 && known < (hours.total[cell] ?? 0) * minCoverage));
  const [min, max] = findExtremes(values, 0, values.length);
  const isStress = column.name === stressField && unitOf(column.field).kind === 'index';
  const knownHours = hours?.known ?? Float64Array.from(counts);
  const cells: Cells = { values, min, max, row: 12, ...(hours && { hours }), ...(fewHours && { fewHours }) };
  const style = { color: isStress ? 'bands' : 'scale', dash: 0, width: 1 } as const;
  const layer = createLineLayer(column, getCellsOfHour(values, cells.row), options, 0, style);
  const { format: formatNumber } = createNumberColumnFormat(column, frame.rowCount, locale, 'rounded');
  const unit = layer.unit ? ` ${layer.unit}` : '';
  const scaleSentence = isStress
    ? t('Colors are those of the bands: 0.3, 0.6 and 0.8 are their limits.')
    : t('Dark is {0}, light is {1}.', `${formatNumber(min)}${unit}`, `${formatNumber(max)}${unit}`);
  const markedSentence =
    fewHours?.includes(1) === true &&
    t('Cells with a mark have data for less than {0} % of their hours.', String(Math.round(minCoverage * 100)));
  return {
    layers: [
      {
        ...layer,
        kind: 'cells',
        edges: [],
        measured: computeMeasuredValues(values, knownHours, layer.hasEnergy && coversSeveralHours),
      },
    ],
    axes: [{ unit: t('Hour of day'), fixed: [0, hoursOfDay], zero: false, isHourOfDay: true }],
    isStepped: true,
    cells,
    caption: Number.isFinite(min)
      ? [scaleSentence, t('Hatched cells have no value.'), markedSentence].filter(Boolean).join(' ')
      : t('No values.'),
    horizontalAxis,
  };
}

/** Combines the cells at each point. `areMeans` is set if cells cover several hours, so that the maximum hour is unknown. */
function computeMeasuredValues(values: Float64Array, known: Float64Array, areMeans: boolean): MeasuredValues {
  const positionCount = values.length / hoursOfDay;
  const means = new Float64Array(positionCount);
  const hours = new Float64Array(positionCount);
  const max = new Float64Array(positionCount);
  for (let position = 0; position < positionCount; position++) {
    const from = position * hoursOfDay;
    const to = (position + 1) * hoursOfDay;
    let sum = 0;
    let hourCount = 0;
    for (let cell = from; cell < to; cell++) {
      if (Number.isNaN(values[cell])) continue;
      sum += (values[cell] ?? 0) * (known[cell] ?? 0);
      hourCount += known[cell] ?? 0;
    }
    means[position] = sum / hourCount;
    hours[position] = hourCount;
    max[position] = areMeans ? NaN : findExtremes(values, from, to)[1];
  }
  return { values: means, hours, max };
}

/** Returns the plot with another row of cells at the crosshair. */
export function withCellRow(plot: Plot, row: number): Plot {
  const { cells, layers } = plot;
  if (!cells) return plot;
  const nextCells = { ...cells, row: Math.max(0, Math.min(hoursOfDay - 1, row)) };
  return {
    ...plot,
    cells: nextCells,
    layers: layers.map(layer => ({ ...layer, values: getCellsOfHour(nextCells.values, nextCells.row) })),
  };
}

/** A horizontal axis, and the position of an instant on it. */
type AcrossAxis = {
  readonly horizontalAxis: NonNullable<DrawnPlot['horizontalAxis']>;
  readonly findPosition: (instant: number) => number;
};

function createAcrossDays({ x }: Timeline, { zone }: ChartModel): AcrossAxis {
  const first = x[0] ?? 0;
  const last = x.at(-1) ?? 0;
  const computeEdges = (start: number, end: number): Float64Array =>
    computeBinEdges({ start, end }, 'day', zone.timeZone);
  const isWhole = last - first <= maxDays * dayMs;
  const edges = isWhole
    ? computeEdges(first, last + 1)
    : Float64Array.from(new Set(Array.from(x, instant => computeEdges(instant, instant + 1)[0] ?? instant))).sort();
  const days = isWhole ? edges.subarray(0, -1) : edges;
  const end = isWhole ? (edges.at(-1) ?? last) : (days.at(-1) ?? last) + dayMs;
  return {
    horizontalAxis: {
      timeline: { x: days, rows: undefined, intervalMs: dayMs },
      domain: { start: days[0] ?? first, end },
      zone,
      isDaily: true,
      bins: { size: 'day', ...zone },
    },
    findPosition: instant => countBelow(days, instant + 1) - 1,
  };
}

function createAcrossCycle(cycle: 'monthOfYear' | 'weekday', { zone, locale }: ChartModel): AcrossAxis {
  const names = getCycleNames(cycle, locale, translate);
  const count = names.length;
  return {
    horizontalAxis: {
      timeline: {
        x: Float64Array.from({ length: count }, (_, position) => position * hourMs),
        rows: undefined,
        intervalMs: hourMs,
      },
      domain: { start: 0, end: count * hourMs },
      axis: createCycleAxis({ by: cycle, ...zone }, names),
    },
    findPosition: createCycleBinLookup(cycle, zone),
  };
}

/** Returns how many cells a row covers: a row of several hours has its value in each of them. */
function countHoursPerRow({ intervalMs = hourMs }: Timeline): number {
  return Math.max(1, Math.min(hoursOfDay, Math.floor(intervalMs / hourMs)));
}

/**
 * Computes the mean of each cell, weighted by hours, NaN without a value, and the number of values in it. For a share with known parts, a cell of
 * several hours has the share of their energies.
 */
function computeCellMeans(
  timeline: Timeline,
  column: NumberColumn,
  parts: WeightedShareParts | undefined,
  positionCount: number,
  findCell: (instant: number) => number,
): { readonly values: Float64Array; readonly counts: Uint32Array } {
  const { x } = timeline;
  const values = getTimelineValues(timeline, column);
  const hoursOfRows = getHoursOfRows(column);
  const knownHours = hoursOfRows && getTimelineValues(timeline, { ...column, values: hoursOfRows });
  const sums = new Float64Array(positionCount * hoursOfDay);
  const weights = new Float64Array(sums.length);
  const counts = new Uint32Array(sums.length);
  const hours = countHoursPerRow(timeline);
  for (let point = 0; point < values.length; point++) {
    const value = values[point] as number;
    if (Number.isNaN(value)) continue;
    for (let hour = 0; hour < hours; hour++) {
      const cell = findCell((x[point] as number) + hour * hourMs);
      const weight = knownHours ? (knownHours[point] as number) : 1;
      sums[cell] = (sums[cell] as number) + value * weight;
      weights[cell] = (weights[cell] as number) + weight;
      counts[cell] = (counts[cell] as number) + 1;
    }
  }
  const means = sums.map((sum, cell) => sum / (weights[cell] || NaN));
  if (!parts || !counts.some(count => count > 1)) return { values: means, counts };
  // All rows start at multiples of their length, so each hour of a row is in a different cell.
  const shares = Array.from({ length: hours }, (_, hour) => {
    const cells = Int32Array.from(x, instant => findCell(instant + hour * hourMs));
    return computeShares(timeline, parts, cells, sums.length);
  });
  const findShare = (cell: number): number => shares.find(list => !Number.isNaN(list[cell]))?.[cell] ?? NaN;
  return { values: means.map((mean, cell) => ((counts[cell] ?? 0) > 1 ? findShare(cell) : mean)), counts };
}

/**
 * Computes how many hours each cell covers, and for how many of them it has data. If the rows do not count their hours, every published interval
 * of the range counts, except intervals whose rows are filtered out. Returns undefined if there would be too many intervals.
 */
function countCellHours(
  counts: Uint32Array,
  timeline: Timeline,
  column: NumberColumn,
  { frame, rows, start: requestedStart, coverage: rangeCoverage, intervalMs: requestedIntervalMs }: ChartModel,
  findCell: (instant: number) => number,
): Cells['hours'] {
  const { x, intervalMs = hourMs } = timeline;
  const totalHours = new Float64Array(counts.length);
  const cellsPerRow = countHoursPerRow(timeline);
  const addToCells = (sums: Float64Array, instant: number, hours: number): void => {
    for (let hour = 0; hour < cellsPerRow; hour++) {
      const cell = findCell(instant + hour * hourMs);
      if (cell >= 0 && cell < sums.length) sums[cell] = (sums[cell] as number) + hours / cellsPerRow;
    }
  };
  const hourCounts = findHourCounts(frame);
  if (hourCounts) {
    const knownHours = new Float64Array(counts.length);
    const [hours, coveredHours] = hourCounts.map(column => getTimelineValues(timeline, column));
    for (let point = 0; point < x.length; point++) {
      if (getRow(timeline, point) === undefined) continue;
      addToCells(knownHours, x[point] as number, hours?.[point] ?? 0);
      addToCells(totalHours, x[point] as number, coveredHours?.[point] ?? 0);
    }
    return { known: knownHours, total: totalHours };
  }
  const intervalHours = intervalMs / hourMs;
  const addRow = (instant: number, count: number): void => addToCells(totalHours, instant, count * intervalHours);
  const coverage = isComparedPeriodColumn(column) ? undefined : rangeCoverage;
  const published = (coverage?.states.findLastIndex(state => state !== intervalState.notPublished) ?? -1) + 1;
  const [first = 0] = x;
  const msBefore = published > 0 ? Math.max(0, first - (requestedStart ?? first)) : 0;
  // Intervals start at multiples of the row length before the first row.
  const start = first - Math.floor(msBefore / intervalMs) * intervalMs;
  const end = Math.max(
    (x.at(-1) ?? 0) + intervalMs,
    published > 0
      ? getIntervalStart(coverage ?? {}, requestedStart ?? -Infinity, requestedIntervalMs ?? 0, published)
      : -Infinity,
  );
  if ((end - start) / intervalMs > maxIntervals) return undefined;
  for (let instant = start; instant < end; instant += intervalMs) addRow(instant, 1);
  if (rows) {
    const times = getTimesOfColumn(frame, column);
    const unfiltered = times && toEvenTimeline(createTimeline(times, frame.rowCount, undefined, requestedIntervalMs));
    unfiltered?.x.forEach((instant, point) => {
      if (getRow(unfiltered, point) !== undefined && instant >= start && instant < end) addRow(instant, -1);
    });
    for (let point = 0; point < x.length; point++)
      if (getRow(timeline, point) !== undefined) addRow(x[point] as number, 1);
  }
  return { known: Float64Array.from(counts, count => (count * intervalHours) / cellsPerRow), total: totalHours };
}
