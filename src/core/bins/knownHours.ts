import { dayMs, hourMs } from '../../shared/durations.ts';
import { cellState, getCellState, type Column, type Frame, type NumberColumn } from '../../shared/frame.ts';
import type { Result } from '../../shared/result.ts';
import { unitOf } from '../../shared/units.ts';
import { findTimeColumn } from '../frame/clip.ts';
import { findDelayStart } from '../frame/coverage.ts';
import type { Span } from '../range/resolveRange.ts';
import { createHourCountColumns } from './binFrame.ts';

const hoursPerDay = 24;

/** The intervals of a range that were requested, and the intervals that have data. */
export interface KnownIntervals {
  /** When each interval was last requested; 0 if never. */
  readonly requestedAt: Float64Array;
  /** 1 for each interval that has a row. */
  readonly hasRow: Uint8Array;
  /** For each numeric column, by name: 1 for each interval whose row has a value. */
  readonly hasValue: ReadonlyMap<string, Uint8Array>;
}

/** Determines which intervals of a span have rows in a frame. If several rows share an interval, the last one counts. */
export function getKnownIntervals(
  frame: Frame,
  requestedAt: Float64Array,
  span: Span,
  intervalMs: number,
): KnownIntervals {
  const instants = findTimeColumn(frame)?.values ?? new Float64Array();
  const markIntervals = (isMarked: (row: number) => boolean): Uint8Array => {
    const flags = new Uint8Array(requestedAt.length);
    for (let row = 0; row < instants.length; row++)
      flags[Math.floor(((instants[row] ?? NaN) - span.start) / intervalMs)] = isMarked(row) ? 1 : 0;
    return flags;
  };
  const numbers = frame.columns.filter(({ kind }) => kind === 'number');
  const hasValue = new Map(
    numbers.map(column => [column.name, markIntervals(row => getCellState(column, row) === cellState.value)]),
  );
  return { requestedAt, hasRow: markIntervals(() => true), hasValue };
}

/** The number of present and expected hours of each day; both are 0 if unknown. */
interface DayHours {
  readonly present: Uint8Array;
  readonly expected: Uint8Array;
  /**
   * Returns the number of hours of each day that a mean power covers. `values`: 1 for each hour in which the power has a value;
   * undefined if that is unknown.
   */
  readonly countPowerHours: (values: Uint8Array | undefined) => Float64Array;
}

/**
 * Adds to the service's own daily values the number of hours that each day has data for. This number is known if the hours of the day
 * were requested too, up to the time when the day was requested, or if the day had not ended by then. A mean power covers these hours, or
 * 24 hours if their number is unknown. `requestedAt`: when each day was requested, by the service's clock; `hours`: the hours of the same
 * range.
 */
export function addKnownHours(result: Result, requestedAt: Float64Array, hours?: KnownIntervals): Result {
  const { frame, coverage, provenance } = result;
  const time = frame && findTimeColumn(frame);
  // It is unknown which row counts if several rows have the same day.
  if (!time || new Set(time.values).size < time.values.length) return result;
  const delayStart = findDelayStart(provenance.meta);
  const { present, expected, countPowerHours } = determineDayHours(requestedAt, provenance.start, delayStart, hours);
  const days = Int32Array.from(time.values, ms => Math.floor((ms - provenance.start) / dayMs));
  const mapToRows = (valuesByDay: ArrayLike<number>, fallback = 0): Float64Array =>
    Float64Array.from(days, day => valuesByDay[day] ?? fallback);
  const hoursByPowerColumn = new Map<Column, Float64Array>();
  for (const column of frame.columns) {
    if (column.kind !== 'number' || unitOf(column.field).mwhPerHour === undefined) continue;
    hoursByPowerColumn.set(column, mapToRows(countPowerHours(hours?.hasValue.get(column.name)), hoursPerDay));
  }
  const areDaysComplete = [...hoursByPowerColumn.values()].every(counts =>
    counts.every(count => count === hoursPerDay),
  );
  const columns = frame.columns.map(column => {
    const powerHours = areDaysComplete ? undefined : hoursByPowerColumn.get(column);
    return powerHours ? ({ ...column, hours: powerHours } as NumberColumn) : column;
  });
  const gaps = Uint8Array.from(days, day => ((expected[day] ?? 0) > 0 ? cellState.value : cellState.absent));
  const hourCounts = createHourCountColumns(
    { hours: mapToRows(present), ofHours: mapToRows(expected), ...(gaps.includes(cellState.absent) && { gaps }) },
    new Set(columns.map(({ name }) => name)),
  );
  columns.splice(frame.columns.indexOf(time) + 1, 0, ...hourCounts);
  const coverageWithHours = expected.includes(hoursPerDay) &&
    coverage && { coverage: { ...coverage, hours: { present, expected } } };
  return { ...result, frame: { ...frame, columns }, ...coverageWithHours };
}

/** Determines the hours of each day. `requestedAt` and `start` refer to the days; the service reports no data after `delayStart`. */
function determineDayHours(
  requestedAt: Float64Array,
  start: number,
  delayStart: number,
  hours: KnownIntervals | undefined,
): DayHours {
  const countEndedHours = (requestedMs: number, day: number): number =>
    Math.max(0, Math.min(hoursPerDay, Math.floor((requestedMs - start - day * dayMs) / hourMs)));
  const endedHours = Uint8Array.from(requestedAt, countEndedHours);
  const areHoursRequested = endedHours.map((count, day) => {
    const requested = hours?.requestedAt.subarray(day * hoursPerDay, day * hoursPerDay + count);
    return count > 0 && requested?.every(ms => ms > 0) === true ? 1 : 0;
  });
  const countPresent = (values: Uint8Array | undefined, day: number): number => {
    let count = 0;
    for (let hour = day * hoursPerDay; hour < day * hoursPerDay + (endedHours[day] ?? 0); hour++)
      count += values?.[hour] ?? 0;
    return count;
  };
  const isUnfinished = (day: number): boolean => (endedHours[day] ?? 0) > 0 && (endedHours[day] ?? 0) < hoursPerDay;
  const isKnown = endedHours.map((_, day) =>
    areHoursRequested[day] === 1 || (isUnfinished(day) && delayStart === Infinity) ? 1 : 0,
  );
  return {
    present: isKnown.map((isKnownDay, day) => {
      if (isKnownDay === 0) return 0;
      return areHoursRequested[day] === 1 ? countPresent(hours?.hasRow, day) : (endedHours[day] ?? 0);
    }),
    expected: isKnown.map(isKnownDay => isKnownDay * hoursPerDay),
    countPowerHours: values =>
      Float64Array.from(endedHours, (count, day) => {
        if (areHoursRequested[day] === 1 && values) return countPresent(values, day);
        return isUnfinished(day) ? count : hoursPerDay;
      }),
  };
}
