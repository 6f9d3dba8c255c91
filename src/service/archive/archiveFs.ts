import type { StorageFs } from '../files/fileSystem.ts';

/** Files at a time: beyond this nothing gets faster, and other windows need descriptors too. */
export const width = 8;

/**
 * Does the work for all items, several at a time, each in one of `width` slots. Rejects with the first failure, once
 * nothing is under way any more.
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
 * Loads several items at a time, each in one of `width` slots, and uses them one after the other in their order; a slot is
 * taken again once what was loaded in it is used. `load` must not reject.
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

/** Reads a file whole into memory that is used again. */
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

/** Memory for one file after the other: what it gave is good until it is asked again. */
export class Scratch {
  #bytes: Uint8Array = new Uint8Array();

  /** So many bytes, with anything in them; they begin on 8 bytes. */
  take(length: number): Uint8Array {
    if (this.#bytes.length < length) this.#bytes = Buffer.allocUnsafeSlow(Math.max(smallest, length));
    return this.#bytes.subarray(0, length);
  }

  /** All there is, at least `length` bytes. */
  takeAll(length = smallest): Uint8Array {
    return this.take(Math.max(length, this.#bytes.length));
  }
}
