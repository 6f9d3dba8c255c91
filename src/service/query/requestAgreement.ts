import type { GridError } from '../../core/errors.ts';
import type { Price } from '../../core/query/plan.ts';
import type { Planned, RunContext } from './run.ts';
import type { AttemptGate } from '../client/apiClient.ts';

/**
 * Confirms the requests of a run with the user. The number of pages of a response is unknown in advance, so each confirmation covers as many
 * further pages as were fetched so far: a response of three pages takes two confirmations, and an endless one is soon noticed. Each retry is
 * confirmed separately, and only if it has to wait: there are at most two, while pages may be endless. Declining also applies to the other
 * parts of the run.
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
   * Confirms a plan of this many requests if they cannot all be sent immediately. It is not confirmed again unless it gets longer.
   * `countIntervals`: the numbers of intervals for the event `planned`.
   */
  async mayPlan(requests: number, steps: () => Planned['steps']): Promise<boolean> {
    const { confirms, ask, signal } = this.#context;
    const agreed = this.#agreed.plan;
    this.#agreed.plan = Math.max(0, agreed - 1);
    if (requests < 2 || requests <= agreed || confirms !== 'all') return true;
    if (signal.aborted) return false;
    const price = await this.#priceOf(requests);
    // A plan that need not wait counts as confirmed, even if other windows spend the budget meanwhile.
    if (price.waitMs > 0 && !(await ask({ type: 'planned', price, steps: steps() }))) return false;
    this.#agreed.plan = requests - 1;
    return true;
  }

  /** Creates the functions by which a request confirms its next page or a retry. `remaining`: the number of further requests of the plan. */
  optionsOf(others: number, gate?: AttemptGate) {
    return {
      mayTakePage: async (pages: number) => this.#may(pages, others, gate),
      mayRetry: async (failed: GridError) => this.#may(1, others, gate, failed),
    };
  }

  /** Confirms requests beyond the plan. Leaves the gate meanwhile, so that other windows do not wait for the user. */
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
