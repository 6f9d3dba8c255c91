import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatShift, computeWeeksToNow } from '../../../../src/sandbox/replay/replaySource.ts';

const anyHour = fc.integer({ min: 400_000, max: 600_000 });

describe('computeWeeksToNow', () => {
  it('shifts data to the present, and leaves at least a week of it in the past', () => {
    fc.assert(
      fc.property(anyHour, fc.integer({ min: 336, max: 20_000 }), anyHour, (first, length, now) => {
        const weeks = computeWeeksToNow(first, first + length, now);
        assert.ok(Number.isInteger(weeks) && !Object.is(weeks, -0));
        const end = first + length + weeks * 168;
        assert.ok(end >= now && end < now + 168, `${end - now}`);
        assert.ok(first + weeks * 168 + 168 <= now);
      }),
    );
  });

  it('shifts short data entirely into the past', () => {
    fc.assert(
      fc.property(anyHour, fc.integer({ min: 1, max: 167 }), anyHour, (first, length, now) => {
        const end = first + length + computeWeeksToNow(first, first + length, now) * 168;
        assert.ok(end <= now && end > now - 168, `${end - now}`);
      }),
    );
  });
});

describe('formatShift', () => {
  it('describes the distance and the direction of the shift', () => {
    assert.equal(formatShift(0), '');
    assert.equal(formatShift(1), '; its times are moved 1 week later');
    assert.equal(formatShift(-104), '; its times are moved 104 weeks earlier');
  });
});
