import assert from 'node:assert/strict';
import { getZoneOfRows } from '../../../../src/core/bins/dayInterval.ts';
import { utc, findZone } from '../../../../src/core/time/zone.ts';

describe('the time zone of rows', () => {
  it('returns the zone of daily rows, and the displayed zone of hourly rows', () => {
    const sast = findZone('SAST') ?? assert.fail();
    assert.deepEqual(getZoneOfRows('1h', sast), sast);
    assert.deepEqual(getZoneOfRows('1d', sast), utc);
    assert.equal(getZoneOfRows('1d@Europe/Berlin', sast).timeZone, 'Europe/Berlin');
  });
});
