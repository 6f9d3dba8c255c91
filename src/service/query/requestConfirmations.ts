import type { GridError } from '../../core/errors.ts';
import type { Price } from '../../core/query/requestPlan.ts';
import type { PlanConfirmation, RunContext } from './run.ts';
import type { AttemptGate } from '../client/apiClient.ts';

type ConfirmationContext = Pick<RunContext, 'confirmations' | 'confirm' | 'signal'>;

/**
 * Asks the user to confirm the requests of a run.
 *
 * - Pages: the number of pages of a response is unknown in advance. Each confirmation covers as many further pages as were fetched so far.
 *   A response of three pages therefore takes two confirmations, and the user soon notices an endless response.
 * - Retries: each retry is confirmed separately, and only if it has to wait. There are at most two.
 *
 * If the user declines, the other parts of the run cannot send further pages or retries either.
 */
export class RequestConfirmations {
  readonly #context: ConfirmationContext;
  readonly #getPrice: (requests: number) => Promise<Price>;
  /** The numbers of requests that the user has confirmed and that were not sent yet. */
  readonly #confirmed = { plan: 0, pages: 0, retries: 0 };
  #isDeclined = false;

  constructor(context: ConfirmationContext, getPrice: (requests: number) => Promise<Price>) {
    this.#context = context;
    this.#getPrice = getPrice;
  }

  /**
   * Asks for confirmation of a plan of this many requests if they cannot all be sent immediately. Asks again only if the plan gets longer.
   * `countIntervals` returns the numbers of intervals to display.
   */
  async confirmPlan(requests: number, countIntervals: () => PlanConfirmation['steps']): Promise<boolean> {
    const { confirmations, confirm, signal } = this.#context;
    const confirmed = this.#confirmed.plan;
    this.#confirmed.plan = Math.max(0, confirmed - 1);
    if (requests < 2 || requests <= confirmed || confirmations !== 'all') return true;
    if (signal.aborted) return false;
    const price = await this.#getPrice(requests);
    // A plan that does not have to wait needs no confirmation, even if other windows use up the limit later.
    if (price.waitMs > 0 && !(await confirm({ type: 'planned', price, steps: countIntervals() }))) return false;
    this.#confirmed.plan = requests - 1;
    return true;
  }

  /** Creates the functions with which a request confirms its next page or a retry. `remaining` is the number of further requests of the plan. */
  createOptions(remaining: number, gate?: AttemptGate) {
    return {
      confirmPage: async (pages: number) => this.#confirm(pages, remaining, gate),
      confirmRetry: async (failed: GridError) => this.#confirm(1, remaining, gate, failed),
    };
  }

  /** Asks for confirmation of requests beyond the plan. Leaves the gate first, so that other windows do not wait for the user. */
  async #confirm(count: number, remaining: number, gate?: AttemptGate, failed?: GridError): Promise<boolean> {
    const { confirmations, confirm } = this.#context;
    if (!confirmations || this.#isDeclined) return false;
    const kind = failed ? 'retries' : 'pages';
    if (this.#confirmed[kind] === 0) {
      const price = await this.#getPrice(count + remaining);
      if (failed && price.waitMs === 0) return true;
      await gate?.leave();
      this.#isDeclined = !(await confirm({ type: 'moreRequests', price, failed }));
      if (this.#isDeclined) return false;
      this.#confirmed[kind] = count;
    }
    this.#confirmed[kind] -= 1;
    return true;
  }
}
