import type { FieldInfo } from './frame.ts';
import { index, power, powerDifference, powerExtreme, share, type Unit } from './units.ts';

// Names, units and meanings as the Power Signals API documents them. A response never has to hold any of them: the
// catalogue only adds meaning where it knows a name.
type Known = readonly [name: string, label: string, unit: Unit | undefined, meaning: string, shareOf?: string];

const systemState: readonly Known[] = [
  ['ts', 'Hour', undefined, 'Beginning of the interval'],
  ['residual_demand_mw', 'Residual demand', power, 'System demand minus renewable generation; shed load is in it'],
  ['residual_forecast_mw', 'Residual forecast', power, 'Forecast of residual demand'],
  ['thermal_mw', 'Thermal', power, 'Coal-fired generation'],
  ['nuclear_mw', 'Nuclear', power, 'Nuclear generation'],
  ['eskom_gas_mw', 'Gas', power, 'Gas turbines of Eskom alone'],
  ['eskom_ocgt_mw', 'OCGT', power, 'Open-cycle gas turbines of Eskom alone, without independent producers'],
  ['hydro_water_mw', 'Hydro', power, 'Hydro generation without pumped storage'],
  ['wind_mw', 'Wind', power, 'Wind generation'],
  ['pv_mw', 'PV', power, 'Solar photovoltaic generation'],
  ['total_re_mw', 'Total renewable', power, 'All renewable generation'],
  ['imports_mw', 'Imports', power, 'Power imports'],
  ['exports_mw', 'Exports', power, 'Power exports'],
  ['net_import_mw', 'Net import', power, 'Imports minus exports'],
  ['renewable_share_pct', 'Renewable share', share, 'Total renewable ÷ total generation × 100', 'total_re_mw'],
  ['ocgt_ramp_mw', 'OCGT ramp', powerExtreme, 'Hour-over-hour change of OCGT output'],
  ['forecast_error_mw', 'Forecast error', powerDifference, 'Residual demand minus residual forecast'],
  // Days have these in the place of the ramp.
  [
    'ocgt_ramp_up_max_mw',
    'Largest OCGT ramp up',
    powerExtreme,
    'Largest hour-over-hour rise of OCGT output within a day; hours have none',
  ],
  [
    'ocgt_ramp_down_min_mw',
    'Largest OCGT ramp down',
    powerExtreme,
    'Largest hour-over-hour fall of OCGT output within a day; hours have none',
  ],
];

/** Only the service's own days have these. */
export const dailyRampFields = ['ocgt_ramp_up_max_mw', 'ocgt_ramp_down_min_mw'];

const gridStress: readonly Known[] = [
  ['ts', 'Hour', undefined, 'Beginning of the interval'],
  ['value', 'Stress', index, 'Grid stress index, 0 to 1: below 0.3 low, 0.6 moderate, 0.8 high, above critical'],
  ['version', 'Version', undefined, 'Version of the index'],
  ['components.residual_demand', 'Residual demand stress', index, 'Part of the index from residual demand, 0 to 1'],
  ['components.ocgt_ramp', 'OCGT ramp stress', index, 'Part of the index from OCGT ramps, 0 to 1'],
  ['components.reserve_margin', 'Reserve margin stress', index, 'Part of the index from the reserve margin, 0 to 1'],
  ['components.renewable_shortfall', 'Renewable shortfall', index, 'Part of the index from missing renewables, 0 to 1'],
];

const sandboxStress: Known = [
  'value',
  'Sample Data stress',
  index,
  'Stress index by a formula of Sample Data, not of the service, 0 to 1: below 0.3 low, 0.6 moderate, 0.8 high, above critical',
];

/** What is known of a dataset's fields, by their names. */
export type FieldCatalogue = ReadonlyMap<string, FieldInfo>;

export const systemStateFields = catalogueOf(systemState);
export const gridStressFields = catalogueOf(gridStress);
/** The same where a sandbox answers: its index is one of its own, over real hours, too. */
export const sandboxStressFields = catalogueOf([...gridStress, sandboxStress]);

function catalogueOf(known: readonly Known[]): FieldCatalogue {
  return new Map(
    known.map(([name, label, unit, meaning, shareOf]) => [
      name,
      { label, meaning, ...(unit && { unit }), ...(shareOf !== undefined && { shareOf }) },
    ]),
  );
}

/** Whether a field of this name holds numbers: decides what a column without any value is. */
export function isNumberField(name: string): boolean {
  return (systemStateFields.has(name) || gridStressFields.has(name)) && name !== 'ts' && name !== 'version';
}
