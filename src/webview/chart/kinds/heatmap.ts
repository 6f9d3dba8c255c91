import { t } from '@vscode/l10n';
import { binEdges } from '../../../core/bins/binEdges.ts';
import { partsOf, type CountedParts } from '../../../core/bins/binSums.ts';
import { stressField } from '../../../shared/fields.ts';
import { numberFormatter } from '../../../shared/formatNumber.ts';
import type { Frame, NumberColumn } from '../../../shared/frame.ts';
import type { Cycle } from '../../../shared/resampling.ts';
import { unitOf } from '../../../shared/units.ts';
import { cycleNames } from '../../columns/binNames.ts';
import { chosenColumn, chosenOption, columnChoice, type ChartChoice } from '../chartChoice.ts';
import { chartTimes, cycleOf } from '../chartColumns.ts';
import type { ChartModel, ChartOptions } from '../chartModel.ts';
import { lineOf } from '../layers.ts';
import { cycleAxis } from '../otherAxes.ts';
import type { Cells, DrawnPlot, Plot } from '../plot.ts';
import { extremesOf } from '../decimate.ts';
import { lowerBound, sharesOfPlaces, valuesAlong, type Timeline } from '../timeline.ts';
import { ZoneTime } from '../timeTicks.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const hoursOfDay = 24;
/** Beyond this the days between those with rows are left out: rows may stand ages apart. */
const mostDays = 40_000;

const heatmapColumn = (frame: Frame): ChartChoice => columnChoice(frame, 'heatmap.column');

function acrossChoice(): ChartChoice {
  const options = [
    { id: 'days', name: t('Days') },
    { id: 'monthOfYear', name: t('Months of the Year') },
    { id: 'weekday', name: t('Weekdays') },
  ];
  return { id: 'heatmap.across', name: t('Across'), options };
}

export function heatmapChoices(frame: Frame): readonly ChartChoice[] {
  return [heatmapColumn(frame), acrossChoice()];
}

/** Whether rows have instants less than a day apart. */
export function fitsHeatmap(frame: Frame): boolean {
  const { values, bins } = chartTimes(frame) ?? {};
  if (!values || cycleOf(frame) || (bins && bins.size !== '3h')) return false;
  for (let row = 1; row < frame.rowCount; row++)
    if (Math.abs((values[row] ?? NaN) - (values[row - 1] ?? NaN)) < dayMs) return true;
  return false;
}

/**
 * A column as colours: the hours of the day upward, days, months of the year or weekdays across, by the clocks of the zone shown. A cell is
 * the mean of its values, of a share that of their energies where its part is known; without any it has none.
 */
export function heatmap(model: ChartModel, options: ChartOptions, timeline: Timeline): DrawnPlot {
  const { frame, locale, zone } = model;
  const column = chosenColumn(frame, heatmapColumn(frame), options);
  if (!column) return { layers: [], axes: [] };
  const across = chosenOption(acrossChoice(), options) as 'days' | (Cycle & ('monthOfYear' | 'weekday'));
  const clock = new ZoneTime(zone.timeZone);
  const { along, placeOf } = across === 'days' ? acrossDays(timeline, model) : acrossCycle(across, model, clock);
  const parts = partsOf(frame, column);
  const values = meansOfCells(timeline, column, parts, along.timeline.x.length, point => {
    const instant = timeline.x[point] ?? 0;
    const hour = Math.floor(clock.wallAt(instant) / hourMs) % hoursOfDay;
    return placeOf(instant) * hoursOfDay + (hour < 0 ? hour + hoursOfDay : hour);
  });
  const [least, greatest] = extremesOf(values, 0, values.length);
  const isStress = column.name === stressField && unitOf(column.field).kind === 'index';
  const cells: Cells = { values, least, greatest, row: 12 };
  const style = { colour: isStress ? 'bands' : 'scale', dash: 0, width: 1 } as const;
  const layer = lineOf(column, rowOf(cells), options, 0, style);
  const write = numberFormatter(locale, layer.decimals);
  const unit = layer.unit ? ` ${layer.unit}` : '';
  const scale = isStress
    ? t('Colors are those of the bands: 0.3, 0.6 and 0.8 are their limits.')
    : t('Dark is {0}, light is {1}.', `${write(least)}${unit}`, `${write(greatest)}${unit}`);
  return {
    layers: [{ ...layer, kind: 'cells', edges: [] }],
    axes: [{ unit: t('Hour of day'), fixed: [0, hoursOfDay], zero: false, isHourOfDay: true }],
    stepped: true,
    cells,
    caption: Number.isFinite(least) ? `${scale} ${t('Hatched cells have no value.')}` : t('No values.'),
    along,
  };
}

/** With another row of cells at the crosshair. */
export function withRow(plot: Plot, row: number): Plot {
  const { cells, layers } = plot;
  if (!cells) return plot;
  const next = { ...cells, row: Math.max(0, Math.min(hoursOfDay - 1, row)) };
  return { ...plot, cells: next, layers: layers.map(layer => ({ ...layer, values: rowOf(next) })) };
}

function rowOf({ values, row }: Pick<Cells, 'values' | 'row'>): Float64Array {
  return Float64Array.from(
    { length: values.length / hoursOfDay },
    (_, place) => values[place * hoursOfDay + row] ?? NaN,
  );
}

type Across = { readonly along: NonNullable<DrawnPlot['along']>; readonly placeOf: (instant: number) => number };

function acrossDays({ x }: Timeline, { zone }: ChartModel): Across {
  const [first, last] = [x[0] ?? 0, x.at(-1) ?? 0];
  const edgesOf = (start: number, end: number): Float64Array => binEdges({ start, end }, 'day', zone.timeZone);
  const edges =
    last - first <= mostDays * dayMs
      ? edgesOf(first, last + 1)
      : Float64Array.from(new Set(Array.from(x, instant => edgesOf(instant, instant + 1)[0] ?? instant))).sort();
  const isWhole = last - first <= mostDays * dayMs;
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
    placeOf: instant => lowerBound(days, instant + 1) - 1,
  };
}

function acrossCycle(cycle: 'monthOfYear' | 'weekday', { zone, locale }: ChartModel, clock: ZoneTime): Across {
  const names = cycleNames(cycle, locale);
  const count = names.length;
  const dateAt = (instant: number): Date => new Date(clock.wallAt(instant));
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
    placeOf: instant =>
      // Weeks begin on Monday.
      cycle === 'weekday' ? (dateAt(instant).getUTCDay() + 6) % 7 : dateAt(instant).getUTCMonth(),
  };
}

/** NaN for a cell without a value. A cell of several hours of a share has the share of their energies, where its part is known. */
function meansOfCells(
  timeline: Timeline,
  column: NumberColumn,
  parts: CountedParts | undefined,
  places: number,
  cellOf: (point: number) => number,
): Float64Array {
  const values = valuesAlong(timeline, column);
  const sums = new Float64Array(places * hoursOfDay);
  const counts = new Uint32Array(sums.length);
  for (let point = 0; point < values.length; point++) {
    const value = values[point] as number;
    if (Number.isNaN(value)) continue;
    const cell = cellOf(point);
    sums[cell] = (sums[cell] as number) + value;
    counts[cell] = (counts[cell] as number) + 1;
  }
  const means = sums.map((sum, cell) => sum / (counts[cell] || NaN));
  if (!parts || !counts.some(count => count > 1)) return means;
  const cells = Int32Array.from(values, (_, point) => cellOf(point));
  const shares = sharesOfPlaces(timeline, parts, cells, sums.length);
  return means.map((mean, cell) => ((counts[cell] ?? 0) > 1 ? (shares[cell] ?? NaN) : mean));
}
