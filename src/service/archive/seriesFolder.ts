import { join } from 'node:path';
import type { Clock } from '../../core/ports.ts';
import type { SeriesKey } from '../../core/query/seriesKey.ts';
import type { FolderLock, HeldLock } from '../files/fileLock.ts';
import {
  codeOf,
  namesIn,
  removeFiles,
  replaceFile,
  unlessGone,
  writeTemporary,
  type StorageFs,
} from '../files/fileSystem.ts';
import { eachInOrder, mapSeveral, readInto, Scratch, width } from './archiveFs.ts';
import { ArrowLayouts } from './arrowLayout.ts';
import {
  decodeMonth,
  encodeMonth,
  openMonth,
  type MonthContent,
  type OpenedMonth,
  type ReadMonth,
  type ReadOpened,
} from './monthFile.ts';
import { readMonthSteps, type MonthSteps } from './monthSteps.ts';
import type { Month } from './months.ts';
import type { ArchiveErrorReporter } from './archiveErrors.ts';

/** Of the months' files. */
export const ending = '.arrow';
/** Says which series the folder holds. */
export const aboutFile = 'series.json';
/** Damaged files kept for a look, the newest; so many in each series. */
const damagedKept = 3;
/** Months written under one lock: few enough to be done before the lock has to be renewed. */
const batchLength = 40;
const attempts = 3;
/** A month counts as used at most so often. */
const touchMs = 60_000;

interface SeriesFolderDeps {
  readonly fs: StorageFs;
  readonly clock: Clock;
  readonly lock: FolderLock;
  readonly trouble: ArchiveErrorReporter;
}

/** What is to be kept of a month, as a file. */
type Encode = (month: Month, kept: MonthContent | undefined, scratch: Scratch | undefined) => Promise<Uint8Array>;

type ReadFile = ReadMonth & { readonly bytes: number };

/** One for each file at a time; empty until used. */
function scratches(): Scratch[] {
  return Array.from({ length: width }, () => new Scratch());
}

/** The month files of one series. Methods throw what the file system throws. */
export class SeriesFolder {
  readonly #folder: string;
  readonly #deps: SeriesFolderDeps;
  /** By month: when its file was last marked as used. */
  readonly #touchedAt = new Map<string, number>();

  constructor(folder: string, deps: SeriesFolderDeps) {
    this.#folder = folder;
    this.#deps = deps;
  }

  fileOf(month: Month): string {
    return join(this.#folder, month.name + ending);
  }

  /**
   * What is kept of these months, in their order, with how many may follow. The rows must be copied at once: others take
   * their place in memory. A month that cannot be read is left out.
   */
  async read(months: readonly Month[], use: (month: Month, opened: OpenedMonth, left: number) => void): Promise<void> {
    const names = new Set(await namesIn(this.#deps.fs, this.#folder));
    const present = months.filter(({ name }) => names.has(name + ending));
    const damaged: Month[] = [];
    const slots = scratches();
    await eachInOrder(
      present,
      async (month, slot) => this.#openIfPossible(month, slots[slot] ?? new Scratch()),
      (read, month, index) => {
        if (read?.kind === 'damaged') damaged.push(month);
        if (read?.kind === 'newer') this.#deps.trouble.unreadable(this.fileOf(month), 'newerVersion');
        if (read?.kind === 'month') use(month, read.content, present.length - 1 - index);
      },
    );
    if (damaged.length > 0) await this.#setDamagedAside(damaged);
  }

  /**
   * As `read`, without the values. Nothing is marked as used: only who shows hours wants them kept. Nor is a damaged file set aside,
   * which only the checksum of a whole file tells.
   */
  async readSteps(months: readonly Month[], use: (month: Month, opened: MonthSteps) => void): Promise<void> {
    const { fs, trouble } = this.#deps;
    const names = new Set(await namesIn(fs, this.#folder));
    const slots = scratches();
    await eachInOrder(
      months.filter(({ name }) => names.has(name + ending)),
      async (month, slot) => {
        return readMonthSteps(fs, this.fileOf(month), month, slots[slot] ?? new Scratch()).catch((error: unknown) => {
          if (!(error instanceof RangeError || error instanceof SyntaxError)) trouble.failed('read a file', error);
          return undefined;
        });
      },
      (opened, month) => {
        if (opened) use(month, opened);
      },
    );
  }

  /**
   * Replaces what is kept of these months by what `change` makes of it, month by month; never a part of a month. Returns
   * by how many bytes the folder has grown.
   */
  async update(
    series: SeriesKey,
    months: readonly Month[],
    change: (month: Month, kept: MonthContent | undefined) => Promise<MonthContent>,
  ): Promise<number> {
    // One for all batches: months of one shape are laid out once.
    const layouts = new ArrowLayouts();
    const encode: Encode = async (month, kept, scratch) => encodeMonth(await change(month, kept), layouts, scratch);
    let grown = 0;
    for (let first = 0; first < months.length; first += batchLength)
      grown += await this.#updateBatch(series, months.slice(first, first + batchLength), encode);
    return grown;
  }

  /** Removes everything. */
  async clear(): Promise<void> {
    const { fs, lock } = this.#deps;
    await lock.hold(this.#folder, async () => {
      for (const name of await namesIn(fs, this.#folder)) await this.#removeFile(name);
    });
    // Another window may have begun to write again: then the folder stays.
    await fs.rmdir(this.#folder).catch(() => undefined);
  }

  async #removeFile(name: string): Promise<void> {
    const { fs } = this.#deps;
    const file = join(this.#folder, name);
    const stat = await unlessGone(fs.stat(file));
    if (stat?.isFile()) await unlessGone(fs.unlink(file));
  }

  async #updateBatch(series: SeriesKey, months: readonly Month[], encode: Encode): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      try {
        const grown = await this.#deps.lock.hold(this.#folder, async isOurs =>
          this.#tryUpdate(series, months, encode, isOurs),
        );
        if (grown !== undefined) return grown;
        if (attempt === attempts)
          throw Object.assign(new Error('the lock was lost again and again'), { code: 'EBUSY' });
      } catch (error) {
        // The folder was moved away on the way: a new one takes its place.
        if (codeOf(error) !== 'ENOENT' || attempt === attempts) throw error;
      }
    }
  }

  /** Undefined where the lock was lost: nothing is changed then. */
  async #tryUpdate(
    series: SeriesKey,
    months: readonly Month[],
    encode: Encode,
    isOurs: HeldLock['isOurs'],
  ): Promise<number | undefined> {
    const { fs, clock } = this.#deps;
    const names = await namesIn(fs, this.#folder);
    const known = new Set(names);
    /** By their temporary paths, the files that are to be replaced by them. */
    const finished = new Map<string, string>();
    let grown = 0;
    const finish = async (name: string, bytes: Uint8Array | string): Promise<void> => {
      const file = join(this.#folder, name);
      finished.set(await writeTemporary(fs, file, bytes), file);
      grown += bytes.length;
    };
    try {
      if (!known.has(aboutFile)) await finish(aboutFile, `${JSON.stringify(series, undefined, 2)}\n`);
      const slots = scratches();
      await mapSeveral(months, async (month, slot) => {
        const name = month.name + ending;
        const before = known.has(name) ? await this.#readToReplace(month) : undefined;
        grown -= before?.bytes ?? 0;
        await finish(name, await encode(month, before?.content, slots[slot]));
      });
      if (!(await isOurs())) return undefined;
      await mapSeveral([...finished], async ([temporary, file]) => {
        await replaceFile(fs, temporary, file, clock);
        finished.delete(temporary);
      });
      return grown;
    } finally {
      await removeFiles(fs, [...finished.keys()]);
    }
  }

  async #readToReplace(month: Month): Promise<{ content?: MonthContent; bytes: number }> {
    const read = await this.#readOne(month);
    if (read?.kind === 'month') return read;
    if (read?.kind === 'damaged') await this.#setAside(month, 'damaged');
    if (read?.kind === 'newer') await this.#setAside(month, 'newerVersion');
    return { bytes: read?.kind === 'older' ? read.bytes : 0 };
  }

  async #openIfPossible(month: Month, scratch: Scratch): Promise<ReadOpened | undefined> {
    const { fs, trouble } = this.#deps;
    try {
      const bytes = await unlessGone(readInto(fs, this.fileOf(month), scratch));
      if (!bytes) return undefined;
      await this.#touch(month);
      const opened = openMonth(bytes, month);
      if (opened.kind !== 'damaged') return opened;
      // Some file systems give less at once than there is.
      const again = await unlessGone(fs.readFile(this.fileOf(month)));
      return again && openMonth(again, month);
    } catch (error) {
      trouble.failed('read a file', error);
      return undefined;
    }
  }

  async #readOne(month: Month): Promise<ReadFile | undefined> {
    const bytes = await unlessGone(this.#deps.fs.readFile(this.fileOf(month)));
    return bytes && { ...decodeMonth(bytes, month), bytes: bytes.length };
  }

  /** Marks the file as used: months unused for longest are the first to go. */
  async #touch(month: Month): Promise<void> {
    const now = this.#deps.clock.now();
    if (now - (this.#touchedAt.get(month.name) ?? 0) < touchMs) return;
    this.#touchedAt.set(month.name, now);
    // Not possible in a read-only folder, where nothing is removed either.
    await this.#deps.fs.utimes(this.fileOf(month), now / 1000, now / 1000).catch(() => undefined);
  }

  /** Only under the lock: meanwhile another window may have put a good file in its place. */
  async #setDamagedAside(months: readonly Month[]): Promise<void> {
    const { lock, trouble } = this.#deps;
    try {
      await lock.hold(this.#folder, async () => {
        for (const month of months)
          if ((await this.#readOne(month))?.kind === 'damaged') await this.#setAside(month, 'damaged');
      });
    } catch (error) {
      for (const month of months) trouble.unreadable(this.fileOf(month), 'damaged');
      trouble.failed('set a damaged file aside', error);
    }
  }

  async #setAside(month: Month, why: 'damaged' | 'newerVersion'): Promise<void> {
    const { fs, clock, trouble } = this.#deps;
    const file = this.fileOf(month);
    const suffix = why === 'damaged' ? 'damaged' : 'newer';
    trouble.unreadable(file, why);
    await unlessGone(fs.rename(file, `${file}.${clock.now()}.${suffix}`));
    const asideAt = (name: string): number => Number(name.split('.').at(-2));
    const aside = (await namesIn(fs, this.#folder)).filter(name => name.endsWith(`.${suffix}`));
    const old = aside.sort((a, b) => asideAt(b) - asideAt(a)).slice(damagedKept);
    const paths = old.map(name => join(this.#folder, name));
    if (why === 'damaged') await removeFiles(fs, paths);
  }
}
