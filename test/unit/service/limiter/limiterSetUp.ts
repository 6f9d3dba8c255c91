import type { Clock } from '../../../../src/core/ports.ts';
import type { AcquireOptions, Limiter, Permit, LimitStore } from '../../../../src/service/limiter/limiter.ts';
import { SharedLimiter } from '../../../../src/service/limiter/sharedLimiter.ts';
import { createMachine } from '../../../support/realClock.ts';
import { VirtualClock } from '../virtualClock.ts';
import { MemoryStore } from './memoryStore.ts';

/** Returns the key itself: only for tests that read the store. */
const plainFingerprint = (origin: string, key: string) => Promise.resolve(`${origin} ${key}`);

/** Creates a limiter that shares its state through the store. */
export function createWindow(clock: Clock, store: LimitStore = new MemoryStore(), window = 'w', leaseMs = 125_000) {
  const machine = clock instanceof VirtualClock ? clock.machine : createMachine(clock);
  return new SharedLimiter({ store, clock, machine, window, fingerprint: plainFingerprint, leaseMs });
}

export const gridScope = { origin: 'https://api.example.invalid', key: 'not-a-real-key', scope: 'grid' };
export const minute = { requests: 2, seconds: 60 };
/** The window of `minute` including the limiter's margin: see getWindowMs. */
export const minuteMs = 60_031;

/** The state of an acquisition that is not awaited. */
export interface Acquisition {
  permit?: Permit;
  error?: unknown;
}

export function acquire(
  limiter: Limiter,
  options: AcquireOptions = {},
  limit = minute,
  scope = gridScope,
): Acquisition {
  const acquisition: Acquisition = {};
  limiter.acquire(scope, limit, options).then(
    permit => (acquisition.permit = permit),
    (error: unknown) => (acquisition.error = error),
  );
  return acquisition;
}

/** Creates several windows that share a store. */
export function windows(clock: VirtualClock, count: number, leaseMs?: number) {
  const store = new MemoryStore();
  const all = Array.from({ length: count }, (_, index) => createWindow(clock, store, `w${index}`, leaseMs));
  const scope = () => store.state(`${gridScope.origin} ${gridScope.key}`).scopes[gridScope.scope];
  return { store, all, scope };
}
