import assert from 'node:assert/strict';
import fc from 'fast-check';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { compareDays } from '../../../../src/core/bins/dayCheck.ts';
import type { Frame } from '../../../../src/shared/frame.ts';

const hour = 3_600_000;
const start = Date.parse('2023-05-01T00:00Z');
const formatIso = (hours: number): string => new Date(start + hours * hour).toISOString();

/** Creates hours with a value that varies between days and within each day. */
function createHours(count: number, valueAt: (hour: number) => number | null = getVaryingValue): Frame {
  return recordsToFrame(
    Array.from({ length: count }, (_, hourIndex) => ({ ts: formatIso(hourIndex), a: valueAt(hourIndex) })),
  );
}

function getVaryingValue(hourIndex: number): number {
  return 1000 + ((hourIndex * 7919) % 613) + hourIndex;
}

/** Creates daily means as a service does whose days are those of UTC+offset, with the date as timestamp. */
function createDays(count: number, offset: number, valueAt: (hour: number) => number = getVaryingValue): Frame {
  const computeMean = (day: number): number =>
    Array.from({ length: 24 }, (_, hourIndex) => valueAt(day * 24 - offset + hourIndex)).reduce(
      (sum, value) => sum + value,
    ) / 24;
  return recordsToFrame(Array.from({ length: count }, (_, day) => ({ ts: formatIso(day * 24), a: computeMean(day) })));
}

describe('compareDays', () => {
  it('finds UTC days, and the error of each other offset', () => {
    const check = compareDays(createHours(240), createDays(10, 0));
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
        const check = compareDays(createHours(240), createDays(10, offset));
        assert.equal(check.offsetHours, offset);
        assert.equal(check.columns[0]?.best?.days, offset === 0 ? 10 : 9);
      }),
    );
  });

  it('reports the day with the largest deviation', () => {
    const hourly = createHours(48, hourIndex => (hourIndex < 24 ? 10 : hourIndex));
    const daily = recordsToFrame([
      { ts: formatIso(0), a: 10.5 },
      { ts: formatIso(24), a: 36 },
    ]);
    // Hours 24 to 47 have the mean 35.5. Both days are off by 0.5, and the first one is reported.
    assert.deepEqual(compareDays(hourly, daily).columns[0]?.fits[0], {
      offsetHours: 0,
      days: 2,
      largest: { difference: 0.5, day: start },
    });
    // UTC+1: hours 23 to 46 are 10 and 24 to 46: (10 + 805) / 24.
    const [, secondFit] = compareDays(hourly, daily).columns[0]?.fits ?? [];
    assert.equal(secondFit?.days, 1);
    assert.equal(secondFit.largest?.day, start + 24 * hour);
    assert.ok(Math.abs(secondFit.largest.difference - (36 - 815 / 24)) < 1e-12);
  });

  it('excludes days with a missing hour, a null hour, or no daily value', () => {
    const hourly = createHours(96, hourIndex => (hourIndex === 5 ? null : getVaryingValue(hourIndex)));
    const hoursWithGaps = recordsToFrame([
      { ts: formatIso(0), a: 1 },
      { ts: formatIso(24), a: null },
      { ts: formatIso(48), a: 2 },
    ]);
    assert.equal(compareDays(hourly, hoursWithGaps).columns[0]?.fits[0]?.days, 1);
    const short = compareDays(createHours(23), createDays(1, 0));
    assert.deepEqual(short.columns[0]?.fits[0], { offsetHours: 0, days: 0, largest: undefined });
    assert.equal(short.columns[0].best, undefined);
    assert.equal(short.offsetHours, undefined);
  });

  it('lists the excluded days, with their number of hours with a value', () => {
    const hourly = createHours(96, hourIndex =>
      hourIndex === 5 || hourIndex === 30 ? null : getVaryingValue(hourIndex),
    );
    const daily = createDays(4, 0, hourIndex => (hourIndex >= 72 ? NaN : getVaryingValue(hourIndex)));
    assert.deepEqual(compareDays(hourly, daily).columns[0]?.omitted, [
      { day: start, hours: 23 },
      { day: start + 24 * hour, hours: 23 },
      { day: start + 72 * hour, hours: undefined },
    ]);
  });

  it('reports no day boundary for a constant column', () => {
    const check = compareDays(
      createHours(240, () => 1842),
      createDays(10, 0, () => 1842),
    );
    assert.equal(check.columns[0]?.best?.offsetHours, 0);
    assert.equal(check.columns[0].alsoFit.length, 23);
    assert.equal(check.offsetHours, undefined);
  });

  it('ranks offsets by the days that are complete for all of them', () => {
    // One hour of the service is wrong. It affects the first UTC day, which is incomplete for other offsets.
    const daily = createDays(10, 0, hourIndex => (hourIndex === 3 ? 1e6 : getVaryingValue(hourIndex)));
    const check = compareDays(createHours(240), daily);
    assert.equal(check.offsetHours, 0);
    assert.ok((check.columns[0]?.best?.largest?.difference ?? 0) > 40_000);
  });

  it('compares only columns that are numeric in both', () => {
    const daily = recordsToFrame([{ ts: formatIso(0), a: 1, b: 2, c: 'x' }]);
    assert.deepEqual(
      compareDays(createHours(24), daily).columns.map(({ name }) => name),
      ['a'],
    );
    assert.deepEqual(compareDays(recordsToFrame([{ a: 1 }]), daily).columns, []);
  });
});
