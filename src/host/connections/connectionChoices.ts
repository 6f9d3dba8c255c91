import { isDeepStrictEqual } from 'node:util';
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

const agreedSchema = v.object({ name: v.optional(v.string()), id: v.string() });

/** A saved query, by its `entryId`. */
interface Asking {
  readonly id: string;
  readonly query: Pick<SavedQuery, 'connection' | 'keepFresh'>;
}

/**
 * Finds the connection of a saved query: the one of the name it has, or the one that this person picked for that name. What refreshes
 * hourly keeps the connection that it began with, so that no other key pays for it.
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

  /** The connection of a query; where it refreshes hourly, that which it began with. Undefined where that was removed. */
  of({ id, query: { connection: name, keepFresh } }: Asking): Connection | undefined {
    const agreed = keepFresh ? this.#agreed()[id] : undefined;
    return agreed && agreed.name === name ? this.#deps.connections.byId(agreed.id) : this.find(name);
  }

  /** The queries refresh hourly over that connection from now on, whichever is the active one. */
  async agree(queries: readonly Asking[], connection: Connection): Promise<void> {
    const agreed = queries.map(({ id, query: { connection: name } }) => [id, { name, id: connection.id }] as const);
    await this.#setAgreed({ ...this.#agreed(), ...Object.fromEntries(agreed) });
  }

  /** Notes the connection of each query that begins to refresh hourly, and forgets that of one which no longer does. */
  async follow(queries: readonly Asking[]): Promise<void> {
    const before = this.#agreed();
    const after = new Map(Object.entries(before));
    for (const { id, query } of queries) {
      const name = query.connection;
      const connection = this.find(name);
      const agreed = after.get(id);
      if (!query.keepFresh) after.delete(id);
      else if (connection && (!agreed || agreed.name !== name)) after.set(id, { name, id: connection.id });
    }
    const changed = Object.fromEntries(after);
    if (!isDeepStrictEqual(before, changed)) await this.#setAgreed(changed);
  }

  async keep(name: string, { id }: Connection): Promise<void> {
    await this.#deps.state.update(stateNames.connectionChoices, { ...this.#picked(), [name]: id });
    this.#changed.fire();
  }

  #agreed(): Readonly<Record<string, v.InferOutput<typeof agreedSchema>>> {
    return readableEntries(this.#deps.state.get(stateNames.watchedConnections), agreedSchema);
  }

  async #setAgreed(agreed: Readonly<Record<string, v.InferOutput<typeof agreedSchema>>>): Promise<void> {
    await this.#deps.state.update(stateNames.watchedConnections, agreed);
    this.#changed.fire();
  }

  #picked(): Readonly<Record<string, string>> {
    return readableEntries(this.#deps.state.get(stateNames.connectionChoices), v.string());
  }
}
