import { formatInstant } from '../../core/time/instant.ts';
import type { PortalColumn } from '../../core/portal/portalColumns.ts';
import { exportAgain } from '../../core/portal/portalCells.ts';
import type { PortalFile } from '../../core/portal/portalFile.ts';
import { type Measurements, type GridReading, hourMs } from '../data/gridHour.ts';
import { SandboxError } from '../sandboxError.ts';

/** The readings of one hour, counted from 1970-01-01T00:00Z. */
export interface PortalHour {
  readonly hour: number;
  readonly measured: Measurements;
}

/** The portal's column for each reading. */
export const readingColumns: Readonly<Record<keyof Measurements, PortalColumn>> = {
  residualDemand: 'Residual Demand',
  residualForecast: 'Residual Forecast',
  thermal: 'Thermal Generation',
  nuclear: 'Nuclear Generation',
  gas: 'Eskom Gas Generation',
  ocgt: 'Eskom OCGT Generation',
  ippOcgt: 'Dispatchable IPP OCGT',
  hydro: 'Hydro Water Generation',
  pumped: 'Pumped Water Generation',
  wind: 'Wind',
  pv: 'PV',
  totalRenewable: 'Total RE',
  imports: 'International Imports',
  exports: 'International Exports',
  shed: 'Manual Load_Reduction(MLR)',
};

/**
 * The hours of a file in the order of its rows, without those in which nothing was measured: the portal lists hours to come with a forecast alone.
 * `notices` says how many these are. The file has all columns of the readings. Throws a SandboxError where there is no hour.
 */
export function hoursOfPortal(file: PortalFile, fileName: string): { hours: PortalHour[]; notices: string[] } {
  const names = Object.entries(readingColumns) as [keyof Measurements, PortalColumn][];
  const hours: PortalHour[] = [];
  const empty: number[] = [];
  for (const [row, instant] of file.instants.entries()) {
    const entries = names.map(([reading, name]): [string, GridReading] => [
      reading,
      numberOf(file.columns.get(name)?.[row]),
    ]);
    if (entries.every(([reading, value]) => value === null || reading === 'residualForecast')) empty.push(instant);
    else hours.push({ hour: instant / hourMs, measured: Object.fromEntries(entries) as unknown as Measurements });
  }
  if (hours.length === 0) throw new SandboxError(`${fileName} holds no hours; ${exportAgain}.`);
  return { hours, notices: empty.length === 0 ? [] : [`${fileName}: ${emptyInWords(empty)}`] };
}

function numberOf(value = Number.NaN): GridReading {
  return Number.isNaN(value) ? null : value;
}

function emptyInWords(instants: readonly number[]): string {
  const first = formatInstant(instants.reduce((a, b) => Math.min(a, b)));
  const last = formatInstant(instants.reduce((a, b) => Math.max(a, b)));
  if (instants.length === 1) return `1 hour (${first}) holds at most a forecast and is left out.`;
  return `${instants.length} hours (of ${first} to ${last}) hold at most a forecast and are left out.`;
}
