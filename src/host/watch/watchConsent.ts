import * as v from 'valibot';
import type { KeyValueStore } from '../../core/ports.ts';
import { queryIdentity } from '../../core/query/query.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { ruleText } from '../../core/watch/alert.ts';
import { storedNames } from '../../core/storedNames.ts';
import { liveAlerts } from '../../core/watch/watchedQuery.ts';
import { Emitter } from '../../service/emitter.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import type { WatchedItem } from './savedQueriesPort.ts';

/** A person's answer about a query of a workspace file: for its question and the alerts that it had then. */
const answerSchema = v.object({ allowed: v.boolean(), question: v.string(), rules: v.array(v.string()) });
type Answer = v.InferOutput<typeof answerSchema>;

/**
 * A workspace's file comes from others: what it wants to be kept fresh spends no request, and its alerts say nothing, before
 * the person has allowed it. Once the file asks something else, or has a further alert, that has to be allowed again.
 */
export class WatchConsent {
  readonly #state: KeyValueStore;
  readonly #changed = new Emitter();
  readonly onDidChange = this.#changed.event;

  /** `state`: that of the workspace, where no file of it reaches. */
  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  /** The query with what of its watching the person wants: their own queries as they are. */
  allowed({ id, store, query }: WatchedItem): SavedQuery {
    if (store === 'personal') return query;
    const answer = this.#answerTo(id, query);
    if (!answer?.allowed) return { ...query, keepFresh: false };
    return { ...query, alerts: (query.alerts ?? []).filter(alert => answer.rules.includes(ruleText(alert))) };
  }

  /** Whether anything of this workspace's file was allowed. */
  get hasAllowed(): boolean {
    return Object.values(this.#answers()).some(answer => v.is(answerSchema, answer) && answer.allowed);
  }

  isAllowed(item: WatchedItem): boolean {
    return item.store === 'personal' || this.#answerTo(item.id, item.query)?.allowed === true;
  }

  /** The person changed the query's alerts themselves: what is new of them is allowed, and nothing else. */
  async follow({ id, store, query: before }: WatchedItem, after: SavedQuery): Promise<void> {
    const known = rulesOf(before);
    const added = rulesOf(after).filter(rule => !known.includes(rule));
    if (store === 'personal' || added.length === 0) return;
    const answer = this.#answerTo(id, before);
    const rules = [...(answer?.allowed ? answer.rules : []), ...added];
    await this.#keep([[id, { allowed: true, question: questionOf(after), rules }]]);
  }

  /** Whether the query is to be watched and the person has not yet answered for its question and all its alerts. */
  isWaiting({ id, store, query }: WatchedItem): boolean {
    if (store === 'personal' || query.keepFresh !== true) return false;
    const answer = this.#answerTo(id, query);
    return !answer || rulesOf(query).some(rule => !answer.rules.includes(rule));
  }

  /** Keeps the answers to several queries as they are now. */
  async answer(answers: readonly { readonly item: WatchedItem; readonly allowed: boolean }[]): Promise<void> {
    const own = answers.filter(({ item }) => item.store === 'workspace');
    if (own.length === 0) return;
    const given = own.map(({ item: { id, query }, allowed }): [string, Answer] => {
      return [id, { allowed, question: questionOf(query), rules: rulesOf(query) }];
    });
    await this.#keep(given);
  }

  async #keep(answers: readonly (readonly [string, Answer])[]): Promise<void> {
    await this.#state.update(storedNames.watchingAnswers, { ...this.#answers(), ...Object.fromEntries(answers) });
    this.#changed.fire();
  }

  #answerTo(id: string, query: SavedQuery): Answer | undefined {
    const answer = this.#answers()[id];
    return v.is(answerSchema, answer) && answer.question === questionOf(query) ? answer : undefined;
  }

  #answers(): Readonly<Record<string, unknown>> {
    const stored = this.#state.get(storedNames.watchingAnswers);
    return v.is(v.record(v.string(), v.unknown()), stored) ? stored : {};
  }
}

function questionOf({ query, connection }: SavedQuery): string {
  return JSON.stringify([connection ?? null, queryIdentity(query)]);
}

function rulesOf(query: SavedQuery): string[] {
  return liveAlerts(query).map(ruleText);
}

/** Whether the query is to refresh hourly, and the person has not yet agreed to it and to its connection on this machine. */
export function isWaiting(
  item: WatchedItem,
  { consent, choices }: { readonly consent: WatchConsent; readonly choices: Pick<ConnectionChoices, 'isWaiting'> },
): boolean {
  return consent.isWaiting(item) || choices.isWaiting({ id: item.id, query: consent.allowed(item) });
}
