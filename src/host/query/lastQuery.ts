import * as v from 'valibot';
import type { KeyValueStore } from '../../core/ports.ts';
import type { Query } from '../../core/query/query.ts';
import { querySchema } from '../../core/query/querySchema.ts';
import { stateNames } from '../ids.ts';

/** Stores the query that was run last. The prompt offers it first. */
export class LastQuery {
  readonly #state: KeyValueStore;

  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  get(): Query | undefined {
    const storedValue = this.#state.get(stateNames.lastQuery);
    return v.is(querySchema, storedValue) ? storedValue : undefined;
  }

  async set(query: Query): Promise<void> {
    await this.#state.update(stateNames.lastQuery, query);
  }
}
