import assert from 'node:assert/strict';
import { getZoneOfRows } from '../../../../src/core/bins/dayInterval.ts';
import { utc, zoneNamed } from '../../../../src/core/time/zone.ts';

describe('the zone of rows', () => {
  it('is that of their days, and of hours the one shown', () => {
    const sast = zoneNamed('SAST') ?? assert.fail();
    assert.deepEqual(getZoneOfRows('1h', sast), sast);
    assert.deepEqual(getZoneOfRows('1d', sast), utc);
    assert.equal(getZoneOfRows('1d@Europe/Berlin', sast).timeZone, 'Europe/Berlin');
  });
});
