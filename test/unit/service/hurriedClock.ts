import { realClock } from '../../support/realClock.ts';
import type { Clock } from '../../../src/core/ports.ts';

interface HurriedClock extends Clock {
  readonly stop: () => void;
  readonly goOn: () => void;
}

/** Nothing waits that long, but for the end of the time that a request may take. */
const endlessMs = 100_000;

/**
 * The machine's clock run faster, for waits of seconds beside real sockets; stopped, it says the same until it goes on. The time
 * that a request may take is never over: a busy machine needs a second, which is all that the two minutes are here.
 */
export function hurriedClock(speed: number): HurriedClock {
  const start = realClock.now();
  let stopped: number | undefined;
  const now = (): number => stopped ?? start + (realClock.now() - start) * speed;
  return {
    now,
    sleep: (ms, signal) => realClock.sleep(ms >= endlessMs ? 2 ** 31 - 1 : ms / speed, signal),
    stop: () => (stopped = now()),
    goOn: () => (stopped = undefined),
  };
}
