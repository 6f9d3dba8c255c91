import { ruleText } from '../../core/watch/alert.ts';
import { beginTelling } from '../../core/watch/told.ts';
import { liveAlerts, type WatchedQuery } from '../../core/watch/watchedQuery.ts';
import { toldName } from './toldName.ts';
import type { ToldStore } from './toldStore.ts';

/** Notes since when each alert is watched, as soon as this window knows of it: an alert says nothing of the time before. */
export class AlertBeginnings {
  readonly #told: ToldStore;
  /** The file of each query, and its alerts as noted there. */
  readonly #seen = new Map<string, { readonly name: string; readonly rules: string }>();
  #settled: Promise<unknown> = Promise.resolve();

  constructor(told: ToldStore) {
    this.#told = told;
  }

  /** Resolves when all is noted. */
  get settled(): Promise<unknown> {
    return this.#settled;
  }

  /** Only what changed is noted: a window that knows an older state of a query must not undo what another noted. */
  see(query: WatchedQuery, now: number): void {
    const before = this.#seen.get(query.id);
    if (!before && !query.alerts?.length) return;
    const name = toldName(query);
    const alerts = liveAlerts(query);
    const rules = JSON.stringify(alerts.map(alert => [alert.id, ruleText(alert)]));
    if (before?.name === name && before.rules === rules) return;
    this.#seen.set(query.id, { name, rules });
    if (before && before.name !== name) this.#note(before.name, [], now);
    this.#note(name, alerts, now);
  }

  #note(name: string, alerts: ReturnType<typeof liveAlerts>, now: number): void {
    const noted = this.#told.update(name, told => ({ told: beginTelling(told, alerts, now), value: undefined }));
    this.#settled = Promise.allSettled([this.#settled, noted]);
  }
}
