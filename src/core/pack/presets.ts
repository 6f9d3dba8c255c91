import type { DerivedColumn } from '../../shared/derivedColumns.ts';
import type { Cycle } from '../../shared/resampling.ts';
import { unitOf } from '../../shared/units.ts';
import { FormulaError, type FormulaColumn } from '../formula/formula.ts';
import { parseFormula, quoteColumnName } from '../formula/parseFormula.ts';
import { createInstalledCapacityFrame, installedCapacitySource } from './installedCapacity.ts';

/** Columns with formulas for a task in South Africa. `label` and `description` are English and are translated at display. */
export interface Preset {
  readonly label: string;
  readonly description: string;
  /** The source of the numbers with its date, at most 300 characters; undefined if the numbers are the person's own. */
  readonly source?: string;
  /** A formula may use the columns before it, and the placeholders `{energy}` and `{0}`, `{1}`…, which `fillPreset` replaces. */
  readonly columns: readonly { readonly name: string; readonly formula: string }[];
  /** Whether the formulas need the columns of `createInstalledCapacityFrame`, which a person's own columns of these names replace. */
  readonly joinsInstalledCapacity?: true;
  /** The bins in which the result is best read. */
  readonly resample?: Cycle;
  /** Whether it needs a column of energy or mean power. */
  readonly needsEnergy?: true;
  /** The number of prices it needs. */
  readonly priceCount?: 1 | 6;
}

/** The answers of a person to the questions of a preset. */
export interface PresetAnswers {
  /** The name of a column of energy or mean power. */
  readonly energy?: string | undefined;
  /** In R/MWh, or six in c/kWh: peak, standard and off-peak of the high-demand season, June to August, then those of the low-demand season. */
  readonly prices?: readonly number[];
}

// The factor of coal makes the hours of 2023 give the published 0.942 t/MWh. The factor of diesel is 0.311 l/kWh × 2.68 kg/l. Both are
// derived and checked in docs/south-africa.md.
const emissions = '(thermal_mw * 1.106 t/MWh + (eskom_ocgt_mw + eskom_gas_mw) * 0.83 t/MWh)';
const generation = 'thermal_mw + nuclear_mw + eskom_gas_mw + eskom_ocgt_mw + hydro_water_mw + total_re_mw';
const emissionSource =
  "Fitted to DFFE, South Africa's Grid Emission Factors 2023 (25 July 2025): 0.942 t/MWh; diesel: Eskom Integrated Report 2025 and IPCC 2006 Guidelines";
const stationSource = 'Eskom Heritage, Ankerlig and Gourikwa: 1,327 MW and 740 MW, as reported on 17 January 2023';
const portalSource = 'Eskom Data Portal, hourly data, as in the file';
const lossFactors = { pclf: '"Total PCLF"', uclf: '"Total UCLF"', oclf: '"Total OCLF"' } as const;
const installedEskom = '"Installed Eskom Capacity"';

export const presets: readonly Preset[] = [
  {
    label: 'Carbon of domestic generation',
    description: 'CO₂ in t and t/MWh of the generation in South Africa that the service reports',
    source: emissionSource,
    columns: [
      { name: 'generation', formula: generation },
      { name: 'emissions', formula: emissions },
      { name: 'carbon_intensity', formula: 'emissions / generation' },
    ],
  },
  {
    label: 'Carbon of consumption',
    description: 'CO₂ in t and t/MWh with imports, which count as free of CO₂, and without exports',
    source: emissionSource,
    columns: [
      { name: 'consumption_intensity', formula: `${emissions} / (${generation} + imports_mw)` },
      // Adds negative exports, because a difference of powers would make a difference of emissions.
      {
        name: 'consumption_emissions',
        formula: `consumption_intensity * (${generation} + imports_mw + -exports_mw)`,
      },
    ],
  },
  {
    label: 'Cost of OCGT',
    description: "Cost of Eskom's open-cycle gas turbines at your price",
    columns: [{ name: 'ocgt_cost', formula: 'eskom_ocgt_mw * {0} R/MWh' }],
    priceCount: 1,
  },
  {
    label: 'Load factor of OCGT',
    description: 'Output of Ankerlig and Gourikwa in % of their 2,067 MW',
    source: stationSource,
    columns: [{ name: 'ocgt_load_factor', formula: 'share(eskom_ocgt_mw, 2067 MW)' }],
  },
  {
    label: 'Capacity factor of wind',
    description: 'Wind generation in % of the installed capacity',
    source: installedCapacitySource,
    columns: [{ name: 'wind_capacity_factor', formula: 'share(wind_mw, wind_installed_mw)' }],
    joinsInstalledCapacity: true,
  },
  {
    label: 'Capacity factor of PV',
    description: 'Photovoltaic generation in % of the installed capacity',
    source: installedCapacitySource,
    columns: [{ name: 'pv_capacity_factor', formula: 'share(pv_mw, pv_installed_mw)' }],
    joinsInstalledCapacity: true,
  },
  {
    label: 'Capacity factor of CSP',
    description: 'Concentrated solar power in % of the installed capacity',
    source: installedCapacitySource,
    columns: [{ name: 'csp_capacity_factor', formula: 'share(CSP, csp_installed_mw)' }],
    joinsInstalledCapacity: true,
  },
  {
    label: 'Load shed',
    description: 'Manual load reduction in MW as published, which is no stage',
    source: portalSource,
    columns: [{ name: 'load_shed', formula: '"Manual Load_Reduction(MLR)"' }],
  },
  {
    label: 'Interrupted supply',
    description: 'Manual load reduction, interruptible load and other interruption of supply in MW',
    source: portalSource,
    columns: [
      {
        name: 'interrupted_supply',
        formula: '"Manual Load_Reduction(MLR)" + "ILS Usage" + "IOS Excl ILS and MLR"',
      },
    ],
  },
  {
    label: 'Availability of Eskom',
    description: "Planned, unplanned and other losses and what is available, in % of Eskom's installed capacity",
    source: portalSource,
    columns: [
      ...Object.entries(lossFactors).map(([name, loss]) => ({ name, formula: `share(${loss}, ${installedEskom})` })),
      // Adds negative losses, because a formula's difference would be in percentage points.
      {
        name: 'eaf',
        formula: `share(${installedEskom} + -(${Object.values(lossFactors).join(' + ')}), ${installedEskom})`,
      },
    ],
  },
  {
    label: 'Time-of-use cost',
    description: 'Cost of a column of energy at your six prices, and its mean price',
    columns: [
      {
        name: 'cost',
        formula:
          'if(highdemand, if(peak, {0} c/kWh, if(standard, {1} c/kWh, {2} c/kWh)), if(peak, {3} c/kWh, if(standard, {4} c/kWh, {5} c/kWh))) * {energy}',
      },
      { name: 'mean_price', formula: 'cost / {energy}' },
    ],
    resample: 'tariffPeriod',
    needsEnergy: true,
    priceCount: 6,
  },
];

/** Whether a column has an energy. A difference has none that could be priced. */
export function hasEnergy({ kind, field }: FormulaColumn): boolean {
  const unit = unitOf(field);
  return kind === 'number' && !unit.difference && (unit.kind === 'energy' || unit.mwhPerHour !== undefined);
}

/**
 * Returns the presets whose formulas are valid over these columns, with any answers. `canJoin`: whether the columns of installed capacity that
 * are missing can be joined. `rowMs`: see `parseFormula`.
 */
export function listPresets(columns: readonly FormulaColumn[], canJoin: boolean, rowMs?: number): readonly Preset[] {
  const energy = columns.find(hasEnergy)?.name;
  return presets.filter(preset => {
    if (preset.needsEnergy && energy === undefined) return false;
    const known = [
      ...columns,
      ...(canJoin && preset.joinsInstalledCapacity ? createInstalledCapacityFrame().columns : []),
    ];
    return fillPreset(preset, { energy, prices: [1, 1, 1, 1, 1, 1] }, columns).every(({ name, formula }) => {
      const parsed = parseFormula(formula, known, rowMs);
      if (parsed instanceof FormulaError) return false;
      const { unit } = parsed;
      known.push({
        name,
        kind: unit ? 'number' : 'boolean',
        field: { label: name, meaning: formula, ...(unit && { unit }) },
      });
      return true;
    });
  });
}

/**
 * Returns the columns of a preset with the person's answers, and with a suffix of their names. A quoted name is that of a portal column, which
 * has it as its name or, where an export writes it in another way, as its label.
 */
export function fillPreset(
  { columns, source }: Preset,
  { energy = '', prices = [] }: PresetAnswers,
  resultColumns: readonly FormulaColumn[] = [],
  suffix = '',
): readonly DerivedColumn[] {
  const columnNames = new RegExp(`\\b(?:${columns.map(({ name }) => name).join('|')})\\b`, 'g');
  const findName = (name: string): string =>
    resultColumns.some(column => column.name === name)
      ? name
      : (resultColumns.find(({ field }) => field?.label === name)?.name ?? name);
  return columns.map(({ name, formula }) => ({
    name: name + suffix,
    formula: formula
      .replaceAll(columnNames, `$&${suffix}`)
      .replaceAll(/"([^"]+)"/g, (_, portalName: string) => quoteColumnName(findName(portalName)))
      .replaceAll(/\{(\w+)\}/g, (_, placeholder: string) =>
        placeholder === 'energy' ? quoteColumnName(energy) : String(prices[Number(placeholder)]),
      ),
    ...(source !== undefined && { source }),
  }));
}
