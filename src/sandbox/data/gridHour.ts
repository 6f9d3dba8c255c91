import { formatInstant } from '../../core/time/instant.ts';
import { listNumberFields, systemStateFields } from '../../shared/fields.ts';
import { dayMs, hourMs } from '../../shared/durations.ts';

/** A reading in MW; null where it is missing. */
export type GridReading = number | null;

/** The measurements of one hour, from which the published fields are computed. MW, means over the hour. */
export interface Measurements {
  readonly residualDemand: GridReading;
  readonly residualForecast: GridReading;
  readonly thermal: GridReading;
  readonly nuclear: GridReading;
  readonly gas: GridReading;
  readonly ocgt: GridReading;
  /** Open-cycle turbines of independent producers: part of total generation, not published by itself. */
  readonly ippOcgt: GridReading;
  readonly hydro: GridReading;
  /** Pumped-storage generation: part of total generation, not published by itself. */
  readonly pumped: GridReading;
  readonly wind: GridReading;
  readonly pv: GridReading;
  readonly totalRenewable: GridReading;
  readonly imports: GridReading;
  readonly exports: GridReading;
  /** Load shed by hand ("manual load reduction"): not published, seen only through the stress index. */
  readonly shed: GridReading;
}

/** A system-state record, field for field as published (provider's documentation, "System-state record, 1h"). */
export type SystemStateRecord = ReturnType<typeof createRecord>;

/** An hour with its published record and the readings that only the daily and stress records need. */
export interface GridHour {
  /** Hours since 1970-01-01T00:00Z. */
  readonly hour: number;
  readonly record: SystemStateRecord;
  readonly totalMw: GridReading;
  readonly shedMw: GridReading;
}

/** Computes the published hour from its measurements. `previousOcgt` is null if the hour before is missing. */
export function toGridHour(hour: number, measured: Measurements, previousOcgt: GridReading): GridHour {
  const total = sum(
    measured.thermal,
    measured.nuclear,
    measured.gas,
    measured.ocgt,
    measured.hydro,
    measured.pumped,
    measured.ippOcgt,
    measured.totalRenewable,
  );
  return { hour, totalMw: total, shedMw: measured.shed, record: createRecord(hour, measured, total, previousOcgt) };
}

/** A record with null in every field of the catalogue. Fields that the sandbox does not model stay null. */
const nullFields: object = Object.fromEntries(listNumberFields(systemStateFields, 'hours').map(name => [name, null]));

function createRecord(hour: number, measured: Measurements, total: GridReading, previousOcgt: GridReading) {
  const renewable = measured.totalRenewable;
  return {
    ts: formatInstant(hour * hourMs),
    ...nullFields,
    residual_demand_mw: measured.residualDemand,
    residual_forecast_mw: measured.residualForecast,
    thermal_mw: measured.thermal,
    nuclear_mw: measured.nuclear,
    eskom_gas_mw: measured.gas,
    eskom_ocgt_mw: measured.ocgt,
    hydro_water_mw: measured.hydro,
    wind_mw: measured.wind,
    pv_mw: measured.pv,
    total_re_mw: renewable,
    imports_mw: measured.imports,
    exports_mw: measured.exports,
    net_import_mw: subtractReadings(measured.imports, measured.exports),
    renewable_share_pct: renewable === null || !total ? null : round((renewable / total) * 100),
    ocgt_ramp_mw: subtractReadings(measured.ocgt, previousOcgt),
    forecast_error_mw: subtractReadings(measured.residualDemand, measured.residualForecast),
  };
}

function subtractReadings(a: GridReading, b: GridReading): GridReading {
  return a === null || b === null ? null : round(a - b);
}

function sum(...readings: readonly GridReading[]): GridReading {
  let total = 0;
  for (const reading of readings) {
    if (reading === null) return null;
    total += reading;
  }
  return total;
}

/** Rounds like Python: by the exact value, and half to even. Never returns -0. */
export function round(value: number, decimals = 3): number {
  // Only an odd multiple of 2^-(decimals + 1) lies exactly between two neighbors; toFixed would take the farther from 0.
  const scaled = value * 2 ** (decimals + 1);
  if (!Number.isInteger(scaled) || scaled % 2 === 0) return Number(value.toFixed(decimals)) + 0;
  const lower = Math.floor(value * 10 ** decimals);
  return (lower + Math.abs(lower % 2)) / 10 ** decimals + 0;
}

/** Sums with compensated rounding errors (Neumaier). The result equals that of Python's fsum for a few numbers of similar size. */
export function sumPrecisely(values: readonly number[]): number {
  let sum = 0;
  let compensation = 0;
  for (const value of values) {
    const next = sum + value;
    compensation += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + compensation;
}

/** The record of a day: means of the MW fields, and the largest rise and fall of OCGT output instead of its mean ramp. */
export type DailyRecord = Readonly<Record<string, GridReading | string>>;

/** Aggregates hours, ascending by time, to UTC days. A day without hours is absent; a null reading is excluded from the mean. */
export function aggregateHourRecords(hours: readonly GridHour[]): DailyRecord[] {
  const days = Map.groupBy(hours, ({ hour }) => Math.floor(hour / 24));
  return Array.from(days, ([day, hoursOfDay]) => aggregateDay(day, hoursOfDay));
}

function aggregateDay(day: number, hours: readonly GridHour[]): DailyRecord {
  const means = meanFields.map(field => [field, computeMean(readings(hours, field))] as const);
  const ramps = readings(hours, 'ocgt_ramp_mw');
  return {
    ts: formatInstant(day * dayMs),
    ...Object.fromEntries(means),
    renewable_share_pct: computeRenewableShare(hours),
    ocgt_ramp_up_max_mw: ramps.length > 0 ? Math.max(...ramps) : null,
    ocgt_ramp_down_min_mw: ramps.length > 0 ? Math.min(...ramps) : null,
  };
}

/** The MW fields, which are means in records of days. */
const meanFields = [...systemStateFields].flatMap(([name, { unit }]) => (unit?.mwhPerHour ? [name] : []));

function readings(hours: readonly GridHour[], field: string): number[] {
  const values = hours.map(({ record }) => (record as Readonly<Record<string, GridReading | string>>)[field]);
  return values.filter(value => typeof value === 'number');
}

function computeMean(values: readonly number[]): GridReading {
  return values.length === 0 ? null : round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** Computes Σ renewable ÷ Σ total over the hours that have both, which is not the mean of the hourly shares. */
function computeRenewableShare(hours: readonly GridHour[]): GridReading {
  let renewable = 0;
  let total = 0;
  for (const { record, totalMw } of hours) {
    if (record.total_re_mw === null || totalMw === null) continue;
    renewable += record.total_re_mw;
    total += totalMw;
  }
  return total === 0 ? null : round((renewable / total) * 100);
}

const weights = { residual_demand: 0.35, ocgt_ramp: 0.15, reserve_margin: 0.35, renewable_shortfall: 0.15 } as const;

/** Describes the formula of the sandbox, because the service does not publish its own. */
export const stressNote =
  'The stress index is a formula of this sandbox, not of the service: 0.35 × residual demand + 0.15 × OCGT ramp + 0.35 × reserve margin + 0.15 × renewable shortfall, ' +
  'where residual demand = (residual_demand_mw − 18000) ÷ 14000, OCGT ramp = ocgt_ramp_mw ÷ 1500, reserve margin = load shed by hand in MW ÷ 5000 ' +
  'and renewable shortfall = 1 − renewable_share_pct ÷ 25, each held between 0 and 1.';

type Components = Readonly<Record<keyof typeof weights, GridReading>>;

/**
 * Computes the grid-stress record of an hour, with numbers from 0 to 1 and `components` only if requested. A component with a
 * null reading is null, and so is the index. That includes the ramp if the hour before is missing, which the specification
 * does not mention.
 */
export function computeStress({ record, shedMw }: GridHour, includesComponents: boolean) {
  const components: Components = {
    residual_demand: scaleReading(record.residual_demand_mw, demand => (demand - 18_000) / 14_000),
    // A fall is scored as 0.
    ocgt_ramp: scaleReading(record.ocgt_ramp_mw, ramp => ramp / 1_500),
    reserve_margin: scaleReading(shedMw, shed => shed / 5_000),
    renewable_shortfall: scaleReading(record.renewable_share_pct, share => 1 - share / 25),
  };
  return {
    ts: record.ts,
    value: computeIndex(components),
    version: 'v1' as const,
    ...(includesComponents && { components }),
  };
}

function computeIndex(components: Components): GridReading {
  const shares: number[] = [];
  for (const name of Object.keys(weights) as (keyof typeof weights)[]) {
    const component = components[name];
    if (component === null) return null;
    shares.push(component * weights[name]);
  }
  return clamp(sumPrecisely(shares));
}

function scaleReading(reading: GridReading, scale: (reading: number) => number): GridReading {
  return reading === null ? null : clamp(scale(reading));
}

function clamp(value: number): number {
  return round(Math.min(1, Math.max(0, value)), 4);
}
