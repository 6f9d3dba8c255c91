/** Calls listeners in the order in which they were added. */
export class Emitter<Args extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...args: Args) => void>();

  /** Adds a listener; returns what removes it. */
  readonly event = (listener: (...args: Args) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  fire(...args: Args): void {
    for (const listener of this.#listeners) listener(...args);
  }
}
