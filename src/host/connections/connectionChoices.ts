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

/** The id of the connection for a query that is not to refresh hourly on this machine. */
const noConnection = '';
const agreedSchema = v.object({ name: v.optional(v.string()), id: v.string() });

/** A saved query, by its `entryId`. */
interface Asking {
  readonly id: string;
  readonly query: Pick<SavedQuery, 'connection' | 'keepFresh'>;
}

/**
 * Finds the connection of a saved query: the one of the name it has, or the one that this person picked for that name. What refreshes
 * hourly has the connection that the person agreed to on this machine, so that no other key pays for it: a query may come from another machine.
 */
export class ConnectionChoices {
  readonly #deps: ConnectionChoicesDeps;
  readonly #changed = new Emitter();
  readonly onDidChange = this.#changed.event;

  constructor(deps: ConnectionChoicesDeps) {
    this.#deps = deps;
  }

  /** Without a name the active connection; undefined for an unknown name. */
  find(name: string | undefined): Connection | undefined {
    const { connections } = this.#deps;
    if (name === undefined) return connections.active();
    return connections.byName(name) ?? connections.byId(this.#picked()[name] ?? '');
  }

  /** The connection of a query; where it refreshes hourly, the one agreed to. Undefined where that was removed. */
  of(asking: Asking): Connection | undefined {
    const { connection: name, keepFresh } = asking.query;
    const agreed = keepFresh ? this.#agreement(asking) : undefined;
    return agreed && agreed.id !== noConnection ? this.#deps.connections.byId(agreed.id) : this.find(name);
  }

  /** The connection over which the person agreed that the query refreshes hourly. Undefined without one, or where it was removed. */
  refreshing(asking: Asking): Connection | undefined {
    const agreed = asking.query.keepFresh ? this.#agreement(asking) : undefined;
    return this.#deps.connections.byId(agreed?.id ?? noConnection);
  }

  /** Whether the query is to refresh hourly, and the person has not yet answered on this machine. */
  isWaiting(asking: Asking): boolean {
    return asking.query.keepFresh === true && !this.#agreement(asking);
  }

  /** The queries refresh hourly over that connection from now on, whichever is the active one; without one not at all on this machine. */
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

  /** Lapses where the query names another connection. */
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
