import type { Clock } from '../../src/core/ports.ts';
import type { Machine } from '../../src/service/limiter/sharedLimiter.ts';

/** The machine's clock, for tests on real sockets. */
export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(new Error('aborted'));
        return;
      }
      const abort = () => {
        clearTimeout(timer);
        reject(new Error('aborted'));
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', abort, { once: true });
    }),
};

/**
 * The machine's clock with waits shortened to a tenth, for tests of retries and locks that do not depend on the length of the wait.
 */
export const impatientClock: Clock = {
  now: () => realClock.now(),
  sleep: (ms, signal) => realClock.sleep(ms / 10, signal),
};

/** Creates a machine whose clock is never set. */
export const createMachine = (clock: Clock): Machine => ({ name: 'machine', uptimeMs: () => clock.now() });
