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

/** Which connection stands for a name in a saved query: the one that bears it, or the one this person picked for it. */
export class ConnectionChoices {
  readonly #deps: ConnectionChoicesDeps;
  readonly #listeners = new Emitter();

  constructor(deps: ConnectionChoicesDeps) {
    this.#deps = deps;
  }

  /** Without a name the active one; undefined where nobody here knows the name. */
  find(name: string | undefined): Connection | undefined {
    const { connections } = this.#deps;
    if (name === undefined) return connections.active();
    return connections.byName(name) ?? connections.byId(this.#picked()[name] ?? '');
  }

  /** Calls back after each choice; returns what ends that. */
  onDidChange(listener: () => void): () => void {
    return this.#listeners.event(listener);
  }

  async keep(name: string, { id }: Connection): Promise<void> {
    await this.#deps.state.update(stateNames.connectionChoices, { ...this.#picked(), [name]: id });
    this.#listeners.fire();
  }

  #picked(): Readonly<Record<string, string>> {
    return readableEntries(this.#deps.state.get(stateNames.connectionChoices), v.string());
  }
}
