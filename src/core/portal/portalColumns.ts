import { type PortalRow, exportAgain, plainName, type Refuse } from './portalCells.ts';
import { timeLayouts } from './portalTime.ts';

/** The numeric columns of the portal: MW, or hours where the name says so. */
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

/** The portal writes this column with an unquoted decimal comma, unlike the others. */
export const commaColumn: PortalColumn = 'Total UCLF+OCLF';

/** A sum that holds in every row of the portal, except for rounding. */
interface PortalSum {
  readonly sum: PortalColumn;
  readonly parts: readonly PortalColumn[];
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
];

/** The columns of a file, by index. */
export interface PortalHeader {
  /** The number of columns, without unnamed ones at the end. */
  readonly width: number;
  /** As written in the file, for messages. */
  readonly names: readonly string[];
  readonly times: readonly number[];
  /** The index of each portal column in the file; the first where it occurs twice. */
  readonly columns: ReadonlyMap<PortalColumn, number>;
  /** Repeated portal columns, with their later index. */
  readonly repeated: readonly (readonly [name: PortalColumn, place: number])[];
}

/** Reads the header. Throws where a time column, or a column in `needed`, is missing. */
export function readHeader({ line, cells }: PortalRow, needed: readonly PortalColumn[], refuse: Refuse): PortalHeader {
  const written = cells.map(String);
  const names = written.map(plainName);
  const width = cells.findLastIndex(cell => cell !== '') + 1;
  const times = timeLayouts
    .map(layout => layout.map(name => names.indexOf(plainName(name))))
    .find(places => !places.includes(-1));
  if (!times)
    throw refuse(`, line ${line}`, ': there is no column "Date Time Hour Beginning", nor "Date_Time" with "Time_Hr"');
  const known = new Map(portalColumns.map(name => [plainName(name), name]));
  const columns = new Map<PortalColumn, number>();
  const repeated: [PortalColumn, number][] = [];
  for (const [place, plain] of names.entries()) {
    const name = known.get(plain);
    if (!name) continue;
    if (columns.has(name)) repeated.push([name, place]);
    else columns.set(name, place);
  }
  const missing = needed.filter(name => !columns.has(name)).map(name => `"${name}"`);
  if (missing.length > 0)
    throw refuse(`, line ${line}`, `: missing column ${missing.join(', ')}`, `${exportAgain} with all columns`);
  return { width, names: written, times, columns, repeated };
}
