import assert from 'node:assert/strict';
import fc from 'fast-check';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { compareDays } from '../../../../src/core/bins/dayCheck.ts';
import type { Frame } from '../../../../src/shared/frame.ts';

const hour = 3_600_000;
const start = Date.parse('2023-05-01T00:00Z');
const iso = (hours: number): string => new Date(start + hours * hour).toISOString();

/** Hours of a value that varies between days and within each. */
function hoursOf(count: number, valueAt: (hour: number) => number | null = wavy): Frame {
  return frameOf(Array.from({ length: count }, (_, h) => ({ ts: iso(h), a: valueAt(h) })));
}

function wavy(h: number): number {
  return 1000 + ((h * 7919) % 613) + h;
}

/** Creates daily means like a service with days of UTC+k, with their date as timestamp. */
function daysOf(count: number, offset: number, valueAt: (hour: number) => number = wavy): Frame {
  const mean = (day: number): number =>
    Array.from({ length: 24 }, (_, h) => valueAt(day * 24 - offset + h)).reduce((sum, value) => sum + value) / 24;
  return frameOf(Array.from({ length: count }, (_, day) => ({ ts: iso(day * 24), a: mean(day) })));
}

describe('dayCheck', () => {
  it('finds UTC days, and the error of other offsets', () => {
    const check = compareDays(hoursOf(240), daysOf(10, 0));
    const [column] = check.columns;
    assert.equal(column?.best?.offsetHours, 0);
    assert.equal(column.best.days, 10);
    assert.equal(column.best.largest?.difference, 0);
    assert.deepEqual(column.alsoFit, []);
    assert.equal(check.offsetHours, 0);
    assert.equal(column.fits[2]?.days, 9);
    assert.ok((column.fits[2].largest?.difference ?? 0) > 0.1);
  });

  it('finds the days of any other offset', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 23 }), offset => {
        const check = compareDays(hoursOf(240), daysOf(10, offset));
        assert.equal(check.offsetHours, offset);
        assert.equal(check.columns[0]?.best?.days, offset === 0 ? 10 : 9);
      }),
    );
  });

  it('names the day that is furthest off, by hand', () => {
    const hourly = hoursOf(48, h => (h < 24 ? 10 : h));
    const daily = frameOf([
      { ts: iso(0), a: 10.5 },
      { ts: iso(24), a: 36 },
    ]);
    // Hours 24 to 47 have the mean 35.5. Both days are off by 0.5, and the first one is reported.
    assert.deepEqual(compareDays(hourly, daily).columns[0]?.fits[0], {
      offsetHours: 0,
      days: 2,
      largest: { difference: 0.5, day: start },
    });
    // UTC+1: hours 23 to 46 are 10 and 24 to 46: (10 + 805) / 24.
    const [, one] = compareDays(hourly, daily).columns[0]?.fits ?? [];
    assert.equal(one?.days, 1);
    assert.equal(one.largest?.day, start + 24 * hour);
    assert.ok(Math.abs(one.largest.difference - (36 - 815 / 24)) < 1e-12);
  });

  it('leaves out days with a missing hour, a null hour, or no daily value', () => {
    const hourly = hoursOf(96, h => (h === 5 ? null : wavy(h)));
    const holed = frameOf([
      { ts: iso(0), a: 1 },
      { ts: iso(24), a: null },
      { ts: iso(48), a: 2 },
    ]);
    assert.equal(compareDays(hourly, holed).columns[0]?.fits[0]?.days, 1);
    const short = compareDays(hoursOf(23), daysOf(1, 0));
    assert.deepEqual(short.columns[0]?.fits[0], { offsetHours: 0, days: 0, largest: undefined });
    assert.equal(short.columns[0].best, undefined);
    assert.equal(short.offsetHours, undefined);
  });

  it('lists the days left out, with how many of their hours have a value', () => {
    const hourly = hoursOf(96, h => (h === 5 || h === 30 ? null : wavy(h)));
    const daily = daysOf(4, 0, h => (h >= 72 ? NaN : wavy(h)));
    assert.deepEqual(compareDays(hourly, daily).columns[0]?.leftOut, [
      { day: start, hours: 23 },
      { day: start + 24 * hour, hours: 23 },
      { day: start + 72 * hour, hours: undefined },
    ]);
  });

  it('reports no day boundary for a constant column', () => {
    const check = compareDays(
      hoursOf(240, () => 1842),
      daysOf(10, 0, () => 1842),
    );
    assert.equal(check.columns[0]?.best?.offsetHours, 0);
    assert.equal(check.columns[0].alsoFit.length, 23);
    assert.equal(check.offsetHours, undefined);
  });

  it('ranks offsets over the days that all have', () => {
    // One hour is wrong at the service. It spoils the first UTC day, which other offsets do not even have.
    const daily = daysOf(10, 0, h => (h === 3 ? 1e6 : wavy(h)));
    const check = compareDays(hoursOf(240), daily);
    assert.equal(check.offsetHours, 0);
    assert.ok((check.columns[0]?.best?.largest?.difference ?? 0) > 40_000);
  });

  it('compares only numbers that both have', () => {
    const daily = frameOf([{ ts: iso(0), a: 1, b: 2, c: 'x' }]);
    assert.deepEqual(
      compareDays(hoursOf(24), daily).columns.map(({ name }) => name),
      ['a'],
    );
    assert.deepEqual(compareDays(frameOf([{ a: 1 }]), daily).columns, []);
  });
});
