/** Those who want to be told, in the order in which they came. */
export class Emitter<Told extends readonly unknown[] = []> {
  readonly #all = new Set<(...told: Told) => void>();

  /** Returns what ends it. */
  add(listener: (...told: Told) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(...told: Told): void {
    for (const listener of this.#all) listener(...told);
  }
}
