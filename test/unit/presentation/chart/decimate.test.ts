import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countBelow } from '../../../../src/core/statistics/quantile.ts';
import {
  computeColumnFigures,
  groupByPixelColumn,
  findPointsAround,
} from '../../../../src/presentation/chart/decimate.ts';
import { createTimeline, findNearest, getTimelineValues } from '../../../../src/presentation/chart/timeline.ts';

const series = fc
  .array(
    fc.record({
      distance: fc.integer({ min: 1, max: 50 }),
      value: fc.option(fc.integer({ min: -99, max: 99 }), { nil: NaN, freq: 8 }),
      otherValue: fc.option(fc.integer({ min: -99, max: 99 }), { nil: NaN, freq: 8 }),
    }),
    { minLength: 1, maxLength: 400 },
  )
  .map(points => {
    let instant = 0;
    return {
      x: Float64Array.from(points, ({ distance }) => (instant += distance)),
      edges: [
        Float64Array.from(points, ({ value }) => value),
        Float64Array.from(points, ({ otherValue }) => otherValue),
      ],
    };
  });

describe('the points of a pixel column', () => {
  it('draws mean, minimum and maximum of each pixel column, and the points next to the window', () => {
    const cases = fc.tuple(series, fc.integer({ min: 1, max: 30 }), fc.double({ min: 0, max: 0.8, noNaN: true }));
    fc.assert(
      fc.property(cases, ([{ x, edges }, width, share]) => {
        const end = x.at(-1) ?? 0;
        const window = { start: share * end, end };
        const earlierCount = x.filter(instant => instant < window.start).length;
        const points = Array.from(x.keys()).slice(Math.max(0, earlierCount - 1));
        const columns = groupByPixelColumn(x, window, width);
        assert.equal(columns === undefined, points.length <= 2 * width);
        if (!columns) return;
        const columnWidth = (window.end - window.start) / width;
        const findColumn = (point: number): number => {
          const instant = x[point] ?? 0;
          if (instant < window.start) return -1;
          let column = 0;
          while (column < width && instant >= window.start + columnWidth * (column + 1)) column++;
          return column;
        };
        const groups = Map.groupBy(points, findColumn);
        const figures = edges.map(edge => computeColumnFigures(edge, columns));
        assert.equal(columns.middles.length, groups.size);
        for (const [index, [column, members]] of [...groups].entries()) {
          assert.equal(columns.middles[index], window.start + columnWidth * (column + 1) - columnWidth / 2);
          for (const [edgeIndex, edge] of edges.entries()) {
            const known = members.map(point => edge[point] ?? NaN).filter(value => !Number.isNaN(value));
            const isEmpty = known.length === 0;
            const mean = isEmpty ? NaN : known.reduce((sum, value) => sum + value) / known.length;
            const min = isEmpty ? NaN : Math.min(...known);
            const max = isEmpty ? NaN : Math.max(...known);
            const { mean: means, min: lows, max: highs } = figures[edgeIndex] ?? assert.fail();
            assert.deepEqual([means[index], lows[index], highs[index]], [mean, min, max]);
          }
        }
      }),
    );
  });

  it('draws individual points while there are at most two per pixel', () => {
    const x = Float64Array.from({ length: 200 }, (_, index) => index);
    assert.equal(groupByPixelColumn(x, { start: 0, end: 199 }, 100), undefined);
    assert.equal(groupByPixelColumn(x, { start: 0, end: 199 }, 99)?.middles.length, 100);
  });

  it('keeps a gap of null or missing rows that contains a whole pixel column', () => {
    const runs = fc.array(
      fc.record({
        rows: fc.integer({ min: 1, max: 90 }),
        kind: fc.constantFrom('value', 'value', 'null', 'missing'),
      }),
      { minLength: 3, maxLength: 20 },
    );
    let gapCount = 0;
    fc.assert(
      fc.property(runs, fc.integer({ min: 2, max: 60 }), (series, width) => {
        const hours: number[] = [];
        const cells: number[] = [];
        let hour = 0;
        for (const { rows, kind } of series)
          for (let row = 0; row < rows; row++, hour++)
            if (kind !== 'missing') {
              hours.push(hour);
              cells.push(kind === 'null' ? NaN : hour);
            }
        const time = {
          kind: 'time',
          name: 'ts',
          path: [],
          values: Float64Array.from(hours),
        } as const;
        const column = {
          kind: 'number',
          name: 'a',
          path: [],
          values: Float64Array.from(cells),
        } as const;
        const timeline = createTimeline(time, hours.length, undefined, 1);
        const { x, rows } = timeline;
        const window = { start: x[0] ?? 0, end: x.at(-1) ?? 0 };
        const columns = groupByPixelColumn(x, window, width, rows);
        if (!columns) return;
        const { mean } = computeColumnFigures(getTimelineValues(timeline, column), columns);
        const columnWidth = (window.end - window.start) / width;
        const known = hours.filter((_, row) => !Number.isNaN(cells[row]));
        for (const [index, end] of known.entries()) {
          const begin = (known[index - 1] ?? end) + 1;
          const first = Math.ceil((begin - window.start) / columnWidth - 1e-9);
          const last = Math.floor((end - window.start) / columnWidth + 1e-9) - 1;
          if (index === 0 || first > last) continue;
          gapCount++;
          const isOpen = columns.middles.some(
            (middle, column) => middle > begin - 1 && middle < end && Number.isNaN(mean[column]),
          );
          assert.ok(isOpen, `The gap from ${begin} to ${end} is closed.`);
        }
      }),
    );
    assert.ok(gapCount > 0);
  });

  it('draws across a null that is narrower than a pixel column', () => {
    const x = Float64Array.from({ length: 100 }, (_, index) => index);
    const columns = groupByPixelColumn(x, { start: 0, end: 99 }, 10) ?? assert.fail();
    const { mean } = computeColumnFigures(
      x.map(value => (value === 45 ? NaN : value)),
      columns,
    );
    assert.ok(mean.every(value => !Number.isNaN(value)));
  });

  it('includes one neighbor on each side of a window, so that lines reach its edges', () => {
    const x = Float64Array.of(10, 20, 30, 40, 50);
    assert.deepEqual(findPointsAround(x, { start: 25, end: 35 }), { from: 1, to: 4 });
    assert.deepEqual(findPointsAround(x, { start: 20, end: 40 }), { from: 0, to: 5 });
    assert.deepEqual(findPointsAround(x, { start: 31, end: 32 }), { from: 2, to: 4 });
  });
});

describe('countBelow', () => {
  it('finds the same index as a linear search', () => {
    const values = fc.array(fc.integer({ min: 0, max: 50 })).map(list => Float64Array.from(list).sort());
    fc.assert(
      fc.property(values, fc.integer({ min: -2, max: 52 }), (sorted, limit) => {
        assert.equal(countBelow(sorted, limit), sorted.filter(value => value < limit).length);
        const nearest = sorted[findNearest(sorted, limit)];
        const minDistance = Math.min(...Array.from(sorted, value => Math.abs(value - limit)));
        assert.equal(nearest === undefined ? Infinity : Math.abs(nearest - limit), minDistance);
      }),
    );
  });
});
