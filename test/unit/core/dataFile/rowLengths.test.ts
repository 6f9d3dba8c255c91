import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findRowLengths } from '../../../../src/core/dataFile/rowLengths.ts';
import { createSeededRandom } from '../../../support/seededRandom.ts';

const minuteMs = 60_000;
const start = Date.UTC(2025, 0, 1);

/** Creates the instants of consecutive runs of rows, with lengths in minutes. */
function createRows(...runs: readonly (readonly [count: number, minutes: number])[]): Float64Array {
  let rowStart = start;
  const rows = runs.flatMap(([count, minutes]) =>
    Array.from({ length: count }, () => (rowStart += minutes * minuteMs) - minutes * minuteMs),
  );
  return Float64Array.from(rows);
}

/** Lists the start of each length, in minutes after the first row, and the length. */
function listLengths(rows: Float64Array): readonly (readonly [from: number, minutes: number])[] | undefined {
  return findRowLengths(rows)?.map(({ start: from, intervalMs }) => [(from - start) / minuteMs, intervalMs / minuteMs]);
}

const dayMinutes = 1_440;

describe('findRowLengths', () => {
  it('returns where each length starts, also if a length occurs twice', () => {
    assert.deepEqual(listLengths(createRows([24, 60], [96, 15])), [
      [0, 60],
      [dayMinutes, 15],
    ]);
    assert.deepEqual(listLengths(createRows([96, 15], [48, 60], [96, 15])), [
      [0, 15],
      [dayMinutes, 60],
      [3 * dayMinutes, 15],
    ]);
    assert.deepEqual(listLengths(createRows([10, dayMinutes], [24, 60], [48, 30], [96, 15])), [
      [0, dayMinutes],
      [10 * dayMinutes, 60],
      [11 * dayMinutes, 30],
      [12 * dayMinutes, 15],
    ]);
  });

  it('returns undefined for rows of one length, also with gaps', () => {
    assert.equal(findRowLengths(createRows([200, 60])), undefined);
    assert.equal(findRowLengths(new Float64Array()), undefined);
    assert.equal(findRowLengths(Float64Array.of(start)), undefined);
    for (const share of [0.05, 0.2, 0.5, 0.8])
      for (let seed = 1; seed <= 20; seed++) {
        const random = createSeededRandom(seed);
        const rows = createRows([8_760, 60]).filter(() => random() >= share);
        assert.equal(findRowLengths(rows), undefined, `${share} missing, ${seed}`);
      }
  });

  it('continues a length across missing rows, also at a change of the length', () => {
    const twoLengths = createRows([48, 60], [192, 15]);
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
      const remaining = twoLengths.filter((_, row) => !missing.includes(row));
      const [first, second, ...otherLengths] = listLengths(remaining) ?? [];
      assert.deepEqual(first, [0, 60], String(missing));
      const row = Array.from(twoLengths.keys()).find(index => index >= 48 && !missing.includes(index)) ?? 0;
      assert.deepEqual(second, [2 * dayMinutes + (row - 48) * 15, 15], String(missing));
      assert.deepEqual(otherLengths, []);
    }
  });

  it('ignores a few irregular rows, and duplicates', () => {
    const rows = createRows([100, 60]);
    const withIrregularRows = Float64Array.from([
      ...rows,
      start + 15 * minuteMs,
      start + (60 * 50 + 7) * minuteMs,
    ]).sort();
    assert.equal(findRowLengths(withIrregularRows), undefined);
    const twoLengths = createRows([48, 60], [96, 15]);
    const withDuplicates = Float64Array.from([
      ...twoLengths,
      ...twoLengths.subarray(5, 9),
      ...twoLengths.subarray(46, 50),
    ]).sort();
    assert.deepEqual(findRowLengths(withDuplicates), findRowLengths(twoLengths));
    const withIrregular = Float64Array.from([...twoLengths, start + (60 * 10 + 30) * minuteMs]).sort();
    assert.deepEqual(findRowLengths(withIrregular), findRowLengths(twoLengths));
  });

  it('returns a length again if its rows begin at other minutes from then on', () => {
    const rows = createRows([24, 60], [1, 30], [24, 60], [96, 15]);
    assert.deepEqual(listLengths(rows), [
      [0, 60],
      [24 * 60 + 30, 60],
      [48 * 60 + 30, 15],
    ]);
  });

  it('returns undefined for days of a zone, months, years, working days and irregular rows', () => {
    const days = [...createRows([80, dayMinutes])].map((ms, day) => ms - (day >= 40 ? 60 : 0) * minuteMs);
    assert.equal(findRowLengths(Float64Array.from(days)), undefined);
    const months = Array.from({ length: 240 }, (_, month) => Date.UTC(1995, month));
    assert.equal(findRowLengths(Float64Array.from(months)), undefined);
    assert.equal(findRowLengths(Float64Array.from({ length: 40 }, (_, year) => Date.UTC(1880 + year, 0))), undefined);
    const workingDays = createRows([400, dayMinutes]).filter(ms => ![0, 6].includes(new Date(ms).getUTCDay()));
    assert.equal(findRowLengths(workingDays), undefined);
    const random = createSeededRandom(7);
    assert.equal(findRowLengths(Float64Array.from({ length: 999 }, () => random() * 1e9).sort()), undefined);
  });

  it('returns undefined if the range of the rows has too many intervals', () => {
    const rows = createRows([24, 60], [96, 15]);
    assert.equal(findRowLengths(Float64Array.from([...rows, Date.UTC(9_000, 0)])), undefined);
    assert.equal(findRowLengths(Float64Array.from([...rows, Date.UTC(2045, 0)]))?.length, 2);
  });

  it('finds the lengths of any runs of at least 20 rows', () => {
    const lengths = fc.constantFrom(5, 10, 15, 30, 60, 180, dayMinutes);
    const runs = fc.array(fc.tuple(fc.integer({ min: 20, max: 300 }), lengths), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(runs, generated => {
        const distinctRuns = generated.filter(([, minutes], index) => minutes !== generated[index - 1]?.[1]);
        fc.pre(distinctRuns.length > 1);
        let from = 0;
        const expected = distinctRuns.map(([count, minutes]) => [(from += count * minutes) - count * minutes, minutes]);
        assert.deepEqual(listLengths(createRows(...distinctRuns)), expected);
      }),
    );
  });
});
