/** A column that a person adds to a result, made by a formula: plain data, so that page and host make the same of the same rows. */
export interface DerivedColumn {
  readonly name: string;
  readonly formula: string;
}

/** How derived columns are made. */
export interface Derivation {
  readonly columns: readonly DerivedColumn[];
  /** How long a row lasts; left out where that is not known. */
  readonly stepMs?: number;
}

export const derivedLimits = {
  columns: 20,
  /** Characters. */
  name: 100,
  formula: 1_000,
} as const;
