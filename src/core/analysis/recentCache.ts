/** The maximum number of values per source. Table, chart and statistics of a result use different keys. */
const maxEntries = 4;

/** Caches the most recently used values of each source by key. The values of a source are released together with it. */
export class RecentCache<Value> {
  readonly #entriesBySource = new WeakMap<object, Map<string, { readonly value: Value }>>();

  getOrCreate(source: object, key: string, create: () => Value): Value {
    const entries = this.#entriesBySource.get(source) ?? new Map<string, { readonly value: Value }>();
    this.#entriesBySource.set(source, entries);
    const entry = entries.get(key) ?? { value: create() };
    // Entries are deleted and set again, so that the most recently used entry is the last one.
    entries.delete(key);
    entries.set(key, entry);
    for (const oldest of entries.keys()) if (entries.size > maxEntries) entries.delete(oldest);
    return entry.value;
  }
}
