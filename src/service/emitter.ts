/** Calls a listener at each change until it is disposed of. VS Code's own events have the same shape, and it takes these as its own. */
export type Event<T = void> = (listener: (value: T) => unknown) => { dispose(): void };

/** Where an event comes from: its owner fires it, everybody else has `event` alone. */
export class Emitter<T = void> {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event: Event<T> = listener => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  /** Calls the listeners in the order in which they were added, all of them; then throws the first error that one has thrown. */
  fire(value: T): void {
    const errors: unknown[] = [];
    for (const listener of this.#listeners)
      try {
        listener(value);
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 0) throw errors[0];
  }
}
