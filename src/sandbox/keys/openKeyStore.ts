import { randomBytes } from 'node:crypto';
import type { Clock } from '../../core/ports.ts';
import { KeyRing, type KeyStore, type RandomBytes } from './keyRing.ts';
import { SandboxError, reasonOf } from '../sandboxError.ts';
import { KeyFile, type KeyFs } from './keyFile.ts';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { takeLock } from '../../service/files/fileLock.ts';

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
// eslint-disable-next-line no-restricted-properties
const machineClock: Clock = { now: () => Date.now(), sleep: async ms => setTimeout(ms) };

/**
 * Takes the folder for this process alone, and makes it where it is missing; returns what releases it. The folder of a killed
 * sandbox is taken after five seconds, within `patienceMs`. `onLost` is called where another process took it over: nothing may be
 * written there from then on. Throws a SandboxError for a folder that is in use or cannot be made.
 */
export async function takeStateFolder(
  folder: string,
  onLost: () => void,
  patienceMs = staleMs + 1_000,
): Promise<() => Promise<void>> {
  try {
    const options = { clock: machineClock, random: () => 0.5, staleMs, patienceMs, onLost };
    return (await takeLock(join(folder, 'in-use'), options)).release;
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'ELOCKED';
    const reason = isTaken ? 'is in use by another sandbox' : `cannot be used (${reasonOf(error)})`;
    throw new SandboxError(`The state folder ${folder} ${reason}; give the path of another folder, new or not.`);
  }
}
