import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Logger } from '../../core/ports.ts';
import { joinBodies, joinBodiesSteps, textSteps } from '../../core/json/responseText.ts';
import { pausedSteps } from '../pausedSteps.ts';

/** Bytes below which a text is not worth a file. */
const shortText = 100_000;
const ending = '.json.gz';

/** The text of a response, for as long as somebody may want to read it. */
export interface StoredResponse {
  /** Its beginning where only so many characters are wanted. Throws a file system's error where the file is gone. */
  text(characters?: number): Promise<string>;
  /** Nobody will read it again. */
  dispose(): Promise<void>;
}

/**
 * Keeps the texts of long responses on disk: rows of hours take 8 bytes a cell, the text they came in some 20. A text that
 * cannot be written stays in memory. Keys were taken out before.
 */
export class ResponseStore {
  readonly #folder: string;
  readonly #newId: () => string;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #kept = new Set<StoredResponse>();

  constructor(deps: { folder: string; newId: () => string; logger: Pick<Logger, 'warn'> }) {
    this.#folder = deps.folder;
    this.#newId = deps.newId;
    this.#logger = deps.logger;
  }

  /** `bodies`: of its pages. */
  keep(bodies: readonly Uint8Array[]): StoredResponse {
    const bytes = bodies.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return bytes < shortText ? inMemory(joinBodies(bodies)) : this.#onDisk(bodies);
  }

  #onDisk(bodies: readonly Uint8Array[]): StoredResponse {
    const file = join(this.#folder, this.#newId() + ending);
    // Nothing below may name `bodies`: a closure that does keeps it alive for all of them.
    const written = this.#write(file, bodies);
    const kept: StoredResponse = {
      text: async characters =>
        pausedSteps(textSteps((await written) ?? (await promisify(gunzip)(await readFile(file))), characters)),
      dispose: async () => {
        this.#kept.delete(kept);
        await written;
        await rm(file, { force: true }).catch(() => undefined);
      },
    };
    this.#kept.add(kept);
    return kept;
  }

  /** Removes all of this window: VS Code ends. */
  async clear(): Promise<void> {
    await Promise.all([...this.#kept].map(async kept => kept.dispose()));
  }

  /** Resolves to the body where it cannot be written. */
  async #write(file: string, bodies: readonly Uint8Array[]): Promise<Uint8Array | undefined> {
    const body = await pausedSteps(joinBodiesSteps(bodies));
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(file, await promisify(gzip)(body, { level: 1 }), { flag: 'wx', mode: 0o600 });
      return undefined;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.#logger.warn(`the text of a response stays in memory: it cannot be written (${code ?? 'unknown'})`);
      await rm(file, { force: true }).catch(() => undefined);
      return body;
    }
  }
}

function inMemory(body: Uint8Array): StoredResponse {
  return {
    text: async characters => pausedSteps(textSteps(body, characters)),
    dispose: async () => Promise.resolve(),
  };
}
