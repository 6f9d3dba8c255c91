import { cellState } from './frame.ts';
import type { TimeColumn } from './frame.ts';

/** What decides how a column of instants is written. Milliseconds throughout. */
export interface TimeShape {
  /** The earliest and latest instant; undefined for a column without any. */
  readonly range: readonly [earliest: number, latest: number] | undefined;
  /** The smallest distance between two rows that follow each other; undefined below two different instants. */
  readonly step: number | undefined;
  /** The coarsest unit in which every instant is whole. */
  readonly unit: 'hour' | 'minute' | 'second' | 'millisecond';
  /** Every instant is a UTC midnight, and there is more than one; or each is the beginning of a day of a zone. */
  readonly daily: boolean;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Reads the whole column. */
export function timeShape(column: TimeColumn, rowCount: number): TimeShape {
  let earliest = Infinity;
  let latest = -Infinity;
  let step = Infinity;
  let previous = NaN;
  let grain = dayMs;
  for (let row = 0; row < rowCount; row++) {
    const value = column.values[row];
    if (value === undefined || (column.gaps && column.gaps[row] !== cellState.value)) continue;
    if (value < earliest) earliest = value;
    if (value > latest) latest = value;
    const distance = Math.abs(value - previous);
    if (distance > 0 && distance < step) step = distance;
    previous = value;
    while (grain > 1 && value % grain !== 0) grain = finer(grain);
  }
  return {
    range: earliest <= latest ? [earliest, latest] : undefined,
    step: Number.isFinite(step) ? step : undefined,
    unit: grain >= hourMs ? 'hour' : grain === 60_000 ? 'minute' : grain === 1000 ? 'second' : 'millisecond',
    daily: column.days !== undefined || (grain === dayMs && Number.isFinite(step)),
  };
}

/**
 * The shape of so many steps that follow each other; beginning and length in milliseconds. `edges`: their beginnings, where they are
 * days of a zone.
 */
export function stepShape(start: number, stepMs: number, steps: number, edges?: Float64Array): TimeShape {
  const whole = (unit: number): boolean => start % unit === 0 && stepMs % unit === 0;
  if (edges) return { range: [start, edges[steps - 1] ?? start], step: stepMs, unit: 'minute', daily: true };
  return {
    range: [start, start + Math.max(0, steps - 1) * stepMs],
    step: stepMs,
    unit: whole(hourMs) ? 'hour' : whole(60_000) ? 'minute' : whole(1000) ? 'second' : 'millisecond',
    daily: whole(dayMs),
  };
}

/** Which parts of an instant are written. */
export interface TimeParts {
  readonly year: boolean;
  readonly time: boolean;
  readonly seconds: boolean;
  readonly milliseconds: boolean;
}

/** The parts a column needs: the year where rows are of different years, seconds where one has any, no time where all are midnights of the zone. */
export function timeParts(shape: TimeShape, timeZone: string): TimeParts {
  const [earliest, latest] = shape.range ?? [0, 0];
  const yearOf = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', calendar: 'gregory' });
  return {
    year: yearOf.format(clampInstant(earliest)) !== yearOf.format(clampInstant(latest)),
    time: !(shape.daily && isMidnight(earliest, timeZone) && isMidnight(latest, timeZone)),
    seconds: shape.unit === 'second' || shape.unit === 'millisecond',
    milliseconds: shape.unit === 'millisecond',
  };
}

function isMidnight(instant: number, timeZone: string): boolean {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return format.format(clampInstant(instant)) === '00:00';
}

/** The nearest instant a Date can hold; 0 for no number. */
export function clampInstant(instant: number): number {
  const limit = 8.64e15;
  return Number.isNaN(instant) ? 0 : Math.min(limit, Math.max(-limit, instant));
}

function finer(grain: number): number {
  return grain === dayMs ? hourMs : grain === hourMs ? 60_000 : grain === 60_000 ? 1000 : 1;
}
