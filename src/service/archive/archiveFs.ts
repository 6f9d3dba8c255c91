/** Files at a time: more would not be faster, and other windows need descriptors, too. */
const width = 8;

/**
 * Does the work for all items, several at a time, each with memory of its own. Rejects with the first failure, once all
 * work has ended.
 */
export async function mapSeveral<T, R>(
  items: readonly T[],
  work: (item: T, scratch: Scratch) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    const scratch = new Scratch();
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T, scratch);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}

/**
 * Loads several items at a time, each with memory of its own, and uses them in their order; the memory is reused once what was
 * loaded into it is used. `load` must not reject.
 */
export async function eachInOrder<T, R>(
  items: readonly T[],
  load: (item: T, scratch: Scratch) => Promise<R>,
  use: (loaded: R, item: T, index: number) => void,
): Promise<void> {
  const slots = items.slice(0, width).map(item => {
    const scratch = new Scratch();
    return { scratch, loading: load(item, scratch) };
  });
  for (const [index, item] of items.entries()) {
    const slot = slots[index % width];
    if (slot) use(await slot.loading, item, index);
    const next = items[index + width];
    if (slot && next !== undefined) slot.loading = load(next, slot.scratch);
  }
}

const smallest = 262_144;

/** Reusable memory: what it returned is valid until the next call. */
export class Scratch {
  #bytes: Uint8Array = new Uint8Array();

  /** Uninitialized bytes, aligned to 8 bytes. */
  take(length: number): Uint8Array {
    if (this.#bytes.length < length) this.#bytes = Buffer.allocUnsafeSlow(Math.max(smallest, length));
    return this.#bytes.subarray(0, length);
  }
}
