import { power, powerExtreme, share, type Unit } from '../../shared/units.ts';

/** The hourly columns that the portal publishes, in MW, or in hours if the name says so. */
export const portalColumns = [
  'Original Res Forecast before Lockdown',
  'Residual Forecast',
  'RSA Contracted Forecast',
  'Dispatchable Generation',
  'Residual Demand',
  'RSA Contracted Demand',
  'International Exports',
  'International Imports',
  'Thermal Generation',
  'Thermal Gen Excl Pumping and SCO',
  'Nuclear Generation',
  'Eskom Gas Generation',
  'Eskom OCGT Generation',
  'Hydro Water Generation',
  'Pumped Water Generation',
  'ILS Usage',
  'Manual Load_Reduction(MLR)',
  'IOS Excl ILS and MLR',
  'Dispatchable IPP OCGT',
  'Eskom Gas SCO',
  'Eskom OCGT SCO',
  'Hydro Water SCO',
  'Eskom Gas SCO Pumping',
  'Eskom OCGT SCO Pumping',
  'Hydro Water SCO Pumping',
  'Pumped Water SCO Pumping',
  'Wind',
  'PV',
  'CSP',
  'Other RE',
  'Total RE',
  'Wind Installed Capacity',
  'PV Installed Capacity',
  'CSP Installed Capacity',
  'Other RE Installed Capacity',
  'Total RE Installed Capacity',
  'Installed Eskom Capacity',
  'Total PCLF',
  'Total UCLF',
  'Total OCLF',
  'Total UCLF+OCLF',
  'Non Comm Sentout',
  'Drakensberg Gen Unit Hours',
  'Palmiet Gen Unit Hours',
  'Ingula Gen Unit Hours',
] as const;

export type PortalColumn = (typeof portalColumns)[number];

/** The service's names of portal columns with the same quantity in the same unit. */
const serviceNames: Readonly<Partial<Record<PortalColumn, string>>> = {
  'Residual Demand': 'residual_demand_mw',
  'Residual Forecast': 'residual_forecast_mw',
  'Thermal Generation': 'thermal_mw',
  'Nuclear Generation': 'nuclear_mw',
  'Eskom Gas Generation': 'eskom_gas_mw',
  'Eskom OCGT Generation': 'eskom_ocgt_mw',
  'Hydro Water Generation': 'hydro_water_mw',
  Wind: 'wind_mw',
  PV: 'pv_mw',
  'Total RE': 'total_re_mw',
  'International Imports': 'imports_mw',
  'International Exports': 'exports_mw',
};

/** The portal writes this column with an unquoted decimal comma, unlike the others. */
export const splitColumn: PortalColumn = 'Total UCLF+OCLF';
export const splitParts: readonly PortalColumn[] = ['Total UCLF', 'Total OCLF'];

const columnsByNormalizedName = new Map(portalColumns.map(name => [normalizeName(name), name]));
/** The availability and loss factors of weeks, months and years, in percent. */
const factorPattern = /^(?:weekly|monthly|yearly|annual)?(?:eaf|pclf|uclf|oclf)$/;
const timeNamePattern = /^(?:datetime|datetimekey|datetimehourbeginning|(?:week|month|year)(?:start)?date)$/;

/** Whether a heading is from the Eskom Data Portal: it has the portal's names of a time column and of at least two others. */
export function isPortalHeading(heading: readonly string[]): boolean {
  const names = new Set(heading.map(normalizeName));
  const knownNames = [...names].filter(name => columnsByNormalizedName.has(name) || factorPattern.test(name));
  return [...names].some(name => timeNamePattern.test(name)) && knownNames.length >= 2;
}

export interface KnownPortalColumn {
  /** The service's name if it has one, so that the two can be compared, or else the portal's. */
  readonly name: string;
  readonly label: string;
  readonly unit: Unit | undefined;
}

/** Looks up a portal column by name. Case and punctuation are ignored, since they differ between exports. */
export function findPortalColumn(heading: string): KnownPortalColumn | undefined {
  const normalizedName = normalizeName(heading);
  if (factorPattern.test(normalizedName)) return { name: heading, label: heading, unit: share };
  const column = columnsByNormalizedName.get(normalizedName);
  if (!column) return undefined;
  const unit = /hours$/i.test(column) ? undefined : /capacity/i.test(column) ? powerExtreme : power;
  return { name: serviceNames[column] ?? heading, label: column, unit };
}

/** Normalizes a name to lower case without punctuation. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '');
}
