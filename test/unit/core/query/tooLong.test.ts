import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import { checkRangeLength } from '../../../../src/core/query/requestPlan.ts';

const hour = 3_600_000;
const day = 24 * hour;

describe('checkRangeLength', () => {
  for (const [detail, isCertain, ...durationsMs] of [
    ['time range must not exceed 744 hours', true, 744 * hour],
    ['Range too long: at most 31 days', true, 31 * day],
    ['Requested range of 365 days exceeds the maximum of 31 days', true, 31 * day, 365 * day],
    ['Range spans 8760 hours, at most 4 weeks are allowed', true, 28 * day, 8760 * hour],
    ['Date range too long', true],
    ['maximum number of data points is 10000', true],
    ['at most 31 days', false, 31 * day],
    ['start must be at most 60 days ago', false, 60 * day],
    ['the range may begin at most 2 years ago', false, 730 * day],
    ['too many parameters', false],
  ] as const) {
    it(`reads “${detail}”`, () => {
      const verdict = checkRangeLength(new GridError('badRequest', { status: 400, detail }));
      assert.deepEqual(verdict, { isTooLong: true, isCertain, durationsMs });
    });
  }

  it('uses the minimum length of months and years', () => {
    // The minimum number of days of that many consecutive months.
    for (const [months, minDays] of [
      [1, 28],
      [2, 59],
      [3, 89],
      [6, 181],
      [12, 365],
    ] as const) {
      const detail = `Maximum range is ${months} months`;
      const verdict = checkRangeLength(new GridError('badRequest', { status: 400, detail }));
      const [duration = 0] = verdict.isTooLong ? verdict.durationsMs : [];
      assert.ok(duration <= minDays * day && duration >= 0.98 * minDays * day, `${duration / day} of ${minDays} days`);
    }
  });

  it('treats a 413, a timeout and an oversized response as too long', () => {
    const verdict = { isTooLong: true, durationsMs: [] };
    assert.deepEqual(checkRangeLength(new GridError('badRequest', { status: 413 })), { ...verdict, isCertain: true });
    assert.deepEqual(checkRangeLength(new GridError('responseTooLarge')), { ...verdict, isCertain: true });
    assert.deepEqual(checkRangeLength(new GridError('timeout')), { ...verdict, isCertain: false });
  });

  for (const detail of [
    'start datetime must be < end datetime',
    "interval=5m not supported. Supported: ['1d', '1h']",
    'start and end datetime are required ISO-8601',
  ]) {
    it(`ignores “${detail}”`, () => {
      assert.equal(checkRangeLength(new GridError('badRequest', { status: 400, detail })).isTooLong, false);
    });
  }

  it('ignores every other failure', () => {
    assert.equal(checkRangeLength(new GridError('serverError', { detail: 'exceeded' })).isTooLong, false);
    assert.equal(checkRangeLength(new Error('too long')).isTooLong, false);
  });
});
