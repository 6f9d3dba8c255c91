import type { Price } from '../core/plan.ts';
import type { RunOptions } from './runOptions.ts';
import type { Turn } from './turn.ts';

/**
 * Keeps the pages of an answer within what was agreed to. How many pages there are is not known, so each question is about as many
 * further ones as came so far: an answer of three pages takes two questions, and one without end is soon noticed. A no counts for
 * the other parts of the run, too.
 */
export class PageAgreement {
  readonly #options: Pick<RunOptions, 'onMorePages'>;
  readonly #priceOf: (requests: number) => Promise<Price>;
  #agreed = 0;
  #isDeclined = false;

  constructor(options: Pick<RunOptions, 'onMorePages'>, priceOf: (requests: number) => Promise<Price>) {
    this.#options = options;
    this.#priceOf = priceOf;
  }

  /**
   * Whether the next page of an answer may be requested. `pages` came so far; `others` are requests of the plan besides. The
   * turn is left while a person decides: other windows do not wait for that.
   */
  async mayTake(pages: number, others: number, turn?: Turn): Promise<boolean> {
    const { onMorePages } = this.#options;
    if (!onMorePages || this.#isDeclined) return false;
    if (this.#agreed === 0) {
      await turn?.leave();
      this.#isDeclined = !(await onMorePages(await this.#priceOf(pages + others)));
      if (this.#isDeclined) return false;
      this.#agreed = pages;
    }
    this.#agreed -= 1;
    return true;
  }
}
