import * as v from 'valibot';
import type { KeyValueStore } from '../../core/ports.ts';
import type { Stopped } from '../../service/watch/stoppedConnections.ts';
import { stateNames } from '../ids.ts';
import { readableEntries } from '../../core/json/json.ts';

/** The pauses of hourly refresh that a person has been notified of: once for all windows and restarts. */
export class ReportedPauses {
  readonly #state: KeyValueStore;

  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  /** Notes the pause; false if it was noted before. */
  async isNews({ connectionId, dataset, reason }: Stopped): Promise<boolean> {
    const reported = this.#reported();
    const name = nameOf(connectionId, dataset);
    if (reported[name] === reason) return false;
    await this.#state.update(stateNames.saidStops, { ...reported, [name]: reason });
    return true;
  }

  /** The connection continues: its next pause is reported again. */
  async forget(connectionId: string): Promise<void> {
    const reported = Object.entries(this.#reported());
    const rest = reported.filter(([name]) => !name.startsWith(nameOf(connectionId)));
    if (rest.length < reported.length) await this.#state.update(stateNames.saidStops, Object.fromEntries(rest));
  }

  #reported(): Readonly<Record<string, string>> {
    return readableEntries(this.#state.get(stateNames.saidStops), v.string());
  }
}

function nameOf(connectionId: string, dataset = ''): string {
  return `${connectionId} ${dataset}`;
}
