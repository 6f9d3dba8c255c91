import { realClock } from '../../support/realClock.ts';
import type { Clock } from '../../../src/core/ports.ts';

interface FastClock extends Clock {
  readonly stop: () => void;
  readonly goOn: () => void;
}

/** Longer waits are skipped. Only the total timeout of a request is that long. */
const maxWaitMs = 100_000;

/**
 * The machine's clock, accelerated for waits of seconds with real sockets. It can be stopped and restarted. The total timeout of a
 * request never elapses, since a busy machine may need the real second that two accelerated minutes take.
 */
export function createFastClock(speed: number): FastClock {
  const start = realClock.now();
  let stopped: number | undefined;
  const now = (): number => stopped ?? start + (realClock.now() - start) * speed;
  return {
    now,
    sleep: (ms, signal) => realClock.sleep(ms >= maxWaitMs ? 2 ** 31 - 1 : ms / speed, signal),
    stop: () => (stopped = now()),
    goOn: () => (stopped = undefined),
  };
}
