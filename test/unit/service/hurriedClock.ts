import { realClock } from '../../support/realClock.ts';
import type { Clock } from '../../../src/core/ports.ts';

interface HurriedClock extends Clock {
  readonly stop: () => void;
  readonly goOn: () => void;
}

/** The machine's clock run faster, for waits of seconds beside real sockets; stopped, it says the same until it goes on. */
export function hurriedClock(speed: number): HurriedClock {
  const start = realClock.now();
  let stopped: number | undefined;
  const now = (): number => stopped ?? start + (realClock.now() - start) * speed;
  return {
    now,
    sleep: (ms, signal) => realClock.sleep(ms / speed, signal),
    stop: () => (stopped = now()),
    goOn: () => (stopped = undefined),
  };
}
