import type { KeyState } from './keyState.ts';

/** Keeps the state of each key's budget, by the key's fingerprint. */
export interface LimitStore {
  /**
   * Runs the change on the newest state while nobody else does, and keeps what it made of it. The change may run more than
   * once, each time on a state of its own; the result is that of the run that was kept.
   */
  update<T>(fingerprint: string, change: (state: KeyState) => T): Promise<T>;
  /** A copy, with the updates asked for before. */
  read(fingerprint: string): Promise<KeyState>;
}
