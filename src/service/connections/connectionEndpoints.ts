import { GridError } from '../../core/errors.ts';
import { type Connection, type ConnectionState, isAbsent, parseBaseUrl } from '../../core/connections/connection.ts';
import { getDataKind } from '../../core/query/serviceMeta.ts';
import type { Logger } from '../../core/ports.ts';
import { createRequestParameters, type ServiceQuery } from '../../core/query/query.ts';
import type { Provenance } from '../../shared/result.ts';
import type { ApiClient, ApiRequest } from '../client/apiClient.ts';
import type { Connections } from './connections.ts';
import { getLimit, getSource, type Endpoint } from './endpoint.ts';
import type { Limiter } from '../limiter/limiter.ts';
import type { Refresh } from '../query/run.ts';
import type { ServiceClock } from '../client/serviceClock.ts';

/** The embedded sandbox, which is started on demand. */
export interface SandboxEndpoint {
  ensureRunning(): Promise<Omit<Endpoint, 'name'>>;
  readonly isRunning: boolean;
}

interface ConnectionEndpointsDeps {
  readonly connections: Connections;
  readonly client: Pick<ApiClient, 'get'>;
  readonly sandbox: SandboxEndpoint;
  readonly limiter: Pick<Limiter, 'clearRejection'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly serviceClock: Pick<ServiceClock, 'now'>;
}

/** Resolves the addresses and keys of connections, and stores whether the service accepts the keys. */
export class ConnectionEndpoints {
  readonly #deps: ConnectionEndpointsDeps;

  constructor(deps: ConnectionEndpointsDeps) {
    this.#deps = deps;
  }

  /** Returns the endpoint of a connection. Throws a GridError; `noKey` if a key is needed and missing. */
  async resolve(connection: Connection, refresh: Refresh | undefined): Promise<Endpoint> {
    const { name, baseUrl } = connection;
    if (connection.service === 'sandbox') return { name, ...(await this.#deps.sandbox.ensureRunning()) };
    const key = await this.#deps.connections.getKey(connection);
    // Archived rows can be read without a key, since nothing is sent.
    if (key === undefined && refresh !== 'never') throw new GridError(isAbsent(connection) ? 'noConnection' : 'noKey');
    return { name, baseUrl, key: key ?? '', source: getSource(baseUrl), limits: connection.limits };
  }

  /**
   * Sends one request, regardless of the archive and of an earlier rejection of the key. Resolves after a successful response; throws a GridError.
   */
  async test(
    query: ServiceQuery,
    connection: Connection,
    options: Pick<ApiRequest, 'signal' | 'onWait'>,
  ): Promise<void> {
    const endpoint = await this.resolve(connection, undefined);
    await this.clearRejection(endpoint);
    const { path, scope } = query.dataset;
    const request = { path, scope, limit: getLimit(endpoint, query.dataset), query: createRequestParameters(query) };
    try {
      // A background request is not retried.
      await this.#deps.client.get({ ...endpoint, ...request, ...options, priority: 'background' });
      await this.#storeState(connection, endpoint, 'works');
    } catch (error) {
      await this.noteFailure(connection, endpoint, error);
      throw error;
    }
  }

  /** Clears an earlier rejection, when the user enters a key or tries it again. */
  async clearRejection({ baseUrl, key }: Pick<Endpoint, 'baseUrl' | 'key'>): Promise<void> {
    const parsed = parseBaseUrl(baseUrl);
    if (parsed.ok) await this.#deps.limiter.clearRejection({ origin: parsed.origin, key });
  }

  /** Clears an earlier rejection of a connection's key. */
  async clearConnectionRejection(connection: Connection): Promise<void> {
    await this.clearRejection(await this.resolve(connection, undefined));
  }

  /** Returns the current time by the connection's service, UTC milliseconds: "last 24 hours" must not depend on a wrong local clock. */
  readonly nowAt = ({ baseUrl }: Pick<Connection, 'baseUrl'>): number =>
    this.#deps.serviceClock.now(getSource(baseUrl));

  /** Returns the source under which the archive stores a connection's hours. */
  async getSource(connection: Connection): Promise<string> {
    return (await this.resolve(connection, 'never')).source;
  }

  /** Updates the state of the key and the kind of data after a result. A result from the archive alone changes nothing. */
  async noteResult(connection: Connection, endpoint: Endpoint, provenance: Provenance): Promise<void> {
    const { failure, requestsSpent } = provenance;
    const state = failure ? getStateAfter(failure.reason) : requestsSpent > 0 ? 'works' : undefined;
    if (state) await this.#storeState(connection, endpoint, state);
    if (state === 'works') await this.#storeDataKind(connection, getDataKind(provenance));
  }

  /** Updates the state of the key after a failure. */
  async noteFailure(connection: Connection, endpoint: Endpoint, error: unknown): Promise<void> {
    const state = error instanceof GridError ? getStateAfter(error.reason) : undefined;
    if (state) await this.#storeState(connection, endpoint, state);
  }

  /** Stores the state of the key, unless it was replaced meanwhile. An error is only logged, so that the result is still shown. */
  async #storeState(connection: Connection, { key }: Endpoint, state: ConnectionState): Promise<void> {
    // Usually the state is unchanged, and then the keychain is not needed.
    if (this.#deps.connections.findById(connection.id)?.state === state) return;
    try {
      const isCurrent = connection.service === 'sandbox' || (await this.#deps.connections.getKey(connection)) === key;
      if (isCurrent) await this.#deps.connections.setState(connection.id, state);
    } catch {
      this.#deps.log.warn(`the state of the connection “${connection.name}” could not be stored`);
    }
  }

  async #storeDataKind(connection: Connection, data: Connection['data']): Promise<void> {
    if (connection.service === 'sandbox') return;
    try {
      await this.#deps.connections.setDataKind(connection.id, data);
    } catch {
      this.#deps.log.warn(`the kind of data of the connection “${connection.name}” could not be stored`);
    }
  }
}

function getStateAfter(reason: string): ConnectionState | undefined {
  if (reason === 'keyRejected') return 'rejected';
  return reason === 'forbidden' ? 'forbidden' : undefined;
}
