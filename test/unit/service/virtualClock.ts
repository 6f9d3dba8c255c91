import type { Clock } from '../../../src/core/ports.ts';
import type { Machine } from '../../../src/service/limiter/sharedLimiter.ts';

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** A clock that advances only when a test advances it. */
export class VirtualClock implements Clock {
  #now: number;
  /** The time by which `jump` has set the clock, in milliseconds. */
  #setMs = 0;
  readonly #timers: Timer[] = [];

  constructor(now = 1_000_000) {
    this.#now = now;
  }

  /** The number of pending sleeps. */
  get pending(): number {
    return this.#timers.length;
  }

  /** The machine with this clock. Setting the clock does not change its uptime. */
  readonly machine: Machine = { name: 'machine', uptimeMs: () => this.#now - this.#setMs };

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#timers.splice(this.#timers.indexOf(timer), 1);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      const fire = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const timer = { at: this.#now + ms, fire };
      if (signal?.aborted) {
        reject(new Error('aborted'));
        return;
      }
      signal?.addEventListener('abort', abort, { once: true });
      this.#timers.push(timer);
    });
  }

  /** Advances the clock by `ms`, and ends the sleeps that are due, in order. After each, waits until promises have settled. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (let next = this.#next(); next && next.at <= end; next = this.#next()) {
      this.#now = Math.max(this.#now, next.at);
      this.#timers.splice(this.#timers.indexOf(next), 1);
      next.fire();
      await settle();
    }
    this.#now = end;
  }

  /** Sets the clock forward, like a user in the settings of the system. Pending sleeps do not become shorter. */
  jump(ms: number): void {
    this.#now += ms;
    this.#setMs += ms;
    for (const [index, timer] of this.#timers.entries()) this.#timers[index] = { ...timer, at: timer.at + ms };
  }

  #next(): Timer | undefined {
    let next = this.#timers[0];
    for (const timer of this.#timers) if (next && timer.at < next.at) next = timer;
    return next;
  }
}

/** Waits until pending promises have settled, including work that yields to the event loop. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 8; round++) await new Promise(resolve => setImmediate(resolve));
}
