import { systemStateFields } from '../../shared/fields.ts';
import { type GridHour, type GridReading, hourMs } from './gridHour.ts';
import { formatInstant } from '../../core/time/instant.ts';
import { round } from './rounding.ts';

/** A day's record: means of the MW fields, and the largest rise and fall of OCGT output in the place of its mean ramp. */
export type DailyRecord = Readonly<Record<string, GridReading | string>>;

/** UTC days of the hours given, which are in order; a day without hours is absent, a null reading is left out of its mean. */
export function aggregateDays(hours: readonly GridHour[]): DailyRecord[] {
  const days = Map.groupBy(hours, ({ hour }) => Math.floor(hour / 24));
  return Array.from(days, ([day, ofDay]) => aggregateDay(day, ofDay));
}

function aggregateDay(day: number, hours: readonly GridHour[]): DailyRecord {
  const means = meanFields.map(field => [field, mean(readings(hours, field))] as const);
  const ramps = readings(hours, 'ocgt_ramp_mw');
  return {
    ts: formatInstant(day * 24 * hourMs),
    ...Object.fromEntries(means),
    renewable_share_pct: renewableShare(hours),
    ocgt_ramp_up_max_mw: ramps.length > 0 ? Math.max(...ramps) : null,
    ocgt_ramp_down_min_mw: ramps.length > 0 ? Math.min(...ramps) : null,
  };
}

/** Of days, in their order: the means of MW. */
const meanFields = [...systemStateFields].flatMap(([name, { unit }]) => (unit?.mwhPerHour ? [name] : []));

function readings(hours: readonly GridHour[], field: string): number[] {
  const values = hours.map(({ record }) => (record as Readonly<Record<string, GridReading | string>>)[field]);
  return values.filter(value => typeof value === 'number');
}

function mean(values: readonly number[]): GridReading {
  return values.length === 0 ? null : round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** Σ renewable ÷ Σ total over the hours that have both: not the mean of the hourly shares. */
function renewableShare(hours: readonly GridHour[]): GridReading {
  let renewable = 0;
  let total = 0;
  for (const { record, totalMw } of hours) {
    if (record.total_re_mw === null || totalMw === null) continue;
    renewable += record.total_re_mw;
    total += totalMw;
  }
  return total === 0 ? null : round((renewable / total) * 100);
}
