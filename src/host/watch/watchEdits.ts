import type { QueryChange, SavedQuery } from '../../core/savedQueries/savedItem.ts';
import type { LocalSnoozes } from './localSnoozes.ts';
import type { SavedQueriesPort, WatchedItem } from './savedQueriesPort.ts';
import type { WatchConsent } from './watchConsent.ts';
import { changeAlerts, snoozed, switched } from '../../core/watch/watchedQuery.ts';

/** For whom an alert is turned off: for this person, or for everybody who has the file. */
export type Whose = 'mine' | 'everybody';

export interface WatchEditsDeps {
  readonly queries: Pick<SavedQueriesPort, 'change'>;
  readonly consent: Pick<WatchConsent, 'answer' | 'follow'>;
  readonly snoozes: Pick<LocalSnoozes, 'silence'>;
}

/** A person's changes of hourly refresh and alerts. What they enable themselves needs no further consent. Throws InputError. */
export class WatchEdits {
  readonly #deps: WatchEditsDeps;

  constructor(deps: WatchEditsDeps) {
    this.#deps = deps;
  }

  /** With the alerts that it has. */
  async keepFresh(item: WatchedItem): Promise<void> {
    const query = await this.#change(item, () => ({ keepFresh: true }));
    await this.#deps.consent.answer([{ item: { ...item, query }, allowed: true }]);
  }

  async stopKeepingFresh(item: WatchedItem): Promise<void> {
    await this.#change(item, () => ({ keepFresh: undefined }));
  }

  /** A change of alerts by hand: what it adds or switches on is wanted. */
  async changeAlerts(item: WatchedItem, change: (query: SavedQuery) => QueryChange): Promise<void> {
    const query = await this.#change(item, change);
    await this.#deps.consent.follow(item, query);
  }

  /** `until`: UTC milliseconds. A snooze is personal, so it is not written to a shared file. */
  async snooze(item: WatchedItem, ids: readonly string[], until: number): Promise<void> {
    if (item.store === 'workspace') await this.#deps.snoozes.silence(item, ids, until);
    else await this.#change(item, changeAlerts(ids, snoozed(until)));
  }

  async turnOn(item: WatchedItem, ids: readonly string[]): Promise<void> {
    await this.#deps.snoozes.silence(item, ids, undefined);
    await this.changeAlerts(item, changeAlerts(ids, switched(true)));
  }

  /** A personal query is turned off in its store, whoever it is turned off for. */
  async turnOff(item: WatchedItem, ids: readonly string[], whose: Whose): Promise<void> {
    if (item.store === 'workspace' && whose === 'mine') await this.#deps.snoozes.silence(item, ids, 'off');
    else await this.#change(item, changeAlerts(ids, switched(false)));
  }

  /** The query as it is then. */
  async #change({ id, query }: WatchedItem, change: (query: SavedQuery) => QueryChange): Promise<SavedQuery> {
    let after = query;
    await this.#deps.queries.change(id, newest => {
      const changed = change(newest);
      after = { ...newest, ...changed, query: newest.query };
      return changed;
    });
    return after;
  }
}
