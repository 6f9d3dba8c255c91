import assert from 'node:assert/strict';
import { zoneNamed } from '../../../src/core/zone.ts';

describe('zoneNamed', () => {
  for (const name of ['UTC', 'utc', ' UTC ', 'Z', 'GMT', 'Etc/UTC'])
    it(`takes ${JSON.stringify(name)} for UTC`, () => {
      assert.deepEqual(zoneNamed(name), { timeZone: 'UTC', label: 'UTC' });
    });

  for (const name of ['SAST', 'sast', 'Africa/Johannesburg', 'africa/johannesburg'])
    it(`takes ${name} for SAST`, () => {
      assert.deepEqual(zoneNamed(name), { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' });
    });

  it('takes an IANA name in any case', () => {
    assert.deepEqual(zoneNamed('europe/berlin'), { timeZone: 'Europe/Berlin', label: 'Europe/Berlin' });
  });

  for (const name of ['', '  ', '+02:00', '-05', 'Europe/Atlantis', 'local', '__proto__'])
    it(`knows no zone ${JSON.stringify(name)}`, () => {
      assert.equal(zoneNamed(name), undefined);
    });
});
