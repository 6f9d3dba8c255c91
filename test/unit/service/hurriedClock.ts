import { realClock } from '../../support/realClock.ts';
import type { Clock } from '../../../src/core/ports.ts';

/** The machine's clock run faster, for waits of seconds beside real sockets. */
export function hurriedClock(speed: number): Clock {
  const start = realClock.now();
  return {
    now: () => start + (realClock.now() - start) * speed,
    sleep: (ms, signal) => realClock.sleep(ms / speed, signal),
  };
}
