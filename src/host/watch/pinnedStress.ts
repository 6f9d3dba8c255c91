import type { KeyValueStore } from '../../core/ports.ts';
import type { Query } from '../../core/query/query.ts';
import { Emitter } from '../../service/emitter.ts';
import { stateNames } from '../ids.ts';

/** What the pinned value is read from: short, and the same as the usual question for stress, whose hours are mostly kept. */
export const pinnedQuery: Query = { dataset: 'gridStress', range: 'last 24 hours', interval: '1h', params: {} };

/** Names the pinned value among watched queries: no home has such an id. */
export const pinnedId = 'pinned stress';

/** Of which connection the latest stress is pinned to the status bar; of none at first. */
export class PinnedStress {
  readonly #state: KeyValueStore;
  readonly #listeners = new Emitter();

  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  get connectionId(): string | undefined {
    const kept = this.#state.get(stateNames.pinnedStress);
    return typeof kept === 'string' ? kept : undefined;
  }

  /** Undefined unpins. */
  async pin(connectionId: string | undefined): Promise<void> {
    await this.#state.update(stateNames.pinnedStress, connectionId);
    this.#listeners.fire();
  }

  /** Calls back after each change; returns what ends that. */
  onDidChange(listener: () => void): () => void {
    return this.#listeners.event(listener);
  }
}
