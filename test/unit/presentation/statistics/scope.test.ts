import assert from 'node:assert/strict';
import {
  describeScope,
  describeColumnScope,
  type StatisticsScope,
} from '../../../../src/presentation/statistics/scope.ts';

describe('the scope of the statistics', () => {
  it('states the number of rows and filters', () => {
    const describeRows = (rows: number, allRows: number, filterCount: number): string =>
      describeScope(
        { rows, allRows, filterCount, span: undefined, intervalMs: undefined, fewHours: undefined },
        undefined,
        'en',
      );
    assert.equal(describeRows(1, 1, 1), 'Over 1 row (1 filter)');
    assert.equal(describeRows(168, 168, 0), 'Over all 168 rows');
    assert.equal(describeRows(1, 168, 2), 'Over 1 of 168 rows (2 filters)');
  });

  it('states the length of rows for a single column too', () => {
    const base = { rows: 1, allRows: 1, filterCount: 0, span: undefined, fewHours: undefined };
    const describeRow = (length: number | undefined, binSize?: 'month') => {
      const scope: StatisticsScope = { ...base, intervalMs: length, binSize };
      assert.equal(describeColumnScope(scope, 1, undefined, 'en'), describeScope(scope, undefined, 'en'));
      return describeScope(scope, undefined, 'en');
    };
    assert.deepEqual(
      [describeRow(3_600_000), describeRow(86_400_000), describeRow(86_400_000 * 31, 'month'), describeRow(900_000)],
      ['Over 1 hour', 'Over 1 day', 'Over 1 month', 'Over 1 row'],
    );
  });

  it('describes the time range, with equal ends written once', () => {
    const timeFormat = { zoneName: 'UTC', format: (instant: number) => `day ${instant}` };
    const describeRange = (start: number, end: number): string => {
      const scope: StatisticsScope = {
        rows: 2,
        allRows: 2,
        filterCount: 0,
        span: [start, end],
        intervalMs: 31,
        fewHours: undefined,
      };
      return describeScope(scope, timeFormat, 'en');
    };
    assert.equal(describeRange(0, 61), 'Over all 2 rows · day 0 – day 61 UTC');
    assert.equal(describeRange(5, 5), 'Over all 2 rows · day 5 UTC');
  });
});
