import { hourMs } from '../../shared/durations.ts';
import { cellState, getCellState, type Frame, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import { findTimeColumn } from '../frame/clip.ts';

/** Describes how well hourly means match the daily values if days begin `offsetHours` before their timestamps. */
interface DayFit {
  /** 0 to 23. With timestamps at UTC midnight, k means days from midnight to midnight of UTC+k. */
  readonly offsetHours: number;
  /** The number of days with a daily value and all 24 hours. Only these count. */
  readonly days: number;
  /**
   * The largest absolute difference in the column's unit (0 if it is only rounding), and the timestamp of its day in UTC milliseconds.
   * Undefined if no day counts.
   */
  readonly largest: { readonly difference: number; readonly day: number } | undefined;
}

/** A daily row that is excluded from the check of a column. */
interface ExcludedDay {
  /** The timestamp in UTC milliseconds. */
  readonly day: number;
  /** The number of its 24 hours that have a value; undefined if the day itself has no value. */
  readonly hours: number | undefined;
}

export interface ColumnDayCheck {
  readonly name: string;
  readonly unit: string | undefined;
  /** One item per offset, starting with 0. */
  readonly fits: readonly DayFit[];
  /** The offset with the smallest maximum difference; undefined if no offset has a day. */
  readonly best: DayFit | undefined;
  /** Other offsets that fit equally well. If there are any, the column does not show where days begin. */
  readonly alsoFit: readonly number[];
  /** The excluded days at the overall offset, or at offset 0 if there is no overall offset. */
  readonly omitted: readonly ExcludedDay[];
}

export interface DayCheck {
  readonly columns: readonly ColumnDayCheck[];
  /** The best offset of most columns; undefined if no column has a unique best offset. */
  readonly offsetHours: number | undefined;
}

const hoursPerDay = 24;
/** Differences below this fraction of the column's magnitude are ignored as rounding. Offsets with only such differences fit equally well. */
const tolerance = 1e-9;

/**
 * Compares the mean of the 24 hours of each day with the service's daily value, for each hour at which days may begin and each numeric
 * column that both frames have. A share (`%`) may differ, because a daily share is not the mean of the hourly shares. If possible, offsets
 * are ranked by the days that are complete at every offset, so that an offset with fewer days has no advantage.
 */
export function compareDays(hourly: Frame, daily: Frame): DayCheck {
  const hours = findTimeColumn(hourly);
  const days = findTimeColumn(daily);
  const hoursAround = hours && days && new HoursAroundDays(hours, days);
  const hourlyColumns = new Map(hourly.columns.map(column => [JSON.stringify(column.path), column]));
  const results = daily.columns.flatMap(column => {
    const hourlyColumn = hourlyColumns.get(JSON.stringify(column.path));
    if (!hoursAround || column.kind !== 'number' || hourlyColumn?.kind !== 'number') return [];
    const listExcluded = (offset: number): ExcludedDay[] =>
      listExcludedDays(hoursAround, hourlyColumn, days, column, offset);
    return [{ ...checkColumn(hoursAround, hourlyColumn, days, column), listExcluded }];
  });
  const votes = new Map<number, number>();
  for (const { best, alsoFit } of results) {
    if (best && alsoFit.length === 0) votes.set(best.offsetHours, (votes.get(best.offsetHours) ?? 0) + 1);
  }
  const [topVote] = [...votes].sort(([a, votesA], [b, votesB]) => votesB - votesA || a - b);
  const columns = results.map(({ listExcluded, ...column }) => ({
    ...column,
    omitted: listExcluded(topVote?.[0] ?? 0),
  }));
  return { columns, offsetHours: topVote?.[0] };
}

function checkColumn(
  hoursAround: HoursAroundDays,
  hourly: NumberColumn,
  days: TimeColumn,
  daily: NumberColumn,
): Omit<ColumnDayCheck, 'omitted'> {
  const offsets = Array.from({ length: hoursPerDay }, (_, offset) => offset);
  const comparedRows = [...days.values.keys()].filter(row => hasNumber(days, row) && hasNumber(daily, row));
  const maxValue = comparedRows.reduce((max, row) => Math.max(max, Math.abs(daily.values[row] ?? 0)), 0);
  const differences = offsets.map(offset =>
    Float64Array.from(comparedRows, row =>
      Math.abs(hoursAround.mean(hourly, row, offset) - (daily.values[row] ?? NaN)),
    ),
  );
  const fits = differences.map((offsetDifferences, offsetHours): DayFit => {
    const maximum = findMaximum(offsetDifferences);
    const day = days.values[comparedRows[maximum.index] ?? -1];
    const dayCount = offsetDifferences.reduce((sum, value) => sum + Number(!Number.isNaN(value)), 0);
    return {
      offsetHours,
      days: dayCount,
      largest:
        day === undefined ? undefined : { difference: maximum.value <= maxValue * tolerance ? 0 : maximum.value, day },
    };
  });
  const isCompleteForAll = comparedRows.map((_, index) =>
    differences.every(offsetDifferences => !Number.isNaN(offsetDifferences[index])),
  );
  const hasCommonDays = isCompleteForAll.some(Boolean);
  const maxDifferences = differences.map(
    offsetDifferences =>
      findMaximum(hasCommonDays ? offsetDifferences.filter((_, index) => isCompleteForAll[index]) : offsetDifferences)
        .value,
  );
  const smallest = Math.min(...maxDifferences.filter(difference => !Number.isNaN(difference)));
  const bestOffsets = offsets.filter(offset => (maxDifferences[offset] ?? NaN) <= smallest + maxValue * tolerance);
  const [first, ...alsoFit] = bestOffsets.sort((a, b) => (maxDifferences[a] ?? 0) - (maxDifferences[b] ?? 0) || a - b);
  const { name, field } = daily;
  return {
    name,
    unit: field?.unit?.text,
    fits,
    best: first === undefined ? undefined : fits[first],
    alsoFit: alsoFit.sort((a, b) => a - b),
  };
}

function listExcludedDays(
  hoursAround: HoursAroundDays,
  hourly: NumberColumn,
  days: TimeColumn,
  daily: NumberColumn,
  offset: number,
): ExcludedDay[] {
  const excluded: ExcludedDay[] = [];
  for (const [row, day] of days.values.entries()) {
    if (!hasNumber(days, row)) continue;
    const hours = hasNumber(daily, row) ? hoursAround.count(hourly, row, offset) : undefined;
    if (hours !== hoursPerDay) excluded.push({ day, hours });
  }
  return excluded;
}

function hasNumber(column: TimeColumn | NumberColumn, row: number): boolean {
  return getCellState(column, row) === cellState.value && Number.isFinite(column.values[row]);
}

/** Finds the largest number and its index; NaN and -1 if all numbers are NaN. */
function findMaximum(numbers: Float64Array): { readonly value: number; readonly index: number } {
  let index = -1;
  numbers.forEach((value, position) => {
    if (!Number.isNaN(value) && (index < 0 || value > (numbers[index] ?? NaN))) index = position;
  });
  return { value: numbers[index] ?? NaN, index };
}

/**
 * The rows of the hours that may belong to the day of each daily row: from 23 hours before its timestamp to 23 hours after it. The row is
 * -1 if the hour has none.
 */
class HoursAroundDays {
  static readonly count = 2 * hoursPerDay - 1;
  readonly #rows: Int32Array;

  constructor(hours: TimeColumn, days: TimeColumn) {
    const rowsByInstant = new Map<number, number>();
    for (const row of hours.values.keys()) {
      if (hasNumber(hours, row)) rowsByInstant.set(hours.values[row] ?? NaN, row);
    }
    this.#rows = new Int32Array(days.values.length * HoursAroundDays.count).map((_, index) => {
      const day = days.values[Math.floor(index / HoursAroundDays.count)] ?? NaN;
      const hour = (index % HoursAroundDays.count) - (hoursPerDay - 1);
      return rowsByInstant.get(day + hour * hourMs) ?? -1;
    });
  }

  /** Returns the mean of the 24 hours that begin `offset` hours before the timestamp of a daily row; NaN if an hour has no value. */
  mean(column: NumberColumn, day: number, offset: number): number {
    const first = day * HoursAroundDays.count + hoursPerDay - 1 - offset;
    let sum = 0;
    for (let index = first; index < first + hoursPerDay; index++) {
      const row = this.#rows[index] ?? -1;
      if (row < 0 || !hasNumber(column, row)) return NaN;
      sum += column.values[row] ?? NaN;
    }
    return sum / hoursPerDay;
  }

  /** Counts the hours with a value among the 24 hours that begin `offset` hours before the timestamp of a daily row. */
  count(column: NumberColumn, day: number, offset: number): number {
    const first = day * HoursAroundDays.count + hoursPerDay - 1 - offset;
    const rows = this.#rows.subarray(first, first + hoursPerDay);
    return rows.reduce((count, row) => count + Number(row >= 0 && hasNumber(column, row)), 0);
  }
}
