/** Tables, charts and statistics of one result have separate orders. */
const maxEntries = 4;

/** Caches values derived from a source by their last few keys, as long as the source exists. */
export class RecentCache<Value> {
  readonly #entriesBySource = new WeakMap<object, Map<string, { readonly value: Value }>>();

  getOrCreate(source: object, key: string, create: () => Value): Value {
    const entries = this.#entriesBySource.get(source) ?? new Map<string, { readonly value: Value }>();
    this.#entriesBySource.set(source, entries);
    const entry = entries.get(key) ?? { value: create() };
    // The most recently used entry comes last.
    entries.delete(key);
    entries.set(key, entry);
    for (const oldest of entries.keys()) if (entries.size > maxEntries) entries.delete(oldest);
    return entry.value;
  }
}
