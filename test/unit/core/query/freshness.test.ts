import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isDue, nextPublication } from '../../../../src/core/query/freshness.ts';

const hourMs = 3_600_000;
const settledAfterMs = 48 * hourMs;
const parseInstant = (text: string): number => Date.parse(text);

describe('isDue and nextPublication', () => {
  const interval = parseInstant('2026-11-20T05:00Z');

  it('returns true for an interval that was never requested', () => {
    assert.equal(isDue(interval, hourMs, 0, { now: interval, settledAfterMs }), true);
  });

  it('returns true for a recent hour after the next publication, not before', () => {
    const requestedAt = parseInstant('2026-11-20T06:01Z');
    assert.equal(
      isDue(interval, hourMs, requestedAt, { now: parseInstant('2026-11-20T06:59:59Z'), settledAfterMs }),
      false,
    );
    assert.equal(
      isDue(interval, hourMs, requestedAt, { now: parseInstant('2026-11-20T07:00Z'), settledAfterMs }),
      true,
    );
  });

  it('returns false for an hour that was final at the last request', () => {
    const finalAt = interval + hourMs + settledAfterMs;
    assert.equal(isDue(interval, hourMs, finalAt, { now: parseInstant('2030-01-01T00:00Z'), settledAfterMs }), false);
    assert.equal(
      isDue(interval, hourMs, finalAt - 1, { now: parseInstant('2030-01-01T00:00Z'), settledAfterMs }),
      true,
    );
  });

  it('measures the age of a day from its end', () => {
    const day = parseInstant('2026-11-20T00:00Z');
    const requestedAt = day + 24 * hourMs + settledAfterMs;
    assert.equal(isDue(day, 24 * hourMs, requestedAt, { now: requestedAt + 100 * hourMs, settledAfterMs }), false);
    assert.equal(
      isDue(day, 24 * hourMs, requestedAt - hourMs, { now: requestedAt + 100 * hourMs, settledAfterMs }),
      true,
    );
  });

  it('returns false for an hour that was requested in the current clock hour', () => {
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.nat(1000),
        fc.nat(hourMs - 1),
        fc.nat(hourMs - 1),
        (hours, clockHour, first, second) => {
          const requestedAt = clockHour * hourMs + Math.min(first, second) + hourMs;
          const now = clockHour * hourMs + Math.max(first, second) + hourMs;
          return !isDue(hours * hourMs, hourMs, requestedAt, { now, settledAfterMs });
        },
      ),
    );
  });

  it('returns the next full hour as the next publication', () => {
    assert.equal(nextPublication(parseInstant('2026-11-20T05:00Z')), parseInstant('2026-11-20T06:00Z'));
    assert.equal(nextPublication(parseInstant('2026-11-20T05:59:59.999Z')), parseInstant('2026-11-20T06:00Z'));
  });
});
