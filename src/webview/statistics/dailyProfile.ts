import { momentSteps } from '../../core/statistics/moments.ts';
import { quantile, sortSteps } from '../../core/statistics/sorted.ts';
import { stepRows, type Steps } from '../../core/time/steps.ts';
import { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { dayMs, hourMs } from '../../shared/durations.ts';
import { cellState, stateAt, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';

/** The hour of a row that has no instant. */
const noHour = 255;

/** The values whose intervals begin within one hour of the day. */
export interface HourOfDay {
  readonly hour: number;
  readonly count: number;
  /** Undefined where no row of this hour has a value. */
  readonly mean: number | undefined;
  readonly p5: number | undefined;
  readonly p95: number | undefined;
}

const hoursOfDay = 24;

/**
 * Mean and p5 to p95 of each hour of the day; `hours` is that of each row (see zoneHourSteps). Where a clock change repeats an hour
 * both count for it, and where it leaves one out that hour counts one less.
 */
export function* dailyProfileSteps(
  column: NumberColumn,
  hours: Uint8Array,
  rows?: Uint32Array,
): Steps<readonly HourOfDay[]> {
  const { values } = column;
  const total = rows?.length ?? values.length;
  const hourAt = (row: number): number => {
    const counts = stateAt(column, row) === cellState.value && Number.isFinite(values[row]);
    return counts ? (hours[row] ?? noHour) : noHour;
  };
  // Where the values of each hour begin among all: first their counts, then each added to the next.
  const places = new Uint32Array(noHour + 2);
  for (let index = 0; index < total; index++) {
    if (index % stepRows === stepRows - 1) yield;
    const after = hourAt(rows ? (rows[index] ?? 0) : index) + 1;
    places[after] = (places[after] ?? 0) + 1;
  }
  for (let hour = 1; hour < places.length; hour++) places[hour] = (places[hour] ?? 0) + (places[hour - 1] ?? 0);
  const starts = places.slice(0, hoursOfDay + 1);
  const grouped = new Float64Array(total);
  for (let index = 0; index < total; index++) {
    if (index % stepRows === stepRows - 1) yield;
    const row = rows ? (rows[index] ?? 0) : index;
    const hour = hourAt(row);
    const place = places[hour] ?? 0;
    grouped[place] = values[row] ?? NaN;
    places[hour] = place + 1;
  }
  const profile: HourOfDay[] = [];
  for (let hour = 0; hour < hoursOfDay; hour++) {
    const ascending = yield* sortSteps(grouped.subarray(starts[hour], starts[hour + 1]));
    profile.push(yield* hourSteps(hour, ascending));
  }
  return profile;
}

function* hourSteps(hour: number, ascending: Float64Array): Steps<HourOfDay> {
  const count = ascending.length;
  if (count === 0) return { hour, count, mean: undefined, p5: undefined, p95: undefined };
  const { mean } = yield* momentSteps(ascending);
  return { hour, count, mean, p5: quantile(ascending, 0.05), p95: quantile(ascending, 0.95) };
}

/** The range of a Date, less the days that an offset needs. */
const lastInstant = 8.64e15 - 2 * dayMs;
const rowsPerStep = 1 << 13;

/** The hour of day, 0 to 23, of each row in the zone; `noHour` where a row has no instant. */
export function* zoneHourSteps(time: TimeColumn, timeZone: string): Steps<Uint8Array> {
  const hours = new Uint8Array(time.values.length).fill(noHour);
  const offsets = new ZoneOffsets(timeZone);
  for (let row = 0; row < hours.length; row++) {
    if (row % rowsPerStep === rowsPerStep - 1) yield;
    const instant = time.values[row] ?? NaN;
    if (!(Math.abs(instant) < lastInstant) || stateAt(time, row) !== cellState.value) continue;
    const local = instant + offsets.at(instant);
    hours[row] = Math.floor((local - Math.floor(local / dayMs) * dayMs) / hourMs);
  }
  return hours;
}
