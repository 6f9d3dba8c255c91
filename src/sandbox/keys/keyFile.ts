import * as nodeFs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import type { Clock } from '../../core/ports.ts';
import { limitsShape, scopesShape, type KeyStore, type StoredKey } from './keyRing.ts';
import { busyCodes, codeOf } from '../../service/files/fileSystem.ts';
import { reasonOf, SandboxError } from '../sandboxError.ts';

const time = v.pipe(v.number(), v.integer());

const fileShape = v.object({
  version: v.literal(1),
  keys: v.array(
    v.object({
      hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
      name: v.string(),
      prefix: v.pipe(v.string(), v.minLength(1)),
      created: time,
      lastUsed: v.optional(time),
      revoked: v.boolean(),
      scopes: scopesShape,
      limits: limitsShape,
    }),
  ),
});

/** The calls that a key file makes of `node:fs`. */
export type KeyFs = Pick<
  typeof nodeFs,
  'closeSync' | 'existsSync' | 'fsyncSync' | 'openSync' | 'readFileSync' | 'renameSync' | 'writeFileSync'
>;

/** With waits of 10, 20, 30 … ms between them: half a second. */
const attempts = 10;

/**
 * The keys of a state folder, in one small file that is written to a temporary file, which then replaces it. The calls wait
 * for the disk: a key that was shown, or revoked, stays so after a crash.
 */
export class KeyFile implements KeyStore {
  readonly #path: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #say: (sentence: string) => void;
  readonly #fs: KeyFs;

  /** `say` is called with what the person has to know about a damaged file; `fs` is in place of Node's. */
  constructor(folder: string, clock: Pick<Clock, 'now'>, say: (sentence: string) => void, fs: KeyFs = nodeFs) {
    this.#path = join(folder, 'keys.json');
    this.#clock = clock;
    this.#say = say;
    this.#fs = fs;
  }

  /** No keys where there is no file yet, or a damaged one, which is set aside. Throws a SandboxError for an unreadable one. */
  load(): readonly StoredKey[] {
    if (!this.#fs.existsSync(this.#path)) return [];
    const text = this.#try('read', () => this.#fs.readFileSync(this.#path, 'utf8'));
    const read = v.safeParse(fileShape, parseJson(text));
    if (read.success) return read.output.keys.map(key => ({ ...key, lastUsed: key.lastUsed })) as StoredKey[];
    const aside = `${this.#path}.${this.#clock.now()}.damaged`;
    this.#try('moved aside', () => this.#fs.renameSync(this.#path, aside));
    const path = v.getDotPath(read.issues[0]);
    this.#say(
      `keys.json in the state folder is damaged${path === null ? '' : ` (at ${path})`} and was kept as ${basename(aside)}; ` +
        'the sandbox starts without its keys, create new ones.',
    );
    return [];
  }

  save(keys: readonly StoredKey[]): void {
    const draft = `${this.#path}.new`;
    const text = JSON.stringify({ version: 1, keys });
    this.#try('written', () => this.#fs.writeFileSync(draft, text, { mode: 0o600, flush: true }));
    this.#try('written', () => this.#fs.renameSync(draft, this.#path));
    this.#try('written', () => this.#syncFolder(dirname(this.#path)));
  }

  /** A rename is on disk once its folder is synced; Windows can sync none, and needs no sync. */
  #syncFolder(folder: string): void {
    let handle: number | undefined;
    try {
      handle = this.#fs.openSync(folder, 'r');
      this.#fs.fsyncSync(handle);
    } catch (error) {
      if (!busyCodes.includes(codeOf(error))) throw error;
    } finally {
      if (handle !== undefined) this.#fs.closeSync(handle);
    }
  }

  /** Windows refuses for a moment what a virus scanner or a backup has open. */
  #try<T>(what: string, work: () => T): T {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return work();
      } catch (error) {
        if (attempt === attempts || !busyCodes.includes(codeOf(error))) throw this.#failed(what, error);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10 * attempt);
      }
    }
  }

  #failed(what: string, error: unknown): SandboxError {
    return new SandboxError(
      `keys.json in ${dirname(this.#path)} cannot be ${what} (${reasonOf(error)}); check the state folder.`,
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
