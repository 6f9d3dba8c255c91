import assert from 'node:assert/strict';
import fc from 'fast-check';
import { drawnPoints, pointsIn } from '../../../../src/webview/chart/decimate.ts';
import { lowerBound, nearest } from '../../../../src/webview/chart/timeline.ts';

const series = fc
  .array(
    fc.record({
      distance: fc.integer({ min: 1, max: 50 }),
      value: fc.option(fc.integer({ min: -99, max: 99 }), { nil: NaN, freq: 8 }),
      other: fc.option(fc.integer({ min: -99, max: 99 }), { nil: NaN, freq: 8 }),
    }),
    { minLength: 1, maxLength: 400 },
  )
  .map(points => {
    let at = 0;
    return {
      x: Float64Array.from(points, ({ distance }) => (at += distance)),
      edges: [Float64Array.from(points, ({ value }) => value), Float64Array.from(points, ({ other }) => other)],
    };
  });

/** The pixel column of an instant, as the definition says it: nothing shared with the code under test but the formula of a limit. */
function columnOf(instant: number, start: number, end: number, columns: number): number {
  let column = 0;
  while (column < columns && start + ((end - start) * (column + 1)) / columns <= instant) column++;
  return column;
}

const valuesOf = (edge: Float64Array, points: readonly number[]): number[] =>
  points.map(point => edge[point] ?? NaN).filter(value => !Number.isNaN(value));

describe('downsampling', () => {
  it('keeps extremes, gaps, the first and the last point of every pixel column', () => {
    fc.assert(
      fc.property(
        series,
        fc.integer({ min: 1, max: 30 }),
        fc.double({ min: 0, max: 0.8, noNaN: true }),
        (given, columns, share) => {
          const { x, edges } = given;
          const last = x.at(-1) ?? 0;
          const window = { start: share * last, end: last };
          const kept = Array.from(drawnPoints(x, edges, window, columns, 0));
          assert.deepEqual(
            kept,
            [...new Set(kept)].sort((a, b) => a - b),
            'ascending, each once',
          );
          const inside = Array.from(x.keys()).filter(point => (x[point] ?? 0) >= window.start);
          const groups = new Map<number, number[]>();
          for (const point of inside) {
            const column = columnOf(x[point] ?? 0, window.start, window.end, columns);
            groups.set(column, [...(groups.get(column) ?? []), point]);
          }
          for (const points of groups.values()) {
            const here = kept.filter(point => points.includes(point));
            assert.equal(here[0], points[0]);
            assert.equal(here.at(-1), points.at(-1));
            for (const edge of edges) {
              assert.equal(Math.min(...valuesOf(edge, here)), Math.min(...valuesOf(edge, points)));
              assert.equal(Math.max(...valuesOf(edge, here)), Math.max(...valuesOf(edge, points)));
              const hasGap = points.some(point => Number.isNaN(edge[point]));
              assert.equal(
                here.some(point => Number.isNaN(edge[point])),
                hasGap,
              );
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('draws every point of a window with few', () => {
    fc.assert(
      fc.property(series, ({ x, edges }) => {
        const kept = drawnPoints(x, edges, { start: x[0] ?? 0, end: x.at(-1) ?? 0 }, 3);
        assert.deepEqual(Array.from(kept), Array.from(x.keys()));
      }),
    );
  });

  it('reduces a million points to a few thousand', () => {
    const x = Float64Array.from({ length: 1_000_000 }, (_, index) => index);
    const kept = drawnPoints(x, [x], { start: 0, end: 1_000_000 }, 1000);
    assert.ok(kept.length > 1000 && kept.length <= 5010, String(kept.length));
  });

  it('includes one neighbor on each side of a window, so that lines reach its edges', () => {
    const x = Float64Array.of(10, 20, 30, 40, 50);
    assert.deepEqual(pointsIn(x, { start: 25, end: 35 }), { from: 1, to: 4 });
    assert.deepEqual(pointsIn(x, { start: 20, end: 40 }), { from: 0, to: 5 });
    assert.deepEqual(pointsIn(x, { start: 31, end: 32 }), { from: 2, to: 4 });
    assert.deepEqual(Array.from(drawnPoints(x, [x], { start: 25, end: 35 }, 1, 0)), [1, 2, 3]);
  });
});

describe('the search', () => {
  it('finds the same index as a linear search', () => {
    const values = fc.array(fc.integer({ min: 0, max: 50 })).map(list => Float64Array.from(list).sort());
    fc.assert(
      fc.property(values, fc.integer({ min: -2, max: 52 }), (sorted, wanted) => {
        assert.equal(lowerBound(sorted, wanted), sorted.filter(value => value < wanted).length);
        const found = sorted[nearest(sorted, wanted)];
        const best = Math.min(...Array.from(sorted, value => Math.abs(value - wanted)));
        assert.equal(found === undefined ? Infinity : Math.abs(found - wanted), best);
      }),
    );
  });
});
