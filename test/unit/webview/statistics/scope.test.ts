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
});
