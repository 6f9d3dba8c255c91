import { parseBaseUrl } from '../core/baseUrl.ts';
import type { Limit } from '../core/catalogue.ts';
import type { Purse } from '../core/plan.ts';
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

/** What can be spent on a query now. */
export async function purseOf(limiter: Limiter, query: ResolvedQuery, endpoint: Endpoint): Promise<Purse> {
  const limit = limitAt(endpoint, query.dataset);
  const parsed = parseBaseUrl(endpoint.baseUrl);
  const of = { origin: parsed.ok ? parsed.origin : '', key: endpoint.key, scope: query.dataset.scope };
  const { left, nextFreeInMs, allowed } = await limiter.budget(of, limit);
  return { left, nextFreeInMs, requests: allowed, windowMs: limit.seconds * 1000 };
}
