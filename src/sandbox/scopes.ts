/** The rate-limit scopes (grid data API specification, "Limits"). */
export const scopes = ['normalized_data', 'features'] as const;
export type Scope = (typeof scopes)[number];

/** Requests allowed in any window; null for a scope without a limit. */
export type Limit = number | null;
export type Limits = Readonly<Record<Scope, Limit>>;

/** What every key may do as long as nobody gave it more. */
export const documentedLimits: Limits = { normalized_data: 10, features: 3 };
