import * as v from 'valibot';
import type { Connection } from '../../core/connections/connection.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import type { KeyValueStore } from '../../core/ports.ts';
import type { Connections } from '../../service/connections/connections.ts';
import { Emitter } from '../../service/emitter.ts';
import { stateNames } from '../ids.ts';
import { filterValidEntries } from '../../core/json/json.ts';

export interface ConnectionChoicesDeps {
  readonly connections: Pick<Connections, 'active' | 'findByName' | 'findById'>;
  readonly state: KeyValueStore;
}

/** Stored instead of a connection id if the user declined the hourly refresh of a query on this machine. */
const declined = '';
const approvalSchema = v.object({ name: v.optional(v.string()), id: v.string() });

/** A saved query with its `entryId`. */
interface IdentifiedQuery {
  readonly id: string;
  readonly query: Pick<SavedQuery, 'connection' | 'keepFresh'>;
}

/**
 * Finds the connection of a saved query: the connection with the name in the query, or the connection that the user picked for that name. A query
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
    return connections.findByName(name) ?? connections.findById(this.#pickedConnections()[name] ?? '');
  }

  /** Returns the connection of a query; with hourly refresh, the approved one. Returns undefined if it was removed. */
  getConnection(identified: IdentifiedQuery): Connection | undefined {
    const { connection: name, keepFresh } = identified.query;
    const approved = keepFresh ? this.#getApproval(identified) : undefined;
    return approved && approved.id !== declined ? this.#deps.connections.findById(approved.id) : this.find(name);
  }

  /** Returns the connection that the user approved for the query's hourly refresh. Returns undefined if there is none or it was removed. */
  getRefreshConnection(identified: IdentifiedQuery): Connection | undefined {
    const approved = identified.query.keepFresh ? this.#getApproval(identified) : undefined;
    return this.#deps.connections.findById(approved?.id ?? declined);
  }

  /** Whether the query is set to refresh hourly, but the user has neither approved nor declined it on this machine. */
  isWaiting(identified: IdentifiedQuery): boolean {
    return identified.query.keepFresh === true && !this.#getApproval(identified);
  }

  /** Approves a connection for the queries' hourly refresh on this machine. Without a connection, declines the refresh. */
  async approveConnection(queries: readonly IdentifiedQuery[], connection: Connection | undefined): Promise<void> {
    const id = connection?.id ?? declined;
    const approved = queries.map(identified => [identified.id, { name: identified.query.connection, id }] as const);
    await this.#deps.state.update(stateNames.watchedConnections, {
      ...this.#approvals(),
      ...Object.fromEntries(approved),
    });
    this.#changed.fire();
  }

  async rememberChoice(name: string, { id }: Connection): Promise<void> {
    await this.#deps.state.update(stateNames.connectionChoices, { ...this.#pickedConnections(), [name]: id });
    this.#changed.fire();
  }

  /** Returns the query's approval, which expires when the query names another connection. */
  #getApproval({ id, query: { connection: name } }: IdentifiedQuery): v.InferOutput<typeof approvalSchema> | undefined {
    const approved = this.#approvals()[id];
    return approved && (approved.name === name || approved.id === this.find(name)?.id) ? approved : undefined;
  }

  #approvals(): Readonly<Record<string, v.InferOutput<typeof approvalSchema>>> {
    return filterValidEntries(this.#deps.state.get(stateNames.watchedConnections), approvalSchema);
  }

  #pickedConnections(): Readonly<Record<string, string>> {
    return filterValidEntries(this.#deps.state.get(stateNames.connectionChoices), v.string());
  }
}
