import { GridError, type FailureReason } from '../core/errors.ts';
import type { Connection, ConnectionState } from '../core/connection.ts';
import type { Logger } from '../core/ports.ts';
import type { ResolvedQuery } from '../core/query.ts';
import type { Result } from '../shared/result.ts';
import type { Connections } from './connections.ts';
import type { Endpoint, QueryRunner, RunOptions } from './queryRunner.ts';

/** The embedded service, started when it is first needed. */
export interface SandboxEndpoint {
  ensureRunning(): Promise<{ readonly baseUrl: string; readonly key: string }>;
}

/** Runs queries over a person's connections: finds address and key, and remembers what the answer says of the key. */
export class QueryService {
  readonly #connections: Connections;
  readonly #runner: Pick<QueryRunner, 'run'>;
  readonly #sandbox: SandboxEndpoint;
  readonly #log: Pick<Logger, 'warn'>;

  constructor(deps: {
    connections: Connections;
    runner: Pick<QueryRunner, 'run'>;
    sandbox: SandboxEndpoint;
    log: Pick<Logger, 'warn'>;
  }) {
    this.#connections = deps.connections;
    this.#runner = deps.runner;
    this.#sandbox = deps.sandbox;
    this.#log = deps.log;
  }

  /** Throws GridError; `noKey` where the connection has none. */
  async run(query: ResolvedQuery, connection: Connection, options?: RunOptions): Promise<Result> {
    const endpoint = await this.#endpoint(connection);
    try {
      const result = await this.#runner.run(query, endpoint, options);
      await this.#remember(connection, endpoint, 'works');
      return result;
    } catch (error) {
      const state = error instanceof GridError ? stateAfter(error.reason) : undefined;
      if (state) await this.#remember(connection, endpoint, state);
      throw error;
    }
  }

  /** What the answer says of the key, unless it was replaced meanwhile. That it cannot be noted does not spoil an answer. */
  async #remember(connection: Connection, { key }: Endpoint, state: ConnectionState): Promise<void> {
    try {
      const isCurrent = connection.service === 'sandbox' || (await this.#connections.keyOf(connection)) === key;
      if (isCurrent) await this.#connections.mark(connection.id, state);
    } catch {
      this.#log.warn(`the state of the connection “${connection.name}” could not be noted`);
    }
  }

  async #endpoint(connection: Connection): Promise<Endpoint> {
    const { name } = connection;
    if (connection.service === 'sandbox') return { name, ...(await this.#sandbox.ensureRunning()) };
    const key = await this.#connections.keyOf(connection);
    if (key === undefined) throw new GridError('noKey');
    return { name, baseUrl: connection.baseUrl, key };
  }
}

function stateAfter(reason: FailureReason): ConnectionState | undefined {
  if (reason === 'keyRejected') return 'rejected';
  return reason === 'forbidden' ? 'forbidden' : undefined;
}
