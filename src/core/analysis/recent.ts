/** Tables, charts and statistics of one result have separate orders. */
const mostKept = 4;

/** Caches values derived from a source by their last few keys, as long as the source exists. */
export class Recent<Made> {
  readonly #made = new WeakMap<object, Map<string, { readonly made: Made }>>();

  of(source: object, key: string, make: () => Made): Made {
    const kept = this.#made.get(source) ?? new Map<string, { readonly made: Made }>();
    this.#made.set(source, kept);
    const known = kept.get(key) ?? { made: make() };
    // The newest comes last.
    kept.delete(key);
    kept.set(key, known);
    for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
    return known.made;
  }
}
