import * as v from 'valibot';
import type { KeyValueStore } from '../../core/ports.ts';
import { ruleText, type Alert } from '../../core/watch/alert.ts';
import { Emitter } from '../../service/emitter.ts';
import { stateNames } from '../ids.ts';
import type { SavedQueriesPort, WatchedItem } from './savedQueriesPort.ts';
import { readableEntries } from '../../core/json/json.ts';

/** Until when a rule is snoozed (UTC milliseconds), or that it is off; by the query's id and the rule's text. */
type Silenced = Readonly<Record<string, Readonly<Record<string, number | 'off'>>>>;
const silenceSchema = v.union([v.number(), v.literal('off')]);

/**
 * Which alerts of a workspace's file this person does not want to hear, for a while or at all. Kept beside the file, which
 * goes through git: nobody else is to be silenced by it. A rule that is changed in the file is heard again.
 */
export class LocalSnoozes {
  readonly #state: KeyValueStore;
  readonly #now: () => number;
  readonly #listeners = new Emitter();

  /** `now`: UTC milliseconds. */
  constructor(state: KeyValueStore, now: () => number) {
    this.#state = state;
    this.#now = now;
  }

  /** Calls back after each change; returns what ends that. */
  onDidChange(listener: () => void): () => void {
    return this.#listeners.event(listener);
  }

  /** The item as this person wants it; their own queries as they are. */
  applied(item: WatchedItem): WatchedItem {
    const own = item.home === 'workspace' ? this.#silenced()[item.id] : undefined;
    const { alerts } = item.query;
    if (!own || !alerts) return item;
    return { ...item, query: { ...item.query, alerts: alerts.map(alert => silenced(alert, own[ruleText(alert)])) } };
  }

  /** `until`: UTC milliseconds. */
  async snooze(item: WatchedItem, ids: readonly string[], until: number): Promise<void> {
    await this.#keep(item, ids, until);
  }

  async turnOff(item: WatchedItem, ids: readonly string[]): Promise<void> {
    await this.#keep(item, ids, 'off');
  }

  /** They are heard again, as the file has them. */
  async lift(item: WatchedItem, ids: readonly string[]): Promise<void> {
    if (this.#silenced()[item.id]) await this.#keep(item, ids, undefined);
  }

  async #keep({ id, query }: WatchedItem, ids: readonly string[], silence: number | 'off' | undefined): Promise<void> {
    const rules = (query.alerts ?? []).filter(alert => ids.includes(alert.id)).map(ruleText);
    const others = Object.entries(this.#silenced()[id] ?? {}).filter(([rule]) => !rules.includes(rule));
    const these = silence === undefined ? [] : rules.map(rule => [rule, silence] as const);
    const own = Object.fromEntries([...others, ...these]);
    await this.#state.update(stateNames.ownSilence, withoutOver({ ...this.#silenced(), [id]: own }, this.#now()));
    this.#listeners.fire();
  }

  #silenced(): Silenced {
    const queries = readableEntries(this.#state.get(stateNames.ownSilence), v.unknown());
    return Object.fromEntries(Object.entries(queries).map(([id, own]) => [id, readableEntries(own, silenceSchema)]));
  }
}

/** The queries as this person wants them; changes go to where they are kept. */
export function asHeard(queries: SavedQueriesPort, silence: LocalSnoozes): SavedQueriesPort {
  return {
    settle: async () => queries.settle(),
    all: () => queries.all().map(item => silence.applied(item)),
    change: async (id, change) => queries.change(id, change),
    onDidChange: listener => {
      const endings = [queries.onDidChange(listener), silence.onDidChange(listener)];
      return () => endings.forEach(end => end());
    },
  };
}

function silenced(alert: Alert, silence: number | 'off' | undefined): Alert {
  if (silence === undefined) return alert;
  if (silence === 'off') return { ...alert, on: false };
  return { ...alert, snoozedUntil: Math.max(silence, alert.snoozedUntil ?? silence) };
}

/** Long over: a day is more than any two clocks differ. */
function withoutOver(all: Silenced, now: number): Silenced {
  const isOver = (silence: number | 'off'): boolean => silence !== 'off' && silence < now - 86_400_000;
  const left = Object.entries(all).map(([id, own]) => {
    const rest = Object.entries(own).filter(([, silence]) => !isOver(silence));
    return [id, Object.fromEntries(rest)] as const;
  });
  return Object.fromEntries(left.filter(([, own]) => Object.keys(own).length > 0));
}
