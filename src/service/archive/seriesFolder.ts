import { join } from 'node:path';
import type { Clock } from '../../core/ports.ts';
import type { SeriesKey } from '../../core/query/seriesKey.ts';
import { minuteMs } from '../../shared/durations.ts';
import type { FolderLock, HeldLock } from '../files/fileLock.ts';
import {
  getErrorCode,
  listNames,
  removeFiles,
  ignoreMissing,
  writeTemporary,
  type StorageFs,
} from '../files/fileSystem.ts';
import { createFileError, isUnexpectedFile, readRegularFile } from '../files/regularFile.ts';
import type { ArchiveErrorReporter } from './archive.ts';
import type { ArchivedYear } from './archivedYears.ts';
import { mapConcurrently } from './mapConcurrently.ts';
import { decodeYear, encodeYear, type ReadYear, type YearContent } from './yearFile.ts';
import type { Year } from './years.ts';

/** The extension of year files. */
export const yearFileExtension = '.arrow';
/** The file that describes the series of the folder. */
export const descriptionFile = 'series.json';
/** The maximum size of a year file. Larger files are neither written nor read. */
const maxYearBytes = 2 ** 25;
/** The maximum number of damaged files of a series that are preserved for examination. */
const maxDamagedFiles = 3;
const maxAttempts = 3;
/** The minimum time between two updates of a file's time of use. */
const minTouchIntervalMs = minuteMs;

interface SeriesFolderDeps {
  readonly fs: StorageFs;
  readonly clock: Clock;
  readonly lock: FolderLock;
  readonly errors: ArchiveErrorReporter;
}

type Change = (year: Year, previous: YearContent | undefined) => YearContent;

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

  getFile(year: Year): string {
    return join(this.#folder, year.name + yearFileExtension);
  }

  /** Reads these years, in their order. A year that cannot be read is omitted. */
  async read(years: readonly Year[]): Promise<ArchivedYear[]> {
    const names = new Set(await listNames(this.#deps.fs, this.#folder));
    const present = years.filter(({ name }) => names.has(name + yearFileExtension));
    return (await mapConcurrently(present, async year => this.#tryRead(year))).flat();
  }

  /** Replaces each of these years by the result of `change`. Returns by how many bytes the folder has grown. */
  async update(series: SeriesKey, years: readonly Year[], change: Change): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      try {
        const grownBytes = await this.#deps.lock.runLocked(this.#folder, async isHeld =>
          this.#tryUpdate(series, years, change, isHeld),
        );
        if (grownBytes !== undefined) return grownBytes;
        if (attempt === maxAttempts) throw Object.assign(new Error('the lock was lost repeatedly'), { code: 'EBUSY' });
      } catch (error) {
        // The folder was removed meanwhile. It is created again.
        if (getErrorCode(error) !== 'ENOENT' || attempt === maxAttempts) throw error;
      }
    }
  }

  /** Removes all files and the folder. */
  async clear(): Promise<void> {
    const { fs, lock } = this.#deps;
    await lock.runLocked(this.#folder, async () => {
      for (const name of await listNames(fs, this.#folder)) {
        const file = join(this.#folder, name);
        const stat = await ignoreMissing(fs.stat(file));
        if (stat?.isFile()) await ignoreMissing(fs.unlink(file));
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
    isHeld: HeldLock['isHeld'],
  ): Promise<number | undefined> {
    const { fs } = this.#deps;
    const existingNames = new Set(await listNames(fs, this.#folder));
    /** The files to replace, by the paths of the temporary files. */
    const pendingFiles = new Map<string, string>();
    let grownBytes = 0;
    const writePending = async (name: string, bytes: Uint8Array | string): Promise<void> => {
      // A larger file could not be read again.
      if (bytes.length > maxYearBytes) throw createFileError('EFBIG');
      const file = join(this.#folder, name);
      pendingFiles.set(await writeTemporary(fs, file, bytes), file);
      grownBytes += bytes.length;
    };
    try {
      if (!existingNames.has(descriptionFile))
        await writePending(descriptionFile, `${JSON.stringify(series, undefined, 2)}\n`);
      await mapConcurrently(years, async year => {
        const name = year.name + yearFileExtension;
        const previous = existingNames.has(name) ? await this.#readToReplace(year) : undefined;
        grownBytes -= previous?.bytes ?? 0;
        await writePending(name, encodeYear(change(year, previous?.content)));
      });
      if (!(await isHeld())) return undefined;
      await mapConcurrently([...pendingFiles], async ([temporary, file]) => {
        await fs.rename(temporary, file);
        pendingFiles.delete(temporary);
      });
      return grownBytes;
    } finally {
      await removeFiles(fs, [...pendingFiles.keys()]);
    }
  }

  async #tryRead(year: Year): Promise<ArchivedYear[]> {
    const { errors } = this.#deps;
    try {
      const read = await this.#readYear(year);
      if (read?.kind === 'year') {
        await this.#touch(year);
        return [{ ...read.content, year }];
      }
      if (read?.kind === 'newerVersion') errors.reportUnreadable(this.getFile(year), read.kind);
      else if (read) await this.#moveDamagedAside(year);
    } catch (error) {
      errors.reportFailure('read a file', error);
    }
    return [];
  }

  async #readToReplace(year: Year): Promise<{ content: YearContent; bytes: number } | undefined> {
    const read = await this.#readYear(year);
    if (read?.kind === 'year') return read;
    if (read) await this.#moveAside(year, read.kind);
    return undefined;
  }

  async #readYear(year: Year): Promise<(ReadYear & { readonly bytes: number }) | undefined> {
    try {
      const bytes = await ignoreMissing(readRegularFile(this.getFile(year), maxYearBytes, this.#deps.fs));
      return bytes && { ...decodeYear(bytes, year), bytes: bytes.length };
    } catch (error) {
      if (isUnexpectedFile(error)) return { kind: 'damaged', bytes: 0 };
      throw error;
    }
  }

  /** Marks the file as used: the least recently used years are removed first. */
  async #touch(year: Year): Promise<void> {
    const now = this.#deps.clock.now();
    if (now - (this.#touchedAt.get(year.name) ?? 0) < minTouchIntervalMs) return;
    this.#touchedAt.set(year.name, now);
    // This fails in a read-only folder, from which nothing can be removed either.
    await this.#deps.fs.utimes(this.getFile(year), now / 1000, now / 1000).catch(() => undefined);
  }

  /** Moves a damaged file aside, under the lock, since another window may have replaced it meanwhile. */
  async #moveDamagedAside(year: Year): Promise<void> {
    const { lock, errors } = this.#deps;
    try {
      await lock.runLocked(this.#folder, async () => {
        if ((await this.#readYear(year))?.kind === 'damaged') await this.#moveAside(year, 'damaged');
      });
    } catch (error) {
      errors.reportUnreadable(this.getFile(year), 'damaged');
      errors.reportFailure('move a damaged file aside', error);
    }
  }

  async #moveAside(year: Year, reason: 'damaged' | 'newerVersion'): Promise<void> {
    const { fs, clock, errors } = this.#deps;
    const file = this.getFile(year);
    const suffix = reason === 'damaged' ? 'damaged' : 'newer';
    errors.reportUnreadable(file, reason);
    await ignoreMissing(fs.rename(file, `${file}.${clock.now()}.${suffix}`));
    if (reason !== 'damaged') return;
    const getMoveTime = (name: string): number => Number(name.split('.').at(-2));
    const movedFiles = (await listNames(fs, this.#folder)).filter(name => name.endsWith(`.${suffix}`));
    const oldFiles = movedFiles.sort((a, b) => getMoveTime(b) - getMoveTime(a)).slice(maxDamagedFiles);
    await removeFiles(
      fs,
      oldFiles.map(name => join(this.#folder, name)),
    );
  }
}
