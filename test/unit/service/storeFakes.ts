import type { KeyValueStore, SecretStore } from '../../../src/core/ports.ts';

/** State and secrets in memory, stored as JSON like in VS Code. */
export class FakeState implements KeyValueStore {
  #json = new Map<string, string>();

  get(name: string): unknown {
    const json = this.#json.get(name);
    return json === undefined ? undefined : (JSON.parse(json) as unknown);
  }

  async update(name: string, value: unknown): Promise<void> {
    this.#json.set(name, JSON.stringify(value));
    return Promise.resolve();
  }

  /** Returns everything that is stored, as text. */
  get dump(): string {
    return JSON.stringify([...this.#json]);
  }
}

export class FakeSecrets implements SecretStore {
  readonly stored = new Map<string, string>();

  async get(name: string): Promise<string | undefined> {
    return Promise.resolve(this.stored.get(name));
  }

  async store(name: string, value: string): Promise<void> {
    this.stored.set(name, value);
    return Promise.resolve();
  }

  async delete(name: string): Promise<void> {
    this.stored.delete(name);
    return Promise.resolve();
  }
}
