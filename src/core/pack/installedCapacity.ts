import type { Frame, NumberColumn, TimeColumn } from '../../shared/frame.ts';
import { power } from '../../shared/units.ts';

export const installedCapacitySource =
  'Eskom Data Portal, hourly columns Wind, PV and CSP Installed Capacity, 23 June 2022 to 31 March 2024';

/**
 * The installed capacity in MW from each instant until the next, the last one until now. The first row is where the source begins; the
 * others are the hours in which it changes. It has no changes that last less than a day, so none are left out.
 */
const steps: readonly (readonly [from: string, wind: number, pv: number, csp: number])[] = [
  ['2022-06-22T22:00Z', 3163.37, 2212.09, 500],
  ['2022-06-27T22:00Z', 3303.17, 2212.09, 500],
  ['2022-07-18T22:00Z', 3442.57, 2212.09, 500],
  ['2023-03-31T22:00Z', 3442.57, 2287.09, 500],
];

/** The names, labels and meanings of the columns, which are translated at display. */
export const installedCapacityFields = {
  wind_installed_mw: { label: 'Wind installed', meaning: 'Installed capacity of wind farms' },
  pv_installed_mw: { label: 'PV installed', meaning: 'Installed capacity of photovoltaic plants, without rooftops' },
  csp_installed_mw: { label: 'CSP installed', meaning: 'Installed capacity of concentrated solar power plants' },
} as const;

/**
 * Creates the table of installed capacity: `ts` in UTC, and a column in MW for wind, PV and CSP. Each row holds until the next. The columns
 * have the unit of mean power, so that shares of them are calculated from energies in longer rows. See `installedCapacitySource`.
 */
export function createInstalledCapacityFrame(): Frame {
  const time: TimeColumn = {
    kind: 'time',
    name: 'ts',
    path: ['ts'],
    values: Float64Array.from(steps, ([from]) => Date.parse(from)),
  };
  const capacities = Object.entries(installedCapacityFields).map(([name, field], index): NumberColumn => ({
    kind: 'number',
    name,
    path: [name],
    values: Float64Array.from(steps, ([, ...megawatts]) => megawatts[index] ?? NaN),
    field: { ...field, unit: power },
  }));
  return { rowCount: steps.length, columns: [time, ...capacities] };
}
