import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Clock, Logger } from '../../core/ports.ts';
import { patientFs, removeFiles, type StorageFs } from '../files/fileSystem.ts';
import { readRegular } from '../files/regularFile.ts';
import { joinBodies, textOfBody } from '../../core/json/responseText.ts';

/** A shorter text (bytes) stays in memory. */
const shortText = 100_000;
/** More than the pages of any response take, compressed. */
const maxStoredBytes = 2 ** 28;
const ending = '.json.gz';

/** The text of a response, for as long as it may be read. */
export interface StoredResponse {
  /** The whole, or the first `characters`. Throws the file system's error where the file is gone. */
  text(characters?: number): Promise<string>;
  /** It will not be read again. */
  dispose(): Promise<void>;
}

type ResponseFs = Pick<StorageFs, 'mkdir' | 'open' | 'unlink' | 'writeFile'>;

interface ResponseStoreDeps {
  readonly folder: string;
  readonly newId: () => string;
  readonly logger: Pick<Logger, 'warn'>;
  readonly clock: Pick<Clock, 'sleep'>;
  /** In place of Node's. */
  readonly fs?: ResponseFs;
}

/**
 * Keeps the texts of long responses on disk: rows of hours take 8 bytes a cell, the text they came in some 20. A text that
 * cannot be written stays in memory. Keys were taken out before.
 */
export class ResponseStore {
  readonly #deps: ResponseStoreDeps;
  readonly #fs: ResponseFs;
  readonly #stored = new Set<StoredResponse>();

  constructor(deps: ResponseStoreDeps) {
    this.#deps = deps;
    this.#fs = patientFs<ResponseFs>(deps.fs ?? nodeFs, deps.clock);
  }

  /** `bodies`: of its pages. */
  keep(bodies: readonly Uint8Array[]): StoredResponse {
    const bytes = bodies.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (bytes >= shortText) return this.#onDisk(bodies);
    const body = joinBodies(bodies);
    return {
      text: characters => Promise.resolve(textOfBody(body, characters)),
      dispose: async () => Promise.resolve(),
    };
  }

  #onDisk(bodies: readonly Uint8Array[]): StoredResponse {
    const file = join(this.#deps.folder, this.#deps.newId() + ending);
    // Nothing below may name `bodies`: a closure that does keeps it alive for all of them.
    const written = this.#write(file, bodies);
    const stored: StoredResponse = {
      text: async characters => textOfBody((await written) ?? (await this.#read(file)), characters),
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
    return promisify(gunzip)(await readRegular(file, maxStoredBytes, this.#fs));
  }

  /** Resolves to the body where it cannot be written. */
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
