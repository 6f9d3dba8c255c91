import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Clock, Logger, Random } from '../../core/ports.ts';
import {
  mergeAlertHistories,
  emptyAlertHistory,
  alertHistorySchema,
  type AlertHistory,
} from '../../core/watch/alertHistory.ts';
import { codeOf, unlessGone, type ArchiveFs } from '../archive/archiveFs.ts';
import { FolderLock } from '../archive/folderLock.ts';
import { replaceText } from '../archive/replaceText.ts';
import type { Changed, AlertHistoryStore } from './alertHistoryStore.ts';

/** A window that holds the lock for longer without renewing it died. */
const staleMs = 5_000;
/** Several times what the hours of two weeks take for all alerts that a query may have. */
const mostBytes = 4_000_000;

export interface AlertHistoryFolderDeps {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Pick<Logger, 'warn'>;
  readonly fs?: ArchiveFs;
}

/**
 * One small file for each query in a folder that all windows share, changed under the folder's lock and replaced as a whole.
 * All alerts of a query in one file and one change: one window tells all of them, in one notification. Where the folder does
 * not work, each window remembers by itself: told twice is better than never.
 */
export class AlertHistoryFolder implements AlertHistoryStore {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #fs: ArchiveFs;
  readonly #lock: FolderLock;
  /** As this window knew each file last: used where it is lost. */
  readonly #memory = new Map<string, AlertHistory>();
  /** Those of which the file does not know what the memory knows. */
  readonly #detached = new Set<string>();
  #warned = false;

  constructor({ folder, clock, random, logger, fs = nodeFs }: AlertHistoryFolderDeps) {
    this.#folder = folder;
    this.#clock = clock;
    this.#logger = logger;
    this.#fs = fs;
    this.#lock = new FolderLock({ fs, clock, random, staleMs });
  }

  async update<T>(name: string, change: (told: AlertHistory) => Changed<T>): Promise<T> {
    try {
      // Mostly nothing has changed, and then nobody needs the lock.
      const found = await this.#known(name);
      const { told, value } = change(found);
      if (told === found) return value;
      return await this.#change(name, change);
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      return this.#detach(name, change, error);
    }
  }

  async #change<T>(name: string, change: (told: AlertHistory) => Changed<T>): Promise<T> {
    return this.#lock.hold(this.#folder, async stillOurs => {
      const found = await this.#known(name);
      const { told, value } = change(found);
      if (told !== found || this.#detached.has(name)) {
        const deps = { fs: this.#fs, clock: this.#clock };
        await replaceText(deps, { folder: this.#folder, name }, JSON.stringify(told), stillOurs);
      }
      this.#memory.set(name, told);
      this.#detached.delete(name);
      return value;
    });
  }

  /** As the file has it; as this window remembers it where there is no file, or a damaged one. */
  async #known(name: string): Promise<AlertHistory> {
    return (await this.#read(name)) ?? this.#memory.get(name) ?? emptyAlertHistory;
  }

  async #read(name: string): Promise<AlertHistory | undefined> {
    const file = join(this.#folder, name);
    const size = (await unlessGone(this.#fs.stat(file)))?.size ?? 0;
    const text = size > mostBytes ? undefined : await unlessGone(this.#fs.readFile(file, 'utf8'));
    const told = text === undefined ? undefined : parseTold(text);
    const memory = this.#memory.get(name);
    if (told && memory && this.#detached.has(name)) return mergeAlertHistories(told, memory);
    if (told) this.#memory.set(name, told);
    return told;
  }

  #detach<T>(name: string, change: (told: AlertHistory) => Changed<T>, error: unknown): T {
    if (!this.#warned) this.#logger.warn(`windows cannot share which alerts were told (${codeOf(error) ?? 'unknown'})`);
    this.#warned = true;
    const { told, value } = change(this.#memory.get(name) ?? emptyAlertHistory);
    this.#memory.set(name, told);
    this.#detached.add(name);
    return value;
  }
}

function parseTold(text: string): AlertHistory | undefined {
  try {
    const parsed = v.safeParse(alertHistorySchema, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
