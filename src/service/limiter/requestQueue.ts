import type { Limit } from '../../core/query/catalogue.ts';
import { GridError } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';
import { abortError } from '../pausedSteps.ts';
import { refusalStatus, type AcquireOptions, type RequestOutcome, type Permit, type LimitStore } from './limiter.ts';
import {
  giveBack,
  pollMs,
  schedulePermits,
  type QueuePosition,
  type Refused,
  type ScheduledPermits,
  rankOf,
  type Waiting,
} from './permitScheduler.ts';

export interface RequestQueueDeps {
  readonly store: LimitStore;
  readonly clock: Clock;
  /** Names this window. */
  readonly window: string;
  readonly leaseMs: number;
  readonly newTicket: () => string;
}

/** So many of a window stand in the line that all share, which has to stay short; the others follow as these go. */
const mostTickets = 500;

interface Waiter extends Waiting {
  readonly grant: (permit: Permit) => void;
  readonly fail: (error: Error) => void;
  readonly tell: (startAt: number, now: number) => void;
}

/** Those of one window who wait for one scope of one key. */
export class RequestQueue {
  readonly #deps: RequestQueueDeps;
  readonly #fingerprint: string;
  readonly #scope: string;
  #limit: Limit;
  #waiters: Waiter[] = [];
  #timer: AbortController | undefined;
  #serving = false;
  #again = false;

  constructor(deps: RequestQueueDeps, fingerprint: string, scope: string, limit: Limit) {
    this.#deps = deps;
    this.#fingerprint = fingerprint;
    this.#scope = scope;
    this.#limit = limit;
  }

  /** Rejects as soon as the signal is aborted; the ticket is taken back then. */
  join(limit: Limit, { signal, onWait, priority = 'person' }: AcquireOptions): Promise<Permit> {
    this.#limit = limit;
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal?.removeEventListener('abort', abort);
        this.#waiters = this.#waiters.filter(other => other !== waiter);
      };
      const fail = (error: Error) => {
        leave();
        reject(error);
      };
      const abort = () => {
        fail(signal ? abortError(signal) : new Error('aborted'));
        this.serve();
      };
      let told: number | undefined;
      const waiter: Waiter = {
        id: this.#deps.newTicket(),
        priority,
        fail,
        grant: permit => {
          leave();
          resolve(permit);
        },
        tell: (startAt, now) => {
          // Whoever reads how long it takes sees the seconds go down.
          const left = Math.max(0, startAt - now);
          const seconds = Math.ceil(left / 1000);
          if (seconds !== told) onWait?.(left);
          told = seconds;
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiters.push(waiter);
      this.serve();
    });
  }

  /** Looks at the state now: after every change of our own, and when a slot frees. */
  serve(): void {
    this.#timer?.abort();
    this.#timer = undefined;
    this.#again = true;
    if (this.#serving) return;
    this.#serving = true;
    void this.#serveAll();
  }

  async #serveAll(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      try {
        this.#act(await this.#takeTurn());
      } catch (error) {
        for (const waiter of this.#waiters) waiter.fail(error instanceof Error ? error : new Error('no permit'));
      }
    }
    this.#serving = false;
  }

  #takeTurn(): Promise<ScheduledPermits> {
    return this.#deps.store.update(this.#fingerprint, state => {
      const inLine = this.#waiters.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, mostTickets);
      return schedulePermits(state, this.#place(), inLine);
    });
  }

  #act({ granted, refused, starts }: ScheduledPermits): void {
    for (const id of granted) {
      const waiter = this.#waiters.find(other => other.id === id);
      if (waiter) waiter.grant(this.#permit(id));
      else this.#release(id, 'free');
    }
    if (refused) for (const waiter of this.#waiters) waiter.fail(refusalError(refused));
    const now = this.#deps.clock.now();
    for (const waiter of this.#waiters) {
      const start = starts.get(waiter.id);
      if (start !== undefined) waiter.tell(start, now);
    }
    if (this.#waiters.length > 0 && !this.#again) this.#sleep(Math.min(...starts.values()) - now);
  }

  #sleep(untilFreeMs: number): void {
    const timer = (this.#timer = new AbortController());
    void this.#deps.clock.sleep(Math.max(0, Math.min(pollMs, untilFreeMs)), timer.signal).then(
      () => this.serve(),
      () => undefined,
    );
  }

  #permit(id: string): Permit {
    let held = true;
    return {
      release: outcome => {
        if (held) this.#release(id, outcome);
        held = false;
      },
    };
  }

  #release(id: string, outcome: RequestOutcome): void {
    const { store, clock } = this.#deps;
    const at = clock.now();
    // It cannot fail but by a mistake of ours, and then the lease ends by itself.
    void store
      .update(this.#fingerprint, state => giveBack(state, this.#place(), id, outcome, at))
      .catch(() => undefined);
    if (this.#waiters.length > 0) this.serve();
  }

  #place(): QueuePosition {
    const { clock, window, leaseMs } = this.#deps;
    return { scope: this.#scope, window, limit: this.#limit, now: clock.now(), leaseMs };
  }
}

/** What the service said earlier, as if it said so now. */
function refusalError({ refusal, at }: Refused): GridError {
  return new GridError(refusal, { status: refusalStatus[refusal], refusedAt: at, requestsSpent: 0 });
}
