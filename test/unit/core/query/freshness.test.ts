import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isDue, nextPublication } from '../../../../src/core/query/freshness.ts';

const hour = 3_600_000;
const settledAfterMs = 48 * hour;
const at = (text: string): number => Date.parse(text);

describe('freshness', () => {
  const step = at('2026-11-20T05:00Z');

  it('requests steps that were never requested', () => {
    assert.equal(isDue(step, hour, 0, { now: step, settledAfterMs }), true);
  });

  it('requests a recent hour once after each publication', () => {
    const askedAt = at('2026-11-20T06:01Z');
    assert.equal(isDue(step, hour, askedAt, { now: at('2026-11-20T06:59:59Z'), settledAfterMs }), false);
    assert.equal(isDue(step, hour, askedAt, { now: at('2026-11-20T07:00Z'), settledAfterMs }), true);
  });

  it('never requests an hour again that was final when fetched', () => {
    const settled = step + hour + settledAfterMs;
    assert.equal(isDue(step, hour, settled, { now: at('2030-01-01T00:00Z'), settledAfterMs }), false);
    assert.equal(isDue(step, hour, settled - 1, { now: at('2030-01-01T00:00Z'), settledAfterMs }), true);
  });

  it('counts the age of a day from its end', () => {
    const day = at('2026-11-20T00:00Z');
    const askedAt = day + 24 * hour + settledAfterMs;
    assert.equal(isDue(day, 24 * hour, askedAt, { now: askedAt + 100 * hour, settledAfterMs }), false);
    assert.equal(isDue(day, 24 * hour, askedAt - hour, { now: askedAt + 100 * hour, settledAfterMs }), true);
  });

  it('never requests twice within one clock hour', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), fc.nat(hour - 1), fc.nat(hour - 1), (h, clockHour, first, second) => {
        const askedAt = clockHour * hour + Math.min(first, second) + hour;
        const now = clockHour * hour + Math.max(first, second) + hour;
        return !isDue(h * hour, hour, askedAt, { now, settledAfterMs });
      }),
    );
  });

  it('returns the next publication', () => {
    assert.equal(nextPublication(at('2026-11-20T05:00Z')), at('2026-11-20T06:00Z'));
    assert.equal(nextPublication(at('2026-11-20T05:59:59.999Z')), at('2026-11-20T06:00Z'));
  });
});
