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
import { say } from '../../translate.ts';
import { numberTexts } from '../../columns/numberTexts.ts';
import { columnChoice, type ChartChoice } from '../chartChoice.ts';
import { getChartTimes, findCycleColumn, findNumberColumn } from '../../../core/frame/chartColumns.ts';
import type { ChartModel } from '../chartModel.ts';
import { lineOf } from '../layers.ts';
import { cycleAxis } from '../otherAxes.ts';
import { rowOfCells } from '../cellShapes.ts';
import { hoursOfDay, type Cells, type Drawing, type DrawnPlot, type Measured, type Plot } from '../plot.ts';
import { extremesOf } from '../decimate.ts';
import {
  evenParts,
  evenTimeline,
  rowOf,
  sharesOfPlaces,
  timelineOf,
  timelineOfColumn,
  valuesAlong,
  type Timeline,
} from '../timeline.ts';

/** In a longer range, days without rows are omitted. */
const mostDays = 40_000;

export function heatmapChoices(frame: Frame): readonly ChartChoice[] {
  const options = [
    { id: 'days', name: t('Days') },
    { id: 'monthOfYear', name: t('Months of the Year') },
    { id: 'weekday', name: t('Weekdays') },
  ];
  return [columnChoice(frame, 'heatmap.column'), { id: 'heatmap.across', name: t('Across'), options }];
}

/** Whether rows have instants less than a day apart. */
export function fitsHeatmap(frame: Frame): boolean {
  const { values, bins } = getChartTimes(frame) ?? {};
  if (!values || findCycleColumn(frame) || (bins && bins.size !== '3h')) return false;
  for (let row = 1; row < frame.rowCount; row++)
    if (Math.abs((values[row] ?? NaN) - (values[row - 1] ?? NaN)) < dayMs) return true;
  return false;
}

/**
 * Draws a column as colours: hours of the day upward; days, months of the year or weekdays across, in the display zone. A cell is the mean of its
 * values or, for a share with known parts, the share of their energies. A cell that covers several hours reports how many of them have a value.
 */
export function heatmap({ model, frame, options, timeline: received, chosen: [name, by] }: Drawing): DrawnPlot {
  const { locale, zone } = model;
  const column = findNumberColumn(frame, name);
  if (!column) return { layers: [], axes: [] };
  const timeline = evenTimeline(timelineOfColumn(column, received, model));
  const { hours: _, ...even } = column;
  const across = by as 'days' | (Cycle & ('monthOfYear' | 'weekday'));
  const { along, placeOf } = across === 'days' ? acrossDays(timeline, model) : acrossCycle(across, model);
  const hourOf = createCycleBinLookup('hourOfDay', zone);
  const cellAt = (instant: number): number => placeOf(instant) * hoursOfDay + hourOf(instant);
  const parts = evenParts(received, findShareParts(frame, column));
  const { values, counts } = meansOfCells(
    timeline,
    received.endOf ? even : column,
    parts,
    along.timeline.x.length,
    cellAt,
  );
  const isOfSeveral = across !== 'days' || timeline.step !== hourMs;
  const hours = isOfSeveral ? hoursOfCells(counts, timeline, column, model, cellAt) : undefined;
  const { leastCoverage = 0 } = model;
  const few =
    hours &&
    Uint8Array.from(hours.known, (known, cell) => Number(known > 0 && known < (hours.all[cell] ?? 0) * leastCoverage));
  const [least, greatest] = extremesOf(values, 0, values.length);
  const isStress = column.name === stressField && unitOf(column.field).kind === 'index';
  const known = hours?.known ?? Float64Array.from(counts);
  const cells: Cells = { values, least, greatest, row: 12, ...(hours && { hours }), ...(few && { few }) };
  const style = { colour: isStress ? 'bands' : 'scale', dash: 0, width: 1 } as const;
  const layer = lineOf(column, rowOfCells(values, cells.row), options, 0, style);
  const { format: write } = numberTexts(column, frame.rowCount, locale, 'rounded');
  const unit = layer.unit ? ` ${layer.unit}` : '';
  const scale = isStress
    ? t('Colors are those of the bands: 0.3, 0.6 and 0.8 are their limits.')
    : t('Dark is {0}, light is {1}.', `${write(least)}${unit}`, `${write(greatest)}${unit}`);
  const marked =
    few?.includes(1) === true &&
    t('Cells with a mark have data for less than {0} % of their hours.', String(Math.round(leastCoverage * 100)));
  return {
    layers: [
      { ...layer, kind: 'cells', edges: [], measured: measuredOf(values, known, layer.hasEnergy && isOfSeveral) },
    ],
    axes: [{ unit: t('Hour of day'), fixed: [0, hoursOfDay], zero: false, isHourOfDay: true }],
    stepped: true,
    cells,
    caption: Number.isFinite(least)
      ? [scale, t('Hatched cells have no value.'), marked].filter(Boolean).join(' ')
      : t('No values.'),
    along,
  };
}

/** Combines the hours at each point. `areMeans`: cells cover several hours, so the maximum hour is unknown. */
function measuredOf(values: Float64Array, known: Float64Array, areMeans: boolean): Measured {
  const places = values.length / hoursOfDay;
  const [means, hours, greatest] = [new Float64Array(places), new Float64Array(places), new Float64Array(places)];
  for (let place = 0; place < places; place++) {
    const [from, to] = [place * hoursOfDay, (place + 1) * hoursOfDay];
    let [sum, ofHours] = [0, 0];
    for (let cell = from; cell < to; cell++) {
      if (Number.isNaN(values[cell])) continue;
      sum += (values[cell] ?? 0) * (known[cell] ?? 0);
      ofHours += known[cell] ?? 0;
    }
    [means[place], hours[place]] = [sum / ofHours, ofHours];
    greatest[place] = areMeans ? NaN : extremesOf(values, from, to)[1];
  }
  return { values: means, hours, greatest };
}

/** Returns the plot with another row of cells at the crosshair. */
export function withRow(plot: Plot, row: number): Plot {
  const { cells, layers } = plot;
  if (!cells) return plot;
  const next = { ...cells, row: Math.max(0, Math.min(hoursOfDay - 1, row)) };
  return {
    ...plot,
    cells: next,
    layers: layers.map(layer => ({ ...layer, values: rowOfCells(next.values, next.row) })),
  };
}

type Across = { readonly along: NonNullable<DrawnPlot['along']>; readonly placeOf: (instant: number) => number };

function acrossDays({ x }: Timeline, { zone }: ChartModel): Across {
  const [first, last] = [x[0] ?? 0, x.at(-1) ?? 0];
  const edgesOf = (start: number, end: number): Float64Array => computeBinEdges({ start, end }, 'day', zone.timeZone);
  const isWhole = last - first <= mostDays * dayMs;
  const edges = isWhole
    ? edgesOf(first, last + 1)
    : Float64Array.from(new Set(Array.from(x, instant => edgesOf(instant, instant + 1)[0] ?? instant))).sort();
  const days = isWhole ? edges.subarray(0, -1) : edges;
  const end = isWhole ? (edges.at(-1) ?? last) : (days.at(-1) ?? last) + dayMs;
  return {
    along: {
      timeline: { x: days, rows: undefined, step: dayMs },
      domain: { start: days[0] ?? first, end },
      zone,
      daily: true,
      bins: { size: 'day', ...zone },
    },
    placeOf: instant => countBelow(days, instant + 1) - 1,
  };
}

function acrossCycle(cycle: 'monthOfYear' | 'weekday', { zone, locale }: ChartModel): Across {
  const names = getCycleNames(cycle, locale, say);
  const count = names.length;
  return {
    along: {
      timeline: {
        x: Float64Array.from({ length: count }, (_, place) => place * hourMs),
        rows: undefined,
        step: hourMs,
      },
      domain: { start: 0, end: count * hourMs },
      axis: cycleAxis({ by: cycle, ...zone }, names),
    },
    placeOf: createCycleBinLookup(cycle, zone),
  };
}

/** Returns how many cells a row covers: a row of several hours has its value in each of them. */
function hoursOfRow({ step = hourMs }: Timeline): number {
  return Math.max(1, Math.min(hoursOfDay, Math.floor(step / hourMs)));
}

/**
 * Computes the mean of each cell, weighted by hours, NaN without a value, and the number of values in it. For a share with known parts, a cell of
 * several hours has the share of their energies.
 */
function meansOfCells(
  timeline: Timeline,
  column: NumberColumn,
  parts: WeightedShareParts | undefined,
  places: number,
  cellAt: (instant: number) => number,
): { readonly values: Float64Array; readonly counts: Uint32Array } {
  const { x } = timeline;
  const values = valuesAlong(timeline, column);
  const ofRows = getHoursOfRows(column);
  const known = ofRows && valuesAlong(timeline, { ...column, values: ofRows });
  const sums = new Float64Array(places * hoursOfDay);
  const weights = new Float64Array(sums.length);
  const counts = new Uint32Array(sums.length);
  const hours = hoursOfRow(timeline);
  for (let point = 0; point < values.length; point++) {
    const value = values[point] as number;
    if (Number.isNaN(value)) continue;
    for (let hour = 0; hour < hours; hour++) {
      const cell = cellAt((x[point] as number) + hour * hourMs);
      const weight = known ? (known[point] as number) : 1;
      sums[cell] = (sums[cell] as number) + value * weight;
      weights[cell] = (weights[cell] as number) + weight;
      counts[cell] = (counts[cell] as number) + 1;
    }
  }
  const means = sums.map((sum, cell) => sum / (weights[cell] || NaN));
  if (!parts || !counts.some(count => count > 1)) return { values: means, counts };
  // All rows start at multiples of their length, so each hour of a row is in a different cell.
  const shares = Array.from({ length: hours }, (_, hour) => {
    const cells = Int32Array.from(x, instant => cellAt(instant + hour * hourMs));
    return sharesOfPlaces(timeline, parts, cells, sums.length);
  });
  const shareOf = (cell: number): number => shares.find(list => !Number.isNaN(list[cell]))?.[cell] ?? NaN;
  return { values: means.map((mean, cell) => ((counts[cell] ?? 0) > 1 ? shareOf(cell) : mean)), counts };
}

/**
 * Computes how many hours each cell has data for and how many it covers: the hours that the rows count or else all published intervals of the
 * range, less those whose rows are filtered out. Undefined if there would be too many intervals.
 */
function hoursOfCells(
  counts: Uint32Array,
  timeline: Timeline,
  column: NumberColumn,
  { frame, rows, start: asked, coverage: ofRange, step: askedStep }: ChartModel,
  cellAt: (instant: number) => number,
): Cells['hours'] {
  const { x, step = hourMs } = timeline;
  const all = new Float64Array(counts.length);
  const cellsOfRow = hoursOfRow(timeline);
  const addTo = (sums: Float64Array, instant: number, hours: number): void => {
    for (let hour = 0; hour < cellsOfRow; hour++) {
      const cell = cellAt(instant + hour * hourMs);
      if (cell >= 0 && cell < sums.length) sums[cell] = (sums[cell] as number) + hours / cellsOfRow;
    }
  };
  const counted = findHourCounts(frame);
  if (counted) {
    const known = new Float64Array(counts.length);
    const [hours, ofHours] = counted.map(column => valuesAlong(timeline, column));
    for (let point = 0; point < x.length; point++) {
      if (rowOf(timeline, point) === undefined) continue;
      addTo(known, x[point] as number, hours?.[point] ?? 0);
      addTo(all, x[point] as number, ofHours?.[point] ?? 0);
    }
    return { known, all };
  }
  const stepHours = step / hourMs;
  const add = (instant: number, by: number): void => addTo(all, instant, by * stepHours);
  const coverage = isComparedPeriodColumn(column) ? undefined : ofRange;
  const published = (coverage?.states.findLastIndex(state => state !== intervalState.notPublished) ?? -1) + 1;
  const [first = 0] = x;
  const before = published > 0 ? Math.max(0, first - (asked ?? first)) : 0;
  // Intervals start at multiples of the row length before the first row.
  const start = first - Math.floor(before / step) * step;
  const end = Math.max(
    (x.at(-1) ?? 0) + step,
    published > 0 ? getIntervalStart(coverage ?? {}, asked ?? -Infinity, askedStep ?? 0, published) : -Infinity,
  );
  if ((end - start) / step > maxIntervals) return undefined;
  for (let instant = start; instant < end; instant += step) add(instant, 1);
  if (rows) {
    const times = getTimesOfColumn(frame, column);
    const all = times && evenTimeline(timelineOf(times, frame.rowCount, undefined, askedStep));
    all?.x.forEach((instant, point) => {
      if (rowOf(all, point) !== undefined && instant >= start && instant < end) add(instant, -1);
    });
    for (let point = 0; point < x.length; point++) if (rowOf(timeline, point) !== undefined) add(x[point] as number, 1);
  }
  return { known: Float64Array.from(counts, count => (count * stepHours) / cellsOfRow), all };
}
