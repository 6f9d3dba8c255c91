import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Clock, Logger } from '../../core/ports.ts';
import { createRetryingFs, removeFiles, type StorageFs } from '../files/fileSystem.ts';
import { readRegularFile } from '../files/regularFile.ts';
import { joinBodies, decodeBody } from '../../core/json/responseText.ts';

/** The minimum size in bytes of a text that is stored on disk. Shorter texts stay in memory. */
const minFileBytes = 100_000;
/** The maximum size of a stored file, which no compressed response reaches. */
const maxStoredBytes = 2 ** 28;
const extension = '.json.gz';

/** The text of a response, until it is disposed. */
export interface StoredResponse {
  /** Returns the whole text, or the first `characters`. Throws the file system's error if the file is gone. */
  readText(characters?: number): Promise<string>;
  /** Deletes the text. */
  dispose(): Promise<void>;
}

type ResponseFs = Pick<StorageFs, 'mkdir' | 'open' | 'unlink' | 'writeFile'>;

interface ResponseStoreDeps {
  readonly folder: string;
  readonly newId: () => string;
  readonly logger: Pick<Logger, 'warn'>;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Node's file system by default. */
  readonly fs?: ResponseFs;
}

/**
 * Stores the texts of long responses on disk: in memory a cell takes 8 bytes, but its text some 20. A text that cannot be written stays in
 * memory. The texts no longer contain the key.
 */
export class ResponseStore {
  readonly #deps: ResponseStoreDeps;
  readonly #fs: ResponseFs;
  readonly #stored = new Set<StoredResponse>();

  constructor(deps: ResponseStoreDeps) {
    this.#deps = deps;
    this.#fs = createRetryingFs<ResponseFs>(deps.fs ?? nodeFs, deps.clock);
  }

  /** Stores the bodies of the pages of a response. */
  store(bodies: readonly Uint8Array[]): StoredResponse {
    const bytes = bodies.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (bytes >= minFileBytes) return this.#storeOnDisk(bodies);
    const body = joinBodies(bodies);
    return {
      readText: characters => Promise.resolve(decodeBody(body, characters)),
      dispose: async () => Promise.resolve(),
    };
  }

  #storeOnDisk(bodies: readonly Uint8Array[]): StoredResponse {
    const file = join(this.#deps.folder, this.#deps.newId() + extension);
    // No closure below may use `bodies`, since that would keep it in memory.
    const written = this.#write(file, bodies);
    const stored: StoredResponse = {
      readText: async characters => decodeBody((await written) ?? (await this.#read(file)), characters),
      dispose: async () => {
        this.#stored.delete(stored);
        await written;
        await removeFiles(this.#fs, [file]);
      },
    };
    this.#stored.add(stored);
    return stored;
  }

  /** Removes the files of this window, when VS Code ends. */
  async clear(): Promise<void> {
    await Promise.all([...this.#stored].map(async stored => stored.dispose()));
  }

  async #read(file: string): Promise<Uint8Array> {
    return promisify(gunzip)(await readRegularFile(file, maxStoredBytes, this.#fs));
  }

  /** Writes the file. Resolves to the body if it cannot be written. */
  async #write(file: string, bodies: readonly Uint8Array[]): Promise<Uint8Array | undefined> {
    const body = joinBodies(bodies);
    try {
      await this.#fs.mkdir(this.#deps.folder, { recursive: true, mode: 0o700 });
      await this.#fs.writeFile(file, await promisify(gzip)(body, { level: 1 }), { flag: 'wx', mode: 0o600 });
      return undefined;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.#deps.logger.warn(`the text of a response stays in memory: it cannot be written (${code ?? 'unknown'})`);
      await removeFiles(this.#fs, [file]);
      return body;
    }
  }
}
