import * as v from 'valibot';
import type { KeyValueStore } from '../../core/ports.ts';
import type { Query } from '../../core/query/query.ts';
import { stateNames } from '../ids.ts';

const querySchema = v.object({
  dataset: v.string(),
  range: v.string(),
  interval: v.string(),
  params: v.record(v.string(), v.string()),
  timeZone: v.string(),
});

/** The last query a person ran: offered first the next time. */
export class LastQuery {
  readonly #state: KeyValueStore;

  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  get(): Query | undefined {
    const stored = this.#state.get(stateNames.lastQuery);
    return v.is(querySchema, stored) ? stored : undefined;
  }

  async keep(query: Query): Promise<void> {
    await this.#state.update(stateNames.lastQuery, query);
  }
}
