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

/** The user's choice for a query of a workspace file, with the query (`question`) and the alerts (`rules`) that it applies to. */
const answerSchema = v.object({ allowed: v.boolean(), question: v.string(), rules: v.array(v.string()) });
type Answer = v.InferOutput<typeof answerSchema>;

/**
 * The user's approval of hourly refresh and alerts in workspace files. Such a file comes from others, so its queries spend no requests and
 * its alerts show no notifications until the user approves them. A changed query or a new alert has to be approved again.
 */
export class WatchConsent {
  readonly #state: KeyValueStore;
  readonly #changed = new Emitter();
  readonly onDidChange = this.#changed.event;

  /** `state` is the workspace state, which no file in the workspace can change. */
  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  /** Returns the query with only the approved hourly refresh and alerts. Personal queries need no approval. */
  allowed({ id, store, query }: WatchedItem): SavedQuery {
    if (store === 'personal') return query;
    const answer = this.#answerTo(id, query);
    if (!answer?.allowed) return { ...query, keepFresh: false };
    return { ...query, alerts: (query.alerts ?? []).filter(alert => answer.rules.includes(ruleText(alert))) };
  }

  /** Whether any query of this workspace's files was approved. */
  get hasAllowed(): boolean {
    return Object.values(this.#answers()).some(answer => v.is(answerSchema, answer) && answer.allowed);
  }

  isAllowed(item: WatchedItem): boolean {
    return item.store === 'personal' || this.#answerTo(item.id, item.query)?.allowed === true;
  }

  /** Approves the alerts that the user has just added, and nothing else. */
  async follow({ id, store, query: before }: WatchedItem, after: SavedQuery): Promise<void> {
    const known = rulesOf(before);
    const added = rulesOf(after).filter(rule => !known.includes(rule));
    if (store === 'personal' || added.length === 0) return;
    const answer = this.#answerTo(id, before);
    const rules = [...(answer?.allowed ? answer.rules : []), ...added];
    await this.#keep([[id, { allowed: true, question: questionOf(after), rules }]]);
  }

  /** Whether the query is set to refresh hourly, but the user has not yet decided on the query and all its alerts. */
  isWaiting({ id, store, query }: WatchedItem): boolean {
    if (store === 'personal' || query.keepFresh !== true) return false;
    const answer = this.#answerTo(id, query);
    return !answer || rulesOf(query).some(rule => !answer.rules.includes(rule));
  }

  /** Stores the choices for several queries in their current state. */
  async answer(answers: readonly { readonly item: WatchedItem; readonly allowed: boolean }[]): Promise<void> {
    const shared = answers.filter(({ item }) => item.store === 'workspace');
    if (shared.length === 0) return;
    const entries = shared.map(({ item: { id, query }, allowed }): [string, Answer] => {
      return [id, { allowed, question: questionOf(query), rules: rulesOf(query) }];
    });
    await this.#keep(entries);
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

/** Whether the query is set to refresh hourly, but the user has not yet approved it and its connection on this machine. */
export function isWaiting(
  item: WatchedItem,
  { consent, choices }: { readonly consent: WatchConsent; readonly choices: Pick<ConnectionChoices, 'isWaiting'> },
): boolean {
  return consent.isWaiting(item) || choices.isWaiting({ id: item.id, query: consent.allowed(item) });
}
