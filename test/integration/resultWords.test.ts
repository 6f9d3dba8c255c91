import assert from 'node:assert/strict';
import { stepText } from '../../src/host/words/times.ts';
import { progressText } from '../../src/host/words/waiting.ts';
import { stepShape } from '../../src/shared/formatTime.ts';
import type { Result } from '../../src/shared/result.ts';

const utc = { timeZone: 'UTC', label: 'UTC' };
const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
const hour = 3_600_000;
const day = 24 * hour;

describe('the words on a missing step', () => {
  const third = Date.UTC(2023, 0, 3, 2);

  it('leave the year out where the range has one alone, and say it where it has several', () => {
    const january = stepShape(Date.UTC(2023, 0, 1), hour, 744);
    assert.equal(stepText(third, utc, january), '3 Jan 02:00');
    const winter = stepShape(Date.UTC(2022, 11, 1), hour, 2160);
    assert.equal(stepText(third, utc, winter), '3 Jan 2023 02:00');
    // The last hour of the year is in the next one here.
    const december = stepShape(Date.UTC(2022, 11, 1), hour, 744);
    assert.equal(stepText(Date.UTC(2022, 11, 2), utc, december), '2 Dec 00:00');
    assert.equal(stepText(Date.UTC(2022, 11, 2), sast, december), '2 Dec 2022 02:00');
  });

  it('are a date alone for days of the zone', () => {
    const days = stepShape(Date.UTC(2023, 0, 1), day, 31);
    assert.equal(stepText(Date.UTC(2023, 0, 3), utc, days), '3 Jan');
    assert.equal(stepText(Date.UTC(2023, 0, 3), sast, days), '3 Jan 02:00');
  });
});

describe('the words on what has come', () => {
  const soFar = { frame: { rowCount: 719, columns: [] } } as unknown as Result;

  it('tell the rest from all of it once more', () => {
    const one = { done: 0, total: 1 };
    assert.equal(progressText(soFar, one, false), '719 rows from the archive; asking for the rest…');
    assert.equal(progressText(soFar, one, true), '719 rows from the archive; asking for all of them anew…');
    assert.equal(progressText(soFar, { done: 1, total: 3 }, true), '1 of 3 parts, 719 rows so far.');
  });
});
