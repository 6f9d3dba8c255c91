import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ScopedThrottle } from '../../../src/sandbox/throttle.ts';
import type { Scope } from '../../../src/sandbox/throttle.ts';
import { fakeClock } from './fakes.ts';

/** rest_framework.throttling.SimpleRateThrottle and exceptions.Throttled, line by line, in seconds. Undefined: let in. */
class DjangoThrottle {
  readonly numRequests: number;
  readonly duration: number;
  history: number[] = [];

  constructor(numRequests: number, duration: number) {
    this.numRequests = numRequests;
    this.duration = duration;
  }

  allowRequest(now: number): number | undefined {
    while (this.history.length > 0 && (this.history[this.history.length - 1] ?? 0) <= now - this.duration)
      this.history = this.history.slice(0, -1);
    if (this.history.length >= this.numRequests) return Math.ceil(this.wait(now));
    this.history = [now, ...this.history];
    return undefined;
  }

  wait(now: number): number {
    const remaining = this.duration - (now - (this.history[this.history.length - 1] ?? now));
    return remaining / (this.numRequests - this.history.length + 1);
  }
}

const requests = fc.array(
  fc.record({
    // Steps on a grid of half seconds meet the window's end exactly.
    gap: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 12 }) },
      { weight: 1, arbitrary: fc.constantFrom(118, 119, 120, 121) },
    ),
    scope: fc.constantFrom<Scope>('normalized_data', 'features'),
    key: fc.constantFrom('a', 'b'),
  }),
  { minLength: 50, maxLength: 200 },
);

describe('ScopedThrottle', () => {
  it("decides and waits exactly as Django REST framework's, for any traffic", () => {
    let refusals = 0;
    fc.assert(
      fc.property(requests, traffic => {
        const clock = fakeClock(1_700_000_000_000);
        const throttle = new ScopedThrottle(clock, 60_000);
        const models = new Map<string, DjangoThrottle>();
        for (const { gap, scope, key } of traffic) {
          clock.advance(gap * 500);
          const id = `${scope}/${key}`;
          const model = models.get(id) ?? new DjangoThrottle(scope === 'features' ? 3 : 10, 60);
          models.set(id, model);
          const wait = model.allowRequest(clock.now() / 1000);
          if (wait !== undefined) refusals++;
          assert.deepEqual(
            throttle.admit(scope, key),
            wait === undefined ? { admitted: true } : { admitted: false, waitSeconds: wait },
          );
        }
      }),
      { numRuns: 500 },
    );
    assert.ok(refusals > 1_000, `only ${refusals} refusals tried`);
  });

  it('does not lengthen the wait of who keeps asking', () => {
    const clock = fakeClock();
    const throttle = new ScopedThrottle(clock, 6_000);
    for (let sent = 0; sent < 3; sent++) throttle.admit('features', 'a');
    for (let waited = 0; waited < 5; waited++) {
      assert.deepEqual(throttle.admit('features', 'a'), { admitted: false, waitSeconds: 6 - waited });
      clock.advance(1_000);
    }
    clock.advance(1_000);
    assert.deepEqual(throttle.admit('features', 'a'), { admitted: true });
  });
});
