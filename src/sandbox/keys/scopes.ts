import { rateLimits, type RateLimitScope } from '../../core/query/catalogue.ts';

export const scopes = Object.keys(rateLimits) as RateLimitScope[];

/** Requests allowed in any window; null for a scope without a limit. */
export type ScopeLimit = number | null;
export type Limits = Readonly<Record<RateLimitScope, ScopeLimit>>;

/** The limits of every key without limits of its own. */
export const documentedLimits = mapScopes(scope => rateLimits[scope].requests) satisfies Limits;

/** A value for each scope. */
export function mapScopes<Value>(valueOf: (scope: RateLimitScope) => Value): Record<RateLimitScope, Value> {
  return Object.fromEntries(scopes.map(scope => [scope, valueOf(scope)])) as Record<RateLimitScope, Value>;
}

/** The access to a scope: a number of requests in a window, any number (null), or none at all. */
type Allowance = ScopeLimit | 'denied';

const mostRequests = 1_000_000_000;

/** Reads `normalized_data=100,features=none`, also with `denied`; undefined for any other text. */
export function readLimitList(text: string): Partial<Record<RateLimitScope, Allowance>> | undefined {
  const list: Partial<Record<RateLimitScope, Allowance>> = {};
  for (const part of text.split(',')) {
    const [name, amount = ''] = part.split('=');
    const scope = scopes.find(known => known === name);
    const allowance = amount === 'denied' ? amount : readLimit(amount);
    if (!scope || allowance === undefined) return undefined;
    list[scope] = allowance;
  }
  return list;
}

/** Reads `100`, or `none` for no limit; undefined for any other text. */
export function readLimit(text: string): ScopeLimit | undefined {
  if (text === 'none') return null;
  return /^\d{1,10}$/.test(text) && Number(text) <= mostRequests ? Number(text) : undefined;
}

/** The valid limits, for sentences. */
export const limitRule = `a whole number up to ${mostRequests.toLocaleString('en')}, or none for no limit`;

const mostCharacters = 100;
/** They would change how a list or a terminal shows the text around the name. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** The trimmed name of a key; undefined for a text that cannot be one. */
export function readKeyName(text: string): string | undefined {
  const name = text.trim();
  return name !== '' && name.length <= mostCharacters && !controls.test(name) ? name : undefined;
}

/** The valid names, for sentences. */
export const keyNameRule = `1 to ${mostCharacters} characters, none of which controls a line or the direction of the text`;
