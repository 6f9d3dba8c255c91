import type { GridError } from '../../core/errors.ts';
import type { Price } from '../../core/query/plan.ts';
import type { Planned, RunContext } from './run.ts';
import type { AttemptGate } from '../client/attempt.ts';

/**
 * Keeps the requests of a run within what was agreed to. How many pages an answer has is not known, so each question is about as many
 * further ones as came so far: an answer of three pages takes two questions, and one without end is soon noticed. A retry is asked
 * about for itself, and only where it has to wait: a request fails twice more at most, while pages may have no end. A no counts for
 * the other parts of the run, too.
 */
export class RequestAgreement {
  readonly #context: Pick<RunContext, 'confirms' | 'ask' | 'signal'>;
  readonly #priceOf: (requests: number) => Promise<Price>;
  readonly #agreed = { plan: 0, pages: 0, retries: 0 };
  #isDeclined = false;

  constructor(context: Pick<RunContext, 'confirms' | 'ask' | 'signal'>, priceOf: (requests: number) => Promise<Price>) {
    this.#context = context;
    this.#priceOf = priceOf;
  }

  /**
   * Whether a plan of so many requests may go on: asked where several cannot go at once, and not again while it gets no longer than
   * was agreed to. `steps`: those of the range, as `planned` has them.
   */
  async mayPlan(requests: number, steps: () => Planned['steps']): Promise<boolean> {
    const { confirms, ask, signal } = this.#context;
    const agreed = this.#agreed.plan;
    this.#agreed.plan = Math.max(0, agreed - 1);
    if (requests < 2 || requests <= agreed || confirms !== 'all') return true;
    if (signal.aborted) return false;
    const price = await this.#priceOf(requests);
    // A plan that need not wait is agreed to as it is: the budget may be spent elsewhere meanwhile.
    if (price.waitMs > 0 && !(await ask({ type: 'planned', price, steps: steps() }))) return false;
    this.#agreed.plan = requests - 1;
    return true;
  }

  /** Whether the next page of an answer may be requested. `pages` came so far; `others` are requests of the plan besides. */
  async mayTakePage(pages: number, others: number, turn?: AttemptGate): Promise<boolean> {
    return this.#may(pages, others, turn);
  }

  /** Whether a request that failed so may be sent once more. */
  async mayRetry(failed: GridError, others: number, turn?: AttemptGate): Promise<boolean> {
    return this.#may(1, others, turn, failed);
  }

  /** The turn is left while a person decides: other windows do not wait for that. */
  async #may(count: number, others: number, turn?: AttemptGate, failed?: GridError): Promise<boolean> {
    const { confirms, ask } = this.#context;
    if (!confirms || this.#isDeclined) return false;
    const kind = failed ? 'retries' : 'pages';
    if (this.#agreed[kind] === 0) {
      const price = await this.#priceOf(count + others);
      if (failed && price.waitMs === 0) return true;
      await turn?.leave();
      this.#isDeclined = !(await ask({ type: 'moreRequests', price, failed }));
      if (this.#isDeclined) return false;
      this.#agreed[kind] = count;
    }
    this.#agreed[kind] -= 1;
    return true;
  }
}
