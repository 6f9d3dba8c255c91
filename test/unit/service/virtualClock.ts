import type { Clock } from '../../../src/core/ports.ts';
import type { Machine } from '../../../src/service/limiter/sharedLimiter.ts';

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** A clock that moves only when a test moves it. */
export class VirtualClock implements Clock {
  #now: number;
  /** The offset after the clock was set. */
  #setMs = 0;
  readonly #timers: Timer[] = [];

  constructor(now = 1_000_000) {
    this.#now = now;
  }

  /** The pending sleeps. */
  get pending(): number {
    return this.#timers.length;
  }

  /** The machine of this clock. Its uptime does not change when the clock is set. */
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

  /** Advances the clock by `ms`, waking sleepers in order. Pending promises settle before the next one wakes. */
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

  /** Sets the clock like a user would: the length of pending sleeps does not change. */
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

/** Lets pending promises settle, including work that pauses for other tasks. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise(resolve => setImmediate(resolve));
}
