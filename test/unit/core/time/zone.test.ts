import assert from 'node:assert/strict';
import { sameZone, zoneNamed } from '../../../../src/core/time/zone.ts';

describe('zoneNamed', () => {
  for (const name of ['UTC', 'utc', ' UTC ', 'Z'])
    it(`resolves ${JSON.stringify(name)} to UTC`, () => {
      assert.deepEqual(zoneNamed(name), { timeZone: 'UTC', label: 'UTC' });
    });

  for (const name of ['SAST', 'sast'])
    it(`resolves ${name} to SAST`, () => {
      assert.deepEqual(zoneNamed(name), { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' });
    });

  it('accepts an IANA name in any case', () => {
    assert.deepEqual(zoneNamed('europe/berlin'), { timeZone: 'Europe/Berlin', label: 'Europe/Berlin' });
  });

  it('keeps the typed name of a time zone with several', () => {
    const names = ['Africa/Johannesburg', 'Asia/Kolkata', 'europe/kyiv', 'CET', 'us/eastern', 'gmt', 'etc/utc'];
    assert.deepEqual(
      names.map(name => zoneNamed(name)?.label),
      ['Africa/Johannesburg', 'Asia/Kolkata', 'Europe/Kyiv', 'CET', 'US/Eastern', 'GMT', 'Etc/UTC'],
    );
    for (const name of ['GMT', 'Etc/UTC']) assert.equal(zoneNamed(name)?.timeZone, 'UTC');
    const zone = (name: string) => zoneNamed(name) ?? assert.fail();
    assert.ok(sameZone(zone('Asia/Kolkata'), { timeZone: 'Asia/Calcutta', label: '' }));
    assert.ok(sameZone(zone('SAST'), zone('Africa/Johannesburg')));
    assert.ok(!sameZone(zone('SAST'), zone('UTC')));
  });

  for (const name of ['', '  ', '+02:00', '-05', 'Europe/Atlantis', 'local', '__proto__'])
    it(`rejects the time zone ${JSON.stringify(name)}`, () => {
      assert.equal(zoneNamed(name), undefined);
    });
});
