import { ruleText, type Alert } from '../../core/watch/alert.ts';
import {
  endRefresh,
  evaluateAlerts,
  keepAlerts,
  startRefresh,
  type AlertNotification,
  type RefreshDecision,
} from '../../core/watch/alertHistory.ts';
import type { Reading } from '../../core/watch/reading.ts';
import { liveAlerts, type WatchedQuery } from '../../core/watch/watchedQuery.ts';
import { historyFileOf, type AlertHistoryStore } from './alertHistoryStore.ts';

/** What windows agree on about the queries they watch. `now` is the service's time, UTC milliseconds. */
export class SharedWatchState {
  readonly #histories: AlertHistoryStore;
  /** By query: its file, and its alerts as noted there. */
  readonly #noted = new Map<string, { readonly file: string; readonly rules: string }>();
  #settled: Promise<unknown> = Promise.resolve();

  constructor(histories: AlertHistoryStore) {
    this.#histories = histories;
  }

  /** Resolves when the alerts of all queries are noted. */
  get settled(): Promise<unknown> {
    return this.#settled;
  }

  /**
   * Notes since when each alert of a query is watched, as soon as this window knows of it: an alert ignores the time before. Only what
   * changed is noted: a window that knows an older state of a query must not undo what another noted.
   */
  noteAlerts(query: WatchedQuery, now: number): void {
    const before = this.#noted.get(query.id);
    if (!before && !query.alerts?.length) return;
    const file = historyFileOf(query);
    const alerts = liveAlerts(query);
    const rules = JSON.stringify(alerts.map(alert => [alert.id, ruleText(alert)]));
    if (before?.file === file && before.rules === rules) return;
    this.#noted.set(query.id, { file, rules });
    if (before && before.file !== file) this.#keepAlerts(before.file, [], now);
    this.#keepAlerts(file, alerts, now);
  }

  /** Lets one window at a time send requests for a query. */
  async startRefresh(query: WatchedQuery, now: number): Promise<RefreshDecision> {
    return this.#histories.update(historyFileOf(query), history => {
      const { decision, asked } = startRefresh(history.asked, now);
      return { history: asked === history.asked ? history : { ...history, asked }, value: decision };
    });
  }

  /** `failed`: the refresh used a request and failed. */
  async endRefresh(query: WatchedQuery, now: number, failed: boolean): Promise<void> {
    await this.#histories.update(historyFileOf(query), history => {
      return { history: { ...history, asked: endRefresh(now, failed) }, value: undefined };
    });
  }

  /** What this window, and no other, has to show about the query's alerts. */
  async evaluate(query: WatchedQuery, reading: Reading): Promise<readonly AlertNotification[]> {
    const alerts = liveAlerts(query);
    if (alerts.length === 0) return [];
    return this.#histories.update(historyFileOf(query), before => {
      const { history, notifications: value } = evaluateAlerts(before, alerts, reading);
      return { history, value };
    });
  }

  #keepAlerts(file: string, alerts: readonly Alert[], now: number): void {
    const noted = this.#histories.update(file, before => {
      return { history: keepAlerts(before, alerts, now), value: undefined };
    });
    this.#settled = Promise.allSettled([this.#settled, noted]);
  }
}
