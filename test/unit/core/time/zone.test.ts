import assert from 'node:assert/strict';
import { isSameZone, findZone } from '../../../../src/core/time/zone.ts';

describe('findZone', () => {
  for (const name of ['UTC', 'utc', ' UTC ', 'Z'])
    it(`resolves ${JSON.stringify(name)} to UTC`, () => {
      assert.deepEqual(findZone(name), { timeZone: 'UTC', label: 'UTC' });
    });

  for (const name of ['SAST', 'sast'])
    it(`resolves ${name} to SAST`, () => {
      assert.deepEqual(findZone(name), { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' });
    });

  it('accepts an IANA name in any case', () => {
    assert.deepEqual(findZone('europe/berlin'), { timeZone: 'Europe/Berlin', label: 'Europe/Berlin' });
  });

  it('keeps the typed name of a time zone with several', () => {
    const names = ['Africa/Johannesburg', 'Asia/Kolkata', 'europe/kyiv', 'CET', 'us/eastern', 'gmt', 'etc/utc'];
    assert.deepEqual(
      names.map(name => findZone(name)?.label),
      ['Africa/Johannesburg', 'Asia/Kolkata', 'Europe/Kyiv', 'CET', 'US/Eastern', 'GMT', 'Etc/UTC'],
    );
    for (const name of ['GMT', 'Etc/UTC']) assert.equal(findZone(name)?.timeZone, 'UTC');
    const getZone = (name: string) => findZone(name) ?? assert.fail();
    assert.ok(isSameZone(getZone('Asia/Kolkata'), { timeZone: 'Asia/Calcutta', label: '' }));
    assert.ok(isSameZone(getZone('SAST'), getZone('Africa/Johannesburg')));
    assert.ok(!isSameZone(getZone('SAST'), getZone('UTC')));
  });

  for (const name of ['', '  ', '+02:00', '-05', 'Europe/Atlantis', 'local', '__proto__'])
    it(`rejects the time zone ${JSON.stringify(name)}`, () => {
      assert.equal(findZone(name), undefined);
    });
});
