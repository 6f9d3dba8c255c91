import { parseBaseUrl, type Connection } from '../../core/connections/connection.ts';
import type { Dataset } from '../../core/query/catalogue.ts';
import type { Price } from '../../core/query/requestPlan.ts';
import { splitIntoServiceQueries, type ResolvedQuery, type ServiceQuery } from '../../core/query/query.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import type { ConnectionEndpoints, SandboxEndpoint } from '../connections/connectionEndpoints.ts';
import { getLimit, getSource, type Endpoint } from '../connections/endpoint.ts';
import type { Budget, Limiter } from '../limiter/limiter.ts';
import type { QueryEngine } from './queryEngine.ts';
import { groupRuns } from './runGroup.ts';

/** Computes the current price of requests for a query, from the budget that all windows share. */
export async function computePrice(
  limiter: Pick<Limiter, 'budget'>,
  requests: number,
  query: ServiceQuery,
  endpoint: Endpoint,
): Promise<Price> {
  const parsed = parseBaseUrl(endpoint.baseUrl);
  const scope = { origin: parsed.ok ? parsed.origin : '', key: endpoint.key, scope: query.dataset.scope };
  const { left, lastStartsInMs } = await limiter.budget(scope, getLimit(endpoint, query.dataset), requests);
  return { requests, now: Math.min(requests, left), waitMs: lastStartsInMs };
}

interface RequestPricingDeps {
  readonly endpoints: Pick<ConnectionEndpoints, 'resolve'>;
  readonly engine: Pick<QueryEngine, 'planParts'>;
  readonly limiter: Pick<Limiter, 'budget'>;
  readonly sandbox: Pick<SandboxEndpoint, 'isRunning'>;
}

/** Computes the price of queries, and the remaining budget. Sends nothing. */
export class RequestPricing {
  readonly #deps: RequestPricingDeps;

  constructor(deps: RequestPricingDeps) {
    this.#deps = deps;
  }

  /**
   * Computes the price of queries that run together: queries with the same key and scope share a budget, and a request that serves several of them
   * counts once. Throws a GridError; `noKey` if a connection has no key.
   */
  async computeTotalPrice(
    requests: readonly { readonly query: ResolvedQuery; readonly connection: Connection }[],
  ): Promise<Price> {
    const { endpoints, engine, limiter } = this.#deps;
    const groups = groupRuns(requests);
    const budgets = new Map<string, { query: ServiceQuery; endpoint: Endpoint; parts: Set<Span> }>();
    for (const { query, connection } of requests) {
      const endpoint = await endpoints.resolve(connection, undefined);
      for (const serviceQuery of splitIntoServiceQueries(query)) {
        const name = JSON.stringify([getSource(endpoint.baseUrl), endpoint.key, serviceQuery.dataset.scope]);
        const budget = budgets.get(name) ?? { query: serviceQuery, endpoint, parts: new Set() };
        budgets.set(name, budget);
        for (const part of await engine.planParts(serviceQuery, endpoint, groups.get(connection.id)))
          budget.parts.add(part);
      }
    }
    const total = { requests: 0, now: 0, waitMs: 0 };
    const byDataset: [string, number][] = [];
    for (const { query, endpoint, parts } of budgets.values()) {
      if (parts.size === 0) continue;
      const price = await computePrice(limiter, parts.size, query, endpoint);
      byDataset.push([query.dataset.id, price.requests]);
      total.requests += price.requests;
      total.now += price.now;
      total.waitMs = Math.max(total.waitMs, price.waitMs);
    }
    return budgets.size > 1 ? { ...total, byDataset } : total;
  }

  /** Returns how many requests a query would take, and whether there is a key for them. */
  async countRequests(
    query: ResolvedQuery,
    connection: Connection,
  ): Promise<{ readonly requests: number; readonly hasKey: boolean }> {
    const { endpoints, engine } = this.#deps;
    const endpoint = await endpoints.resolve(connection, 'never');
    const parts = await Promise.all(
      splitIntoServiceQueries(query).map(async serviceQuery => engine.planParts(serviceQuery, endpoint)),
    );
    return { requests: parts.flat().length, hasKey: endpoint.key !== '' };
  }

  /** Returns the budget of a dataset; undefined if there is no key, or the sandbox does not run. */
  async getBudget(connection: Connection, dataset: Dataset): Promise<Budget | undefined> {
    const { endpoints, limiter, sandbox } = this.#deps;
    if (connection.service === 'sandbox' && !sandbox.isRunning) return undefined;
    const { baseUrl, key, limits } = await endpoints.resolve(connection, 'never');
    const parsed = parseBaseUrl(baseUrl);
    if (!parsed.ok || key === '') return undefined;
    return limiter.budget({ origin: parsed.origin, key, scope: dataset.scope }, getLimit({ limits }, dataset));
  }
}
