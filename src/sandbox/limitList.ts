import { scopes } from './scopes.ts';
import type { Limit, Scope } from './scopes.ts';

/** What is allowed of a scope: so many requests in a window, any number (null), or no access at all. */
export type Allowance = Limit | 'denied';

const mostRequests = 1_000_000_000;

/** Reads `normalized_data=100,features=none`, also with `denied`; undefined for any other text. */
export function readLimitList(text: string): Partial<Record<Scope, Allowance>> | undefined {
  const list: Partial<Record<Scope, Allowance>> = {};
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
export function readLimit(text: string): Limit | undefined {
  if (text === 'none') return null;
  return /^\d{1,10}$/.test(text) && Number(text) <= mostRequests ? Number(text) : undefined;
}

/** What may be a limit, for sentences. */
export const limitRule = `a whole number up to ${mostRequests.toLocaleString('en')}, or none for no limit`;
