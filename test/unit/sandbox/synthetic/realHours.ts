import type { GridHour, SystemStateRecord } from '../../../../src/sandbox/data/gridHour.ts';

export type Field = Exclude<keyof SystemStateRecord, 'ts'>;

export interface Statistics {
  readonly mean: number;
  readonly deviation: number;
  readonly lowest: number;
  readonly highest: number;
}

/**
 * Statistics of the 15,552 hours from 2022-06-23 to 2024-03-31 (SAST) on the Eskom Data Portal, as the replay publishes them. All are in
 * MW, except the share, which is in %. The data itself is not part of the repository.
 */
export const realHours: Readonly<Record<Field, Statistics>> = {
  residual_demand_mw: { mean: 23_581.79, deviation: 2_768.31, lowest: 15_634.67, highest: 33_136.11 },
  residual_forecast_mw: { mean: 23_582.8, deviation: 2_723.46, lowest: 16_118.18, highest: 32_871.36 },
  thermal_mw: { mean: 18_990.87, deviation: 1_621.87, lowest: 13_774, highest: 25_498 },
  nuclear_mw: { mean: 1_039.36, deviation: 314.77, lowest: -36, highest: 1_839 },
  eskom_gas_mw: { mean: 0.64, deviation: 10.52, lowest: 0, highest: 328.35 },
  eskom_ocgt_mw: { mean: 380.56, deviation: 499.59, lowest: 0, highest: 2_115 },
  hydro_water_mw: { mean: 231.61, deviation: 242.68, lowest: 0, highest: 612.01 },
  wind_mw: { mean: 1_279.01, deviation: 610.36, lowest: 34.26, highest: 3_102.22 },
  pv_mw: { mean: 582.47, deviation: 706.4, lowest: 0, highest: 2_111.69 },
  total_re_mw: { mean: 2_052.47, deviation: 977.56, lowest: 129.01, highest: 5_129.76 },
  imports_mw: { mean: 1_227.87, deviation: 231.44, lowest: 27, highest: 1_700 },
  exports_mw: { mean: 1_297.62, deviation: 142.41, lowest: 756.95, highest: 1_900.75 },
  net_import_mw: { mean: -69.75, deviation: 279.16, lowest: -1_536.79, highest: 727.26 },
  renewable_share_pct: { mean: 8.7, deviation: 3.95, lowest: 0.54, highest: 22.53 },
  ocgt_ramp_mw: { mean: 0, deviation: 193.4, lowest: -1_401, highest: 1_360 },
  forecast_error_mw: { mean: -1.01, deviation: 540.06, lowest: -3_028.48, highest: 2_448.8 },
};

export const fields = Object.keys(realHours) as Field[];

export function computeStatistics(hours: readonly GridHour[], field: Field): Statistics {
  const values = hours.map(hour => hour.record[field]).filter(value => value !== null);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    mean,
    deviation: Math.sqrt(squares / values.length),
    lowest: values.reduce((lowest, value) => Math.min(lowest, value)),
    highest: values.reduce((highest, value) => Math.max(highest, value)),
  };
}

/**
 * Fields that are differences of large numbers, so their means are near zero. Means are compared relative to the deviation in these
 * fields. All other statistics are compared relative to the real statistic.
 */
const differences: readonly Field[] = ['net_import_mw', 'ocgt_ramp_mw', 'forecast_error_mw'];

/** Lists the statistics of a field that differ from the real ones by more than `tolerance`, as a share. */
export function findDeviations(field: Field, actual: Statistics, tolerance: number): string[] {
  const { [field]: real } = realHours;
  const figures = ['mean', 'deviation', 'lowest', 'highest'] as const;
  return figures
    .filter(figure => {
      const scale = figure === 'mean' && differences.includes(field) ? real.deviation : Math.abs(real[figure]);
      return Math.abs(actual[figure] - real[figure]) > tolerance * scale;
    })
    .map(figure => `${field}: ${figure} is ${actual[figure]}, not ${real[figure]}`);
}
