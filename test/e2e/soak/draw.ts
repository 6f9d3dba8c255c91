import { seeded } from '../../support/seeded.ts';

/** What one action draws. It has a seed of its own, so that one that goes another way does not change those after it. */
export class Draw {
  readonly #next: () => number;

  constructor(seed: number, action: number) {
    this.#next = seeded(seed * 1_000_003 + action * 7_919);
    // The first numbers of neighbouring seeds are alike.
    this.#next();
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  of<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    const one = list[this.below(list.length)];
    if (one === undefined) throw new Error('Nothing to draw from.');
    return one;
  }
}
