import assert from 'node:assert/strict';
import { scopeOfAll } from '../../../../src/webview/statistics/scope.ts';

describe('scopeOfAll', () => {
  it('counts rows in words, a single one too', () => {
    const over = (rows: number, allRows: number, filterCount: number): string =>
      scopeOfAll({ rows, allRows, filterCount, span: undefined, step: undefined, few: undefined }, undefined, 'en');
    assert.equal(over(1, 1, 1), 'Over 1 row (1 filter)');
    assert.equal(over(168, 168, 0), 'Over all 168 rows');
    assert.equal(over(1, 168, 2), 'Over 1 of 168 rows (2 filters)');
  });

  it('says the range, and an instant of no length once', () => {
    const times = { zoneName: 'UTC', write: (instant: number) => `day ${instant}` };
    const of = (start: number, end: number): string => {
      const scope = { rows: 2, allRows: 2, filterCount: 0, span: [start, end], step: 31, few: undefined } as const;
      return scopeOfAll(scope, times, 'en');
    };
    assert.equal(of(0, 61), 'Over all 2 rows · day 0 – day 61 UTC');
    assert.equal(of(5, 5), 'Over all 2 rows · day 5 UTC');
  });
});
