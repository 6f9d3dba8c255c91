/** Subscribes a listener until it is disposed. It has the shape of VS Code's events, and VS Code accepts it as such. */
export type Event<T = void> = (listener: (value: T) => unknown) => { dispose(): void };

/** Emits an event. The owner fires it; others only get `event`. */
export class Emitter<T = void> {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event: Event<T> = listener => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  /** Calls all listeners in the order in which they were added, and then throws the first error of any of them. */
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
