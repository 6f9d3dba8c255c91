import * as v from 'valibot';
import type { Connection } from '../../core/connections/connection.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import type { KeyValueStore } from '../../core/ports.ts';
import type { Connections } from '../../service/connections/connections.ts';
import { Emitter } from '../../service/emitter.ts';
import { stateNames } from '../ids.ts';
import { readableEntries } from '../../core/json/json.ts';

export interface ConnectionChoicesDeps {
  readonly connections: Pick<Connections, 'active' | 'byName' | 'byId'>;
  readonly state: KeyValueStore;
}

/** Stored instead of a connection id if the user declined the hourly refresh of a query on this machine. */
const noConnection = '';
const agreedSchema = v.object({ name: v.optional(v.string()), id: v.string() });

/** A saved query with its `entryId`. */
interface Asking {
  readonly id: string;
  readonly query: Pick<SavedQuery, 'connection' | 'keepFresh'>;
}

/**
 * Finds the connection of a saved query: the one with the query's connection name, or the one that the user picked for that name. A query
 * with hourly refresh uses the connection that the user approved on this machine, so that no other key pays for it: the query may have been
 * synced from another machine.
 */
export class ConnectionChoices {
  readonly #deps: ConnectionChoicesDeps;
  readonly #changed = new Emitter();
  readonly onDidChange = this.#changed.event;

  constructor(deps: ConnectionChoicesDeps) {
    this.#deps = deps;
  }

  /** Returns the connection of this name, or the active one without a name. Returns undefined for an unknown name. */
  find(name: string | undefined): Connection | undefined {
    const { connections } = this.#deps;
    if (name === undefined) return connections.active();
    return connections.byName(name) ?? connections.byId(this.#picked()[name] ?? '');
  }

  /** Returns the connection of a query; with hourly refresh, the approved one. Returns undefined if it was removed. */
  of(asking: Asking): Connection | undefined {
    const { connection: name, keepFresh } = asking.query;
    const agreed = keepFresh ? this.#agreement(asking) : undefined;
    return agreed && agreed.id !== noConnection ? this.#deps.connections.byId(agreed.id) : this.find(name);
  }

  /** Returns the connection that the user approved for the query's hourly refresh. Returns undefined if there is none or it was removed. */
  refreshing(asking: Asking): Connection | undefined {
    const agreed = asking.query.keepFresh ? this.#agreement(asking) : undefined;
    return this.#deps.connections.byId(agreed?.id ?? noConnection);
  }

  /** Whether the query is set to refresh hourly, but the user has neither approved nor declined it on this machine. */
  isWaiting(asking: Asking): boolean {
    return asking.query.keepFresh === true && !this.#agreement(asking);
  }

  /** Approves a connection for the queries' hourly refresh on this machine. Without a connection, declines the refresh. */
  async agree(queries: readonly Asking[], connection: Connection | undefined): Promise<void> {
    const id = connection?.id ?? noConnection;
    const agreed = queries.map(asking => [asking.id, { name: asking.query.connection, id }] as const);
    await this.#deps.state.update(stateNames.watchedConnections, { ...this.#agreed(), ...Object.fromEntries(agreed) });
    this.#changed.fire();
  }

  async keep(name: string, { id }: Connection): Promise<void> {
    await this.#deps.state.update(stateNames.connectionChoices, { ...this.#picked(), [name]: id });
    this.#changed.fire();
  }

  /** Returns the query's approval, which expires when the query names another connection. */
  #agreement({ id, query: { connection: name } }: Asking): v.InferOutput<typeof agreedSchema> | undefined {
    const agreed = this.#agreed()[id];
    return agreed && (agreed.name === name || agreed.id === this.find(name)?.id) ? agreed : undefined;
  }

  #agreed(): Readonly<Record<string, v.InferOutput<typeof agreedSchema>>> {
    return readableEntries(this.#deps.state.get(stateNames.watchedConnections), agreedSchema);
  }

  #picked(): Readonly<Record<string, string>> {
    return readableEntries(this.#deps.state.get(stateNames.connectionChoices), v.string());
  }
}
