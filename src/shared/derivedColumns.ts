import type { Tariff } from './resampling.ts';

/** A column that the user adds to a result by a formula: plain data, so that page and host compute the same values. */
export interface DerivedColumn {
  readonly name: string;
  readonly formula: string;
  /** Where the numbers of the formula come from, and of which date, for display. */
  readonly source?: string;
}

/** The derived columns of a result. */
export interface DerivedColumns {
  readonly columns: readonly DerivedColumn[];
  /** The length of a row in milliseconds; omitted if unknown. */
  readonly intervalMs?: number;
  /** The tariffs of conditions such as `peak`; omitted for Eskom's. */
  readonly tariffs?: readonly Tariff[];
}

export const derivedLimits = {
  columns: 20,
  /** Maximum lengths in characters. */
  name: 100,
  formula: 1_000,
  source: 300,
} as const;
