import type { StorageFs } from '../files/fileSystem.ts';

/** Files at a time: more would not be faster, and other windows need descriptors, too. */
export const width = 8;

/**
 * Does the work for all items, several at a time, each in one of `width` slots. Rejects with the first failure, once all work
 * has ended.
 */
export async function mapSeveral<T, R>(items: readonly T[], work: (item: T, slot: number) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (slot: number): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T, slot);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, async (_, slot) => worker(slot)));
  if (failures.length > 0) throw failures[0];
  return results;
}

/**
 * Loads several items at a time, each in one of `width` slots, and uses them in their order; a slot is reused once what was
 * loaded in it is used. `load` must not reject.
 */
export async function eachInOrder<T, R>(
  items: readonly T[],
  load: (item: T, slot: number) => Promise<R>,
  use: (loaded: R, item: T, index: number) => void,
): Promise<void> {
  const loading = items.slice(0, width).map(load);
  for (const [index, item] of items.entries()) {
    const slot = index % width;
    use(await (loading[slot] as Promise<R>), item, index);
    const next = items[index + width];
    if (next !== undefined) loading[slot] = load(next, slot);
  }
}

/** Reads a whole file into reused memory. */
export async function readInto(fs: StorageFs, file: string, scratch: Scratch): Promise<Uint8Array> {
  const handle = await fs.open(file);
  try {
    for (let bytes = scratch.takeAll(); ; bytes = scratch.takeAll(4 * bytes.length)) {
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      if (bytesRead < bytes.length) return bytes.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
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

  /** All of the memory, at least `length` bytes. */
  takeAll(length = smallest): Uint8Array {
    return this.take(Math.max(length, this.#bytes.length));
  }
}
