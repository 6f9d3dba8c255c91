import { dirname, join } from 'node:path';
import type { Clock } from '../../core/ports.ts';
import type { FolderLock } from '../files/fileLock.ts';
import { namesIn, unlessGone, type StorageFs } from '../files/fileSystem.ts';
import { mapSeveral } from './mapSeveral.ts';

/** The age after which the size is computed again, since other windows write too. */
const recountMs = 600_000;
/** Files are removed down to this share of the limit, so that not every response removes some. */
const targetShare = 0.9;

interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

/** Keeps the archive below its limit: the least recently used years are removed first. */
export class SizeCap {
  readonly #folder: string;
  readonly #deps: { readonly fs: StorageFs; readonly clock: Clock; readonly lock: FolderLock };
  #counted: { readonly at: number; readonly bytes: number } | undefined;

  constructor(folder: string, deps: { readonly fs: StorageFs; readonly clock: Clock; readonly lock: FolderLock }) {
    this.#folder = folder;
    this.#deps = deps;
  }

  /** Returns the size of all files in bytes. */
  async size(): Promise<number> {
    return sizeOf(await this.#files());
  }

  /** Enforces the limit after `grown` bytes were written. The file `spared` is never removed. */
  async keepBelow(maxBytes: number, grown: number, spared: string): Promise<void> {
    const now = this.#deps.clock.now();
    const counted = this.#counted;
    if (counted && now - counted.at < recountMs && counted.bytes + grown <= maxBytes) {
      this.#counted = { ...counted, bytes: counted.bytes + grown };
      return;
    }
    const files = await this.#files();
    let bytes = sizeOf(files);
    if (bytes > maxBytes) {
      for (const file of files.filter(({ path }) => path !== spared && !path.endsWith('.json')).sort(byUse)) {
        if (bytes <= maxBytes * targetShare) break;
        if (await this.#remove(file)) bytes -= file.bytes;
      }
    }
    this.#counted = { at: now, bytes };
  }

  /** Lists the folders of all series. */
  async folders(): Promise<string[]> {
    const names = await namesIn(this.#deps.fs, this.#folder);
    return names.filter(name => /^[0-9a-f]{16}$/.test(name)).map(name => join(this.#folder, name));
  }

  /** Removes the file, unless another window has used it meanwhile. Returns whether it no longer exists. */
  async #remove({ path, usedAt }: StoredFile): Promise<boolean> {
    return this.#deps.lock.hold(dirname(path), async () => {
      const stat = await unlessGone(this.#deps.fs.stat(path));
      if (stat?.mtimeMs !== usedAt) return stat === undefined;
      await unlessGone(this.#deps.fs.unlink(path));
      return true;
    });
  }

  async #files(): Promise<StoredFile[]> {
    const lists = await mapSeveral(await this.folders(), async folder => {
      return (await namesIn(this.#deps.fs, folder)).map(name => join(folder, name));
    });
    const files = await mapSeveral(lists.flat(), async (path): Promise<StoredFile[]> => {
      const stat = await unlessGone(this.#deps.fs.stat(path));
      return stat?.isFile() ? [{ path, bytes: stat.size, usedAt: stat.mtimeMs }] : [];
    });
    return files.flat();
  }
}

function sizeOf(files: readonly StoredFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Orders files for removal: first damaged files, then years by their last use and by name. */
function byUse(a: StoredFile, b: StoredFile): number {
  const [isYear, isOtherYear] = [a, b].map(({ path }) => path.endsWith('.arrow'));
  if (isYear !== isOtherYear) return isYear ? 1 : -1;
  return a.usedAt - b.usedAt || (a.path < b.path ? -1 : 1);
}
