import { dirname, join } from 'node:path';
import type { Clock } from '../../core/ports.ts';
import type { FolderLock } from '../files/fileLock.ts';
import { listNames, ignoreMissing, type StorageFs } from '../files/fileSystem.ts';
import { mapConcurrently } from './mapConcurrently.ts';

/** The age after which the size is computed again, since other windows write too. */
const maxSizeAgeMs = 600_000;
/** The share of the limit to which the archive is reduced, so that not every response removes files. */
const targetShare = 0.9;

interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

interface SizeLimitDeps {
  readonly fs: StorageFs;
  readonly clock: Clock;
  readonly lock: FolderLock;
}

/** Keeps the archive below its limit: the least recently used years are removed first. */
export class SizeLimit {
  readonly #folder: string;
  readonly #deps: SizeLimitDeps;
  #lastCount: { readonly at: number; readonly bytes: number } | undefined;

  constructor(folder: string, deps: SizeLimitDeps) {
    this.#folder = folder;
    this.#deps = deps;
  }

  /** Returns the size of all files in bytes. */
  async size(): Promise<number> {
    return sumBytes(await this.#files());
  }

  /** Enforces the limit after the archive has grown by `grownBytes`. `protectedFile` is never removed. */
  async enforce(maxBytes: number, grownBytes: number, protectedFile: string): Promise<void> {
    const now = this.#deps.clock.now();
    const lastCount = this.#lastCount;
    if (lastCount && now - lastCount.at < maxSizeAgeMs && lastCount.bytes + grownBytes <= maxBytes) {
      this.#lastCount = { ...lastCount, bytes: lastCount.bytes + grownBytes };
      return;
    }
    const files = await this.#files();
    let bytes = sumBytes(files);
    if (bytes > maxBytes) {
      const removable = files.filter(({ path }) => path !== protectedFile && !path.endsWith('.json'));
      for (const file of removable.sort(compareByUse)) {
        if (bytes <= maxBytes * targetShare) break;
        if (await this.#remove(file)) bytes -= file.bytes;
      }
    }
    this.#lastCount = { at: now, bytes };
  }

  /** Lists the folders of all series. */
  async folders(): Promise<string[]> {
    const names = await listNames(this.#deps.fs, this.#folder);
    return names.filter(name => /^[0-9a-f]{16}$/.test(name)).map(name => join(this.#folder, name));
  }

  /** Removes the file, unless another window has used it meanwhile. Returns whether it no longer exists. */
  async #remove({ path, usedAt }: StoredFile): Promise<boolean> {
    return this.#deps.lock.runLocked(dirname(path), async () => {
      const stat = await ignoreMissing(this.#deps.fs.stat(path));
      if (stat?.mtimeMs !== usedAt) return stat === undefined;
      await ignoreMissing(this.#deps.fs.unlink(path));
      return true;
    });
  }

  async #files(): Promise<StoredFile[]> {
    const lists = await mapConcurrently(await this.folders(), async folder => {
      return (await listNames(this.#deps.fs, folder)).map(name => join(folder, name));
    });
    const files = await mapConcurrently(lists.flat(), async (path): Promise<StoredFile[]> => {
      const stat = await ignoreMissing(this.#deps.fs.stat(path));
      return stat?.isFile() ? [{ path, bytes: stat.size, usedAt: stat.mtimeMs }] : [];
    });
    return files.flat();
  }
}

function sumBytes(files: readonly StoredFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Orders files for removal: first damaged files, then years by their last use and by name. */
function compareByUse(a: StoredFile, b: StoredFile): number {
  const isYear = (file: StoredFile): boolean => file.path.endsWith('.arrow');
  if (isYear(a) !== isYear(b)) return isYear(a) ? 1 : -1;
  return a.usedAt - b.usedAt || (a.path < b.path ? -1 : 1);
}
