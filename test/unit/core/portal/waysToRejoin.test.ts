import assert from 'node:assert/strict';
import fc from 'fast-check';
import { waysToRejoin } from '../../../../src/core/portal/splitCells.ts';

const ways = (row: string, columns: number) => waysToRejoin(row.split(','), columns);

describe('waysToRejoin', () => {
  it('joins the halves of numbers until the columns are filled', () => {
    assert.deepEqual(ways('2022-06-23,00:00:00,8304,617,0,908.5', 5), [
      ['2022-06-23', '00:00:00', '8304,617', '0', '908.5'],
    ]);
    assert.deepEqual(ways('-0,5,-2186,25,1,002', 3), [['-0,5', '-2186,25', '1,002']]);
  });

  it('reads a closing zero as a fraction only when nothing else works', () => {
    assert.deepEqual(ways('0,0,8304,617', 3), [['0', '0', '8304,617']]);
    assert.deepEqual(ways('908,0,0,0', 2), [['908,0', '0,0']]);
  });

  it('finds every way to rejoin a row', () => {
    assert.deepEqual(ways('1,234,567', 2), [
      ['1,234', '567'],
      ['1', '234,567'],
    ]);
  });

  it('finds no way when there is none', () => {
    assert.deepEqual(ways('a,b,1.5,12345', 3), []);
    assert.deepEqual(ways('1,2,3', 1), []);
  });

  it('stops early on a row with too many ways', () => {
    assert.equal(ways(Array.from({ length: 80 }, () => '111').join(), 60), undefined);
  });

  it('includes the true numbers among its ways', () => {
    const cell = fc.oneof(
      fc.constantFrom('0', '908', '-4'),
      fc.integer({ min: -9_999_999, max: 9_999_999 }).map(thousandths => String(thousandths / 1000)),
    );
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 12 }), cells => {
        const found = ways(cells.join().replaceAll('.', ','), cells.length) ?? [];
        assert.ok(found.some(way => way.join(';') === cells.join(';').replaceAll('.', ',')));
        for (const way of found) assert.equal(way.length, cells.length);
      }),
    );
  });
});
