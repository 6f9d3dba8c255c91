import type { Result } from '../../shared/result.ts';

const everyMs = 2_000;
const shortTable = 10_000;

/** The part of an answer that has come while the rest is on its way. */
export class PartialAnswer {
  #soFar: Result | undefined;
  #shownAt = 0;

  get soFar(): Result | undefined {
    return this.#soFar;
  }

  /** Takes what is there by now; true where it should be shown. A long table is not sent again for every part of it. */
  take(soFar: Result, now: number): boolean {
    if (!soFar.frame?.rowCount) return false;
    this.#soFar = soFar;
    const isSoon = now >= this.#shownAt && now < this.#shownAt + everyMs;
    if (isSoon && soFar.frame.rowCount >= shortTable) return false;
    this.#shownAt = now;
    return true;
  }
}
