import { hourMs } from '../../shared/durations.ts';
import { cellState, stateAt, type Frame, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import { timeColumnOf } from '../frame/clip.ts';

/** How well means of hours agree with daily values if days begin `offsetHours` before their timestamps. */
interface DayFit {
  /** 0 to 23. With timestamps at UTC midnight, k means days from midnight to midnight of UTC+k. */
  readonly offsetHours: number;
  /** The number of days with a daily value and all 24 hours. Only these count. */
  readonly days: number;
  /**
   * The largest absolute difference in the column's unit (0 if it is only rounding) and the timestamp of its day in UTC milliseconds.
   * Undefined if no day counts.
   */
  readonly largest: { readonly difference: number; readonly day: number } | undefined;
}

/** A daily row that is excluded from the check of a column: its timestamp, and the reason. */
interface LeftOutDay {
  readonly day: number;
  /** How many of its 24 hours have a value; undefined if the day itself has none. */
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
  /** The excluded days for the overall offset, or for 0 if there is none. */
  readonly leftOut: readonly LeftOutDay[];
}

export interface DayCheck {
  readonly columns: readonly ColumnDayCheck[];
  /** The unique best offset of most columns; undefined if no column has a unique best one. */
  readonly offsetHours: number | undefined;
}

const dayHours = 24;
/** Differences below this fraction of the column's magnitude count as rounding: such offsets fit equally well. */
const tolerance = 1e-9;

/**
 * Compares the mean of the 24 hours of each day with the service's daily value, for each hour at which days may begin and each numeric
 * column that both frames have. A share of sums (`%`) need not be the mean of the hourly shares. Offsets are ranked by the days that are
 * complete for all of them, if there are any, so that none wins by having fewer days.
 */
export function dayCheck(hourly: Frame, daily: Frame): DayCheck {
  const [hours, days] = [timeColumnOf(hourly), timeColumnOf(daily)];
  const around = hours && days && new HoursAround(hours, days);
  const others = new Map(hourly.columns.map(column => [JSON.stringify(column.path), column]));
  const checked = daily.columns.flatMap(column => {
    const fine = others.get(JSON.stringify(column.path));
    if (!around || column.kind !== 'number' || fine?.kind !== 'number') return [];
    const leftOut = (offset: number): LeftOutDay[] => leftOutDays(around, fine, days, column, offset);
    return [{ ...checkColumn(around, fine, days, column), leftOut }];
  });
  const votes = new Map<number, number>();
  for (const { best, alsoFit } of checked) {
    if (best && alsoFit.length === 0) votes.set(best.offsetHours, (votes.get(best.offsetHours) ?? 0) + 1);
  }
  const [winner] = [...votes].sort(([a, votesA], [b, votesB]) => votesB - votesA || a - b);
  const columns = checked.map(column => ({ ...column, leftOut: column.leftOut(winner?.[0] ?? 0) }));
  return { columns, offsetHours: winner?.[0] };
}

function checkColumn(
  around: HoursAround,
  hourly: NumberColumn,
  days: TimeColumn,
  daily: NumberColumn,
): Omit<ColumnDayCheck, 'leftOut'> {
  const offsets = Array.from({ length: dayHours }, (_, offset) => offset);
  const stamps = [...days.values.keys()].filter(row => known(days, row) && known(daily, row));
  const largest = stamps.reduce((size, row) => Math.max(size, Math.abs(daily.values[row] ?? 0)), 0);
  const differences = offsets.map(offset =>
    Float64Array.from(stamps, row => Math.abs(around.mean(hourly, row, offset) - (daily.values[row] ?? NaN))),
  );
  const fits = differences.map((list, offsetHours): DayFit => {
    const found = largestOf(list);
    const day = days.values[stamps[found.index] ?? -1];
    const used = list.reduce((sum, value) => sum + Number(!Number.isNaN(value)), 0);
    return {
      offsetHours,
      days: used,
      largest:
        day === undefined ? undefined : { difference: found.value <= largest * tolerance ? 0 : found.value, day },
    };
  });
  const common = stamps.map((_, index) => differences.every(list => !Number.isNaN(list[index])));
  const fair = common.some(Boolean);
  const ranks = differences.map(list => largestOf(fair ? list.filter((_, index) => common[index]) : list).value);
  const smallest = Math.min(...ranks.filter(rank => !Number.isNaN(rank)));
  const alike = offsets.filter(offset => (ranks[offset] ?? NaN) <= smallest + largest * tolerance);
  const [first, ...alsoFit] = alike.sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0) || a - b);
  const { name, field } = daily;
  return {
    name,
    unit: field?.unit?.text,
    fits,
    best: first === undefined ? undefined : fits[first],
    alsoFit: alsoFit.sort((a, b) => a - b),
  };
}

function leftOutDays(
  around: HoursAround,
  hourly: NumberColumn,
  days: TimeColumn,
  daily: NumberColumn,
  offset: number,
): LeftOutDay[] {
  const found: LeftOutDay[] = [];
  for (const [row, day] of days.values.entries()) {
    if (!known(days, row)) continue;
    const hours = known(daily, row) ? around.count(hourly, row, offset) : undefined;
    if (hours !== dayHours) found.push({ day, hours });
  }
  return found;
}

function known(column: TimeColumn | NumberColumn, row: number): boolean {
  return stateAt(column, row) === cellState.value && Number.isFinite(column.values[row]);
}

/** Finds the largest number and its index; NaN and -1 if there is none. */
function largestOf(list: Float64Array): { readonly value: number; readonly index: number } {
  let index = -1;
  list.forEach((value, at) => {
    if (!Number.isNaN(value) && (index < 0 || value > (list[index] ?? NaN))) index = at;
  });
  return { value: list[index] ?? NaN, index };
}

/** Maps each daily row to the rows of the hours that its day may have, from 23 before its timestamp to 23 after; -1 if there is none. */
class HoursAround {
  static readonly count = 2 * dayHours - 1;
  readonly #rows: Int32Array;

  constructor(hours: TimeColumn, days: TimeColumn) {
    const rowAt = new Map<number, number>();
    for (const row of hours.values.keys()) {
      if (known(hours, row)) rowAt.set(hours.values[row] ?? NaN, row);
    }
    this.#rows = new Int32Array(days.values.length * HoursAround.count).map((_, index) => {
      const day = days.values[Math.floor(index / HoursAround.count)] ?? NaN;
      const hour = (index % HoursAround.count) - (dayHours - 1);
      return rowAt.get(day + hour * hourMs) ?? -1;
    });
  }

  /** Returns the mean of the 24 hours that begin `offset` hours before the timestamp of a daily row; NaN unless all have a value. */
  mean(column: NumberColumn, day: number, offset: number): number {
    const first = day * HoursAround.count + dayHours - 1 - offset;
    let sum = 0;
    for (let at = first; at < first + dayHours; at++) {
      const row = this.#rows[at] ?? -1;
      if (row < 0 || !known(column, row)) return NaN;
      sum += column.values[row] ?? NaN;
    }
    return sum / dayHours;
  }

  /** Counts the hours among these 24 that have a value. */
  count(column: NumberColumn, day: number, offset: number): number {
    const first = day * HoursAround.count + dayHours - 1 - offset;
    const rows = this.#rows.subarray(first, first + dayHours);
    return rows.reduce((count, row) => count + Number(row >= 0 && known(column, row)), 0);
  }
}
