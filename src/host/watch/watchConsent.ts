import * as v from 'valibot';
import type { KeyValueStore } from '../../core/ports.ts';
import { getQueryIdentity } from '../../core/query/query.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { serializeRule } from '../../core/watch/alert.ts';
import { storedNames } from '../../core/storedNames.ts';
import { listActiveAlerts } from '../../core/watch/watchedQuery.ts';
import { Emitter } from '../../service/emitter.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import type { WatchedItem } from './savedQueriesPort.ts';

/** The user's decision about a query of a workspace file. It applies only to this query (`question`, the stored name) and these alerts (`rules`). */
const consentSchema = v.object({ allowed: v.boolean(), question: v.string(), rules: v.array(v.string()) });
type Consent = v.InferOutput<typeof consentSchema>;

/**
 * Stores which queries and alerts of workspace files the user has approved. Other people may have written such a file. Therefore, its queries
 * do not refresh hourly and its alerts do not notify until the user approves them. A changed query or a new alert needs a new approval.
 */
export class WatchConsent {
  readonly #state: KeyValueStore;
  readonly #changed = new Emitter();
  readonly onDidChange = this.#changed.event;

  /** `state` is VS Code's workspace state. Files in the workspace cannot change it. */
  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  /** Removes hourly refresh and alerts that are not approved. Returns a personal query unchanged, since it needs no approval. */
  filterAllowed({ id, store, query }: WatchedItem): SavedQuery {
    if (store === 'personal') return query;
    const consent = this.#findConsent(id, query);
    if (!consent?.allowed) return { ...query, keepFresh: false };
    return { ...query, alerts: (query.alerts ?? []).filter(alert => consent.rules.includes(serializeRule(alert))) };
  }

  /** Whether the user has approved any query of the workspace files. */
  get hasAllowed(): boolean {
    return Object.values(this.#storedConsents()).some(consent => v.is(consentSchema, consent) && consent.allowed);
  }

  isAllowed(item: WatchedItem): boolean {
    return item.store === 'personal' || this.#findConsent(item.id, item.query)?.allowed === true;
  }

  /** Approves the alerts that the user has just added. Other alerts that are not approved stay so. */
  async approveAddedAlerts({ id, store, query: previousQuery }: WatchedItem, newQuery: SavedQuery): Promise<void> {
    const previousRules = listRules(previousQuery);
    const addedRules = listRules(newQuery).filter(rule => !previousRules.includes(rule));
    if (store === 'personal' || addedRules.length === 0) return;
    const consent = this.#findConsent(id, previousQuery);
    const rules = [...(consent?.allowed ? consent.rules : []), ...addedRules];
    await this.#store([[id, { allowed: true, question: serializeQuery(newQuery), rules }]]);
  }

  /** Whether the query is set to refresh hourly, but the user has not yet approved or declined it and each of its alerts. */
  isWaiting({ id, store, query }: WatchedItem): boolean {
    if (store === 'personal' || query.keepFresh !== true) return false;
    const consent = this.#findConsent(id, query);
    return !consent || listRules(query).some(rule => !consent.rules.includes(rule));
  }

  /** Stores decisions about queries in their current state. */
  async saveDecisions(decisions: readonly { readonly item: WatchedItem; readonly allowed: boolean }[]): Promise<void> {
    const workspaceDecisions = decisions.filter(({ item }) => item.store === 'workspace');
    if (workspaceDecisions.length === 0) return;
    const entries = workspaceDecisions.map(({ item: { id, query }, allowed }): [string, Consent] => {
      return [id, { allowed, question: serializeQuery(query), rules: listRules(query) }];
    });
    await this.#store(entries);
  }

  async #store(consents: readonly (readonly [string, Consent])[]): Promise<void> {
    await this.#state.update(storedNames.watchingAnswers, {
      ...this.#storedConsents(),
      ...Object.fromEntries(consents),
    });
    this.#changed.fire();
  }

  #findConsent(id: string, query: SavedQuery): Consent | undefined {
    const consent = this.#storedConsents()[id];
    return v.is(consentSchema, consent) && consent.question === serializeQuery(query) ? consent : undefined;
  }

  #storedConsents(): Readonly<Record<string, unknown>> {
    const stored = this.#state.get(storedNames.watchingAnswers);
    return v.is(v.record(v.string(), v.unknown()), stored) ? stored : {};
  }
}

function serializeQuery({ query, connection }: SavedQuery): string {
  return JSON.stringify([connection ?? null, getQueryIdentity(query)]);
}

function listRules(query: SavedQuery): string[] {
  return listActiveAlerts(query).map(serializeRule);
}

/** Whether the query is set to refresh hourly, but the user has not yet approved it and its connection on this machine. */
export function isWaiting(
  item: WatchedItem,
  { consent, choices }: { readonly consent: WatchConsent; readonly choices: Pick<ConnectionChoices, 'isWaiting'> },
): boolean {
  return consent.isWaiting(item) || choices.isWaiting({ id: item.id, query: consent.filterAllowed(item) });
}
