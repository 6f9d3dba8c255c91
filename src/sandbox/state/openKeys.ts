import { randomBytes } from 'node:crypto';
import type { Clock } from '../../core/ports.ts';
import { KeyRing } from '../keyRing.ts';
import type { RandomBytes } from '../keyRing.ts';
import { SandboxError } from '../sandboxError.ts';
import { KeyFile } from './keyFile.ts';
import { takeStateFolder } from './stateFolder.ts';

const flushMs = 1_000;

interface KeyOptions {
  readonly stateFolder?: string;
  readonly randomBytes?: RandomBytes;
  readonly say?: (sentence: string) => void;
}

/** A ring of keys; closing it keeps what is not kept yet. */
export interface OpenedKeys {
  readonly keys: KeyRing;
  /** May be called twice. */
  close(): Promise<void>;
}

/** The keys of a state folder, or new ones that end with the process. Throws a SandboxError for a folder that cannot be used. */
export async function openKeys(clock: Pick<Clock, 'now'>, options: KeyOptions): Promise<OpenedKeys> {
  const { stateFolder, say = () => undefined, randomBytes: random = randomBytes } = options;
  if (stateFolder === undefined) return { keys: new KeyRing(clock, random), close: async () => Promise.resolve() };
  const release = await takeStateFolder(stateFolder, say);
  let keys: KeyRing;
  try {
    keys = new KeyRing(clock, random, new KeyFile(stateFolder, clock, say));
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
      if (!said) say(error.message);
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
