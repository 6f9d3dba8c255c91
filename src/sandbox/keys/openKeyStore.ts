import { randomBytes } from 'node:crypto';
import type { Clock } from '../../core/ports.ts';
import { KeyRing, type KeyStore, type RandomBytes } from './keyRing.ts';
import { SandboxError, reasonOf } from '../sandboxError.ts';
import { KeyFile } from './keyFile.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';

const flushMs = 1_000;

interface KeyOptions {
  readonly stateFolder?: string;
  readonly randomBytes?: RandomBytes;
  readonly say?: (sentence: string) => void;
  /** How the state folder is taken. */
  readonly take?: typeof takeStateFolder;
}

/** A ring of keys; closing it keeps what is not kept yet. */
export interface OpenedKeys {
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
    const file = new KeyFile(stateFolder, clock, say);
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
      return (closing ??= release().catch(() => undefined));
    },
  };
}

/** The file as long as it is ours to write: the keys of whoever took the folder stay whole. */
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
const triesMs = 500;

/**
 * Makes the folder where it is not there, and takes it for this process alone; what is returned gives it back. A folder
 * that a killed sandbox left is taken after five seconds, within `waitMs`. `onLost` is called where another process took it all the
 * same: nothing may be written there from then on. Throws a SandboxError for a folder in use, or that cannot be made.
 */
export async function takeStateFolder(
  folder: string,
  onLost: () => void,
  waitMs = staleMs + 2 * triesMs,
): Promise<() => Promise<void>> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await lockfile.lock(folder, {
      lockfilePath: join(folder, 'in-use'),
      stale: staleMs,
      retries: { retries: Math.ceil(waitMs / triesMs), factor: 1, minTimeout: triesMs, maxTimeout: triesMs },
      onCompromised: onLost,
    });
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'ELOCKED';
    const reason = isTaken ? 'is in use by another sandbox' : `cannot be used (${reasonOf(error)})`;
    throw new SandboxError(`The state folder ${folder} ${reason}; give the path of another folder, new or not.`);
  }
}
