import assert from 'node:assert/strict';
import { zoneOfRows } from '../../../../src/core/bins/dayInterval.ts';
import { utc, zoneNamed } from '../../../../src/core/time/zone.ts';

describe('the zone of rows', () => {
  it('is that of their days, and of hours the one shown', () => {
    const sast = zoneNamed('SAST') ?? assert.fail();
    assert.deepEqual(zoneOfRows('1h', sast), sast);
    assert.deepEqual(zoneOfRows('1d', sast), utc);
    assert.equal(zoneOfRows('1d@Europe/Berlin', sast).timeZone, 'Europe/Berlin');
  });
});
