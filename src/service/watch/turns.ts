import { endTurn, takeTurn, type Turn } from '../../core/watch/turns.ts';
import type { WatchedQuery } from '../../core/watch/watchedQuery.ts';
import { toldName } from './toldName.ts';
import type { ToldStore } from './toldStore.ts';

/** Lets one window at a time ask for a query that is kept fresh. `now` is the service's time, UTC milliseconds. */
export class Turns {
  readonly #told: ToldStore;

  constructor(told: ToldStore) {
    this.#told = told;
  }

  async take(query: WatchedQuery, now: number): Promise<Turn> {
    return this.#told.update(toldName(query), told => {
      const { turn, asked } = takeTurn(told.asked, now);
      return { told: asked === told.asked ? told : { ...told, asked }, value: turn };
    });
  }

  /** `failed`: the turn cost a request and brought nothing. */
  async end(query: WatchedQuery, now: number, failed: boolean): Promise<void> {
    await this.#told.update(toldName(query), told => {
      return { told: { ...told, asked: endTurn(now, failed) }, value: undefined };
    });
  }
}
