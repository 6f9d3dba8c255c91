import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as nodeFs from 'node:fs';
import * as v from 'valibot';
import type { Clock } from '../../core/ports.ts';
import { KeyRing, type KeyStore, limitsShape, type RandomBytes, scopesShape, type StoredKey } from './keyRing.ts';
import { reasonOf, SandboxError } from '../sandboxError.ts';
import { acquireLock, type LockOptions } from '../../service/files/fileLock.ts';
import { busyCodes, getErrorCode } from '../../service/files/fileSystem.ts';

const flushMs = 1_000;

interface KeyOptions {
  readonly stateFolder?: string | undefined;
  readonly randomBytes?: RandomBytes;
  readonly say?: (sentence: string) => void;
  /** How the state folder is taken. */
  readonly take?: typeof takeStateFolder;
  /** In place of Node's. */
  readonly fs?: KeyFs | undefined;
}

/** A ring of keys; closing it stores what is not stored yet. */
interface OpenedKeys {
  readonly keys: KeyRing;
  /** May be called twice. */
  close(): Promise<void>;
}

/** The keys of a state folder, or new ones that end with the process. Throws a SandboxError for a folder that cannot be used. */
export async function openKeyStore(clock: Pick<Clock, 'now'>, options: KeyOptions): Promise<OpenedKeys> {
  const { stateFolder, say = () => undefined, randomBytes: random = randomBytes, take = takeStateFolder } = options;
  if (stateFolder === undefined) return { keys: new KeyRing(clock, random), close: async () => Promise.resolve() };
  const lost = new SandboxError(
    `The state folder ${stateFolder} was taken by another sandbox; in this one keys can only be revoked from now on, and revocations and times of use are not kept.`,
  );
  let isLost = false;
  const release = await take(stateFolder, () => {
    if (!isLost) say(lost.message);
    isLost = true;
  });
  let keys: KeyRing;
  try {
    const file = new KeyFile(stateFolder, clock, say, options.fs);
    keys = new KeyRing(
      clock,
      random,
      storeWhile(file, () => !isLost, lost),
    );
  } catch (error) {
    await release();
    throw error;
  }
  let said = false;
  const flush = () => {
    try {
      keys.flush();
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      if (!said && error !== lost) say(error.message);
      said = true;
    }
  };
  const timer = setInterval(flush, flushMs).unref();
  let closing: Promise<void> | undefined;
  return {
    keys,
    close() {
      clearInterval(timer);
      flush();
      return (closing ??= release());
    },
  };
}

/** The file, as long as the folder is ours: the keys of a sandbox that took it over must not be overwritten. */
function storeWhile(file: KeyFile, isOurs: () => boolean, lost: SandboxError): KeyStore {
  return {
    load: () => file.load(),
    save(keys) {
      if (!isOurs()) throw lost;
      file.save(keys);
    },
  };
}

const staleMs = 5_000;

// The age of a lock is a matter of the machine's clock, also where the service has another one.
// oxlint-disable-next-line no-restricted-properties
const machineClock: Clock = { now: () => Date.now(), sleep: async ms => setTimeout(ms) };

/**
 * Takes the folder for this process alone, and makes it where it is missing; returns what releases it. The folder of a killed
 * sandbox is taken after five seconds, within `patienceMs`. `onLost` is called where another process took it over: nothing may be
 * written there from then on. `fs` is in place of Node's. Throws a SandboxError for a folder that is in use or cannot be made.
 */
export async function takeStateFolder(
  folder: string,
  onLost: () => void,
  patienceMs = staleMs + 1_000,
  fs?: LockOptions['fs'],
): Promise<() => Promise<void>> {
  try {
    const options = { clock: machineClock, random: () => 0.5, staleMs, patienceMs, onLost, ...(fs && { fs }) };
    return (await acquireLock(join(folder, 'in-use'), options)).release;
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'ELOCKED';
    const reason = isTaken ? 'is in use by another sandbox' : `cannot be used (${reasonOf(error)})`;
    throw new SandboxError(`The state folder ${folder} ${reason}; give the path of another folder, new or not.`);
  }
}

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
      if (!busyCodes.includes(getErrorCode(error))) throw error;
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
        if (attempt === attempts || !busyCodes.includes(getErrorCode(error))) throw this.#failed(what, error);
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
