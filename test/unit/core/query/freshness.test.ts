import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isDue, nextPublication } from '../../../../src/core/query/freshness.ts';

const hour = 3_600_000;
const settledAfterMs = 48 * hour;
const parse = (text: string): number => Date.parse(text);

describe('freshness', () => {
  const interval = parse('2026-11-20T05:00Z');

  it('requests intervals that were never requested', () => {
    assert.equal(isDue(interval, hour, 0, { now: interval, settledAfterMs }), true);
  });

  it('requests a recent hour once after each publication', () => {
    const requestedAt = parse('2026-11-20T06:01Z');
    assert.equal(isDue(interval, hour, requestedAt, { now: parse('2026-11-20T06:59:59Z'), settledAfterMs }), false);
    assert.equal(isDue(interval, hour, requestedAt, { now: parse('2026-11-20T07:00Z'), settledAfterMs }), true);
  });

  it('does not request an hour again that was final when it was fetched', () => {
    const finalAt = interval + hour + settledAfterMs;
    assert.equal(isDue(interval, hour, finalAt, { now: parse('2030-01-01T00:00Z'), settledAfterMs }), false);
    assert.equal(isDue(interval, hour, finalAt - 1, { now: parse('2030-01-01T00:00Z'), settledAfterMs }), true);
  });

  it('counts the age of a day from its end', () => {
    const day = parse('2026-11-20T00:00Z');
    const requestedAt = day + 24 * hour + settledAfterMs;
    assert.equal(isDue(day, 24 * hour, requestedAt, { now: requestedAt + 100 * hour, settledAfterMs }), false);
    assert.equal(isDue(day, 24 * hour, requestedAt - hour, { now: requestedAt + 100 * hour, settledAfterMs }), true);
  });

  it('requests an hour at most once within a clock hour', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), fc.nat(hour - 1), fc.nat(hour - 1), (hours, clockHour, first, second) => {
        const requestedAt = clockHour * hour + Math.min(first, second) + hour;
        const now = clockHour * hour + Math.max(first, second) + hour;
        return !isDue(hours * hour, hour, requestedAt, { now, settledAfterMs });
      }),
    );
  });

  it('returns the next publication', () => {
    assert.equal(nextPublication(parse('2026-11-20T05:00Z')), parse('2026-11-20T06:00Z'));
    assert.equal(nextPublication(parse('2026-11-20T05:59:59.999Z')), parse('2026-11-20T06:00Z'));
  });
});
