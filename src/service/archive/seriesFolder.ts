import { join } from 'node:path';
import type { Clock } from '../../core/ports.ts';
import type { SeriesKey } from '../../core/query/seriesKey.ts';
import { minuteMs } from '../../shared/durations.ts';
import type { FolderLock, HeldLock } from '../files/fileLock.ts';
import { codeOf, namesIn, removeFiles, unlessGone, writeTemporary, type StorageFs } from '../files/fileSystem.ts';
import { fileFault, isForeign, readRegular } from '../files/regularFile.ts';
import type { ArchiveErrorReporter } from './archive.ts';
import type { ArchivedYear } from './archivedYears.ts';
import { mapSeveral } from './mapSeveral.ts';
import { decodeYear, encodeYear, type ReadYear, type YearContent } from './yearFile.ts';
import type { Year } from './years.ts';

/** The extension of year files. */
export const ending = '.arrow';
/** The file that describes the series of the folder. */
export const aboutFile = 'series.json';
/** The maximum size of a year file. Larger files are neither written nor read. */
const maxYearBytes = 2 ** 25;
/** The maximum number of damaged files of a series that are preserved for examination. */
const maxDamaged = 3;
const attempts = 3;
/** The minimum time between two updates of a file's time of use. */
const touchMs = minuteMs;

interface SeriesFolderDeps {
  readonly fs: StorageFs;
  readonly clock: Clock;
  readonly lock: FolderLock;
  readonly trouble: ArchiveErrorReporter;
}

type Change = (year: Year, before: YearContent | undefined) => YearContent;

/** The year files of a series. Methods throw the file system's errors. */
export class SeriesFolder {
  readonly #folder: string;
  readonly #deps: SeriesFolderDeps;
  /** When the file of each year was last marked as used. */
  readonly #touchedAt = new Map<string, number>();

  constructor(folder: string, deps: SeriesFolderDeps) {
    this.#folder = folder;
    this.#deps = deps;
  }

  fileOf(year: Year): string {
    return join(this.#folder, year.name + ending);
  }

  /** Reads these years, in their order. A year that cannot be read is omitted. */
  async read(years: readonly Year[]): Promise<ArchivedYear[]> {
    const names = new Set(await namesIn(this.#deps.fs, this.#folder));
    const present = years.filter(({ name }) => names.has(name + ending));
    return (await mapSeveral(present, async year => this.#readIfPossible(year))).flat();
  }

  /** Replaces each of these years by the result of `change`. Returns by how many bytes the folder has grown. */
  async update(series: SeriesKey, years: readonly Year[], change: Change): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      try {
        const grown = await this.#deps.lock.hold(this.#folder, async isOurs =>
          this.#tryUpdate(series, years, change, isOurs),
        );
        if (grown !== undefined) return grown;
        if (attempt === attempts)
          throw Object.assign(new Error('the lock was lost again and again'), { code: 'EBUSY' });
      } catch (error) {
        // The folder was removed meanwhile. It is created again.
        if (codeOf(error) !== 'ENOENT' || attempt === attempts) throw error;
      }
    }
  }

  /** Removes all files and the folder. */
  async clear(): Promise<void> {
    const { fs, lock } = this.#deps;
    await lock.hold(this.#folder, async () => {
      for (const name of await namesIn(fs, this.#folder)) {
        const file = join(this.#folder, name);
        const stat = await unlessGone(fs.stat(file));
        if (stat?.isFile()) await unlessGone(fs.unlink(file));
      }
    });
    // The folder stays if another window has started to write again.
    await fs.rmdir(this.#folder).catch(() => undefined);
  }

  /** Updates the years. Returns undefined if the lock was lost; nothing is changed then. */
  async #tryUpdate(
    series: SeriesKey,
    years: readonly Year[],
    change: Change,
    isOurs: HeldLock['isOurs'],
  ): Promise<number | undefined> {
    const { fs } = this.#deps;
    const known = new Set(await namesIn(fs, this.#folder));
    /** The files to replace, by the paths of the temporary files. */
    const finished = new Map<string, string>();
    let grown = 0;
    const finish = async (name: string, bytes: Uint8Array | string): Promise<void> => {
      // A larger file could not be read again.
      if (bytes.length > maxYearBytes) throw fileFault('EFBIG');
      const file = join(this.#folder, name);
      finished.set(await writeTemporary(fs, file, bytes), file);
      grown += bytes.length;
    };
    try {
      if (!known.has(aboutFile)) await finish(aboutFile, `${JSON.stringify(series, undefined, 2)}\n`);
      await mapSeveral(years, async year => {
        const name = year.name + ending;
        const before = known.has(name) ? await this.#readToReplace(year) : undefined;
        grown -= before?.bytes ?? 0;
        await finish(name, encodeYear(change(year, before?.content)));
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

  async #readIfPossible(year: Year): Promise<ArchivedYear[]> {
    const { trouble } = this.#deps;
    try {
      const read = await this.#readOne(year);
      if (read?.kind === 'year') {
        await this.#touch(year);
        return [{ ...read.content, year }];
      }
      if (read?.kind === 'newerVersion') trouble.unreadable(this.fileOf(year), read.kind);
      else if (read) await this.#setDamagedAside(year);
    } catch (error) {
      trouble.failed('read a file', error);
    }
    return [];
  }

  async #readToReplace(year: Year): Promise<{ content: YearContent; bytes: number } | undefined> {
    const read = await this.#readOne(year);
    if (read?.kind === 'year') return read;
    if (read) await this.#setAside(year, read.kind);
    return undefined;
  }

  async #readOne(year: Year): Promise<(ReadYear & { readonly bytes: number }) | undefined> {
    try {
      const bytes = await unlessGone(readRegular(this.fileOf(year), maxYearBytes, this.#deps.fs));
      return bytes && { ...decodeYear(bytes, year), bytes: bytes.length };
    } catch (error) {
      if (isForeign(error)) return { kind: 'damaged', bytes: 0 };
      throw error;
    }
  }

  /** Marks the file as used: the least recently used years are removed first. */
  async #touch(year: Year): Promise<void> {
    const now = this.#deps.clock.now();
    if (now - (this.#touchedAt.get(year.name) ?? 0) < touchMs) return;
    this.#touchedAt.set(year.name, now);
    // This fails in a read-only folder, from which nothing can be removed either.
    await this.#deps.fs.utimes(this.fileOf(year), now / 1000, now / 1000).catch(() => undefined);
  }

  /** Moves a damaged file aside, under the lock, since another window may have replaced it meanwhile. */
  async #setDamagedAside(year: Year): Promise<void> {
    const { lock, trouble } = this.#deps;
    try {
      await lock.hold(this.#folder, async () => {
        if ((await this.#readOne(year))?.kind === 'damaged') await this.#setAside(year, 'damaged');
      });
    } catch (error) {
      trouble.unreadable(this.fileOf(year), 'damaged');
      trouble.failed('set a damaged file aside', error);
    }
  }

  async #setAside(year: Year, why: 'damaged' | 'newerVersion'): Promise<void> {
    const { fs, clock, trouble } = this.#deps;
    const file = this.fileOf(year);
    const suffix = why === 'damaged' ? 'damaged' : 'newer';
    trouble.unreadable(file, why);
    await unlessGone(fs.rename(file, `${file}.${clock.now()}.${suffix}`));
    if (why !== 'damaged') return;
    const asideAt = (name: string): number => Number(name.split('.').at(-2));
    const aside = (await namesIn(fs, this.#folder)).filter(name => name.endsWith(`.${suffix}`));
    const old = aside.sort((a, b) => asideAt(b) - asideAt(a)).slice(maxDamaged);
    await removeFiles(
      fs,
      old.map(name => join(this.#folder, name)),
    );
  }
}
