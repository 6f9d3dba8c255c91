import assert from 'node:assert/strict';
import { scopeOfAll, scopeOfColumn } from '../../../../src/presentation/statistics/scope.ts';

describe('scopeOfAll', () => {
  it('counts rows in words, a single one too', () => {
    const over = (rows: number, allRows: number, filterCount: number): string =>
      scopeOfAll({ rows, allRows, filterCount, span: undefined, step: undefined, few: undefined }, undefined, 'en');
    assert.equal(over(1, 1, 1), 'Over 1 row (1 filter)');
    assert.equal(over(168, 168, 0), 'Over all 168 rows');
    assert.equal(over(1, 168, 2), 'Over 1 of 168 rows (2 filters)');
  });

  it('calls a single row what it lasts, also of a column', () => {
    const base = { rows: 1, allRows: 1, filterCount: 0, span: undefined, few: undefined };
    const over = (step: number | undefined, size?: 'month') => {
      const scope = { ...base, step, size };
      assert.equal(scopeOfColumn(scope, 1, undefined, 'en'), scopeOfAll(scope, undefined, 'en'));
      return scopeOfAll(scope, undefined, 'en');
    };
    assert.deepEqual(
      [over(3_600_000), over(86_400_000), over(86_400_000 * 31, 'month'), over(900_000)],
      ['Over 1 hour', 'Over 1 day', 'Over 1 month', 'Over 1 row'],
    );
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
