import type { Clock } from '../../../../src/core/ports.ts';
import type { AcquireOptions, Limiter, Permit, LimitStore } from '../../../../src/service/limiter/limiter.ts';
import { SharedLimiter } from '../../../../src/service/limiter/sharedLimiter.ts';
import { machineWith } from '../../../support/realClock.ts';
import { VirtualClock } from '../virtualClock.ts';
import { MemoryStore } from './memoryStore.ts';

/** Names the file of any key by the key itself: only for tests that look into the store. */
const plainFingerprint = (origin: string, key: string) => Promise.resolve(`${origin} ${key}`);

/** A limiter that shares with those of the same store. */
export function windowOf(clock: Clock, store: LimitStore = new MemoryStore(), window = 'w', leaseMs = 125_000) {
  const machine = clock instanceof VirtualClock ? clock.machine : machineWith(clock);
  return new SharedLimiter({ store, clock, machine, window, fingerprint: plainFingerprint, leaseMs });
}

export const gridOf = { origin: 'https://api.example.invalid', key: 'not-a-real-key', scope: 'grid' };
export const minute = { requests: 2, seconds: 60 };
/** A window of `minute` as the limiter keeps it: see windowMsOf. */
export const minuteMs = 60_031;

/** What became of an acquire, for those who do not wait for it. */
export interface Asked {
  permit?: Permit;
  error?: unknown;
}

export function ask(limiter: Limiter, options: AcquireOptions = {}, limit = minute, of = gridOf): Asked {
  const asked: Asked = {};
  limiter.acquire(of, limit, options).then(
    permit => (asked.permit = permit),
    (error: unknown) => (asked.error = error),
  );
  return asked;
}

/** Several windows that share a store. */
export function windows(clock: VirtualClock, count: number, leaseMs?: number) {
  const store = new MemoryStore();
  const all = Array.from({ length: count }, (_, index) => windowOf(clock, store, `w${index}`, leaseMs));
  const scope = () => store.state(`${gridOf.origin} ${gridOf.key}`).scopes[gridOf.scope];
  return { store, all, scope };
}
