import type { KeyValueStore } from '../../core/ports.ts';
import type { Query } from '../../core/query/query.ts';
import { Emitter } from '../../service/emitter.ts';
import { stateNames } from '../ids.ts';

/** The query of the pinned value: short, and the usual query for stress, so that most of its hours are in the archive. */
export const pinnedQuery: Query = { dataset: 'gridStress', range: 'last 24 hours', interval: '1h', params: {} };

/** The id of the pinned value among watched queries: no saved query has such an id. */
export const pinnedId = 'pinned stress';

/** The connection whose latest stress is pinned to the status bar; none at first. */
export class PinnedStress {
  readonly #state: KeyValueStore;
  readonly #changed = new Emitter();
  readonly onDidChange = this.#changed.event;

  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  get connectionId(): string | undefined {
    const stored = this.#state.get(stateNames.pinnedStress);
    return typeof stored === 'string' ? stored : undefined;
  }

  /** Undefined unpins. */
  async pin(connectionId: string | undefined): Promise<void> {
    await this.#state.update(stateNames.pinnedStress, connectionId);
    this.#changed.fire();
  }
}
