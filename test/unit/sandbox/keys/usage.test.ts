import assert from 'node:assert/strict';
import fc from 'fast-check';
import { UsageMeter } from '../../../../src/sandbox/keys/usage.ts';
import { fakeClock } from '../fakes.ts';

describe('UsageMeter', () => {
  it('counts the requests of the last minute and hour to the second, per key, scope and outcome', () => {
    let counted = 0;
    const event = fc.record({
      gap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 }), fc.constantFrom(59, 60, 61, 3_599, 3_600, 9_000)),
      key: fc.constantFrom('a', 'b'),
      scope: fc.constantFrom('normalized_data' as const, 'features' as const),
      outcome: fc.constantFrom('accepted' as const, 'refused' as const),
    });
    fc.assert(
      fc.property(fc.array(event, { minLength: 40, maxLength: 120 }), events => {
        const clock = fakeClock();
        const usage = new UsageMeter(clock);
        const requests: (Omit<(typeof events)[number], 'gap'> & { instant: number })[] = [];
        for (const { gap, ...request } of events) {
          clock.advance(gap * 1_000);
          usage.record(request.key, request.scope, request.outcome);
          requests.push({ ...request, instant: clock.now() });
          const count = (seconds: number, outcome: string) =>
            requests.filter(
              ({ instant, ...other }) =>
                instant > clock.now() - seconds * 1_000 &&
                other.key === request.key &&
                other.scope === request.scope &&
                other.outcome === outcome,
            ).length;
          const countLast = (seconds: number) => ({
            accepted: count(seconds, 'accepted'),
            refused: count(seconds, 'refused'),
          });
          counted += count(3_600, 'accepted');
          assert.deepEqual(usage.getUsage(request.key)[request.scope], {
            lastMinute: countLast(60),
            lastHour: countLast(3_600),
          });
        }
      }),
      { numRuns: 100 },
    );
    assert.ok(counted > 1_000, `only ${counted} requests were counted`);
  });

  it('lets counts expire without new requests, and has none for an unused key', () => {
    const clock = fakeClock();
    const usage = new UsageMeter(clock);
    usage.record('a', 'features', 'accepted');
    clock.advance(60_000);
    assert.equal(usage.getUsage('a').features.lastMinute.accepted, 0);
    assert.equal(usage.getUsage('a').features.lastHour.accepted, 1);
    const none = { accepted: 0, refused: 0 };
    assert.deepEqual(usage.getUsage('b').normalized_data, { lastMinute: none, lastHour: none });
  });

  it('still counts when the clock is set back', () => {
    const clock = fakeClock();
    const usage = new UsageMeter(clock);
    usage.record('a', 'features', 'accepted');
    clock.advance(-30_000);
    usage.record('a', 'features', 'accepted');
    assert.equal(usage.getUsage('a').features.lastMinute.accepted, 2);
  });
});
