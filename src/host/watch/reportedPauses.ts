import * as v from 'valibot';
import type { KeyValueStore } from '../../core/ports.ts';
import type { Stopped } from '../../service/watch/stoppedConnections.ts';
import { stateNames } from '../ids.ts';
import { readableEntries } from '../../core/json/json.ts';

/** Which stops a person was told of: once, and not again by the next window or after a restart. */
export class ReportedPauses {
  readonly #state: KeyValueStore;

  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  /** Notes the stop; false where it was noted before. */
  async isNews({ connectionId, dataset, reason }: Stopped): Promise<boolean> {
    const said = this.#said();
    const name = nameOf(connectionId, dataset);
    if (said[name] === reason) return false;
    await this.#state.update(stateNames.saidStops, { ...said, [name]: reason });
    return true;
  }

  /** The connection goes on: its next stop is news again. */
  async forget(connectionId: string): Promise<void> {
    const said = Object.entries(this.#said());
    const rest = said.filter(([name]) => !name.startsWith(nameOf(connectionId)));
    if (rest.length < said.length) await this.#state.update(stateNames.saidStops, Object.fromEntries(rest));
  }

  #said(): Readonly<Record<string, string>> {
    return readableEntries(this.#state.get(stateNames.saidStops), v.string());
  }
}

function nameOf(connectionId: string, dataset = ''): string {
  return `${connectionId} ${dataset}`;
}
