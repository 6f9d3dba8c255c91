import { join } from 'node:path';
import type { Clock } from '../../core/ports.ts';
import type { SeriesKey } from '../../core/query/seriesKey.ts';
import { minuteMs } from '../../shared/durations.ts';
import type { FolderLock, HeldLock } from '../files/fileLock.ts';
import { codeOf, namesIn, removeFiles, unlessGone, writeTemporary, type StorageFs } from '../files/fileSystem.ts';
import { fileFault, isForeign, readRegular } from '../files/regularFile.ts';
import { eachInOrder, mapSeveral, type Scratch } from './archiveFs.ts';
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
import { maxMonthBytes, readMonthSteps, type MonthSteps } from './monthNotes.ts';
import type { Month } from './months.ts';
import type { ArchiveErrorReporter } from './archive.ts';

/** The extension of month files. */
export const ending = '.arrow';
/** The file that describes the series of the folder. */
export const aboutFile = 'series.json';
/** The most damaged files of a series that are set aside, for somebody to examine. */
const mostDamaged = 3;
/** Months that are written under one lock: few enough to be written before the lock has to be renewed. */
const batchLength = 40;
const attempts = 3;
/** The shortest time between two updates of a file's time of use. */
const touchMs = minuteMs;

interface SeriesFolderDeps {
  readonly fs: StorageFs;
  readonly clock: Clock;
  readonly lock: FolderLock;
  readonly trouble: ArchiveErrorReporter;
}

/** Makes the new file of a month. */
type Encode = (month: Month, kept: MonthContent | undefined, scratch: Scratch) => Promise<Uint8Array>;

type ReadFile = ReadMonth & { readonly bytes: number };

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
   * Reads what is archived of these months, in their order, with how many may follow. `use` must copy the rows, since their memory is
   * reused. A month that cannot be read is left out.
   */
  async read(months: readonly Month[], use: (month: Month, opened: OpenedMonth, left: number) => void): Promise<void> {
    const present = await this.#present(months);
    const damaged: Month[] = [];
    await eachInOrder(
      present,
      async (month, scratch) => this.#openIfPossible(month, scratch),
      (read, month, index) => {
        if (read?.kind === 'damaged') damaged.push(month);
        if (read?.kind === 'newer') this.#deps.trouble.unreadable(this.fileOf(month), 'newerVersion');
        if (read?.kind === 'month') use(month, read.content, present.length - 1 - index);
      },
    );
    if (damaged.length > 0) await this.#setDamagedAside(damaged);
  }

  /**
   * As `read`, without the values. Files are not marked as used, since no hours are shown, and damaged ones are not set aside, since
   * only the checksum of the whole file shows the damage.
   */
  async readSteps(months: readonly Month[], use: (month: Month, opened: MonthSteps) => void): Promise<void> {
    const { fs, trouble } = this.#deps;
    await eachInOrder(
      await this.#present(months),
      async (month, scratch) => {
        return readMonthSteps(fs, this.fileOf(month), month, scratch).catch((error: unknown) => {
          const isDamaged = error instanceof RangeError || error instanceof SyntaxError || isForeign(error);
          if (!isDamaged) trouble.failed('read a file', error);
          return undefined;
        });
      },
      (opened, month) => {
        if (opened) use(month, opened);
      },
    );
  }

  /**
   * Replaces each of these months, as a whole, by what `change` returns. Returns by how many bytes the folder has grown.
   */
  async update(
    series: SeriesKey,
    months: readonly Month[],
    change: (month: Month, kept: MonthContent | undefined) => Promise<MonthContent>,
  ): Promise<number> {
    // For all batches: months of one shape are laid out once.
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
    // The folder stays where another window has begun to write again.
    await fs.rmdir(this.#folder).catch(() => undefined);
  }

  /** The months that have a file. */
  async #present(months: readonly Month[]): Promise<Month[]> {
    const names = new Set(await namesIn(this.#deps.fs, this.#folder));
    return months.filter(({ name }) => names.has(name + ending));
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
        // The folder was removed meanwhile: it is made again.
        if (codeOf(error) !== 'ENOENT' || attempt === attempts) throw error;
      }
    }
  }

  /** Undefined where the lock was lost; then nothing is changed. */
  async #tryUpdate(
    series: SeriesKey,
    months: readonly Month[],
    encode: Encode,
    isOurs: HeldLock['isOurs'],
  ): Promise<number | undefined> {
    const { fs } = this.#deps;
    const names = await namesIn(fs, this.#folder);
    const known = new Set(names);
    /** By their temporary paths, the files that are to be replaced by them. */
    const finished = new Map<string, string>();
    let grown = 0;
    const finish = async (name: string, bytes: Uint8Array | string): Promise<void> => {
      // It could not be read again.
      if (bytes.length > maxMonthBytes) throw fileFault('EFBIG');
      const file = join(this.#folder, name);
      finished.set(await writeTemporary(fs, file, bytes), file);
      grown += bytes.length;
    };
    try {
      if (!known.has(aboutFile)) await finish(aboutFile, `${JSON.stringify(series, undefined, 2)}\n`);
      await mapSeveral(months, async (month, scratch) => {
        const name = month.name + ending;
        const before = known.has(name) ? await this.#readToReplace(month) : undefined;
        grown -= before?.bytes ?? 0;
        await finish(name, await encode(month, before?.content, scratch));
      });
      if (!(await isOurs())) return undefined;
      await mapSeveral([...finished], async ([temporary, file]) => {
        await fs.rename(temporary, file);
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
      const take = (length: number): Uint8Array => scratch.take(length);
      const bytes = await unlessGone(readRegular(this.fileOf(month), maxMonthBytes, fs, take));
      if (!bytes) return undefined;
      await this.#touch(month);
      return openMonth(bytes, month);
    } catch (error) {
      if (isForeign(error)) return { kind: 'damaged' };
      trouble.failed('read a file', error);
      return undefined;
    }
  }

  async #readOne(month: Month): Promise<ReadFile | undefined> {
    try {
      const bytes = await unlessGone(readRegular(this.fileOf(month), maxMonthBytes, this.#deps.fs));
      return bytes && { ...decodeMonth(bytes, month), bytes: bytes.length };
    } catch (error) {
      if (isForeign(error)) return { kind: 'damaged', bytes: 0 };
      throw error;
    }
  }

  /** Marks the file as used: the least recently used months are removed first. */
  async #touch(month: Month): Promise<void> {
    const now = this.#deps.clock.now();
    if (now - (this.#touchedAt.get(month.name) ?? 0) < touchMs) return;
    this.#touchedAt.set(month.name, now);
    // Fails in a read-only folder, from which nothing is removed either.
    await this.#deps.fs.utimes(this.fileOf(month), now / 1000, now / 1000).catch(() => undefined);
  }

  /** Under the lock, since another window may have replaced the file meanwhile. */
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
    const old = aside.sort((a, b) => asideAt(b) - asideAt(a)).slice(mostDamaged);
    const paths = old.map(name => join(this.#folder, name));
    if (why === 'damaged') await removeFiles(fs, paths);
  }
}
