import { GridError } from '../../core/errors.ts';
import { type Connection, type ConnectionState, isAbsent, parseBaseUrl } from '../../core/connections/connection.ts';
import { dataKind } from '../../core/query/serviceMeta.ts';
import type { Logger } from '../../core/ports.ts';
import { requestParameters, type ServiceQuery } from '../../core/query/query.ts';
import type { Provenance } from '../../shared/result.ts';
import type { ApiClient, ApiRequest } from '../client/apiClient.ts';
import type { Connections } from './connections.ts';
import { limitAt, sourceOf, type Endpoint } from './endpoint.ts';
import type { Limiter } from '../limiter/limiter.ts';
import type { Refresh } from '../query/run.ts';
import type { ServiceClock } from '../client/serviceClock.ts';

/** The embedded service, started when it is first needed. */
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

/** The addresses and keys of a person's connections, and whether the service accepts the keys. */
export class ConnectionEndpoints {
  readonly #deps: ConnectionEndpointsDeps;

  constructor(deps: ConnectionEndpointsDeps) {
    this.#deps = deps;
  }

  /** Where the queries of a connection go. Throws GridError; `noKey` where it has none and one is needed. */
  async of(connection: Connection, refresh: Refresh | undefined): Promise<Endpoint> {
    const { name, baseUrl } = connection;
    if (connection.service === 'sandbox') return { name, ...(await this.#deps.sandbox.ensureRunning()) };
    const key = await this.#deps.connections.keyOf(connection);
    // What is archived can be read without a key; nothing is sent then.
    if (key === undefined && refresh !== 'never') throw new GridError(isAbsent(connection) ? 'noConnection' : 'noKey');
    return { name, baseUrl, key: key ?? '', source: sourceOf(baseUrl), limits: connection.limits };
  }

  /**
   * Sends one request, whatever the archive has and even if the service refused the key before. Resolves once it is answered;
   * throws GridError.
   */
  async test(
    query: ServiceQuery,
    connection: Connection,
    options: Pick<ApiRequest, 'signal' | 'onWait'>,
  ): Promise<void> {
    const endpoint = await this.of(connection, undefined);
    await this.clearRejection(endpoint);
    const { path, scope } = query.dataset;
    const request = { path, scope, limit: limitAt(endpoint, query.dataset), query: requestParameters(query) };
    try {
      // A background request is not repeated where it fails.
      await this.#deps.client.get({ ...endpoint, ...request, ...options, priority: 'background' });
      await this.#note(connection, endpoint, 'works');
    } catch (error) {
      await this.noteFailure(connection, endpoint, error);
      throw error;
    }
  }

  /** The person enters a key, or tries it again: an earlier refusal does not count. */
  async clearRejection({ baseUrl, key }: Pick<Endpoint, 'baseUrl' | 'key'>): Promise<void> {
    const parsed = parseBaseUrl(baseUrl);
    if (parsed.ok) await this.#deps.limiter.clearRejection({ origin: parsed.origin, key });
  }

  /** As above, for the key of a connection. */
  async clearConnectionRejection(connection: Connection): Promise<void> {
    await this.clearRejection(await this.of(connection, undefined));
  }

  /** The present by the connection's service, UTC milliseconds: "last 24 hours" must not depend on a wrong local clock. */
  readonly nowAt = ({ baseUrl }: Pick<Connection, 'baseUrl'>): number => this.#deps.serviceClock.now(sourceOf(baseUrl));

  /** The name under which the archive keeps a connection's hours. */
  async sourceAt(connection: Connection): Promise<string> {
    return (await this.of(connection, 'never')).source;
  }

  /** Notes what a result shows about the key and the data; one from the archive alone shows nothing. */
  async noteResult(connection: Connection, endpoint: Endpoint, provenance: Provenance): Promise<void> {
    const { failure, requestsSpent } = provenance;
    const state = failure ? stateAfter(failure.reason) : requestsSpent > 0 ? 'works' : undefined;
    if (state) await this.#note(connection, endpoint, state);
    if (state === 'works') await this.#noteData(connection, dataKind(provenance));
  }

  /** Notes what a failure shows about the key. */
  async noteFailure(connection: Connection, endpoint: Endpoint, error: unknown): Promise<void> {
    const state = error instanceof GridError ? stateAfter(error.reason) : undefined;
    if (state) await this.#note(connection, endpoint, state);
  }

  /** Notes the state of the key, unless it was replaced meanwhile. Where that fails, the result is still shown. */
  async #note(connection: Connection, { key }: Endpoint, state: ConnectionState): Promise<void> {
    // Mostly it is known, and then the keychain is not needed.
    if (this.#deps.connections.byId(connection.id)?.state === state) return;
    try {
      const isCurrent = connection.service === 'sandbox' || (await this.#deps.connections.keyOf(connection)) === key;
      if (isCurrent) await this.#deps.connections.mark(connection.id, state);
    } catch {
      this.#deps.log.warn(`the state of the connection “${connection.name}” could not be noted`);
    }
  }

  async #noteData(connection: Connection, data: Connection['data']): Promise<void> {
    if (connection.service === 'sandbox') return;
    try {
      await this.#deps.connections.markData(connection.id, data);
    } catch {
      this.#deps.log.warn(`what the rows of “${connection.name}” are could not be noted`);
    }
  }
}

function stateAfter(reason: string): ConnectionState | undefined {
  if (reason === 'keyRejected') return 'rejected';
  return reason === 'forbidden' ? 'forbidden' : undefined;
}
