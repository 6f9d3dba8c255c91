import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ScopedThrottle } from '../../../../src/sandbox/server/throttle.ts';
import type { RateLimitScope } from '../../../../src/core/query/catalogue.ts';
import { fakeClock } from '../fakes.ts';

/** A line-by-line port of rest_framework.throttling.SimpleRateThrottle and exceptions.Throttled, in seconds. */
class DjangoThrottle {
  numRequests: number;
  readonly duration: number;
  history: number[] = [];

  constructor(numRequests: number, duration: number) {
    this.numRequests = numRequests;
    this.duration = duration;
  }

  /** Returns 'let in' or the wait, which is undefined if the limit was lowered below the number of requests in the window. */
  allowRequest(now: number): number | undefined | 'let in' {
    while (this.history.length > 0 && (this.history[this.history.length - 1] ?? 0) <= now - this.duration)
      this.history = this.history.slice(0, -1);
    if (this.history.length >= this.numRequests) {
      const wait = this.wait(now);
      return wait === undefined ? undefined : Math.ceil(wait);
    }
    this.history = [now, ...this.history];
    return 'let in';
  }

  wait(now: number): number | undefined {
    const remaining = this.duration - (now - (this.history[this.history.length - 1] ?? now));
    const available = this.numRequests - this.history.length + 1;
    return available <= 0 ? undefined : remaining / available;
  }
}

const defaultLimits = { normalized_data: 10, features: 3 } as const;

const requests = fc.array(
  fc.record({
    // Gaps are in half seconds, so that some requests meet the end of the window exactly.
    gap: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 12 }) },
      { weight: 1, arbitrary: fc.constantFrom(118, 119, 120, 121) },
    ),
    scope: fc.constantFrom<RateLimitScope>('normalized_data', 'features'),
    key: fc.constantFrom('a', 'b'),
    // The limit is mostly the documented one, but may change at any time.
    limit: fc.option(fc.integer({ min: 0, max: 15 }), { freq: 12 }),
  }),
  { minLength: 50, maxLength: 200 },
);

describe('ScopedThrottle', () => {
  it('decides and waits exactly like Django REST framework, for any traffic', () => {
    let rejections = 0;
    let withoutWait = 0;
    fc.assert(
      fc.property(requests, traffic => {
        const clock = fakeClock(1_700_000_000_000);
        const throttle = new ScopedThrottle(clock, 60_000);
        const models = new Map<string, DjangoThrottle>();
        for (const { gap, scope, key, limit: changedLimit } of traffic) {
          clock.advance(gap * 500);
          const id = `${scope}/${key}`;
          const limit = changedLimit ?? defaultLimits[scope];
          const model = models.get(id) ?? new DjangoThrottle(limit, 60);
          models.set(id, model);
          model.numRequests = limit;
          const wait = model.allowRequest(clock.now() / 1000);
          if (wait === undefined) withoutWait++;
          else if (wait !== 'let in') rejections++;
          assert.deepEqual(
            throttle.admit(scope, key, limit),
            wait === 'let in' ? { admitted: true } : { admitted: false, waitSeconds: wait },
          );
        }
      }),
      { numRuns: 500 },
    );
    assert.ok(rejections > 1_000, `only ${rejections} requests were rejected`);
    assert.ok(withoutWait > 100, `only ${withoutWait} requests were rejected without a wait`);
  });

  it('does not extend the wait of a client that keeps sending requests', () => {
    const clock = fakeClock();
    const throttle = new ScopedThrottle(clock, 6_000);
    for (let sent = 0; sent < 3; sent++) throttle.admit('features', 'a', 3);
    for (let waited = 0; waited < 5; waited++) {
      assert.deepEqual(throttle.admit('features', 'a', 3), { admitted: false, waitSeconds: 6 - waited });
      clock.advance(1_000);
    }
    clock.advance(1_000);
    assert.deepEqual(throttle.admit('features', 'a', 3), { admitted: true });
  });
});
