import type { GridError } from '../../core/errors.ts';
import type { Price } from '../../core/query/plan.ts';
import type { Planned, RunContext } from './run.ts';
import type { AttemptGate } from '../client/apiClient.ts';

/**
 * Keeps the requests of a run within what the person agreed to. How many pages a response has is not known, so each question is about
 * as many further pages as came so far: a response of three pages takes two questions, and an endless one is soon noticed. Each retry is
 * asked about separately, and only if it has to wait: there are at most two, while pages may be endless. A "no" also holds for
 * the other parts of the run.
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
   * Whether a plan of so many requests may be carried out: asked where several cannot be sent at once, and not again while it gets no
   * longer than was agreed to. `steps`: those of the range, as in `planned`.
   */
  async mayPlan(requests: number, steps: () => Planned['steps']): Promise<boolean> {
    const { confirms, ask, signal } = this.#context;
    const agreed = this.#agreed.plan;
    this.#agreed.plan = Math.max(0, agreed - 1);
    if (requests < 2 || requests <= agreed || confirms !== 'all') return true;
    if (signal.aborted) return false;
    const price = await this.#priceOf(requests);
    // A plan that need not wait counts as agreed to: the budget may be spent elsewhere meanwhile.
    if (price.waitMs > 0 && !(await ask({ type: 'planned', price, steps: steps() }))) return false;
    this.#agreed.plan = requests - 1;
    return true;
  }

  /** How a request asks for its next page or a retry. `others`: how many requests of the plan are still to come. */
  optionsOf(others: number, gate?: AttemptGate) {
    return {
      mayTakePage: async (pages: number) => this.#may(pages, others, gate),
      mayRetry: async (failed: GridError) => this.#may(1, others, gate, failed),
    };
  }

  /** Leaves the gate while a person decides: other windows do not wait for that. */
  async #may(count: number, others: number, gate?: AttemptGate, failed?: GridError): Promise<boolean> {
    const { confirms, ask } = this.#context;
    if (!confirms || this.#isDeclined) return false;
    const kind = failed ? 'retries' : 'pages';
    if (this.#agreed[kind] === 0) {
      const price = await this.#priceOf(count + others);
      if (failed && price.waitMs === 0) return true;
      await gate?.leave();
      this.#isDeclined = !(await ask({ type: 'moreRequests', price, failed }));
      if (this.#isDeclined) return false;
      this.#agreed[kind] = count;
    }
    this.#agreed[kind] -= 1;
    return true;
  }
}
