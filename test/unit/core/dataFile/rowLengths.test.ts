import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findRowLengths } from '../../../../src/core/dataFile/rowLengths.ts';
import { seeded } from '../../../support/seeded.ts';

const minuteMs = 60_000;
const start = Date.UTC(2025, 0, 1);

/** Instants of rows of these lengths, in minutes, one stretch after the other. */
function rowsOf(...stretches: readonly (readonly [count: number, minutes: number])[]): Float64Array {
  let at = start;
  const rows = stretches.flatMap(([count, minutes]) =>
    Array.from({ length: count }, () => (at += minutes * minuteMs) - minutes * minuteMs),
  );
  return Float64Array.from(rows);
}

/** When which length begins, in minutes after the first row. */
function lengthsIn(rows: Float64Array): readonly (readonly [from: number, minutes: number])[] | undefined {
  return findRowLengths(rows)?.map(({ start: from, stepMs }) => [(from - start) / minuteMs, stepMs / minuteMs]);
}

const dayMinutes = 1_440;

describe('the lengths of rows', () => {
  it('begin with the first row of each length, also where a length comes again', () => {
    assert.deepEqual(lengthsIn(rowsOf([24, 60], [96, 15])), [
      [0, 60],
      [dayMinutes, 15],
    ]);
    assert.deepEqual(lengthsIn(rowsOf([96, 15], [48, 60], [96, 15])), [
      [0, 15],
      [dayMinutes, 60],
      [3 * dayMinutes, 15],
    ]);
    assert.deepEqual(lengthsIn(rowsOf([10, dayMinutes], [24, 60], [48, 30], [96, 15])), [
      [0, dayMinutes],
      [10 * dayMinutes, 60],
      [11 * dayMinutes, 30],
      [12 * dayMinutes, 15],
    ]);
  });

  it('are not told for rows of one length, also where some are missing', () => {
    assert.equal(findRowLengths(rowsOf([200, 60])), undefined);
    assert.equal(findRowLengths(new Float64Array()), undefined);
    assert.equal(findRowLengths(Float64Array.of(start)), undefined);
    for (const share of [0.05, 0.2, 0.5, 0.8])
      for (let seed = 1; seed <= 20; seed++) {
        const random = seeded(seed);
        const rows = rowsOf([8_760, 60]).filter(() => random() >= share);
        assert.equal(findRowLengths(rows), undefined, `${share} missing, ${seed}`);
      }
  });

  it('hold on over rows that are missing, also at their border', () => {
    const rows = rowsOf([48, 60], [192, 15]);
    for (const missing of [
      [10, 11, 12],
      [46, 47],
      [48, 49, 50],
      [46, 47, 48, 49, 50],
      [100, 101, 150],
      [49],
      [48, 50],
      [47, 48, 49, 51],
    ]) {
      const left = rows.filter((_, row) => !missing.includes(row));
      const [first, second, ...others] = lengthsIn(left) ?? [];
      assert.deepEqual(first, [0, 60], String(missing));
      const row = Array.from(rows.keys()).find(at => at >= 48 && !missing.includes(at)) ?? 0;
      assert.deepEqual(second, [2 * dayMinutes + (row - 48) * 15, 15], String(missing));
      assert.deepEqual(others, []);
    }
  });

  it('are no matter of single odd rows, nor of two rows of an instant', () => {
    const rows = rowsOf([100, 60]);
    const odd = Float64Array.from([...rows, start + 15 * minuteMs, start + (60 * 50 + 7) * minuteMs]).sort();
    assert.equal(findRowLengths(odd), undefined);
    const mixed = rowsOf([48, 60], [96, 15]);
    const twice = Float64Array.from([...mixed, ...mixed.subarray(5, 9), ...mixed.subarray(46, 50)]).sort();
    assert.deepEqual(findRowLengths(twice), findRowLengths(mixed));
    const withOdd = Float64Array.from([...mixed, start + (60 * 10 + 30) * minuteMs]).sort();
    assert.deepEqual(findRowLengths(withOdd), findRowLengths(mixed));
  });

  it('begin again where rows of a length begin at other minutes', () => {
    const rows = rowsOf([24, 60], [1, 30], [24, 60], [96, 15]);
    assert.deepEqual(lengthsIn(rows), [
      [0, 60],
      [24 * 60 + 30, 60],
      [48 * 60 + 30, 15],
    ]);
  });

  it('are none of days of a zone, of months, of years, of working days, and of rows without any order', () => {
    const days = [...rowsOf([80, dayMinutes])].map((ms, day) => ms - (day >= 40 ? 60 : 0) * minuteMs);
    assert.equal(findRowLengths(Float64Array.from(days)), undefined);
    const months = Array.from({ length: 240 }, (_, month) => Date.UTC(1995, month));
    assert.equal(findRowLengths(Float64Array.from(months)), undefined);
    assert.equal(findRowLengths(Float64Array.from({ length: 40 }, (_, year) => Date.UTC(1880 + year, 0))), undefined);
    const working = rowsOf([400, dayMinutes]).filter(ms => ![0, 6].includes(new Date(ms).getUTCDay()));
    assert.equal(findRowLengths(working), undefined);
    const random = seeded(7);
    assert.equal(findRowLengths(Float64Array.from({ length: 999 }, () => random() * 1e9).sort()), undefined);
  });

  it('are not looked for in rows that stand ages apart', () => {
    const rows = rowsOf([24, 60], [96, 15]);
    assert.equal(findRowLengths(Float64Array.from([...rows, Date.UTC(9_000, 0)])), undefined);
    assert.equal(findRowLengths(Float64Array.from([...rows, Date.UTC(2045, 0)]))?.length, 2);
  });

  it('are found in any stretches that are long enough', () => {
    const lengths = fc.constantFrom(5, 10, 15, 30, 60, 180, dayMinutes);
    const stretches = fc.array(fc.tuple(fc.integer({ min: 20, max: 300 }), lengths), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(stretches, drawn => {
        const unlike = drawn.filter(([, minutes], at) => minutes !== drawn[at - 1]?.[1]);
        fc.pre(unlike.length > 1);
        let from = 0;
        const expected = unlike.map(([count, minutes]) => [(from += count * minutes) - count * minutes, minutes]);
        assert.deepEqual(lengthsIn(rowsOf(...unlike)), expected);
      }),
    );
  });
});
