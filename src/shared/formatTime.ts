import { dayMs, hourMs, minuteMs } from './durations.ts';
import { cellState, type TimeColumn } from './frame.ts';

/** The properties of a column of instants that determine how it is formatted. Times are in milliseconds. */
export interface TimeShape {
  /** The earliest and the latest instant. Undefined for a column without instants. */
  readonly range: readonly [earliest: number, latest: number] | undefined;
  /** The smallest distance between consecutive rows. Undefined if there are fewer than two different instants. */
  readonly step: number | undefined;
  /** The largest unit of which every instant is a multiple. */
  readonly unit: 'hour' | 'minute' | 'second' | 'millisecond';
  /** Whether the rows are days or longer: bins of a day or longer, or at least two different instants that are all midnight in UTC. */
  readonly daily: boolean;
}

/** Returns the shape of a column. */
export function getTimeShape(column: TimeColumn, rowCount: number): TimeShape {
  let earliest = Infinity;
  let latest = -Infinity;
  let minDistance = Infinity;
  let previous = NaN;
  let grain = dayMs;
  for (let row = 0; row < rowCount; row++) {
    const value = column.values[row];
    if (value === undefined || (column.gaps && column.gaps[row] !== cellState.value)) continue;
    if (value < earliest) earliest = value;
    if (value > latest) latest = value;
    const distance = Math.abs(value - previous);
    if (distance > 0 && distance < minDistance) minDistance = distance;
    previous = value;
    while (grain > 1 && value % grain !== 0) grain = getNextGrain(grain);
  }
  return {
    range: earliest <= latest ? [earliest, latest] : undefined,
    step: Number.isFinite(minDistance) ? minDistance : undefined,
    unit: grain >= hourMs ? 'hour' : grain === minuteMs ? 'minute' : grain === 1000 ? 'second' : 'millisecond',
    daily: isDateBin(column.bins) || (grain === dayMs && Number.isFinite(minDistance)),
  };
}

/** Whether the rows of a column are whole days or longer, which are formatted without a time. */
export function isDateBin(bins: TimeColumn['bins']): boolean {
  return bins !== undefined && bins.size !== '3h';
}

/** Returns the shape of consecutive intervals. `edges` has the start of each interval if their lengths differ. */
export function createIntervalShape(
  start: number,
  intervalMs: number,
  intervalCount: number,
  edges?: Float64Array,
): TimeShape {
  const isMultipleOf = (unit: number): boolean => start % unit === 0 && intervalMs % unit === 0;
  if (edges)
    return {
      range: [start, edges[intervalCount - 1] ?? start],
      step: intervalMs,
      unit: 'minute',
      daily: intervalMs >= dayMs,
    };
  return {
    range: [start, start + Math.max(0, intervalCount - 1) * intervalMs],
    step: intervalMs,
    unit: isMultipleOf(hourMs)
      ? 'hour'
      : isMultipleOf(minuteMs)
        ? 'minute'
        : isMultipleOf(1000)
          ? 'second'
          : 'millisecond',
    daily: isMultipleOf(dayMs),
  };
}

/** The parts of an instant to show in addition to day and month. */
export type TimeParts = Readonly<Partial<Record<'year' | 'time' | 'seconds' | 'milliseconds', boolean | undefined>>>;

/**
 * Selects the parts that a column needs: the year if it changes, seconds if any instant has them, and the time unless the rows are days that begin
 * at midnight in the zone.
 */
export function selectTimeParts(shape: TimeShape, timeZone: string): TimeParts {
  const [earliest, latest] = shape.range ?? [0, 0];
  const yearFormat = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', calendar: 'gregory' });
  return {
    year: yearFormat.format(clampInstant(earliest)) !== yearFormat.format(clampInstant(latest)),
    time: !(shape.daily && isMidnight(earliest, timeZone) && isMidnight(latest, timeZone)),
    seconds: shape.unit === 'second' || shape.unit === 'millisecond',
    milliseconds: shape.unit === 'millisecond',
  };
}

function isMidnight(instant: number, timeZone: string): boolean {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return format.format(clampInstant(instant)) === '00:00';
}

/** Returns the nearest instant that a Date can represent, or 0 for NaN. */
export function clampInstant(instant: number): number {
  const limit = 8.64e15;
  return Number.isNaN(instant) ? 0 : Math.min(limit, Math.max(-limit, instant));
}

function getNextGrain(grain: number): number {
  return grain === dayMs ? hourMs : grain === hourMs ? minuteMs : grain === minuteMs ? 1000 : 1;
}

/** Formats an instant in UTC, such as 2023-05-03T06:00:00Z. An instant that a Date cannot represent is formatted as a number. */
export function formatIsoInstant(instant: number): string {
  return Math.abs(instant) <= 8.64e15 ? new Date(instant).toISOString().replace('.000Z', 'Z') : String(instant);
}
