/** Calls a listener at each change until it is disposed of. VS Code's own events have the same shape, and it takes these as its own. */
export type Event<T = void> = (listener: (value: T) => unknown) => { dispose(): void };

/** Where an event comes from: its owner fires it, everybody else has `event` alone. */
export class Emitter<T = void> {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event: Event<T> = listener => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  /** Calls the listeners in the order in which they were added. */
  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }
}
