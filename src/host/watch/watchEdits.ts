import * as v from 'valibot';
import type { QueryChange, SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { dayMs } from '../../shared/durations.ts';
import type { SavedQueriesPort, WatchedItem } from './savedQueriesPort.ts';
import type { WatchConsent } from './watchConsent.ts';
import { changeAlerts, createSnooze, createSwitch } from '../../core/watch/watchedQuery.ts';
import type { KeyValueStore } from '../../core/ports.ts';
import { type Alert, serializeRule } from '../../core/watch/alert.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import { Emitter } from '../../service/emitter.ts';
import { stateNames } from '../ids.ts';
import { filterValidEntries } from '../../core/json/json.ts';

/** The users for whom an alert is turned off: only this one, or everyone who has the file. */
export type AlertAudience = 'mine' | 'everybody';

interface WatchEditsDeps {
  readonly queries: Pick<SavedQueriesPort, 'change'>;
  readonly consent: Pick<WatchConsent, 'saveDecisions' | 'approveAddedAlerts'>;
  readonly snoozes: Pick<LocalSnoozes, 'snooze'>;
  readonly choices: Pick<ConnectionChoices, 'approveConnection' | 'find'>;
}

/** Applies the user's changes of hourly refresh and alerts. What they enable themselves needs no further approval. Throws InputError. */
export class WatchEdits {
  readonly #deps: WatchEditsDeps;

  constructor(deps: WatchEditsDeps) {
    this.#deps = deps;
  }

  /** Enables hourly refresh for a query, including its alerts. */
  async keepFresh(item: WatchedItem): Promise<void> {
    const query = await this.#change(item, () => ({ keepFresh: true }));
    await this.#deps.consent.saveDecisions([{ item: { ...item, query }, allowed: true }]);
    await this.#approveConnection(item, query);
  }

  async stopKeepingFresh(item: WatchedItem): Promise<void> {
    await this.#change(item, () => ({ keepFresh: undefined }));
  }

  /** Changes the alerts of a query. The alerts that the user adds or turns on are approved with it. */
  async changeAlerts(item: WatchedItem, change: (query: SavedQuery) => QueryChange): Promise<void> {
    const query = await this.#change(item, change);
    await this.#deps.consent.approveAddedAlerts(item, query);
    await this.#approveConnection(item, query);
  }

  /** Snoozes alerts until `until` (UTC milliseconds). A snooze is personal, so it is not written to a shared file. */
  async snooze(item: WatchedItem, ids: readonly string[], until: number): Promise<void> {
    if (item.store === 'workspace') await this.#deps.snoozes.snooze(item, ids, until);
    else await this.#change(item, changeAlerts(ids, createSnooze(until)));
  }

  async turnOn(item: WatchedItem, ids: readonly string[]): Promise<void> {
    await this.#deps.snoozes.snooze(item, ids, undefined);
    await this.changeAlerts(item, changeAlerts(ids, createSwitch(true)));
  }

  /** Turns alerts off. Those of a personal query are always turned off in its store. */
  async turnOff(item: WatchedItem, ids: readonly string[], audience: AlertAudience): Promise<void> {
    if (item.store === 'workspace' && audience === 'mine') await this.#deps.snoozes.snooze(item, ids, 'off');
    else await this.#change(item, changeAlerts(ids, createSwitch(false)));
  }

  /** Approves the query's current connection if the user has just enabled hourly refresh. */
  async #approveConnection({ id, query: previousQuery }: WatchedItem, query: SavedQuery): Promise<void> {
    const { choices } = this.#deps;
    const connection = choices.find(query.connection);
    if (query.keepFresh && !previousQuery.keepFresh && connection)
      await choices.approveConnection([{ id, query }], connection);
  }

  /** Changes a query in its store and returns the changed query. */
  async #change({ id, query }: WatchedItem, change: (query: SavedQuery) => QueryChange): Promise<SavedQuery> {
    let changedQuery = query;
    await this.#deps.queries.change(id, newest => {
      const changed = change(newest);
      changedQuery = { ...newest, ...changed, query: newest.query };
      return changed;
    });
    return changedQuery;
  }
}

/** The end of each rule's snooze in UTC milliseconds, or `off`, by the query's id and the rule's text. */
type StoredSnoozes = Readonly<Record<string, Readonly<Record<string, number | 'off'>>>>;
const snoozeSchema = v.union([v.number(), v.literal('off')]);

/**
 * The alerts of workspace files that this user has snoozed or turned off. They are stored outside the file, which is shared through git. A
 * rule that changes in the file becomes active again.
 */
export class LocalSnoozes {
  readonly #state: KeyValueStore;
  readonly #now: () => number;
  readonly #changed = new Emitter();
  readonly onDidChange = this.#changed.event;

  /** `now`: UTC milliseconds. */
  constructor(state: KeyValueStore, now: () => number) {
    this.#state = state;
    this.#now = now;
  }

  /** Returns the item with the user's snoozes applied. Personal queries are returned as they are. */
  apply(item: WatchedItem): WatchedItem {
    const snoozes = item.store === 'workspace' ? this.#stored()[item.id] : undefined;
    const { alerts } = item.query;
    if (!snoozes || !alerts) return item;
    const appliedAlerts = alerts.map(alert => applySnooze(alert, snoozes[serializeRule(alert)]));
    return { ...item, query: { ...item.query, alerts: appliedAlerts } };
  }

  /** Snoozes alerts until `until` (UTC milliseconds) or turns them off. `undefined` restores their state in the file. */
  async snooze({ id, query }: WatchedItem, ids: readonly string[], until: number | 'off' | undefined): Promise<void> {
    if (until === undefined && !this.#stored()[id]) return;
    const rules = (query.alerts ?? []).filter(alert => ids.includes(alert.id)).map(serializeRule);
    const others = Object.entries(this.#stored()[id] ?? {}).filter(([rule]) => !rules.includes(rule));
    const changed = until === undefined ? [] : rules.map(rule => [rule, until] as const);
    const snoozes = Object.fromEntries([...others, ...changed]);
    await this.#state.update(stateNames.localSnoozes, dropExpired({ ...this.#stored(), [id]: snoozes }, this.#now()));
    this.#changed.fire();
  }

  #stored(): StoredSnoozes {
    const queries = filterValidEntries(this.#state.get(stateNames.localSnoozes), v.unknown());
    return Object.fromEntries(
      Object.entries(queries).map(([id, snoozes]) => [id, filterValidEntries(snoozes, snoozeSchema)]),
    );
  }
}

/** Wraps the port so that queries have the user's snoozes applied. Changes go to the stores unchanged. */
export function withLocalSnoozes(queries: SavedQueriesPort, snoozes: LocalSnoozes): SavedQueriesPort {
  return {
    settle: async () => queries.settle(),
    all: () => queries.all().map(item => snoozes.apply(item)),
    change: async (id, change) => queries.change(id, change),
    onDidChange: listener => {
      const subscriptions = [queries.onDidChange(listener), snoozes.onDidChange(listener)];
      return { dispose: () => subscriptions.forEach(subscription => subscription.dispose()) };
    },
  };
}

function applySnooze(alert: Alert, until: number | 'off' | undefined): Alert {
  if (until === undefined) return alert;
  if (until === 'off') return { ...alert, on: false };
  return { ...alert, snoozedUntil: Math.max(until, alert.snoozedUntil ?? until) };
}

/** Removes snoozes that ended at least a day ago. The day allows for clocks that differ. */
function dropExpired(stored: StoredSnoozes, now: number): StoredSnoozes {
  const isOver = (until: number | 'off'): boolean => until !== 'off' && until < now - dayMs;
  const remaining = Object.entries(stored).map(([id, snoozes]) => {
    const rest = Object.entries(snoozes).filter(([, until]) => !isOver(until));
    return [id, Object.fromEntries(rest)] as const;
  });
  return Object.fromEntries(remaining.filter(([, snoozes]) => Object.keys(snoozes).length > 0));
}
