import type { FieldInfo } from './frame.ts';
import { index, power, powerDifference, powerExtreme, share, type Unit } from './units.ts';

/** A documented field. */
export interface FieldDefinition extends FieldInfo {
  /** The rows that have this field; undefined for all. */
  readonly only?: 'hours' | 'days';
  /** The typical range of values, which the sandbox generates; 0 to 1 if undefined. */
  readonly typicalRange?: readonly [min: number, max: number];
}

type FieldOptions = Pick<FieldDefinition, 'only' | 'shareOf' | 'typicalRange'>;

// Names, units and meanings as the Power Signals API documents them; fields without a unit are not numbers. A response need not have any
// of them: the catalogue only describes names that it knows.
type FieldEntry = readonly [name: string, label: string, unit: Unit | undefined, meaning: string, more?: FieldOptions];

// Fields that charts, alerts and snippets look for.
export const demandField = 'residual_demand_mw';
export const forecastField = 'residual_forecast_mw';
export const ocgtField = 'eskom_ocgt_mw';
/** Positive if output rose since the hour before. */
export const rampField = 'ocgt_ramp_mw';
export const stressField = 'value';
export const totalRenewableField = 'total_re_mw';
export const renewableShareField = 'renewable_share_pct';

/**
 * Computes the total generation in MW from the total renewable generation in MW and its share in %. The result is accurate to some MW only,
 * since the share has few digits. NaN if the share is not above 0.
 */
export function computeTotalGeneration(renewable: number, percent: number): number {
  return percent > 0 ? (renewable / percent) * 100 : NaN;
}

const systemStateEntries: readonly FieldEntry[] = [
  ['ts', 'Hour', undefined, 'Beginning of the interval'],
  [demandField, 'Residual demand', power, 'System demand minus renewable generation; includes shed load'],
  [forecastField, 'Residual forecast', power, 'Forecast of residual demand'],
  ['thermal_mw', 'Thermal', power, 'Coal-fired generation'],
  ['nuclear_mw', 'Nuclear', power, 'Nuclear generation'],
  ['eskom_gas_mw', 'Gas', power, 'Gas turbines of Eskom alone'],
  [ocgtField, 'OCGT', power, 'Open-cycle gas turbines of Eskom alone, without independent producers'],
  ['hydro_water_mw', 'Hydro', power, 'Hydro generation without pumped storage'],
  ['wind_mw', 'Wind', power, 'Wind generation'],
  ['pv_mw', 'PV', power, 'Solar photovoltaic generation'],
  [totalRenewableField, 'Total renewable', power, 'All renewable generation'],
  ['imports_mw', 'Imports', power, 'Power imports'],
  ['exports_mw', 'Exports', power, 'Power exports'],
  ['net_import_mw', 'Net import', power, 'Imports minus exports'],
  [
    renewableShareField,
    'Renewable share',
    share,
    'Total renewable ÷ total generation × 100',
    { shareOf: totalRenewableField },
  ],
  [rampField, 'OCGT ramp', powerExtreme, 'Hour-over-hour change of OCGT output', { only: 'hours' }],
  ['forecast_error_mw', 'Forecast error', powerDifference, 'Residual demand minus residual forecast'],
  [
    'ocgt_ramp_up_max_mw',
    'Largest OCGT ramp up',
    powerExtreme,
    'Largest hour-over-hour rise of OCGT output within a day; daily data only',
    { only: 'days' },
  ],
  [
    'ocgt_ramp_down_min_mw',
    'Largest OCGT ramp down',
    powerExtreme,
    'Largest hour-over-hour fall of OCGT output within a day; daily data only',
    { only: 'days' },
  ],
];

const gridStressEntries: readonly FieldEntry[] = [
  ['ts', 'Hour', undefined, 'Beginning of the interval'],
  [stressField, 'Stress', index, 'Grid stress index, 0 to 1: below 0.3 low, 0.6 moderate, 0.8 high, above critical'],
  ['version', 'Version', undefined, 'Version of the index'],
  ['components.residual_demand', 'Residual demand stress', index, 'Part of the index from residual demand, 0 to 1'],
  ['components.ocgt_ramp', 'OCGT ramp stress', index, 'Part of the index from OCGT ramps, 0 to 1'],
  ['components.reserve_margin', 'Reserve margin stress', index, 'Part of the index from the reserve margin, 0 to 1'],
  ['components.renewable_shortfall', 'Renewable shortfall', index, 'Part of the index from missing renewables, 0 to 1'],
];

const sandboxStressEntry: FieldEntry = [
  stressField,
  'Local stress',
  index,
  'Stress index from a local formula, not from the service, 0 to 1: below 0.3 low, 0.6 moderate, 0.8 high, above critical',
];

/** The documented fields of a dataset by name. */
export type FieldCatalogue = ReadonlyMap<string, FieldDefinition>;

export const systemStateFields = createCatalogue(systemStateEntries);
export const gridStressFields = createCatalogue(gridStressEntries);
/** The fields of a sandbox, which computes its own stress index even for replayed hours. */
export const sandboxStressFields = createCatalogue([...gridStressEntries, sandboxStressEntry]);

/** Returns the names of the numeric fields that hours, or days, have. */
export function listNumberFields(fields: FieldCatalogue, rows: 'hours' | 'days'): string[] {
  return [...fields].flatMap(([name, { unit, only = rows }]) => (unit && only === rows ? [name] : []));
}

function createCatalogue(entries: readonly FieldEntry[]): FieldCatalogue {
  return new Map(
    entries.map(([name, label, unit, meaning, options]) => [
      name,
      { label, meaning, ...(unit && { unit }), ...options },
    ]),
  );
}
