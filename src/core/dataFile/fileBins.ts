import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { cellState, stateAt, type Column, type Frame, type NumberColumn } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { binSizes, type BinSize, type BinsOfZone, type RowLength } from '../../shared/resampling.ts';
import { hourCount, unitOf } from '../../shared/units.ts';
import { binAt, binEdges, greatestLength } from '../bins/binEdges.ts';
import { rowsOfSteps, rowSteps } from '../bins/rowSteps.ts';
import { binCounts, figureName, figuresByName } from '../bins/binFrame.ts';
import { zoneOfDays } from '../bins/dayInterval.ts';
import { rowLabels } from '../frame/describeFields.ts';
import { timeColumnOf } from '../frame/clip.ts';
import type { Span } from '../range/resolveRange.ts';
import { zoneNamed } from '../time/zone.ts';
import type { FileProvenance } from './fileTable.ts';

/** The days of about a hundred years. Looking up the clock changes of more takes too long. */
const mostBins = 40_000;
/** The minimum length of a bin of each size. */
const leastMs: Readonly<Record<BinSize, number>> = {
  '3h': 3 * hourMs,
  day: dayMs,
  week: weekMs,
  month: 28 * dayMs,
  quarter: 90 * dayMs,
  year: 365 * dayMs,
};

/**
 * Finds the bins that the rows of a file are. Our own exports state them ("day@SAST"). Rows of another file are days, weeks, months, quarters or
 * years in the first of the zones where each row begins one and at least half of them have a row. Days and weeks in UTC are ordinary intervals
 * of fixed length, not bins. Undefined for all other rows. `instants` are ascending.
 */
export function binsOfFile(
  instants: Float64Array,
  provenance: FileProvenance | undefined,
  zones: readonly DisplayZone[],
): BinsOfZone | undefined {
  const [first, last] = [instants[0], instants.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const fits = (size: BinSize): boolean => (last - first) / leastMs[size] <= mostBins;
  const stated = provenance && statedBins(provenance);
  if (stated || provenance) return stated && fits(stated.size) ? stated : undefined;
  if (first === last || instants.length > mostBins) return undefined;
  for (const zone of zones)
    for (const size of binSizes) {
      if (size === '3h' || !fits(size) || (last - first) / leastMs[size] > 2 * instants.length) continue;
      if (binEdges({ start: first, end: first + 1 }, size, zone.timeZone)[0] !== first) continue;
      const edges = binEdges({ start: first, end: last + 1 }, size, zone.timeZone);
      if (!instants.every(ms => edges[binAt(edges, ms)] === ms)) continue;
      // Tests UTC before other zones: in winter, its days may also be those of London.
      const isFixed = zone.timeZone === 'UTC' && (size === 'day' || size === 'week');
      return isFixed ? undefined : { size, ...zone };
    }
  return undefined;
}

function statedBins({ bins = '', interval = '', resampled }: FileProvenance): BinsOfZone | undefined {
  const [text, name = ''] = bins.split('@', 2);
  const size = binSizes.find(one => one === text);
  const zone = zoneNamed(name);
  if (size && zone) return { size, ...zone };
  const days = resampled === undefined ? zoneOfDays(interval) : undefined;
  return days && { size: 'day', ...days };
}

/**
 * Marks the rows as bins, and adds to each column of means the hours that its values stand for: energy ÷ mean, else the hours with data, else
 * all hours of the bin. The range contains the rows.
 */
export function asBins(frame: Frame, bins: BinsOfZone, { start, end }: Span): Frame {
  const time = timeColumnOf(frame);
  if (!time) return frame;
  const numbers = new Map(frame.columns.flatMap(column => (column.kind === 'number' ? [[column.name, column]] : [])));
  const figures = figuresByName(frame.columns);
  const edges = binEdges({ start, end }, bins.size, bins.timeZone);
  const hoursOfBins = time.values.map(ms => {
    const bin = binAt(edges, ms);
    return ((edges[bin + 1] ?? NaN) - (edges[bin] ?? NaN)) / hourMs || 0;
  });
  const columns = frame.columns.map((column): Column => {
    if (column === time) return { ...time, bins, field: { meaning: '', ...time.field, label: rowLabels[bins.size] } };
    if (column.kind !== 'number') return column;
    // The columns of a compared period have the hours of that period.
    const [, name = column.name, compared = ''] = /^(.+)( · compared(?: \d+)?)$/.exec(column.name) ?? [];
    if (figures.has(name)) return column;
    if (column.name === 'hours') return { ...column, field: { ...binCounts.hours, unit: hourCount } };
    if (column.name === 'of_hours') return { ...column, field: { ...binCounts.ofHours, unit: hourCount } };
    const energies = numbers.get(figureName(name, 'energy') + compared);
    const counted = numbers.get(`hours${compared}`);
    const hours = hoursOfBins.map((all, row) => {
      const known = valueAt(counted, row) ?? all;
      const own = (valueAt(energies, row) ?? NaN) / (valueAt(column, row) ?? NaN);
      const isSame = Math.abs(own - known) < 1e-6 * known;
      return own > 0 && own < Infinity && !isSame ? own : known;
    });
    return { ...column, hours };
  });
  return { ...frame, columns };
}

/**
 * Adds the row lengths to the time column, and to each column of numbers the hours that its values stand for. Of several rows in one interval
 * only the last counts. Energies already are those of the whole row. The range contains the rows.
 */
export function withRowLengths(frame: Frame, lengths: readonly RowLength[], { start, end }: Span): Frame {
  const time = timeColumnOf(frame);
  if (!time) return frame;
  const steps = rowSteps({ start, end, stepMs: greatestLength(lengths), lengths });
  const hours = new Float64Array(frame.rowCount);
  for (const [step, row] of rowsOfSteps(time, steps).entries()) if (row >= 0) hours[row] = steps.hoursOf?.(step) ?? 0;
  const columns = frame.columns.map((column): Column => {
    if (column === time) return { ...time, lengths };
    return column.kind === 'number' && unitOf(column.field).kind !== 'energy' ? { ...column, hours } : column;
  });
  return { ...frame, columns };
}

function valueAt(column: NumberColumn | undefined, row: number): number | undefined {
  return column && stateAt(column, row) === cellState.value ? column.values[row] : undefined;
}
