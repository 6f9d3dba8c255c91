import type { FieldInfo } from './frame.ts';

// Names, units and meanings as the Power Signals API documents them. A response never has to hold any of them: the
// catalogue only adds meaning where it knows a name.
type Known = readonly [name: string, label: string, unit: string, meaning: string];

const systemState: readonly Known[] = [
  ['ts', 'Hour', '', 'Beginning of the interval'],
  ['residual_demand_mw', 'Residual demand', 'MW', 'System demand minus renewable generation'],
  ['residual_forecast_mw', 'Residual forecast', 'MW', 'Forecast of residual demand'],
  ['thermal_mw', 'Thermal', 'MW', 'Coal-fired generation'],
  ['nuclear_mw', 'Nuclear', 'MW', 'Nuclear generation'],
  ['eskom_gas_mw', 'Gas', 'MW', 'Eskom gas turbines'],
  ['eskom_ocgt_mw', 'OCGT', 'MW', 'Open-cycle gas turbines'],
  ['hydro_water_mw', 'Hydro', 'MW', 'Hydro generation'],
  ['wind_mw', 'Wind', 'MW', 'Wind generation'],
  ['pv_mw', 'PV', 'MW', 'Solar photovoltaic generation'],
  ['total_re_mw', 'Total renewable', 'MW', 'All renewable generation'],
  ['imports_mw', 'Imports', 'MW', 'Power imports'],
  ['exports_mw', 'Exports', 'MW', 'Power exports'],
  ['net_import_mw', 'Net import', 'MW', 'Imports minus exports'],
  ['renewable_share_pct', 'Renewable share', '%', 'Total renewable ÷ total generation × 100'],
  ['ocgt_ramp_mw', 'OCGT ramp', 'MW', 'Hour-over-hour change of OCGT output'],
  ['forecast_error_mw', 'Forecast error', 'MW', 'Residual demand minus residual forecast'],
];

const gridStress: readonly Known[] = [
  ['ts', 'Hour', '', 'Beginning of the interval'],
  ['value', 'Stress', '', 'Grid stress index, 0 to 1: below 0.3 low, 0.6 moderate, 0.8 high, above critical'],
  ['version', 'Version', '', 'Version of the index'],
  ['components.residual_demand', 'Residual demand stress', '', 'Part of the index from residual demand, 0 to 1'],
  ['components.ocgt_ramp', 'OCGT ramp stress', '', 'Part of the index from OCGT ramps, 0 to 1'],
  ['components.reserve_margin', 'Reserve margin stress', '', 'Part of the index from the reserve margin, 0 to 1'],
  ['components.renewable_shortfall', 'Renewable shortfall', '', 'Part of the index from missing renewables, 0 to 1'],
];

/** What is known of a dataset's fields, by their names. */
export type FieldCatalogue = ReadonlyMap<string, FieldInfo>;

export const systemStateFields = catalogueOf(systemState);
export const gridStressFields = catalogueOf(gridStress);

function catalogueOf(known: readonly Known[]): FieldCatalogue {
  return new Map(known.map(([name, label, unit, meaning]) => [name, { label, meaning, ...(unit && { unit }) }]));
}

/** Whether a field of this name holds numbers: decides what a column without any value is. */
export function isNumberField(name: string): boolean {
  return (systemStateFields.has(name) || gridStressFields.has(name)) && name !== 'ts' && name !== 'version';
}
