import { rateLimits, type RateLimitScope } from '../../core/query/catalogue.ts';

export const scopes = Object.keys(rateLimits) as RateLimitScope[];

/** The number of requests allowed in any time window, or null if there is no limit. */
export type ScopeLimit = number | null;
export type Limits = Readonly<Record<RateLimitScope, ScopeLimit>>;

/** The limits of keys without custom limits. */
export const documentedLimits = mapScopes(scope => rateLimits[scope].requests) satisfies Limits;

/** Creates a record that maps each scope to a value. */
export function mapScopes<Value>(getValue: (scope: RateLimitScope) => Value): Record<RateLimitScope, Value> {
  return Object.fromEntries(scopes.map(scope => [scope, getValue(scope)])) as Record<RateLimitScope, Value>;
}

/** The limit of a scope, or 'denied' if the key has no access to the scope. */
type Allowance = ScopeLimit | 'denied';

const maxRequests = 1_000_000_000;

/** Parses limits such as `normalized_data=100,features=none` or `features=denied`. Returns undefined if the text is invalid. */
export function parseLimitList(text: string): Partial<Record<RateLimitScope, Allowance>> | undefined {
  const limits: Partial<Record<RateLimitScope, Allowance>> = {};
  for (const entry of text.split(',')) {
    const [name, amount = ''] = entry.split('=');
    const scope = scopes.find(candidate => candidate === name);
    const allowance = amount === 'denied' ? amount : parseRequestLimit(amount);
    if (!scope || allowance === undefined) return undefined;
    limits[scope] = allowance;
  }
  return limits;
}

/** Parses a number such as `100`, or `none` for no limit. Returns undefined if the text is invalid. */
export function parseRequestLimit(text: string): ScopeLimit | undefined {
  if (text === 'none') return null;
  return /^\d{1,10}$/.test(text) && Number(text) <= maxRequests ? Number(text) : undefined;
}

/** Describes the valid limits, for error messages. */
export const limitRule = `a whole number up to ${maxRequests.toLocaleString('en')}, or none for no limit`;

const maxNameLength = 100;
/** Control characters, which could change how a terminal displays the text around the name. */
const controlCharacters = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Returns the trimmed name of a key, or undefined if the name is invalid. */
export function parseKeyName(text: string): string | undefined {
  const name = text.trim();
  return name !== '' && name.length <= maxNameLength && !controlCharacters.test(name) ? name : undefined;
}

/** Describes the valid names, for error messages. */
export const keyNameRule = `1 to ${maxNameLength} characters, none of which controls a line or the direction of the text`;
