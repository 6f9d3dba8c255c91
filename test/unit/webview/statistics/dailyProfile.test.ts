import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeDailyProfile, computeHoursOfDay } from '../../../../src/webview/statistics/dailyProfile.ts';
import { ZoneOffsets } from '../../../../src/core/time/zoneOffsets.ts';
import type { TimeColumn } from '../../../../src/shared/frame.ts';
import { hourMs, powerColumn, timesFrom } from './columns.ts';

const dayMs = 24 * hourMs;

function computeProfile(cells: readonly (number | null)[], time: TimeColumn, zone: string, rows?: Uint32Array) {
  return computeDailyProfile(powerColumn(cells), computeHoursOfDay(time, zone), rows);
}

function computeHours(instants: readonly number[], zone: string): number[] {
  const time: TimeColumn = { kind: 'time', name: 'ts', path: ['ts'], values: Float64Array.from(instants) };
  return [...computeHoursOfDay(time, zone)];
}

describe('computeHoursOfDay', () => {
  it('returns no hour 2 on a day of 23 hours, and hour 2 twice on a day of 25 hours', () => {
    // Berlin's 29 March 2026 starts at 23:00 UTC on the 28th, and 25 October 2026 at 22:00 UTC on the 24th.
    const spring = Array.from({ length: 23 }, (_, hour) => Date.UTC(2026, 2, 28, 23 + hour));
    const autumn = Array.from({ length: 25 }, (_, hour) => Date.UTC(2026, 9, 24, 22 + hour));
    const dayHours = Array.from({ length: 24 }, (_, hour) => hour);
    assert.deepEqual(
      computeHours(spring, 'Europe/Berlin'),
      dayHours.filter(hour => hour !== 2),
    );
    assert.deepEqual(computeHours(autumn, 'Europe/Berlin'), [0, 1, 2, 2, ...dayHours.slice(3)]);
  });

  it('supports SAST, offsets of half an hour, and times before time zones existed', () => {
    assert.deepEqual(computeHours([Date.UTC(2026, 10, 14, 23)], 'Africa/Johannesburg'), [1]);
    assert.deepEqual(computeHours([Date.UTC(2026, 10, 14, 23)], 'Asia/Kolkata'), [4]);
    assert.equal(new ZoneOffsets('Asia/Kolkata').at(0), 5.5 * hourMs);
    assert.equal(new ZoneOffsets('Europe/Berlin').at(Date.UTC(1850, 0, 1)), (53 * 60 + 28) * 1000);
  });

  it('returns no hour for rows without an instant', () => {
    const time = { ...timesFrom(0, 4), gaps: Uint8Array.from([0, 1, 0, 0]) };
    time.values[2] = NaN;
    time.values[3] = 9e15;
    assert.deepEqual([...computeHoursOfDay(time, 'UTC')], [0, 255, 255, 255]);
  });

  it('returns the same hours as Intl, in any order of rows', () => {
    const zones = fc.constantFrom(
      'Europe/Berlin',
      'Africa/Johannesburg',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'UTC',
    );
    const instants = fc.array(fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2037, 0) }), { maxLength: 20 });
    // These instants are near clock changes in some of the zones.
    const changing = fc.integer({ min: -48, max: 48 }).map(halves => Date.UTC(2026, 2, 29) + (halves * hourMs) / 2);
    fc.assert(
      fc.property(zones, fc.tuple(instants, fc.array(changing)), (zone, [anywhere, near]) => {
        const format = new Intl.DateTimeFormat('en', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' });
        const allInstants = [...anywhere, ...near];
        assert.deepEqual(
          computeHours(allInstants, zone),
          allInstants.map(instant => Number(format.format(instant))),
        );
      }),
    );
  });
});

describe('computeDailyProfile', () => {
  it('computes mean, p5, p95 and count of each hour in the time zone', () => {
    const start = Date.UTC(2026, 10, 14);
    const cells = Array.from({ length: 72 }, (_, row) => (row === 30 ? null : (row % 24) * 100 + Math.floor(row / 24)));
    const profile = computeProfile(cells, timesFrom(start, 72), 'Africa/Johannesburg');
    // 06:00 UTC is 08:00 SAST; the second day has no value there.
    assert.deepEqual(profile[8], { hour: 8, count: 2, mean: 601, p5: 600.1, p95: 601.9 });
    assert.equal(profile[9]?.mean, 701);
    assert.equal(profile.length, 24);
  });

  it('counts the rows of each hour correctly on days of 23 and 25 hours', () => {
    // Each has two Berlin days: the day of the change and the next one.
    const spring = timesFrom(Date.UTC(2026, 2, 28, 23), 47);
    const autumn = timesFrom(Date.UTC(2026, 9, 24, 22), 49);
    const counts = (time: TimeColumn) =>
      computeProfile(
        Array.from(time.values, () => 1),
        time,
        'Europe/Berlin',
      ).map(({ count }) => count);
    assert.deepEqual(
      counts(spring),
      Array.from({ length: 24 }, (_, hour) => (hour === 2 ? 1 : 2)),
    );
    assert.deepEqual(
      counts(autumn),
      Array.from({ length: 24 }, (_, hour) => (hour === 2 ? 3 : 2)),
    );
  });

  it('returns nothing for hours without rows', () => {
    const profile = computeProfile([5, 6], timesFrom(0, 2), 'UTC', Uint32Array.from([1]));
    assert.deepEqual(profile[0], { hour: 0, count: 0, mean: undefined, p5: undefined, p95: undefined });
    assert.deepEqual(profile[1], { hour: 1, count: 1, mean: 6, p5: 6, p95: 6 });
  });

  it('returns the same statistics as a plain grouping of the rows by hour', () => {
    const cells = fc.array(fc.option(fc.integer({ min: -500, max: 500 })), { maxLength: 120 });
    fc.assert(
      fc.property(cells, fc.integer({ min: 0, max: 400 }), (values, day) => {
        const time = timesFrom(day * dayMs, values.length);
        for (const { hour, count, mean } of computeProfile(values, time, 'UTC')) {
          const group = values.filter((value, row) => value !== null && row % 24 === hour) as number[];
          assert.equal(count, group.length);
          if (count === 0) assert.equal(mean, undefined);
          else assert.ok(Math.abs((mean ?? NaN) - group.reduce((sum, value) => sum + value, 0) / count) < 1e-9);
        }
      }),
    );
  });
});
