import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import type { Clock } from '../../core/ports.ts';
import { limitsShape, scopesShape, type KeyStore, type StoredKey } from './keyRing.ts';
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

/**
 * The keys of a state folder, in one small file that is written to a temporary file, which then replaces it. The calls wait
 * for the disk: a key that was shown, or revoked, stays so after a crash.
 */
export class KeyFile implements KeyStore {
  readonly #path: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #say: (sentence: string) => void;

  /** `say` is called with what the person has to know about a damaged file. */
  constructor(folder: string, clock: Pick<Clock, 'now'>, say: (sentence: string) => void) {
    this.#path = join(folder, 'keys.json');
    this.#clock = clock;
    this.#say = say;
  }

  /** No keys where there is no file yet, or a damaged one, which is set aside. Throws a SandboxError for an unreadable one. */
  load(): readonly StoredKey[] {
    if (!existsSync(this.#path)) return [];
    const text = this.#try('read', () => readFileSync(this.#path, 'utf8'));
    const read = v.safeParse(fileShape, parseJson(text));
    if (read.success) return read.output.keys.map(key => ({ ...key, lastUsed: key.lastUsed })) as StoredKey[];
    const aside = `${this.#path}.${this.#clock.now()}.damaged`;
    this.#try('moved aside', () => renameSync(this.#path, aside));
    const path = v.getDotPath(read.issues[0]);
    this.#say(
      `keys.json in the state folder is damaged${path === null ? '' : ` (at ${path})`} and was kept as ${basename(aside)}; ` +
        'the sandbox starts without its keys, create new ones.',
    );
    return [];
  }

  save(keys: readonly StoredKey[]): void {
    const draft = `${this.#path}.new`;
    this.#try('written', () => {
      const file = openSync(draft, 'w', 0o600);
      try {
        writeFileSync(file, JSON.stringify({ version: 1, keys }));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(draft, this.#path);
      syncFolder(dirname(this.#path));
    });
  }

  #try<T>(what: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new SandboxError(
        `keys.json in ${dirname(this.#path)} cannot be ${what} (${reasonOf(error)}); check the state folder.`,
      );
    }
  }
}

/** A rename is on disk once its folder is synced; Windows cannot open folders, and needs no sync. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
