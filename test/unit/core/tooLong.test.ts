import assert from 'node:assert/strict';
import { GridError } from '../../../src/core/errors.ts';
import { lengthVerdict } from '../../../src/core/tooLong.ts';

const hour = 3_600_000;

describe('lengthVerdict', () => {
  for (const [detail, limitMs] of [
    ['time range must not exceed 744 hours', 744 * hour],
    ['Range too long: at most 31 days', 31 * 24 * hour],
    ['maximum number of data points is 10000', undefined],
  ] as const) {
    it(`reads “${detail}”`, () => {
      assert.deepEqual(lengthVerdict(new GridError('badRequest', { status: 400, detail })), { tooLong: true, limitMs });
    });
  }

  it('takes a 413, a time-out and an answer too large as too long', () => {
    assert.equal(lengthVerdict(new GridError('badRequest', { status: 413 })).tooLong, true);
    assert.equal(lengthVerdict(new GridError('timeout')).tooLong, true);
    assert.equal(lengthVerdict(new GridError('responseTooLarge')).tooLong, true);
  });

  for (const detail of [
    'start datetime must be < end datetime',
    "interval=5m not supported. Supported: ['1d', '1h']",
    'start and end datetime are required ISO-8601',
  ]) {
    it(`leaves “${detail}” alone`, () => {
      assert.equal(lengthVerdict(new GridError('badRequest', { status: 400, detail })).tooLong, false);
    });
  }

  it('leaves every other failure alone', () => {
    assert.equal(lengthVerdict(new GridError('serverError', { detail: 'exceeded' })).tooLong, false);
    assert.equal(lengthVerdict(new Error('too long')).tooLong, false);
  });
});
