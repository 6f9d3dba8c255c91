import { randomUUID } from 'node:crypto';
import * as fsPromises from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSidecarText } from '../../core/export/exportProvenance.ts';
import type { Clock } from '../../core/ports.ts';
import { throwIfStopped } from '../abort.ts';
import { replaceFile } from '../replaceFile.ts';

/** The file system as exports use it: `node:fs/promises`, or a test's with faults. */
export type ExportFs = Pick<
  typeof fsPromises,
  'mkdir' | 'open' | 'readdir' | 'readFile' | 'rename' | 'rmdir' | 'unlink'
>;

export interface WriteDeps {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal?: AbortSignal | undefined;
  readonly fs?: ExportFs | undefined;
}

export interface WriteExportArguments extends WriteDeps {
  /** Where the file goes; its folder must be there. */
  readonly file: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The text of `<file>.meta.json`; left out for none: then one of an earlier export goes, since it tells of other rows. */
  readonly sidecar?: string | undefined;
}

/**
 * Writes a file whole or not at all: beside its place first, synced, then renamed over what was there. Returns its bytes.
 * Throws a GridError ("cancelled") when stopped, what the chunks throw, and what the file system throws.
 */
export async function writeExport({ file, chunks, sidecar, ...deps }: WriteExportArguments): Promise<number> {
  const files = new PendingFiles(deps);
  try {
    const bytes = await files.write(file, chunks);
    if (sidecar !== undefined) await files.write(`${file}.meta.json`, [Buffer.from(sidecar)]);
    await files.commit();
    if (sidecar === undefined) await removeSidecar(`${file}.meta.json`, deps.fs ?? fsPromises);
    return bytes;
  } finally {
    await files.discard();
  }
}

/** One that is not ours, or cannot be read, stays. */
async function removeSidecar(path: string, fs: ExportFs): Promise<void> {
  const text = await fs.readFile(path, 'utf8').catch(() => '');
  if (isSidecarText(text)) await fs.unlink(path);
}

/** Files that are written beside their places and take them together. End with `discard`: it removes what has no place yet. */
export class PendingFiles {
  readonly #deps: WriteDeps;
  readonly #fs: ExportFs;
  #pending: { readonly from: string; readonly to: string }[] = [];
  /** Deepest last. */
  readonly #made = new Set<string>();

  constructor(deps: WriteDeps) {
    this.#deps = deps;
    this.#fs = deps.fs ?? fsPromises;
  }

  /** Makes a folder with those above it. */
  async makeFolder(folder: string): Promise<void> {
    const first = await this.#fs.mkdir(folder, { recursive: true });
    if (first === undefined) return;
    const made = [folder];
    while (made[0] !== undefined && made[0].length > first.length) made.unshift(dirname(made[0]));
    for (const path of made) this.#made.add(path);
  }

  /** Writes and syncs a file beside its place. Returns its bytes. */
  async write(to: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<number> {
    const from = `${to}.${process.pid}.${randomUUID().slice(0, 8)}.tmp`;
    this.#pending.push({ from, to });
    const handle = await this.#fs.open(from, 'wx');
    try {
      let bytes = 0;
      for await (const piece of pieces) {
        throwIfStopped(this.#deps.signal);
        await handle.writeFile(piece);
        bytes += piece.length;
      }
      await handle.sync();
      return bytes;
    } finally {
      await handle.close();
    }
  }

  /** Puts the files in their places, in the order written. */
  async commit(): Promise<void> {
    throwIfStopped(this.#deps.signal);
    for (let next = this.#pending[0]; next; next = this.#pending[0]) {
      await replaceFile(this.#fs, next.from, next.to, this.#deps.clock);
      this.#pending.shift();
    }
    this.#made.clear();
  }

  /** Removes the files that have not taken their place, and the folders made for them. */
  async discard(): Promise<void> {
    await Promise.allSettled(this.#pending.map(async ({ from }) => this.#fs.unlink(from)));
    this.#pending = [];
    // One that holds something stays.
    for (const folder of [...this.#made].reverse()) await this.#fs.rmdir(folder).catch(() => undefined);
    this.#made.clear();
  }
}
