import { formatInstant } from '../../core/time/instant.ts';
import { round } from './rounding.ts';

export const hourMs = 3_600_000;

/** A reading in MW; null where the hour came without it. */
export type Reading = number | null;

/** What is measured in one hour, before the published fields are made of it. MW, means over the hour. */
export interface Measurements {
  readonly residualDemand: Reading;
  readonly residualForecast: Reading;
  readonly thermal: Reading;
  readonly nuclear: Reading;
  readonly gas: Reading;
  readonly ocgt: Reading;
  /** Open-cycle turbines of independent producers: part of total generation, not published by itself. */
  readonly ippOcgt: Reading;
  readonly hydro: Reading;
  /** Pumped-storage generation: part of total generation, not published by itself. */
  readonly pumped: Reading;
  readonly wind: Reading;
  readonly pv: Reading;
  readonly totalRenewable: Reading;
  readonly imports: Reading;
  readonly exports: Reading;
  /** Load shed by hand ("manual load reduction"): not published, seen only through the stress index. */
  readonly shed: Reading;
}

/** A system-state record, field for field as published (provider's documentation, "System-state record, 1h"). */
export interface SystemStateRecord {
  readonly ts: string;
  readonly residual_demand_mw: Reading;
  readonly residual_forecast_mw: Reading;
  readonly thermal_mw: Reading;
  readonly nuclear_mw: Reading;
  readonly eskom_gas_mw: Reading;
  readonly eskom_ocgt_mw: Reading;
  readonly hydro_water_mw: Reading;
  readonly wind_mw: Reading;
  readonly pv_mw: Reading;
  readonly total_re_mw: Reading;
  readonly imports_mw: Reading;
  readonly exports_mw: Reading;
  readonly net_import_mw: Reading;
  readonly renewable_share_pct: Reading;
  readonly ocgt_ramp_mw: Reading;
  readonly forecast_error_mw: Reading;
}

/** One hour with its published record and what the daily and stress views need beside it. */
export interface GridHour {
  /** Hours since 1970-01-01T00:00Z. */
  readonly hour: number;
  readonly record: SystemStateRecord;
  readonly totalMw: Reading;
  readonly shedMw: Reading;
}

/** Makes the published hour of its measurements; `previousOcgt` is null where the hour before is not known. */
export function toGridHour(hour: number, measured: Measurements, previousOcgt: Reading): GridHour {
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
  const renewable = measured.totalRenewable;
  return {
    hour,
    totalMw: total,
    shedMw: measured.shed,
    record: {
      ts: formatInstant(hour * hourMs),
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
    },
  };
}

function difference(a: Reading, b: Reading): Reading {
  return a === null || b === null ? null : round(a - b);
}

function sum(...readings: readonly Reading[]): Reading {
  let total = 0;
  for (const reading of readings) {
    if (reading === null) return null;
    total += reading;
  }
  return total;
}
