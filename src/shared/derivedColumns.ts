/** A column that a person adds to a result, made by a formula: plain data, so that page and host make the same of the same rows. */
export interface DerivedColumn {
  readonly name: string;
  readonly formula: string;
}

export const derivedLimits = {
  columns: 20,
  /** Characters. */
  name: 100,
  formula: 1_000,
} as const;
