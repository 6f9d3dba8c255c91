import { realClock } from '../../support/realClock.ts';
import type { Clock } from '../../../src/core/ports.ts';

/** The machine's clock run faster, for waits of seconds beside real sockets; stopped, it says the same for ever. */
export function hurriedClock(speed: number): Clock & { readonly stop: () => void } {
  const start = realClock.now();
  let stopped: number | undefined;
  const now = (): number => stopped ?? start + (realClock.now() - start) * speed;
  return {
    now,
    sleep: (ms, signal) => realClock.sleep(ms / speed, signal),
    stop: () => (stopped = now()),
  };
}
