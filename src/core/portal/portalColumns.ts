/** The columns of the portal that hold numbers: MW, and hours for those that say so. */
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

/** The portal writes this one with a decimal comma, unquoted, whatever it writes the others with. */
export const commaColumn: PortalColumn = 'Total UCLF+OCLF';

/** A name without case and punctuation, in which exports differ. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '');
}

/** What holds in every row of the portal but for rounding. */
export interface PortalSum {
  readonly sum: PortalColumn;
  readonly parts: readonly PortalColumn[];
  /** It holds to 1 % only: enough to tell thousands from decimals. */
  readonly isRough?: boolean;
}

export const portalSums: readonly PortalSum[] = [
  { sum: 'Total RE', parts: ['Wind', 'PV', 'CSP', 'Other RE'] },
  {
    sum: 'Residual Demand',
    parts: ['Dispatchable Generation', 'ILS Usage', 'Manual Load_Reduction(MLR)', 'IOS Excl ILS and MLR'],
  },
  {
    sum: 'Dispatchable Generation',
    parts: [
      'Thermal Generation',
      'Nuclear Generation',
      'Eskom Gas Generation',
      'Eskom OCGT Generation',
      'Hydro Water Generation',
      'Pumped Water Generation',
      'International Imports',
      'Dispatchable IPP OCGT',
      'Eskom Gas SCO',
      'Eskom OCGT SCO',
      'Hydro Water SCO',
      'Pumped Water SCO Pumping',
    ],
  },
  {
    sum: 'Total RE Installed Capacity',
    parts: [
      'Wind Installed Capacity',
      'PV Installed Capacity',
      'CSP Installed Capacity',
      'Other RE Installed Capacity',
    ],
  },
  { sum: 'Total UCLF+OCLF', parts: ['Total UCLF', 'Total OCLF'] },
  { sum: 'RSA Contracted Demand', parts: ['Residual Demand', 'Total RE'], isRough: true },
];
