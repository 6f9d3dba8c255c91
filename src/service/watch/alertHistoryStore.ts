import { createHash } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Logger, Random } from '../../core/ports.ts';
import { readableJson } from '../../core/json/json.ts';
import { seriesIdentity } from '../../core/query/seriesKey.ts';
import {
  type AlertHistory,
  alertHistorySchema,
  type AlertNotification,
  emptyAlertHistory,
  endRefresh,
  evaluateAlerts,
  keepAlerts,
  mergeAlertHistories,
  notifiedHours,
  type RefreshDecision,
  startRefresh,
} from '../../core/watch/alertHistory.ts';
import { liveAlerts, type WatchedQuery } from '../../core/watch/watchedQuery.ts';
import { FolderLock } from '../files/fileLock.ts';
import { codeOf, patientFs, type StorageFs } from '../files/fileSystem.ts';
import { readRegularText, unlessForeign } from '../files/regularFile.ts';
import { type Alert, ruleText } from '../../core/watch/alert.ts';
import type { Reading } from '../../core/watch/reading.ts';

/** Stores the state that all windows share for each query with an hourly refresh. */
export interface AlertHistoryStore {
  /**
   * Reads the history, and stores what `change` returns, without interference by other windows, so that only this window shows new
   * notifications. `change` may be called several times; its last result counts. Rejects only with the errors of `change`.
   */
  update<T>(file: string, change: (history: AlertHistory) => Changed<T>): Promise<T>;
}

export interface Changed<T> {
  /** The history that was passed in, if nothing has changed. */
  readonly history: AlertHistory;
  readonly value: T;
}

/**
 * Returns the file name of a query's alerts. Ids come from files that users write and are not safe as names. A change of the service, dataset or
 * interval needs a new history; a change of the range does not.
 */
export function historyFileOf({ id, source, query: { dataset, interval, params } }: WatchedQuery): string {
  const identity = JSON.stringify([id, seriesIdentity({ source, dataset, interval, params })]);
  return `${createHash('sha256').update(identity).digest('hex').slice(0, 24)}.json`;
}

/** The age after which a lock that was not renewed belongs to a dead window. */
const staleMs = 5_000;
/** The maximum size of a file, several times that of the hours of two weeks for the maximum number of alerts. */
const mostBytes = 4_000_000;

interface AlertHistoryFolderDeps {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Pick<Logger, 'warn'>;
  readonly fs?: StorageFs;
}

/**
 * Stores a small file for each query in a folder that all windows share, changed under the folder's lock and replaced as a whole. All alerts of
 * a query are in one file and one change, so that one window shows all of them in one notification. If the folder is unusable, each window has
 * its own history: two notifications are better than none.
 */
export class AlertHistoryFolder implements AlertHistoryStore {
  readonly #folder: string;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #fs: StorageFs;
  readonly #lock: FolderLock;
  /** The last known history of each file, used if the file is lost. */
  readonly #memory = new Map<string, AlertHistory>();
  /** The files that could not be written, so that the history in memory is newer. */
  readonly #detached = new Set<string>();
  #warned = false;

  constructor({ folder, clock, random, logger, fs = nodeFs }: AlertHistoryFolderDeps) {
    this.#folder = folder;
    this.#logger = logger;
    this.#fs = patientFs(fs, clock);
    this.#lock = new FolderLock({ fs, clock, random, staleMs });
  }

  async update<T>(file: string, change: (history: AlertHistory) => Changed<T>): Promise<T> {
    try {
      // Usually nothing has changed, and then the lock is not needed.
      const before = await this.#known(file);
      const { history, value } = change(before);
      if (history === before) return value;
      return await this.#change(file, change);
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      return this.#detach(file, change, error);
    }
  }

  async #change<T>(file: string, change: (history: AlertHistory) => Changed<T>): Promise<T> {
    return this.#lock.hold(this.#folder, async isOurs => {
      const before = await this.#known(file);
      const { history, value } = change(before);
      if (history !== before || this.#detached.has(file))
        await this.#lock.replaceText(join(this.#folder, file), JSON.stringify(history), isOurs);
      this.#memory.set(file, history);
      this.#detached.delete(file);
      return value;
    });
  }

  /** Reads the history from the file, or from memory if the file is missing or damaged. */
  async #known(file: string): Promise<AlertHistory> {
    return (await this.#read(file)) ?? this.#memory.get(file) ?? emptyAlertHistory;
  }

  async #read(file: string): Promise<AlertHistory | undefined> {
    const path = join(this.#folder, file);
    const text = await unlessForeign(readRegularText(path, mostBytes, this.#fs));
    const history = text === undefined ? undefined : readableJson(text, alertHistorySchema);
    const memory = this.#memory.get(file);
    if (history && memory && this.#detached.has(file)) return mergeAlertHistories(history, memory);
    if (history) this.#memory.set(file, history);
    return history;
  }

  #detach<T>(file: string, change: (history: AlertHistory) => Changed<T>, error: unknown): T {
    if (!this.#warned) this.#logger.warn(`windows cannot share the history of alerts (${codeOf(error) ?? 'unknown'})`);
    this.#warned = true;
    const { history, value } = change(this.#memory.get(file) ?? emptyAlertHistory);
    this.#memory.set(file, history);
    this.#detached.add(file);
    return value;
  }
}

/** The state of watched queries that windows share. `now` is the service's time, UTC milliseconds. */
export class SharedWatchState {
  readonly #histories: AlertHistoryStore;
  /** The file of each query, and the alerts stored in it, by query id. */
  readonly #noted = new Map<string, { readonly file: string; readonly rules: string }>();
  #settled: Promise<unknown> = Promise.resolve();

  constructor(histories: AlertHistoryStore) {
    this.#histories = histories;
  }

  /** Resolves when the alerts of all queries are stored. */
  get settled(): Promise<unknown> {
    return this.#settled;
  }

  /**
   * Stores since when each alert of a query is watched, as soon as this window knows it: an alert ignores the time before. Only changes are
   * stored, so that a window with an older state of a query does not undo what another window has stored.
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

  /** Decides whether this window may send requests for a query: only one window at a time does. */
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

  /** Evaluates the query's alerts. Returns the notifications that this window, and no other, has to show. */
  async evaluate(query: WatchedQuery, reading: Reading): Promise<readonly AlertNotification[]> {
    const alerts = liveAlerts(query);
    if (alerts.length === 0) return [];
    return this.#histories.update(historyFileOf(query), before => {
      const { history, notifications: value } = evaluateAlerts(before, alerts, reading);
      return { history, value };
    });
  }

  /** Returns the `notifiedHours` of the query. */
  async notified(query: WatchedQuery, now: number): Promise<ReadonlyMap<string, readonly number[]>> {
    return this.#histories.update(historyFileOf(query), history => {
      return { history, value: notifiedHours(history, query.alerts ?? [], now) };
    });
  }

  #keepAlerts(file: string, alerts: readonly Alert[], now: number): void {
    const noted = this.#histories.update(file, before => {
      return { history: keepAlerts(before, alerts, now), value: undefined };
    });
    this.#settled = Promise.allSettled([this.#settled, noted]);
  }
}
