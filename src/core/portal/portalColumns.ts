import { systemStateFields } from '../../shared/fields.ts';
import type { FieldInfo } from '../../shared/frame.ts';
import { power, powerExtreme, share, type Unit } from '../../shared/units.ts';

/**
 * A column of the portal with its unit and its meaning, or with the name of the service's field that has the same quantity in the same unit.
 * The field then has the unit and the meaning.
 */
type PortalEntry =
  | readonly [name: string, serviceName: string]
  | readonly [name: string, unit: Unit | undefined, meaning: string];

/**
 * Names the source of the meanings. The terms follow the portal's glossary as of 7 May 2026. Sums and signs were checked with its hours of
 * 2022-06 to 2024-03, which lack the columns of Eskom's capacity and outages and those with both "SCO" and "Pumping", except the last.
 */
const portalSource = 'Glossary and hourly data of the Eskom Data Portal, May 2026';

const gasCondensers = 'Power that gas turbines use as synchronous condensers (SCO); zero or negative';
const ocgtCondensers = 'Power that open-cycle gas turbines use as synchronous condensers (SCO); zero or negative';
const hydroCondensers = 'Power that hydro stations use as synchronous condensers (SCO); zero or negative';

// Hourly values in MW are means of the hour. Capacities are not, so they have no energy. Power that stations use is negative.
const portalEntries = [
  ['Original Res Forecast before Lockdown', power, 'Forecast of residual demand from before the lockdown of 2020'],
  ['Residual Forecast', 'residual_forecast_mw'],
  ['RSA Contracted Forecast', power, 'Forecast of RSA contracted demand'],
  [
    'Dispatchable Generation',
    power,
    'Output that the system operator dispatches: Eskom, OCGTs of independent producers and imports, less power for pumping and synchronous condensers',
  ],
  ['Residual Demand', 'residual_demand_mw'],
  ['RSA Contracted Demand', power, 'Residual demand plus total renewable; includes shed load and exports'],
  ['International Exports', 'exports_mw'],
  ['International Imports', 'imports_mw'],
  ['Thermal Generation', 'thermal_mw'],
  [
    'Thermal Gen Excl Pumping and SCO',
    power,
    'Coal-fired generation less the power used for pumping and synchronous condensers (SCO)',
  ],
  ['Nuclear Generation', 'nuclear_mw'],
  ['Eskom Gas Generation', 'eskom_gas_mw'],
  ['Eskom OCGT Generation', 'eskom_ocgt_mw'],
  ['Hydro Water Generation', 'hydro_water_mw'],
  ['Pumped Water Generation', power, 'Generation of pumped storage, without the power used for pumping'],
  ['ILS Usage', power, 'Interruptible load shed (ILS): load reduced at customers with a contract for it'],
  [
    'Manual Load_Reduction(MLR)',
    power,
    'Manual load reduction (MLR): load reduced on instruction, such as load shedding',
  ],
  ['IOS Excl ILS and MLR', power, 'Interruption of supply (IOS) other than ILS and MLR, such as transmission faults'],
  ['Dispatchable IPP OCGT', power, 'Open-cycle gas turbines of independent power producers (IPP)'],
  ['Eskom Gas SCO', power, gasCondensers],
  ['Eskom OCGT SCO', power, ocgtCondensers],
  ['Hydro Water SCO', power, hydroCondensers],
  ['Eskom Gas SCO Pumping', power, gasCondensers],
  ['Eskom OCGT SCO Pumping', power, ocgtCondensers],
  ['Hydro Water SCO Pumping', power, hydroCondensers],
  [
    'Pumped Water SCO Pumping',
    power,
    'Power that pumped storage uses for pumping and as synchronous condensers (SCO); zero or negative',
  ],
  ['Wind', 'wind_mw'],
  ['PV', 'pv_mw'],
  ['CSP', power, 'Generation of concentrated solar power (CSP)'],
  [
    'Other RE',
    power,
    'Renewable generation other than wind, PV and CSP, such as biomass, landfill gas and small hydro',
  ],
  ['Total RE', 'total_re_mw'],
  ['Wind Installed Capacity', powerExtreme, 'Installed capacity of wind farms that supply Eskom'],
  [
    'PV Installed Capacity',
    powerExtreme,
    'Installed capacity of photovoltaic plants that supply Eskom, without rooftop panels',
  ],
  ['CSP Installed Capacity', powerExtreme, 'Installed capacity of concentrated solar plants (CSP) that supply Eskom'],
  ['Other RE Installed Capacity', powerExtreme, 'Installed capacity of other renewable plants that supply Eskom'],
  ['Total RE Installed Capacity', powerExtreme, 'Installed capacity of all renewable plants that supply Eskom'],
  ['Installed Eskom Capacity', powerExtreme, 'Installed capacity of the power stations of Eskom, available or not'],
  ['Total PCLF', power, 'Capacity of Eskom that is unavailable because of planned maintenance'],
  ['Total UCLF', power, 'Capacity of Eskom that is unavailable because of breakdowns and other unplanned outages'],
  ['Total OCLF', power, 'Capacity of Eskom that is unavailable for reasons beyond the control of the power stations'],
  [
    'Total UCLF+OCLF',
    power,
    'Capacity of Eskom that is unavailable other than for planned maintenance: total UCLF plus total OCLF',
  ],
  ['Non Comm Sentout', power, 'Power sent out by units that are not yet in commercial operation'],
  ['Drakensberg Gen Unit Hours', undefined, 'Hours that one unit could generate with the water stored at Drakensberg'],
  ['Palmiet Gen Unit Hours', undefined, 'Hours that one unit could generate with the water stored at Palmiet'],
  ['Ingula Gen Unit Hours', undefined, 'Hours that one unit could generate with the water stored at Ingula'],
  ['EAF', share, 'Energy availability factor: 100 % less PCLF, UCLF and OCLF'],
  ['PCLF', share, 'Planned capability loss factor: share of the possible energy lost to planned maintenance'],
  [
    'UCLF',
    share,
    'Unplanned capability loss factor: share of the possible energy lost to breakdowns and other unplanned outages',
  ],
  [
    'OCLF',
    share,
    'Other capability loss factor: share of the possible energy lost for reasons beyond the control of the power stations',
  ],
] as const satisfies readonly PortalEntry[];

export type PortalColumn = (typeof portalEntries)[number][0];

/** The portal's names of its columns: hourly values, and the factors of weeks, months and years. */
export const portalColumns: readonly PortalColumn[] = portalEntries.map(([name]) => name);

/** The portal writes this column with an unquoted decimal comma, unlike the others. */
export const splitColumn: PortalColumn = 'Total UCLF+OCLF';
export const splitParts: readonly PortalColumn[] = ['Total UCLF', 'Total OCLF'];

/** Prefixes of the names of factors. */
const factorPeriods = ['', 'weekly', 'monthly', 'yearly', 'annual'];
const entriesByNormalizedName: ReadonlyMap<string, PortalEntry> = new Map(
  portalEntries.flatMap(entry =>
    (entry[1] === share ? factorPeriods : ['']).map(period => [period + normalizeName(entry[0]), entry]),
  ),
);
const timeNamePattern = /^(?:datetime|datetimekey|datetimehourbeginning|(?:week|month|year)(?:start)?date)$/;

/** The names of the table of installed capacity, which these columns replace. */
const capacityNames: ReadonlyMap<string, string> = new Map([
  ['Wind Installed Capacity', 'wind_installed_mw'],
  ['PV Installed Capacity', 'pv_installed_mw'],
  ['CSP Installed Capacity', 'csp_installed_mw'],
]);

/** Whether a heading is from the Eskom Data Portal: it has the portal's names of a time column and of at least two others. */
export function isPortalHeading(heading: readonly string[]): boolean {
  const names = new Set(heading.map(normalizeName));
  const knownNames = [...names].filter(name => entriesByNormalizedName.has(name));
  return [...names].some(name => timeNamePattern.test(name)) && knownNames.length >= 2;
}

export interface KnownPortalColumn {
  /** The service's name if it has one, so that the two can be compared, or that of the table of installed capacity, or else the heading. */
  readonly name: string;
  /** The label is the portal's name. The unit is undefined for numbers of hours. */
  readonly field: FieldInfo;
}

/** Looks up a portal column by name. Case and punctuation are ignored, since they differ between exports. */
export function findPortalColumn(heading: string): KnownPortalColumn | undefined {
  const entry = entriesByNormalizedName.get(normalizeName(heading));
  if (!entry) return undefined;
  if (entry.length === 2) {
    const { unit, meaning = '' } = systemStateFields.get(entry[1]) ?? {};
    return { name: entry[1], field: { label: entry[0], meaning, ...(unit && { unit }) } };
  }
  const [name, unit, meaning] = entry;
  // The heading of a factor also names its period.
  const label = unit === share ? heading : name;
  return {
    name: capacityNames.get(name) ?? heading,
    field: { label, meaning, source: portalSource, ...(unit && { unit }) },
  };
}

/** Normalizes a name to lower case without punctuation. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '');
}
