import { rateLimits, type RateLimitScope } from '../../core/query/catalogue.ts';

export const scopes = Object.keys(rateLimits) as RateLimitScope[];

/** Requests allowed in any window; null for a scope without a limit. */
export type ScopeLimit = number | null;
export type Limits = Readonly<Record<RateLimitScope, ScopeLimit>>;

/** The limits of keys without custom limits. */
export const documentedLimits = mapScopes(scope => rateLimits[scope].requests) satisfies Limits;

/** Creates a record with a value for each scope. */
export function mapScopes<Value>(getValue: (scope: RateLimitScope) => Value): Record<RateLimitScope, Value> {
  return Object.fromEntries(scopes.map(scope => [scope, getValue(scope)])) as Record<RateLimitScope, Value>;
}

/** The access to a scope: a number of requests in a window, any number (null), or none at all. */
type Allowance = ScopeLimit | 'denied';

const maxRequests = 1_000_000_000;

/** Parses a text such as `normalized_data=100,features=none` or `features=denied`; returns undefined for any other text. */
export function parseLimitList(text: string): Partial<Record<RateLimitScope, Allowance>> | undefined {
  const list: Partial<Record<RateLimitScope, Allowance>> = {};
  for (const part of text.split(',')) {
    const [name, amount = ''] = part.split('=');
    const scope = scopes.find(candidate => candidate === name);
    const allowance = amount === 'denied' ? amount : parseRequestLimit(amount);
    if (!scope || allowance === undefined) return undefined;
    list[scope] = allowance;
  }
  return list;
}

/** Parses `100`, or `none` for no limit; returns undefined for any other text. */
export function parseRequestLimit(text: string): ScopeLimit | undefined {
  if (text === 'none') return null;
  return /^\d{1,10}$/.test(text) && Number(text) <= maxRequests ? Number(text) : undefined;
}

/** The valid limits, for sentences. */
export const limitRule = `a whole number up to ${maxRequests.toLocaleString('en')}, or none for no limit`;

const maxNameLength = 100;
/** Characters that would change how a list or a terminal shows the text around the name. */
const controlCharacters = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Returns the trimmed name of a key; undefined for an invalid name. */
export function parseKeyName(text: string): string | undefined {
  const name = text.trim();
  return name !== '' && name.length <= maxNameLength && !controlCharacters.test(name) ? name : undefined;
}

/** The valid names, for sentences. */
export const keyNameRule = `1 to ${maxNameLength} characters, none of which controls a line or the direction of the text`;
