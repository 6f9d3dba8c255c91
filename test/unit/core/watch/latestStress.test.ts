import assert from 'node:assert/strict';
import { getLatestStress } from '../../../../src/core/watch/alertReading.ts';
import { gridStressFields } from '../../../../src/shared/fields.ts';
import { hour, midnight, readingOfHours } from './readings.ts';

describe('the latest stress index', () => {
  it('returns the newest published hour with a value, and its band', () => {
    const rows = [{ value: 0.1 }, { value: 0.85 }, { value: null }, undefined, { value: 0.2 }];
    const reading = readingOfHours(rows, { now: midnight + 4.5 * hour });
    const latest = {
      hour: midnight + hour,
      end: midnight + 2 * hour,
      value: 0.85,
      band: 'critical',
      field: gridStressFields.get('value'),
    };
    assert.deepEqual(getLatestStress(reading), latest);
    assert.equal(getLatestStress({ ...reading, now: midnight + 5 * hour })?.band, 'low');
  });

  it('returns undefined without an index or a value', () => {
    assert.equal(getLatestStress(readingOfHours([{ value: 0.9 }], { dataset: 'systemState' })), undefined);
    assert.equal(getLatestStress(readingOfHours([{ value: null }])), undefined);
    assert.equal(getLatestStress({ ...readingOfHours([]), frame: undefined }), undefined);
  });
});
