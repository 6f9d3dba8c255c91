import * as fsPromises from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSidecar } from '../../core/export/exportProvenance.ts';
import type { Clock } from '../../core/ports.ts';
import { hourMs } from '../../shared/durations.ts';
import { throwIfStopped } from '../../core/errors.ts';
import { createRetryingFs, removeTemporaries, createTemporaryName, ignoreMissing } from '../files/fileSystem.ts';
import { readRegularTextFile } from '../files/regularFile.ts';

/** The file system as exports use it: `node:fs/promises`, or a test's with faults. */
export type ExportFs = Pick<
  typeof fsPromises,
  'lstat' | 'mkdir' | 'open' | 'readdir' | 'realpath' | 'rename' | 'rmdir' | 'stat' | 'unlink'
>;

/** The maximum size of a sidecar, far more than any export writes. */
export const maxSidecarBytes = 1_000_000;

/** The age after which a temporary file is a leftover: no export pauses for this long. */
const leftoverMs = hourMs;

export interface WriteDeps {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal?: AbortSignal | undefined;
  readonly fs?: ExportFs | undefined;
}

interface WriteExportOptions extends WriteDeps {
  /** The path of the file; its folder must exist. */
  readonly file: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The text of `<file>.meta.json`. If omitted, the sidecar of an earlier export is removed, since it describes other rows. */
  readonly sidecar?: string | undefined;
}

/**
 * Writes a file atomically: a temporary file is written and synced, and then replaces the existing one. Returns its size in bytes. Throws a
 * GridError ("cancelled") when aborted, and the errors of the chunks and of the file system.
 */
export async function writeExport({ file, chunks, sidecar, ...deps }: WriteExportOptions): Promise<number> {
  const files = new PendingFiles(deps);
  try {
    const bytes = await files.write(file, chunks);
    if (sidecar !== undefined) await files.write(`${file}.meta.json`, [Buffer.from(sidecar)]);
    await files.commit();
    if (sidecar === undefined)
      await removeSidecar(`${file}.meta.json`, createRetryingFs(deps.fs ?? fsPromises, deps.clock));
    return bytes;
  } finally {
    await files.discard();
  }
}

/** Removes a sidecar, unless it is not one of an export or cannot be read. */
async function removeSidecar(path: string, fs: ExportFs): Promise<void> {
  const text = await readRegularTextFile(path, maxSidecarBytes, fs).catch(() => '');
  if (isSidecar(text)) await fs.unlink(path);
}

/** Writes files under temporary names and renames them together. Call `discard` at the end to remove the files that were not renamed. */
export class PendingFiles {
  readonly #deps: WriteDeps;
  readonly #fs: ExportFs;
  #pending: { readonly from: string; readonly to: string }[] = [];
  readonly #sweptFolders = new Set<string>();
  /** The created folders, parents first. */
  readonly #createdFolders = new Set<string>();

  constructor(deps: WriteDeps) {
    this.#deps = deps;
    this.#fs = createRetryingFs(deps.fs ?? fsPromises, deps.clock);
  }

  /** Creates a folder with its parents. */
  async createFolder(folder: string): Promise<void> {
    const first = await this.#fs.mkdir(folder, { recursive: true });
    if (first === undefined) return;
    const created = [folder];
    while (created[0] !== undefined && created[0].length > first.length) created.unshift(dirname(created[0]));
    for (const path of created) this.#createdFolders.add(path);
  }

  /** Writes and syncs a temporary file next to `path`. Returns its size in bytes. */
  async write(path: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<number> {
    const { to, mode } = await this.#resolveTarget(path);
    const from = createTemporaryName(to);
    this.#pending.push({ from, to });
    // A file that replaces an existing file is private while it is written.
    const handle = await this.#fs.open(from, 'wx', mode === undefined ? 0o666 : 0o600);
    try {
      await this.#sweep(dirname(to), (await handle.stat()).mtimeMs);
      let bytes = 0;
      for await (const chunk of chunks) {
        throwIfStopped(this.#deps.signal);
        await handle.writeFile(chunk);
        bytes += chunk.length;
      }
      // Not every file system has modes.
      if (mode !== undefined) await handle.chmod(mode).catch(() => undefined);
      await handle.sync();
      return bytes;
    } finally {
      await handle.close();
    }
  }

  /**
   * Resolves links, and reads the mode of an existing file. Throws an Error with the code ENOTFILE for a device or a link to a missing file,
   * which cannot be replaced.
   */
  async #resolveTarget(path: string): Promise<{ readonly to: string; readonly mode?: number }> {
    const stat = await ignoreMissing(this.#fs.lstat(path));
    if (!stat) return { to: path };
    const to = await ignoreMissing(this.#fs.realpath(path));
    const target = to === undefined ? undefined : await this.#fs.stat(to);
    if (to === undefined || !(target?.isFile() || target?.isDirectory()))
      throw Object.assign(new Error('not a file'), { code: 'ENOTFILE' });
    return stat.isSymbolicLink() ? { to, mode: target.mode & 0o777 } : { to: path, mode: target.mode & 0o777 };
  }

  /** Removes temporary files of exports that died, once for each folder. `now` is by the file system's clock, which may be another machine's. */
  async #sweep(folder: string, now: number): Promise<void> {
    if (this.#sweptFolders.has(folder)) return;
    this.#sweptFolders.add(folder);
    const names = await this.#fs.readdir(folder).catch(() => []);
    await removeTemporaries(folder, names, now - leftoverMs, this.#fs);
  }

  /** Renames the files in the order in which they were written. */
  async commit(): Promise<void> {
    throwIfStopped(this.#deps.signal);
    for (let next = this.#pending[0]; next; next = this.#pending[0]) {
      await this.#fs.rename(next.from, next.to);
      this.#pending.shift();
    }
    this.#createdFolders.clear();
  }

  /** Removes the files that were not renamed, and the folders created for them. */
  async discard(): Promise<void> {
    await Promise.allSettled(this.#pending.map(async ({ from }) => this.#fs.unlink(from)));
    this.#pending = [];
    // This fails for a folder that is not empty.
    for (const folder of [...this.#createdFolders].reverse()) await this.#fs.rmdir(folder).catch(() => undefined);
    this.#createdFolders.clear();
  }
}
