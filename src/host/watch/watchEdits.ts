import * as v from 'valibot';
import type { QueryChange, SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { dayMs } from '../../shared/durations.ts';
import type { SavedQueriesPort, WatchedItem } from './savedQueriesPort.ts';
import type { WatchConsent } from './watchConsent.ts';
import { changeAlerts, snoozed, switched } from '../../core/watch/watchedQuery.ts';
import type { KeyValueStore } from '../../core/ports.ts';
import { type Alert, ruleText } from '../../core/watch/alert.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import { Emitter } from '../../service/emitter.ts';
import { stateNames } from '../ids.ts';
import { readableEntries } from '../../core/json/json.ts';

/** For whom an alert is turned off: for this person, or for everybody who has the file. */
export type Whose = 'mine' | 'everybody';

interface WatchEditsDeps {
  readonly queries: Pick<SavedQueriesPort, 'change'>;
  readonly consent: Pick<WatchConsent, 'answer' | 'follow'>;
  readonly snoozes: Pick<LocalSnoozes, 'silence'>;
  readonly choices: Pick<ConnectionChoices, 'agree' | 'find'>;
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
    await this.#begin(item, query);
  }

  async stopKeepingFresh(item: WatchedItem): Promise<void> {
    await this.#change(item, () => ({ keepFresh: undefined }));
  }

  /** A change of alerts by hand: what it adds or switches on is wanted. */
  async changeAlerts(item: WatchedItem, change: (query: SavedQuery) => QueryChange): Promise<void> {
    const query = await this.#change(item, change);
    await this.#deps.consent.follow(item, query);
    await this.#begin(item, query);
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

  /** What the person switches on themselves refreshes over the connection that it has now. */
  async #begin({ id, query: before }: WatchedItem, query: SavedQuery): Promise<void> {
    const { choices } = this.#deps;
    const connection = choices.find(query.connection);
    if (query.keepFresh && !before.keepFresh && connection) await choices.agree([{ id, query }], connection);
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

/** Until when a rule is snoozed (UTC milliseconds), or that it is off; by the query's id and the rule's text. */
type Silenced = Readonly<Record<string, Readonly<Record<string, number | 'off'>>>>;
const silenceSchema = v.union([v.number(), v.literal('off')]);

/**
 * The alerts of a workspace's file that this person has snoozed or turned off. Stored outside the file, which others share through
 * git. A rule that changes in the file is heard again.
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

  /** The item as this person wants it; their own queries as they are. */
  applied(item: WatchedItem): WatchedItem {
    const own = item.store === 'workspace' ? this.#silenced()[item.id] : undefined;
    const { alerts } = item.query;
    if (!own || !alerts) return item;
    return { ...item, query: { ...item.query, alerts: alerts.map(alert => silenced(alert, own[ruleText(alert)])) } };
  }

  /** Silences alerts until then (UTC milliseconds), or turns them off; `undefined`: they are as the file has them again. */
  async silence(
    { id, query }: WatchedItem,
    ids: readonly string[],
    silence: number | 'off' | undefined,
  ): Promise<void> {
    if (silence === undefined && !this.#silenced()[id]) return;
    const rules = (query.alerts ?? []).filter(alert => ids.includes(alert.id)).map(ruleText);
    const others = Object.entries(this.#silenced()[id] ?? {}).filter(([rule]) => !rules.includes(rule));
    const these = silence === undefined ? [] : rules.map(rule => [rule, silence] as const);
    const own = Object.fromEntries([...others, ...these]);
    await this.#state.update(stateNames.ownSilence, withoutOver({ ...this.#silenced(), [id]: own }, this.#now()));
    this.#changed.fire();
  }

  #silenced(): Silenced {
    const queries = readableEntries(this.#state.get(stateNames.ownSilence), v.unknown());
    return Object.fromEntries(Object.entries(queries).map(([id, own]) => [id, readableEntries(own, silenceSchema)]));
  }
}

/** The queries with this person's snoozes applied; changes go to the stores. */
export function asHeard(queries: SavedQueriesPort, snoozes: LocalSnoozes): SavedQueriesPort {
  return {
    settle: async () => queries.settle(),
    all: () => queries.all().map(item => snoozes.applied(item)),
    change: async (id, change) => queries.change(id, change),
    onDidChange: listener => {
      const both = [queries.onDidChange(listener), snoozes.onDidChange(listener)];
      return { dispose: () => both.forEach(one => one.dispose()) };
    },
  };
}

function silenced(alert: Alert, silence: number | 'off' | undefined): Alert {
  if (silence === undefined) return alert;
  if (silence === 'off') return { ...alert, on: false };
  return { ...alert, snoozedUntil: Math.max(silence, alert.snoozedUntil ?? silence) };
}

/** Without the snoozes that ended a day ago: no two clocks differ by more. */
function withoutOver(all: Silenced, now: number): Silenced {
  const isOver = (silence: number | 'off'): boolean => silence !== 'off' && silence < now - dayMs;
  const left = Object.entries(all).map(([id, own]) => {
    const rest = Object.entries(own).filter(([, silence]) => !isOver(silence));
    return [id, Object.fromEntries(rest)] as const;
  });
  return Object.fromEntries(left.filter(([, own]) => Object.keys(own).length > 0));
}
