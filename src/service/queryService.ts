import { GridError } from '../core/errors.ts';
import type { Dataset } from '../core/catalogue.ts';
import type { Connection, ConnectionState } from '../core/connection.ts';
import { isSampleData } from '../core/serviceMeta.ts';
import type { Price } from '../core/plan.ts';
import type { Logger } from '../core/ports.ts';
import { requestParameters, type ResolvedQuery } from '../core/query.ts';
import type { Span } from '../core/range/resolveRange.ts';
import type { Result } from '../shared/result.ts';
import type { ApiClient } from './apiClient.ts';
import type { Connections } from './connections.ts';
import { parseBaseUrl } from '../core/baseUrl.ts';
import type { Endpoint } from './endpoint.ts';
import type { Budget, Limiter } from './limiter/limiter.ts';
import { limitAt, priceOf } from './purse.ts';
import type { QueryRunner } from './queryRunner.ts';
import { groupRuns } from './runGroup.ts';
import type { RunOptions } from './runOptions.ts';
import type { ServiceClock } from './serviceClock.ts';

/** The embedded service, started when it is first needed. */
export interface SandboxEndpoint {
  ensureRunning(): Promise<Omit<Endpoint, 'name'>>;
  readonly isRunning: boolean;
}

/** Runs queries over a person's connections: finds address and key, and remembers what the answer says of the key. */
export class QueryService {
  readonly #connections: Connections;
  readonly #runner: Pick<QueryRunner, 'run' | 'partsOf'>;
  readonly #client: Pick<ApiClient, 'get'>;
  readonly #sandbox: SandboxEndpoint;
  readonly #limiter: Pick<Limiter, 'budget' | 'forgive'>;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #serviceClock: Pick<ServiceClock, 'now'>;

  constructor(deps: {
    connections: Connections;
    runner: Pick<QueryRunner, 'run' | 'partsOf'>;
    client: Pick<ApiClient, 'get'>;
    sandbox: SandboxEndpoint;
    limiter: Pick<Limiter, 'budget' | 'forgive'>;
    log: Pick<Logger, 'warn'>;
    serviceClock: Pick<ServiceClock, 'now'>;
  }) {
    this.#connections = deps.connections;
    this.#runner = deps.runner;
    this.#client = deps.client;
    this.#sandbox = deps.sandbox;
    this.#limiter = deps.limiter;
    this.#log = deps.log;
    this.#serviceClock = deps.serviceClock;
  }

  /** Throws GridError; `noKey` where the connection has none. */
  async run(query: ResolvedQuery, connection: Connection, options: RunOptions = {}): Promise<Result> {
    const endpoint = await this.#endpoint(connection, options.refresh);
    try {
      const result = await this.#runner.run(query, endpoint, options);
      const { failure, requestsSpent } = result.provenance;
      // An answer from the archive alone says nothing of the key.
      const state = failure ? stateAfter(failure.reason) : requestsSpent > 0 ? 'works' : undefined;
      if (state) await this.#remember(connection, endpoint, state);
      if (state === 'works') await this.#rememberSample(connection, isSampleData(result.provenance));
      return result;
    } catch (error) {
      await this.#rememberFailure(connection, endpoint, error);
      throw error;
    }
  }

  /**
   * Sends one request, whatever the archive has and whatever the service said of the key before, and resolves where it is
   * answered. Throws GridError.
   */
  async test(
    query: ResolvedQuery,
    connection: Connection,
    options: Pick<RunOptions, 'signal' | 'onWait'>,
  ): Promise<void> {
    const endpoint = await this.#endpoint(connection, undefined);
    await this.forgive(endpoint);
    const { path, scope } = query.dataset;
    const asked = { path, scope, limit: limitAt(endpoint, query.dataset), query: requestParameters(query) };
    try {
      // A background request is not repeated where it fails.
      await this.#client.get({ ...endpoint, ...asked, ...options, priority: 'background' });
      await this.#remember(connection, endpoint, 'works');
    } catch (error) {
      await this.#rememberFailure(connection, endpoint, error);
      throw error;
    }
  }

  /**
   * What several queries cost that run together, as things are: those of one key and scope stand in one line, and a request
   * that serves several of them is paid once. Sends nothing.
   */
  async priceOf(asked: readonly { readonly query: ResolvedQuery; readonly connection: Connection }[]): Promise<Price> {
    const groups = groupRuns(asked);
    const lines = new Map<string, { query: ResolvedQuery; endpoint: Endpoint; parts: Set<Span> }>();
    for (const { query, connection } of asked) {
      const endpoint = await this.#endpoint(connection, undefined);
      const name = JSON.stringify([sourceOf(endpoint.baseUrl), endpoint.key, query.dataset.scope]);
      const line = lines.get(name) ?? { query, endpoint, parts: new Set() };
      lines.set(name, line);
      const parts = await this.#runner.partsOf(query, endpoint, groups.get(connection.id));
      for (const part of parts) line.parts.add(part);
    }
    const total = { requests: 0, now: 0, waitMs: 0 };
    for (const { query, endpoint, parts } of lines.values()) {
      if (parts.size === 0) continue;
      const price = await priceOf(this.#limiter, parts.size, query, endpoint);
      total.requests += price.requests;
      total.now += price.now;
      total.waitMs = Math.max(total.waitMs, price.waitMs);
    }
    return total;
  }

  /** The person enters a key, or tries it again: what the service said of it before does not count. */
  async forgive({ baseUrl, key }: Pick<Endpoint, 'baseUrl' | 'key'>): Promise<void> {
    const parsed = parseBaseUrl(baseUrl);
    if (parsed.ok) await this.#limiter.forgive({ origin: parsed.origin, key });
  }

  /** As above, for the key of a connection. */
  async forgiveConnection(connection: Connection): Promise<void> {
    await this.forgive(await this.#endpoint(connection, undefined));
  }

  /** The present by the connection's service, UTC milliseconds: "last 24 hours" must not depend on a wrong local clock. */
  readonly nowAt = ({ baseUrl }: Pick<Connection, 'baseUrl'>): number => {
    return this.#serviceClock.now(sourceOf(baseUrl));
  };

  /** The name under which the archive keeps a connection's hours. */
  async sourceAt(connection: Connection): Promise<string> {
    return (await this.#endpoint(connection, 'never')).source;
  }

  /** What is left for a dataset; undefined where no key is known, or the sandbox does not run. */
  async budgetOf(connection: Connection, dataset: Dataset): Promise<Budget | undefined> {
    if (connection.service === 'sandbox' && !this.#sandbox.isRunning) return undefined;
    const { baseUrl, key, limits } = await this.#endpoint(connection, 'never');
    const parsed = parseBaseUrl(baseUrl);
    if (!parsed.ok || key === '') return undefined;
    return this.#limiter.budget({ origin: parsed.origin, key, scope: dataset.scope }, limitAt({ limits }, dataset));
  }

  /** What the answer says of the key, unless it was replaced meanwhile. That it cannot be noted does not spoil an answer. */
  async #remember(connection: Connection, { key }: Endpoint, state: ConnectionState): Promise<void> {
    // Mostly it is known: then nobody waits for the keychain.
    if (this.#connections.byId(connection.id)?.state === state) return;
    try {
      const isCurrent = connection.service === 'sandbox' || (await this.#connections.keyOf(connection)) === key;
      if (isCurrent) await this.#connections.mark(connection.id, state);
    } catch {
      this.#log.warn(`the state of the connection “${connection.name}” could not be noted`);
    }
  }

  async #rememberSample(connection: Connection, isSample: boolean): Promise<void> {
    if (connection.service === 'sandbox') return;
    try {
      await this.#connections.markSample(connection.id, isSample);
    } catch {
      this.#log.warn(`that “${connection.name}” serves Sample Data could not be noted`);
    }
  }

  async #rememberFailure(connection: Connection, endpoint: Endpoint, error: unknown): Promise<void> {
    const state = error instanceof GridError ? stateAfter(error.reason) : undefined;
    if (state) await this.#remember(connection, endpoint, state);
  }

  async #endpoint(connection: Connection, refresh: RunOptions['refresh']): Promise<Endpoint> {
    const { name, baseUrl } = connection;
    if (connection.service === 'sandbox') return { name, ...(await this.#sandbox.ensureRunning()) };
    const key = await this.#connections.keyOf(connection);
    // What is kept can be read without a key; nothing is sent then.
    if (key === undefined && refresh !== 'never') throw new GridError('noKey');
    return { name, baseUrl, key: key ?? '', source: sourceOf(baseUrl), limits: connection.limits };
  }
}

/** The name of a service's data in the archive: its origin, since keys rotate and hours stay. */
export function sourceOf(baseUrl: string): string {
  const parsed = parseBaseUrl(baseUrl);
  return parsed.ok ? parsed.baseUrl : baseUrl;
}

function stateAfter(reason: string): ConnectionState | undefined {
  if (reason === 'keyRejected') return 'rejected';
  return reason === 'forbidden' ? 'forbidden' : undefined;
}
