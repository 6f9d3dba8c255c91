import * as v from 'valibot';
import type { Connection } from '../../core/connections/connection.ts';
import type { KeyValueStore } from '../../core/ports.ts';
import type { Connections } from '../../service/connections/connections.ts';
import { Emitter } from '../../service/emitter.ts';
import { stateNames } from '../ids.ts';
import { readableEntries } from '../../core/json/json.ts';

export interface ConnectionChoicesDeps {
  readonly connections: Pick<Connections, 'active' | 'byName' | 'byId'>;
  readonly state: KeyValueStore;
}

/** Finds the connection for a name in a saved query: the connection of that name, or the one that this person picked for it. */
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

  async keep(name: string, { id }: Connection): Promise<void> {
    await this.#deps.state.update(stateNames.connectionChoices, { ...this.#picked(), [name]: id });
    this.#changed.fire();
  }

  #picked(): Readonly<Record<string, string>> {
    return readableEntries(this.#deps.state.get(stateNames.connectionChoices), v.string());
  }
}
