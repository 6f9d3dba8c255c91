import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { cellState, getCellState, type Column, type Frame, type NumberColumn } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { binSizes, type BinSize, type ZonedBins, type RowLength } from '../../shared/resampling.ts';
import { hourCount, isAmount, unitOf } from '../../shared/units.ts';
import { findBin, computeBinEdges, getMaxRowLength } from '../bins/binEdges.ts';
import { findRowsOfIntervals, getRowIntervals } from '../bins/rowIntervals.ts';
import { hourCountFields, getFigureName, mapFigureNames } from '../bins/binFrame.ts';
import { parseDayZone } from '../bins/dayInterval.ts';
import { rowLabels } from '../frame/describeFields.ts';
import { findTimeColumn } from '../frame/clip.ts';
import type { Span } from '../range/resolveRange.ts';
import { findZone } from '../time/zone.ts';
import type { FileProvenance } from './fileTable.ts';

/** The number of days in about a hundred years. Looking up the clock changes of more days takes too long. */
const maxBins = 40_000;
/** The minimum length of a bin of each size. */
const minBinMs: Readonly<Record<BinSize, number>> = {
  '3h': 3 * hourMs,
  day: dayMs,
  week: weekMs,
  month: 28 * dayMs,
  quarter: 90 * dayMs,
  year: 365 * dayMs,
};

/**
 * Finds the bins that the rows of a file stand for. Our own exports state them ("day@SAST"). Rows of other files are bins (days, weeks, months,
 * quarters or years) of the first zone in which every row is the start of a bin and at least half of the bins have a row. Days and weeks in UTC
 * are ordinary intervals of fixed length, not bins. Undefined for all other rows. `instants` are ascending.
 */
export function findFileBins(
  instants: Float64Array,
  provenance: FileProvenance | undefined,
  zones: readonly DisplayZone[],
): ZonedBins | undefined {
  const first = instants[0];
  const last = instants.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const isWithinLimit = (size: BinSize): boolean => (last - first) / minBinMs[size] <= maxBins;
  if (provenance) {
    const bins = parseBins(provenance);
    return bins && isWithinLimit(bins.size) ? bins : undefined;
  }
  if (first === last || instants.length > maxBins) return undefined;
  for (const zone of zones)
    for (const size of binSizes) {
      if (size === '3h' || !isWithinLimit(size) || (last - first) / minBinMs[size] > 2 * instants.length) continue;
      if (computeBinEdges({ start: first, end: first + 1 }, size, zone.timeZone)[0] !== first) continue;
      const edges = computeBinEdges({ start: first, end: last + 1 }, size, zone.timeZone);
      if (!instants.every(ms => edges[findBin(edges, ms)] === ms)) continue;
      // UTC is tested before other zones, because its days are also the days of London in winter.
      const isFixed = zone.timeZone === 'UTC' && (size === 'day' || size === 'week');
      return isFixed ? undefined : { size, ...zone };
    }
  return undefined;
}

function parseBins({ bins = '', interval = '', resampled }: FileProvenance): ZonedBins | undefined {
  const [text, name = ''] = bins.split('@', 2);
  const size = binSizes.find(candidate => candidate === text);
  const zone = findZone(name);
  if (size && zone) return { size, ...zone };
  const days = resampled === undefined ? parseDayZone(interval) : undefined;
  return days && { size: 'day', ...days };
}

/**
 * Marks the rows as bins, and adds to each column of means the hours that its values cover: energy ÷ mean, or else the hours with data, or else
 * all hours of the bin. The range must contain the rows.
 */
export function restoreBins(frame: Frame, bins: ZonedBins, { start, end }: Span): Frame {
  const time = findTimeColumn(frame);
  if (!time) return frame;
  const numbers = new Map(frame.columns.flatMap(column => (column.kind === 'number' ? [[column.name, column]] : [])));
  const figures = mapFigureNames(frame.columns);
  const edges = computeBinEdges({ start, end }, bins.size, bins.timeZone);
  const hoursOfBins = time.values.map(ms => {
    const bin = findBin(edges, ms);
    return ((edges[bin + 1] ?? NaN) - (edges[bin] ?? NaN)) / hourMs || 0;
  });
  const columns = frame.columns.map((column): Column => {
    if (column === time) return { ...time, bins, field: { meaning: '', ...time.field, label: rowLabels[bins.size] } };
    if (column.kind !== 'number') return column;
    // The columns of a compared period have the hours of that period.
    const [, name = column.name, compared = ''] = /^(.+)( · compared(?: \d+)?)$/.exec(column.name) ?? [];
    if (figures.has(name)) return column;
    if (column.name === 'hours') return { ...column, field: { ...hourCountFields.hours, unit: hourCount } };
    if (column.name === 'of_hours') return { ...column, field: { ...hourCountFields.ofHours, unit: hourCount } };
    const energies = numbers.get(getFigureName(name, 'energy') + compared);
    const hourCounts = numbers.get(`hours${compared}`);
    const { mwhPerHour = 1 } = unitOf(column.field);
    const hours = hoursOfBins.map((hoursOfBin, row) => {
      const countedHours = getValue(hourCounts, row) ?? hoursOfBin;
      const hoursFromEnergy = (getValue(energies, row) ?? NaN) / (getValue(column, row) ?? NaN) / mwhPerHour;
      const isSame = Math.abs(hoursFromEnergy - countedHours) < 1e-6 * countedHours;
      return hoursFromEnergy > 0 && hoursFromEnergy < Infinity && !isSame ? hoursFromEnergy : countedHours;
    });
    return { ...column, hours };
  });
  return { ...frame, columns };
}

/**
 * Adds the row lengths to the time column, and to each column of numbers except energies the hours that its values cover. If several rows are
 * in one interval, only the last counts. The range must contain the rows.
 */
export function withRowLengths(frame: Frame, lengths: readonly RowLength[], { start, end }: Span): Frame {
  const time = findTimeColumn(frame);
  if (!time) return frame;
  const intervals = getRowIntervals({ start, end, intervalMs: getMaxRowLength(lengths), lengths });
  const hours = new Float64Array(frame.rowCount);
  for (const [interval, row] of findRowsOfIntervals(time, intervals).entries())
    if (row >= 0) hours[row] = intervals.getHours?.(interval) ?? 0;
  const columns = frame.columns.map((column): Column => {
    if (column === time) return { ...time, lengths };
    return column.kind === 'number' && !isAmount(unitOf(column.field)) ? { ...column, hours } : column;
  });
  return { ...frame, columns };
}

function getValue(column: NumberColumn | undefined, row: number): number | undefined {
  return column && getCellState(column, row) === cellState.value ? column.values[row] : undefined;
}
