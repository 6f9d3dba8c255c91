import { parseBaseUrl } from '../core/baseUrl.ts';
import type { Limit } from '../core/catalogue.ts';
import type { Price } from '../core/plan.ts';
import type { ResolvedQuery } from '../core/query.ts';
import type { Endpoint } from './endpoint.ts';
import type { Limiter } from './limiter/limiter.ts';

/** The limit of a dataset's scope at this endpoint: what the provider granted, else the documented one. */
export function limitAt(
  endpoint: Pick<Endpoint, 'limits'>,
  dataset: { readonly scope: string; readonly limit: Limit },
): Limit {
  return endpoint.limits?.[dataset.scope] ?? dataset.limit;
}

/** What so many requests for a query cost now, by the budget that all windows share. */
export async function priceOf(
  limiter: Pick<Limiter, 'budget'>,
  requests: number,
  query: ResolvedQuery,
  endpoint: Endpoint,
): Promise<Price> {
  const parsed = parseBaseUrl(endpoint.baseUrl);
  const of = { origin: parsed.ok ? parsed.origin : '', key: endpoint.key, scope: query.dataset.scope };
  const { left, lastStartsInMs } = await limiter.budget(of, limitAt(endpoint, query.dataset), requests);
  return { requests, now: Math.min(requests, left), waitMs: lastStartsInMs };
}
