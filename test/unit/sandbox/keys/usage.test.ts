import assert from 'node:assert/strict';
import fc from 'fast-check';
import { UsageMeter } from '../../../../src/sandbox/keys/usage.ts';
import { fakeClock } from '../fakes.ts';

describe('UsageMeter', () => {
  it('counts the last minute and hour by second, per key, scope and outcome', () => {
    let counted = 0;
    const step = fc.record({
      gap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 }), fc.constantFrom(59, 60, 61, 3_599, 3_600, 9_000)),
      key: fc.constantFrom('a', 'b'),
      scope: fc.constantFrom('normalized_data' as const, 'features' as const),
      outcome: fc.constantFrom('accepted' as const, 'refused' as const),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 40, maxLength: 120 }), steps => {
        const clock = fakeClock();
        const usage = new UsageMeter(clock);
        const requests: (Omit<(typeof steps)[number], 'gap'> & { at: number })[] = [];
        for (const { gap, ...request } of steps) {
          clock.advance(gap * 1_000);
          usage.record(request.key, request.scope, request.outcome);
          requests.push({ ...request, at: clock.now() });
          const count = (seconds: number, outcome: string) =>
            requests.filter(
              ({ at, ...other }) =>
                at > clock.now() - seconds * 1_000 &&
                other.key === request.key &&
                other.scope === request.scope &&
                other.outcome === outcome,
            ).length;
          const last = (seconds: number) => ({
            accepted: count(seconds, 'accepted'),
            refused: count(seconds, 'refused'),
          });
          counted += count(3_600, 'accepted');
          assert.deepEqual(usage.getUsage(request.key)[request.scope], { lastMinute: last(60), lastHour: last(3_600) });
        }
      }),
      { numRuns: 100 },
    );
    assert.ok(counted > 1_000, `only ${counted} counted`);
  });

  it('expires counts while idle, and counts nothing for an unused key', () => {
    const clock = fakeClock();
    const usage = new UsageMeter(clock);
    usage.record('a', 'features', 'accepted');
    clock.advance(60_000);
    assert.equal(usage.getUsage('a').features.lastMinute.accepted, 0);
    assert.equal(usage.getUsage('a').features.lastHour.accepted, 1);
    const none = { accepted: 0, refused: 0 };
    assert.deepEqual(usage.getUsage('b').normalized_data, { lastMinute: none, lastHour: none });
  });

  it('keeps counting when the clock is set back', () => {
    const clock = fakeClock();
    const usage = new UsageMeter(clock);
    usage.record('a', 'features', 'accepted');
    clock.advance(-30_000);
    usage.record('a', 'features', 'accepted');
    assert.equal(usage.getUsage('a').features.lastMinute.accepted, 2);
  });
});
