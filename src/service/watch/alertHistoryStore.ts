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

/** Remembers what all windows know together of each query with an hourly refresh. */
export interface AlertHistoryStore {
  /**
   * Reads what is known, and stores what `change` makes of it. No other window comes between the two, so that this window
   * alone shows what `change` found to be new. `change` may be called several times; the outcome of the last counts. Rejects
   * only with what `change` throws.
   */
  update<T>(file: string, change: (history: AlertHistory) => Changed<T>): Promise<T>;
}

export interface Changed<T> {
  /** The history that was given, where nothing has changed. */
  readonly history: AlertHistory;
  readonly value: T;
}

/**
 * The file of a query's alerts. Ids come from files that people write and cannot be trusted as names; another service,
 * dataset or interval makes other hours, another range does not.
 */
export function historyFileOf({ id, source, query: { dataset, interval, params } }: WatchedQuery): string {
  const identity = JSON.stringify([id, seriesIdentity({ source, dataset, interval, params })]);
  return `${createHash('sha256').update(identity).digest('hex').slice(0, 24)}.json`;
}

/** A window that holds the lock for longer without renewing it died. */
const staleMs = 5_000;
/** Several times what the hours of two weeks take for all alerts that a query may have. */
const mostBytes = 4_000_000;

interface AlertHistoryFolderDeps {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Pick<Logger, 'warn'>;
  readonly fs?: StorageFs;
}

/**
 * One small file for each query in a folder that all windows share, changed under the folder's lock and replaced as a whole.
 * All alerts of a query are in one file and one change: one window shows all of them, in one notification. Where the folder
 * does not work, each window remembers by itself: two notifications are better than none.
 */
export class AlertHistoryFolder implements AlertHistoryStore {
  readonly #folder: string;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #fs: StorageFs;
  readonly #lock: FolderLock;
  /** Each file as this window knew it last: used where the file is lost. */
  readonly #memory = new Map<string, AlertHistory>();
  /** The files that lack what the memory has. */
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
      // Mostly nothing has changed, and then the lock is not needed.
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

  /** As the file has it; as this window remembers it where the file is missing or damaged. */
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

  /** As `notifiedHours`. */
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
