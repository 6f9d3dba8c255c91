import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as nodeFs from 'node:fs';
import * as v from 'valibot';
import type { Clock } from '../../core/ports.ts';
import { KeyRing, type KeyStore, limitsSchema, type RandomBytes, scopesSchema, type StoredKey } from './keyRing.ts';
import { describeSystemError, SandboxError } from '../sandboxError.ts';
import { acquireLock, type LockOptions } from '../../service/files/fileLock.ts';
import { busyCodes, getErrorCode } from '../../service/files/fileSystem.ts';

const flushIntervalMs = 1_000;

interface KeyStoreOptions {
  readonly stateFolder?: string | undefined;
  readonly randomBytes?: RandomBytes;
  readonly report?: (sentence: string) => void;
  /** Acquires the state folder. */
  readonly acquireFolder?: typeof acquireStateFolder;
  /** Replaces the file system of Node. */
  readonly fs?: KeyFs | undefined;
}

/** An open key ring. Closing it stores unsaved changes. */
interface OpenedKeys {
  readonly keys: KeyRing;
  /** May be called twice. */
  close(): Promise<void>;
}

/** Opens the keys of a state folder, or a ring that is lost when the process ends. Throws a SandboxError if the folder cannot be used. */
export async function openKeyStore(clock: Pick<Clock, 'now'>, options: KeyStoreOptions): Promise<OpenedKeys> {
  const {
    stateFolder,
    report = () => undefined,
    randomBytes: generateRandom = randomBytes,
    acquireFolder = acquireStateFolder,
  } = options;
  if (stateFolder === undefined)
    return { keys: new KeyRing(clock, generateRandom), close: async () => Promise.resolve() };
  const lostError = new SandboxError(
    `The state folder ${stateFolder} is now used by another sandbox. From now on this one can only revoke keys, and does not store revocations and times of use.`,
  );
  let isLost = false;
  const release = await acquireFolder(stateFolder, () => {
    if (!isLost) report(lostError.message);
    isLost = true;
  });
  let keys: KeyRing;
  try {
    const file = new KeyFile(stateFolder, clock, report, options.fs);
    keys = new KeyRing(
      clock,
      generateRandom,
      createGuardedStore(file, () => !isLost, lostError),
    );
  } catch (error) {
    await release();
    throw error;
  }
  let hasReportedError = false;
  const flush = () => {
    try {
      keys.flush();
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      if (!hasReportedError && error !== lostError) report(error.message);
      hasReportedError = true;
    }
  };
  const timer = setInterval(flush, flushIntervalMs).unref();
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

/** Creates a store that refuses to write once another sandbox owns the folder, so that its keys are not overwritten. */
function createGuardedStore(file: KeyFile, isOwner: () => boolean, lostError: SandboxError): KeyStore {
  return {
    load: () => file.load(),
    save(keys) {
      if (!isOwner()) throw lostError;
      file.save(keys);
    },
  };
}

const staleMs = 5_000;

// The age of a lock depends on the clock of the machine, even if the service uses another one.
// oxlint-disable-next-line no-restricted-properties
const machineClock: Clock = { now: () => Date.now(), sleep: async ms => setTimeout(ms) };

/**
 * Locks the folder for this process, and creates it if it is missing. Returns a function that releases it. The lock of a killed
 * sandbox is stale after five seconds, which is within `patienceMs`. `onLost` is called if another process takes over the
 * folder; from then on nothing may be written there. `fs` replaces the file system of Node. Throws a SandboxError if the folder is
 * in use or cannot be created.
 */
export async function acquireStateFolder(
  folder: string,
  onLost: () => void,
  patienceMs = staleMs + 1_000,
  fs?: LockOptions['fs'],
): Promise<() => Promise<void>> {
  try {
    const options = { clock: machineClock, random: () => 0.5, staleMs, patienceMs, onLost, ...(fs && { fs }) };
    return (await acquireLock(join(folder, 'in-use'), options)).release;
  } catch (error) {
    const isLocked = (error as NodeJS.ErrnoException).code === 'ELOCKED';
    const reason = isLocked ? 'is in use by another sandbox' : `cannot be used (${describeSystemError(error)})`;
    throw new SandboxError(`The state folder ${folder} ${reason}; give the path of another folder, new or not.`);
  }
}

const timeSchema = v.pipe(v.number(), v.integer());

const fileSchema = v.object({
  version: v.literal(1),
  keys: v.array(
    v.object({
      hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
      name: v.string(),
      prefix: v.pipe(v.string(), v.minLength(1)),
      created: timeSchema,
      lastUsed: v.optional(timeSchema),
      revoked: v.boolean(),
      scopes: scopesSchema,
      limits: limitsSchema,
    }),
  ),
});

/** The calls that a key file makes of `node:fs`. */
export type KeyFs = Pick<
  typeof nodeFs,
  'closeSync' | 'existsSync' | 'fsyncSync' | 'openSync' | 'readFileSync' | 'renameSync' | 'writeFileSync'
>;

/** The waits between attempts are 10, 20, 30 … ms, together half a second. */
const maxAttempts = 10;

/**
 * Stores the keys of a state folder in one small file, which is replaced atomically by a temporary file. The calls are
 * synchronous, so that a key is still valid, or still revoked, after a crash.
 */
export class KeyFile implements KeyStore {
  readonly #path: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #report: (sentence: string) => void;
  readonly #fs: KeyFs;

  /** `report` is called with a message about a damaged file; `fs` replaces the file system of Node. */
  constructor(folder: string, clock: Pick<Clock, 'now'>, report: (sentence: string) => void, fs: KeyFs = nodeFs) {
    this.#path = join(folder, 'keys.json');
    this.#clock = clock;
    this.#report = report;
    this.#fs = fs;
  }

  /** Loads the keys; none if there is no file yet or it is damaged. Renames a damaged file. Throws a SandboxError for an unreadable one. */
  load(): readonly StoredKey[] {
    if (!this.#fs.existsSync(this.#path)) return [];
    const text = this.#retry('read', () => this.#fs.readFileSync(this.#path, 'utf8'));
    const parsed = v.safeParse(fileSchema, parseJson(text));
    if (parsed.success) return parsed.output.keys.map(key => ({ ...key, lastUsed: key.lastUsed })) as StoredKey[];
    const damagedPath = `${this.#path}.${this.#clock.now()}.damaged`;
    this.#retry('moved aside', () => this.#fs.renameSync(this.#path, damagedPath));
    const path = v.getDotPath(parsed.issues[0]);
    this.#report(
      `keys.json in the state folder is damaged${path === null ? '' : ` (at ${path})`} and was backed up as ${basename(damagedPath)}; ` +
        'the sandbox starts without its keys, create new ones.',
    );
    return [];
  }

  save(keys: readonly StoredKey[]): void {
    const tempPath = `${this.#path}.new`;
    const text = JSON.stringify({ version: 1, keys });
    this.#retry('written', () => this.#fs.writeFileSync(tempPath, text, { mode: 0o600, flush: true }));
    this.#retry('written', () => this.#fs.renameSync(tempPath, this.#path));
    this.#retry('written', () => this.#syncFolder(dirname(this.#path)));
  }

  /** Syncs the folder, so that a rename is on disk. Windows cannot sync folders and does not need to. */
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

  /** Retries, because Windows briefly denies access to a file that a virus scanner or a backup has open. */
  #retry<T>(action: string, work: () => T): T {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return work();
      } catch (error) {
        if (attempt === maxAttempts || !busyCodes.includes(getErrorCode(error))) throw this.#createError(action, error);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10 * attempt);
      }
    }
  }

  #createError(action: string, error: unknown): SandboxError {
    return new SandboxError(
      `keys.json in ${dirname(this.#path)} cannot be ${action} (${describeSystemError(error)}); check the state folder.`,
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
