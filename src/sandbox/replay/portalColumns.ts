import type { Measurements } from '../gridHour.ts';

/** The portal's column for each reading. */
export const portalColumns: Readonly<Record<keyof Measurements, string>> = {
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

/** What holds in every row of the portal but for rounding: [sum, its parts]. It tells two readings of one row apart. */
const identities: readonly (readonly [sum: string, parts: readonly string[]])[] = [
  ['Total RE', ['Wind', 'PV', 'CSP', 'Other RE']],
  ['Residual Demand', ['Dispatchable Generation', 'ILS Usage', 'Manual Load_Reduction(MLR)', 'IOS Excl ILS and MLR']],
  [
    'Dispatchable Generation',
    [
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
  ],
  [
    'Total RE Installed Capacity',
    ['Wind Installed Capacity', 'PV Installed Capacity', 'CSP Installed Capacity', 'Other RE Installed Capacity'],
  ],
];
const toleranceMw = 0.1;

/** Finds columns by name, whatever the case and punctuation: exports differ in both. */
export class PortalHeader {
  readonly columns: number;
  readonly #places = new Map<string, number>();

  constructor(names: readonly string[]) {
    this.columns = names.length;
    for (const [place, name] of names.entries()) {
      const plain = plainName(name);
      if (!this.#places.has(plain)) this.#places.set(plain, place);
    }
  }

  /** The column's place from 0, or undefined. */
  place(name: string): number | undefined {
    return this.#places.get(plainName(name));
  }

  /** Whether the row meets every identity whose columns this file has, each filled in; undefined if it has none. */
  addsUp(fields: readonly string[]): boolean | undefined {
    let checked = 0;
    for (const [sumName, partNames] of identities) {
      const sum = this.#number(fields, sumName);
      const parts = partNames.map(name => this.#number(fields, name));
      if (sum === undefined || parts.includes(undefined)) continue;
      checked++;
      const difference = parts.reduce<number>((rest, part) => rest - (part ?? 0), sum);
      // What is no number makes no sum that is near another.
      if (!(Math.abs(difference) <= toleranceMw)) return false;
    }
    return checked > 0 || undefined;
  }

  #number(fields: readonly string[], name: string): number | undefined {
    const place = this.place(name);
    const field = place === undefined ? '' : (fields[place] ?? '').trim();
    return field === '' ? undefined : Number(field);
  }
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '');
}
