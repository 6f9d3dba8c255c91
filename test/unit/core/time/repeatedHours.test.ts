import assert from 'node:assert/strict';
import { RepeatedHours } from '../../../../src/core/time/repeatedHours.ts';

const hourMs = 3_600_000;
/** Clocks in Berlin go back from 03:00 CEST to 02:00 CET. */
const clockBackAt = Date.UTC(2026, 9, 25, 1);
/** Clocks in Berlin go forward from 02:00 CET to 03:00 CEST. */
const forward = Date.UTC(2026, 2, 29, 1);

describe('RepeatedHours', () => {
  const listSuffixes = (zone: string, from: number, hours: number, locale = 'en') => {
    const repeated = new RepeatedHours(zone, locale);
    return Array.from({ length: hours }, (_, hour) => repeated.suffix(from + hour * hourMs));
  };

  it('labels both repeated hours, and no other hours', () => {
    assert.deepEqual(listSuffixes('Europe/Berlin', clockBackAt - 2 * hourMs, 4), [undefined, 'CEST', 'CET', undefined]);
    assert.deepEqual(listSuffixes('Europe/Berlin', clockBackAt - 2 * hourMs, 4, 'de'), [
      undefined,
      'MESZ',
      'MEZ',
      undefined,
    ]);
  });

  it('labels the minutes of repeated hours', () => {
    const repeated = new RepeatedHours('Europe/Berlin', 'en');
    assert.equal(repeated.suffix(clockBackAt - 1), 'CEST');
    assert.equal(repeated.suffix(clockBackAt + hourMs - 1), 'CET');
    assert.equal(repeated.suffix(clockBackAt + hourMs), undefined);
  });

  it('labels no hours in spring or in time zones without daylight saving time', () => {
    const none = Array.from({ length: 48 }, () => undefined);
    assert.deepEqual(listSuffixes('Europe/Berlin', forward - 24 * hourMs, 48), none);
    for (const zone of ['UTC', 'Africa/Johannesburg', 'Asia/Kathmandu'])
      assert.deepEqual(listSuffixes(zone, clockBackAt - 24 * hourMs, 48), none);
  });

  it('labels repeated hours by their offset if the language has no name for it', () => {
    const change = Date.UTC(2018, 1, 18, 2);
    assert.deepEqual(listSuffixes('America/Sao_Paulo', change - 2 * hourMs, 4), [
      undefined,
      'UTC−2',
      'UTC−3',
      undefined,
    ]);
  });

  it('labels a repeated half hour', () => {
    const repeated = new RepeatedHours('Australia/Lord_Howe', 'en');
    const change = Date.UTC(2026, 3, 4, 15);
    const instants = [change - 31 * 60_000, change - 30 * 60_000, change + 29 * 60_000, change + 30 * 60_000];
    assert.deepEqual(
      instants.map(instant => repeated.suffix(instant) !== undefined),
      [false, true, true, false],
    );
  });

  it('finds the longest suffix of a period, or returns undefined', () => {
    const berlin = new RepeatedHours('Europe/Berlin', 'en');
    assert.equal(berlin.longest(clockBackAt - 24 * hourMs, clockBackAt + 24 * hourMs), 'CEST');
    assert.equal(berlin.longest(clockBackAt + 24 * hourMs, clockBackAt + 48 * hourMs), undefined);
    assert.equal(new RepeatedHours('UTC', 'en').longest(0, clockBackAt), undefined);
    assert.equal(berlin.longest(NaN, NaN), undefined);
  });

  it('returns no label for invalid instants', () => {
    const berlin = new RepeatedHours('Europe/Berlin', 'en');
    assert.deepEqual(
      [NaN, 1e300, 8.64e15].map(instant => berlin.suffix(instant)),
      [undefined, undefined, undefined],
    );
  });
});
