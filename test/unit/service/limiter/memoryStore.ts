import { emptyKeyState, type KeyState } from '../../../../src/service/limiter/keyState.ts';
import type { LimitStore } from '../../../../src/service/limiter/limiter.ts';

/** A store without files, for windows in virtual time. It stores JSON, like a file. */
export class MemoryStore implements LimitStore {
  readonly #texts = new Map<string, string>();

  update<T>(fingerprint: string, change: (state: KeyState) => T): Promise<T> {
    const state = this.state(fingerprint);
    const result = change(state);
    this.#texts.set(fingerprint, JSON.stringify(state));
    return Promise.resolve(result);
  }

  read(fingerprint: string): Promise<KeyState> {
    return Promise.resolve(this.state(fingerprint));
  }

  state(fingerprint: string): KeyState {
    const text = this.#texts.get(fingerprint);
    return text === undefined ? emptyKeyState() : (JSON.parse(text) as KeyState);
  }
}
