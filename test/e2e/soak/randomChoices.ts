import { createSeededRandom } from '../../support/seededRandom.ts';

/** Makes the random choices of one action. Each action has its own seed, so its choices do not depend on earlier actions. */
export class RandomChoices {
  readonly #next: () => number;

  constructor(seed: number, action: number) {
    this.#next = createSeededRandom(seed * 1_000_003 + action * 7_919);
    // Skips the first number, which is similar for neighboring seeds.
    this.#next();
  }

  /** Returns true with the given probability. */
  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  /** Returns an integer from 0 to `count` - 1. */
  below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new Error('The list is empty.');
    return item;
  }
}
