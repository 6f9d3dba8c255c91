import assert from 'node:assert/strict';
import fc from 'fast-check';
import { columnStatistics, hourMs, powerColumn, timesFrom } from '../../webview/statistics/columns.ts';

const start = Date.UTC(2026, 10, 14, 5);

/** Models type 7 independently: the value at 1 + (n - 1) p, counted from 1. */
function computeQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = 1 + (sorted.length - 1) * share;
  const getRanked = (rank: number) => sorted[Math.min(sorted.length, rank) - 1] ?? NaN;
  return (
    getRanked(Math.floor(position)) +
    (position % 1) * (getRanked(Math.floor(position) + 1) - getRanked(Math.floor(position)))
  );
}

function assertNear(actual: number | undefined, expected: number, scale: number): void {
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) <= 1e-9 * Math.max(1, scale),
    `${actual} ≠ ${expected}`,
  );
}

describe('columnStatistics', () => {
  it('computes textbook statistics', () => {
    const { summary } = columnStatistics(powerColumn([2, 4, 4, 4, 5, 5, 7, 9]));
    assert.equal(summary?.mean, 5);
    assert.equal(summary.median, 4.5);
    assertNear(summary.deviation, Math.sqrt(32 / 7), 1);
    assertNear(summary.p5, 2.7, 1);
    assertNear(summary.p95, 8.3, 1);
  });

  it('matches R: quantile(c(1, 2, 4, 8, 16), c(.05, .5, .95), type = 7) is 1.2, 4, 14.4', () => {
    const { summary } = columnStatistics(powerColumn([16, 1, 8, 2, 4]));
    assert.deepEqual(
      [summary?.p5, summary?.median, summary?.p95].map(value => value?.toFixed(12)),
      ['1.200000000000', '4.000000000000', '14.400000000000'],
    );
  });

  it('distinguishes null and absent, and counts neither as zero', () => {
    const { summary, ...counts } = columnStatistics(powerColumn([null, 10, undefined, null, 20]));
    assert.deepEqual(counts, { count: 2, nulls: 2, absent: 1 });
    assert.deepEqual([summary?.min.value, summary?.mean, summary?.max.value], [10, 15, 20]);
  });

  it('returns no statistics of a column without a value', () => {
    assert.deepEqual(columnStatistics(powerColumn([null, undefined])), {
      count: 0,
      nulls: 1,
      absent: 1,
      summary: undefined,
    });
    assert.equal(columnStatistics(powerColumn([])).summary, undefined);
  });

  it('returns no deviation of a single value', () => {
    const { summary } = columnStatistics(powerColumn([42.5]));
    assert.deepEqual([summary?.mean, summary?.median, summary?.p95, summary?.deviation], [42.5, 42.5, 42.5, undefined]);
  });

  it('reports when the extremes were: the earliest instant, and how often, for any order of rows', () => {
    const time = timesFrom(start, 6);
    const { summary } = columnStatistics(powerColumn([0, 7, 0, 7, 3, 0]), time, Uint32Array.from([5, 3, 2, 1, 0]));
    assert.deepEqual(summary?.min, { value: 0, instant: start, times: 3 });
    assert.deepEqual(summary.max, { value: 7, instant: start + hourMs, times: 2 });
  });

  it('returns no instant when the time is unknown', () => {
    const time = { ...timesFrom(start, 3), gaps: Uint8Array.from([1, 0, 0]) };
    const { summary } = columnStatistics(powerColumn([1, 2, 1]), time);
    assert.deepEqual(summary?.min, { value: 1, instant: start + 2 * hourMs, times: 2 });
    assert.equal(columnStatistics(powerColumn([1])).summary?.min.instant, undefined);
  });

  it('stays accurate with large offsets', () => {
    const { summary } = columnStatistics(powerColumn([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]));
    assert.equal(summary?.mean, 1e9 + 10);
    assertNear(summary.deviation, Math.sqrt(30), 1);
    // The mean, 1e15 + 2/3, is not a double, so that the squares are relative to an adjacent one.
    assertNear(columnStatistics(powerColumn([1e15, 1e15 + 1, 1e15 + 1])).summary?.deviation, Math.sqrt(1 / 3), 1);
    const cancelling = columnStatistics(powerColumn([1e16, 1, -1e16, 1])).summary;
    assert.equal(cancelling?.mean, 0.5);
  });

  it('stays finite at the limits of a double', () => {
    for (const size of [1e308, 1e-308]) {
      const { summary } = columnStatistics(powerColumn([size, -size, size, -size]));
      assert.equal(summary?.mean, 0);
      assertNear((summary.deviation ?? NaN) / size, Math.sqrt(4 / 3), 1);
    }
  });

  it('reports whether all numbers are integers, and sorts them', () => {
    const summarize = (values: readonly number[]) => columnStatistics(powerColumn(values)).summary;
    assert.deepEqual([summarize([3, 1, 2])?.isWhole, summarize([1, 2.5, 3])?.isWhole], [true, false]);
    assert.deepEqual([...(summarize([3, 1, 2])?.ascending ?? [])], [1, 2, 3]);
  });

  it('equals a naive computation over any rows', () => {
    const cell = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: -300_000, max: 300_000 }).map(tenths => tenths / 10) },
      { weight: 1, arbitrary: fc.constantFrom(null, undefined) },
      { weight: 1, arbitrary: fc.constantFrom(0, -0, 100) },
    );
    const cases = fc.array(cell, { minLength: 1, maxLength: 200 }).chain(cells => {
      const allRows = cells.map((_, row) => row);
      return fc.tuple(fc.constant(cells), fc.option(fc.shuffledSubarray(allRows), { nil: undefined }));
    });
    fc.assert(
      fc.property(cases, ([cells, picked]) => {
        const time = timesFrom(start, cells.length);
        const rows = picked ?? cells.map((_, row) => row);
        const values = rows.map(row => cells[row]).filter(value => value != null);
        const statistics = columnStatistics(powerColumn(cells), time, picked && Uint32Array.from(picked));
        assert.deepEqual(
          [statistics.count, statistics.count + statistics.nulls + statistics.absent],
          [values.length, rows.length],
        );
        assert.equal(statistics.nulls, rows.filter(row => cells[row] === null).length);
        assert.equal(statistics.absent, rows.filter(row => cells[row] === undefined).length);
        const { summary } = statistics;
        assert.equal(summary === undefined, values.length === 0);
        if (!summary) return;
        const size = Math.max(...values.map(Math.abs));
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        assertNear(summary.mean, mean, size);
        for (const [key, share] of [
          ['p5', 0.05],
          ['median', 0.5],
          ['p95', 0.95],
        ] as const)
          assertNear(summary[key], computeQuantile(values, share), size);
        const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
        if (values.length === 1) assert.equal(summary.deviation, undefined);
        else assertNear(summary.deviation, Math.sqrt(squares / (values.length - 1)), size);
        for (const [extreme, value] of [
          [summary.min, Math.min(...values)],
          [summary.max, Math.max(...values)],
        ] as const) {
          // +0 and -0 are the same power.
          const rowsWithValue = rows.filter(
            row => cells[row] === extreme.value || (cells[row] === 0 && extreme.value === 0),
          );
          assert.ok(extreme.value === value);
          assert.equal(extreme.times, rowsWithValue.length);
          assert.equal(extreme.instant, start + Math.min(...rowsWithValue) * hourMs);
        }
      }),
    );
  });

  it('sorts more rows than one step processes', () => {
    const rows = 150_001;
    const values = Array.from({ length: rows }, (_, row) => (row * 7919) % rows);
    const { summary } = columnStatistics(powerColumn(values));
    assert.deepEqual(
      [summary?.min.value, summary?.median, summary?.max.value, summary?.mean],
      [0, (rows - 1) / 2, rows - 1, (rows - 1) / 2],
    );
    assertNear(summary?.deviation, Math.sqrt((rows * (rows + 1)) / 12), rows);
  });
});
