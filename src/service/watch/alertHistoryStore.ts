import { createHash } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Logger, Random } from '../../core/ports.ts';
import { parseStoredJson } from '../../core/json/json.ts';
import { getSeriesIdentity } from '../../core/query/seriesKey.ts';
import {
  type AlertHistory,
  alertHistorySchema,
  type AlertNotification,
  emptyAlertHistory,
  endRefresh,
  evaluateAlerts,
  retainAlerts,
  mergeAlertHistories,
  listNotifiedHours,
  type RefreshDecision,
  startRefresh,
} from '../../core/watch/alertHistory.ts';
import { listActiveAlerts, type WatchedQuery } from '../../core/watch/watchedQuery.ts';
import { FolderLock } from '../files/fileLock.ts';
import { getErrorCode, createRetryingFs, type StorageFs } from '../files/fileSystem.ts';
import { readRegularTextFile, ignoreUnexpectedFile } from '../files/regularFile.ts';
import { type Alert, serializeRule } from '../../core/watch/alert.ts';
import type { Reading } from '../../core/watch/alertReading.ts';

/** Stores the state that all windows share for each query with an hourly refresh. */
export interface AlertHistoryStore {
  /**
   * Reads the history, and stores the history that `change` returns. No other window changes it meanwhile, so that only one window shows
   * a new notification. `change` may be called several times, and its last result is used. Rejects only with an error that `change` throws.
   */
  update<T>(file: string, change: (history: AlertHistory) => HistoryChange<T>): Promise<T>;
}

export interface HistoryChange<T> {
  /** The new history, or the same object if nothing has changed. */
  readonly history: AlertHistory;
  readonly value: T;
}

/**
 * Returns the file name of a query's alert history. The name is a hash, because ids come from files that users write and are not safe as file
 * names. A query gets a new history if its service, dataset, interval or parameters change, but not if its range changes.
 */
export function getHistoryFile({ id, source, query: { dataset, interval, params } }: WatchedQuery): string {
  const identity = JSON.stringify([id, getSeriesIdentity({ source, dataset, interval, params })]);
  return `${createHash('sha256').update(identity).digest('hex').slice(0, 24)}.json`;
}

/** The age after which a lock that was not renewed belongs to a dead window. */
const staleMs = 5_000;
/** The maximum size of a file, several times the size of two weeks of hours for the maximum number of alerts. */
const maxBytes = 4_000_000;

interface AlertHistoryFolderDeps {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Pick<Logger, 'warn'>;
  readonly fs?: StorageFs;
}

/**
 * Stores a small file for each query in a folder that all windows share. A file is replaced as a whole while the folder is locked. It has all
 * alerts of its query, so that one window shows all of them in one notification. If the folder is unusable, each window has a separate history
 * in memory: a repeated notification is better than a missing one.
 */
export class AlertHistoryFolder implements AlertHistoryStore {
  readonly #folder: string;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #fs: StorageFs;
  readonly #lock: FolderLock;
  /** The last known history of each file, used if the file is lost. */
  readonly #memory = new Map<string, AlertHistory>();
  /** The files that could not be written. Their history in memory is newer. */
  readonly #unwritten = new Set<string>();
  #hasWarned = false;

  constructor({ folder, clock, random, logger, fs = nodeFs }: AlertHistoryFolderDeps) {
    this.#folder = folder;
    this.#logger = logger;
    this.#fs = createRetryingFs(fs, clock);
    this.#lock = new FolderLock({ fs, clock, random, staleMs });
  }

  async update<T>(file: string, change: (history: AlertHistory) => HistoryChange<T>): Promise<T> {
    try {
      // The folder is locked only if the history changes, which is rare.
      const previous = await this.#readOrRemember(file);
      const { history, value } = change(previous);
      if (history === previous) return value;
      return await this.#change(file, change);
    } catch (error) {
      if (getErrorCode(error) === undefined) throw error;
      return this.#detach(file, change, error);
    }
  }

  async #change<T>(file: string, change: (history: AlertHistory) => HistoryChange<T>): Promise<T> {
    return this.#lock.runLocked(this.#folder, async isHeld => {
      const previous = await this.#readOrRemember(file);
      const { history, value } = change(previous);
      if (history !== previous || this.#unwritten.has(file))
        await this.#lock.replaceText(join(this.#folder, file), JSON.stringify(history), isHeld);
      this.#memory.set(file, history);
      this.#unwritten.delete(file);
      return value;
    });
  }

  /** Reads the history from the file, or from memory if the file is missing or damaged. */
  async #readOrRemember(file: string): Promise<AlertHistory> {
    return (await this.#read(file)) ?? this.#memory.get(file) ?? emptyAlertHistory;
  }

  async #read(file: string): Promise<AlertHistory | undefined> {
    const path = join(this.#folder, file);
    const text = await ignoreUnexpectedFile(readRegularTextFile(path, maxBytes, this.#fs));
    const history = text === undefined ? undefined : parseStoredJson(text, alertHistorySchema);
    const memory = this.#memory.get(file);
    if (history && memory && this.#unwritten.has(file)) return mergeAlertHistories(history, memory);
    if (history) this.#memory.set(file, history);
    return history;
  }

  #detach<T>(file: string, change: (history: AlertHistory) => HistoryChange<T>, error: unknown): T {
    if (!this.#hasWarned)
      this.#logger.warn(`windows cannot share the history of alerts (${getErrorCode(error) ?? 'unknown'})`);
    this.#hasWarned = true;
    const { history, value } = change(this.#memory.get(file) ?? emptyAlertHistory);
    this.#memory.set(file, history);
    this.#unwritten.add(file);
    return value;
  }
}

/** The state of watched queries that windows share. `now` is the time at the service in UTC milliseconds. */
export class SharedWatchState {
  readonly #histories: AlertHistoryStore;
  /** The file of each query, and the alerts stored in it, by query id. */
  readonly #storedAlerts = new Map<string, { readonly file: string; readonly rules: string }>();
  #pendingWrites: Promise<unknown> = Promise.resolve();

  constructor(histories: AlertHistoryStore) {
    this.#histories = histories;
  }

  /** Resolves when the alerts of all queries are stored. */
  get pendingWrites(): Promise<unknown> {
    return this.#pendingWrites;
  }

  /**
   * Stores when each alert of a query was created, because an alert ignores earlier hours. Does nothing if the alerts have not changed in this
   * window, so that a window with an older state of the query does not overwrite what another window has stored.
   */
  storeAlerts(query: WatchedQuery, now: number): void {
    const previous = this.#storedAlerts.get(query.id);
    if (!previous && !query.alerts?.length) return;
    const file = getHistoryFile(query);
    const alerts = listActiveAlerts(query);
    const rules = JSON.stringify(alerts.map(alert => [alert.id, serializeRule(alert)]));
    if (previous?.file === file && previous.rules === rules) return;
    this.#storedAlerts.set(query.id, { file, rules });
    if (previous && previous.file !== file) this.#storeAlerts(previous.file, [], now);
    this.#storeAlerts(file, alerts, now);
  }

  /** Decides whether this window may send requests for a query. Only one window at a time may. */
  async startRefresh(query: WatchedQuery, now: number): Promise<RefreshDecision> {
    return this.#histories.update(getHistoryFile(query), history => {
      const { decision, lastRefresh } = startRefresh(history.asked, now);
      return { history: lastRefresh === history.asked ? history : { ...history, asked: lastRefresh }, value: decision };
    });
  }

  /** Stores that a refresh has ended. `failed` is true if it sent a request and failed. */
  async endRefresh(query: WatchedQuery, now: number, failed: boolean): Promise<void> {
    await this.#histories.update(getHistoryFile(query), history => {
      return { history: { ...history, asked: endRefresh(now, failed) }, value: undefined };
    });
  }

  /** Evaluates the query's alerts. Returns the notifications that only this window has to show. */
  async evaluate(query: WatchedQuery, reading: Reading): Promise<readonly AlertNotification[]> {
    const alerts = listActiveAlerts(query);
    if (alerts.length === 0) return [];
    return this.#histories.update(getHistoryFile(query), previous => {
      const { history, notifications: value } = evaluateAlerts(previous, alerts, reading);
      return { history, value };
    });
  }

  /** Lists the hours of which the user was notified, by alert. */
  async listNotifiedHours(query: WatchedQuery, now: number): Promise<ReadonlyMap<string, readonly number[]>> {
    return this.#histories.update(getHistoryFile(query), history => {
      return { history, value: listNotifiedHours(history, query.alerts ?? [], now) };
    });
  }

  #storeAlerts(file: string, alerts: readonly Alert[], now: number): void {
    const write = this.#histories.update(file, previous => {
      return { history: retainAlerts(previous, alerts, now), value: undefined };
    });
    this.#pendingWrites = Promise.allSettled([this.#pendingWrites, write]);
  }
}
