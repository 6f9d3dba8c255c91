import { formatInstant } from '../../core/time/instant.ts';
import { numberFields, systemStateFields } from '../../shared/fields.ts';
import { round } from './rounding.ts';

export const hourMs = 3_600_000;

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
export type SystemStateRecord = ReturnType<typeof recordOf>;

/** One hour with its published record and what the daily and stress views need beside it. */
export interface GridHour {
  /** Hours since 1970-01-01T00:00Z. */
  readonly hour: number;
  readonly record: SystemStateRecord;
  readonly totalMw: GridReading;
  readonly shedMw: GridReading;
}

/** Computes the published hour from its measurements; `previousOcgt` is null where the hour before is not known. */
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
  return { hour, totalMw: total, shedMw: measured.shed, record: recordOf(hour, measured, total, previousOcgt) };
}

/** All fields of the catalogue: those that the sandbox has no model of are null in each record. */
const noReadings: object = Object.fromEntries(numberFields(systemStateFields, 'hours').map(name => [name, null]));

function recordOf(hour: number, measured: Measurements, total: GridReading, previousOcgt: GridReading) {
  const renewable = measured.totalRenewable;
  return {
    ts: formatInstant(hour * hourMs),
    ...noReadings,
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
    net_import_mw: difference(measured.imports, measured.exports),
    renewable_share_pct: renewable === null || !total ? null : round((renewable / total) * 100),
    ocgt_ramp_mw: difference(measured.ocgt, previousOcgt),
    forecast_error_mw: difference(measured.residualDemand, measured.residualForecast),
  };
}

function difference(a: GridReading, b: GridReading): GridReading {
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
