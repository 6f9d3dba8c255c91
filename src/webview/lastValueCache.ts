/** Caches the last computed result together with the source and the key it was computed from. */
export class LastValueCache<Result> {
  #last: { readonly source: object; readonly key: string; readonly result: Result } | undefined;

  get(source: object, key: string, compute: () => Result): Result {
    if (this.#last?.source !== source || this.#last.key !== key) this.#last = { source, key, result: compute() };
    return this.#last.result;
  }
}
