const bits = 11;
const buckets = 1 << bits;
const mask = buckets - 1;
const digits = 3;

/**
 * Returns the indexes 0…n-1 of the numbers in sorted order: stable, ascending or descending, with -0 equal to 0 and NaN above all other
 * numbers. A radix sort by the bits of the doubles: a million take about 50 ms, where a comparator takes seconds. Overwrites `values`.
 */
export function sortedIndexesOfNumbers(values: Float64Array, descending: boolean): Uint32Array {
  const count = values.length;
  normalizeZerosAndNaN(values);
  if (isSorted(values, descending)) return createIndexes(count);
  // All machines that VS Code runs on are little-endian: the low word comes first.
  const { high, low } = sortableWords(new Uint32Array(values.buffer, values.byteOffset, 2 * count), descending);
  const byLow = sortWords(low, createIndexes(count));
  return sortWords(gatherWords(high, byLow), byLow);
}

function normalizeZerosAndNaN(values: Float64Array): void {
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? NaN;
    // Adding zero turns -0 into 0. A NaN may have any sign, and only the positive one sorts above infinity.
    values[index] = Number.isNaN(value) ? NaN : value + 0;
  }
}

/** Splits doubles into two unsigned integers with the same order. `words`: the low half of each double, then the high one. */
function sortableWords(words: Uint32Array, descending: boolean): Record<'high' | 'low', Uint32Array> {
  const count = words.length / 2;
  const high = new Uint32Array(count);
  const low = new Uint32Array(count);
  for (let index = 0; index < count; index++) {
    const word = words[2 * index + 1] ?? 0;
    // The bits of a double sort like an integer once the sign bit is flipped; negative ones are in reverse order.
    const flipMask = (word >>> 31 === 1) !== descending ? 0xffffffff : 0;
    high[index] = word ^ flipMask ^ (word >>> 31 === 1 ? 0 : 0x80000000);
    low[index] = (words[2 * index] ?? 0) ^ flipMask;
  }
  return { high, low };
}

function gatherWords(words: Uint32Array, indexes: Uint32Array): Uint32Array {
  const gathered = new Uint32Array(indexes.length);
  for (let index = 0; index < indexes.length; index++) gathered[index] = words[indexes[index] ?? 0] ?? 0;
  return gathered;
}

/** Returns the indexes 0…n-1 of the unsigned integers in sorted order, stable. Overwrites `values`. */
export function sortedIndexesOfRanks(values: Uint32Array, descending: boolean): Uint32Array {
  if (descending) for (let index = 0; index < values.length; index++) values[index] = ~(values[index] ?? 0);
  return sortWords(values, createIndexes(values.length));
}

function isSorted(values: Float64Array, descending: boolean): boolean {
  for (let index = 1; index < values.length; index++) {
    const [previous = NaN, current = NaN] = [values[index - 1], values[index]];
    if (!(descending ? previous >= current : previous <= current)) return false;
  }
  return true;
}

/** Returns the indexes 0…n-1. */
export function createIndexes(count: number): Uint32Array {
  const indexes = new Uint32Array(count);
  for (let index = 0; index < count; index++) indexes[index] = index;
  return indexes;
}

/**
 * Sorts `words` by their digits, the least significant first, and reorders `indexes` alike. Skips a digit that is the same everywhere.
 */
function sortWords(words: Uint32Array, indexes: Uint32Array): Uint32Array {
  const count = words.length;
  const counts = new Uint32Array(digits * buckets);
  for (let index = 0; index < count; index++) {
    const word = words[index] ?? 0;
    for (let digit = 0; digit < digits; digit++) {
      const bucket = digit * buckets + ((word >>> (digit * bits)) & mask);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
  }
  let from: Uint32Array = words;
  let fromIndexes: Uint32Array = indexes;
  let to: Uint32Array = new Uint32Array(count);
  let toIndexes: Uint32Array = new Uint32Array(count);
  for (let digit = 0; digit < digits; digit++) {
    const shift = digit * bits;
    const next = counts.subarray(digit * buckets, (digit + 1) * buckets);
    if (next[((from[0] ?? 0) >>> shift) & mask] === count) continue;
    countsToStarts(next);
    for (let index = 0; index < count; index++) {
      const word = from[index] ?? 0;
      const bucket = (word >>> shift) & mask;
      const target = next[bucket] ?? 0;
      next[bucket] = target + 1;
      to[target] = word;
      toIndexes[target] = fromIndexes[index] ?? 0;
    }
    [from, to] = [to, from];
    [fromIndexes, toIndexes] = [toIndexes, fromIndexes];
  }
  return fromIndexes;
}

function countsToStarts(counts: Uint32Array): void {
  let sum = 0;
  for (let bucket = 0; bucket < counts.length; bucket++) {
    const count = counts[bucket] ?? 0;
    counts[bucket] = sum;
    sum += count;
  }
}
