import assert from 'node:assert/strict';
import fc from 'fast-check';
import { selectionStats } from '../../../../src/webview/rows/selectionStats.ts';
import { numberColumn, textColumn } from './columns.ts';

describe('selectionStats', () => {
  it('goes over the numbers of the selected rows and no others', () => {
    const columns = [numberColumn('a', [1, null, 3, 100], 'MW'), numberColumn('b', [-2, 0, undefined, 100], 'MW')];
    assert.deepEqual(selectionStats([...columns, textColumn('c', ['5', '6', '7', '8'])], Uint32Array.from([2, 0, 1])), {
      ...{ count: 4, missing: 2, sum: 2, unit: 'MW' },
      ...{ mean: 0.5, min: -2, max: 3 },
    });
  });

  it('has a unit only where all share it', () => {
    const [mw, other, share] = [
      numberColumn('a', [1], 'MW'),
      numberColumn('b', [1]),
      numberColumn('c', [1], '%'),
    ] as const;
    assert.equal(selectionStats([mw, other], [0]).unit, undefined);
    assert.equal(selectionStats([mw, share], [0]).unit, undefined);
    assert.equal(selectionStats([share, textColumn('d', ['x'])], [0]).unit, '%');
  });

  it('has no mean of nothing', () => {
    const { count, missing, sum, mean, min, max } = selectionStats([numberColumn('a', [null])], [0]);
    assert.deepEqual([count, missing, sum, mean, min, max], [0, 1, 0, undefined, undefined, undefined]);
  });

  it('sums to the digits of the true sum', () => {
    const tenths = numberColumn(
      'a',
      Array.from({ length: 100_000 }, () => 0.1),
    );
    const rows = Uint32Array.from({ length: 100_000 }, (_, row) => row);
    assert.equal(selectionStats([tenths], rows).sum, 10_000);
    assert.equal(selectionStats([numberColumn('a', [1e100, 1, -1e100])], [0, 1, 2]).sum, 1);
    assert.equal(selectionStats([numberColumn('a', [1.7e308, 1.7e308])], [0, 1]).sum, Infinity);
  });

  it('sums decimals that cancel to zero', () => {
    const { sum, mean } = selectionStats([numberColumn('a', [0.1, 0.2]), numberColumn('b', [-0.3, 0])], [0, 1]);
    assert.deepEqual([sum, mean], [0, 0]);
  });

  it('agrees with exact arithmetic over quarters', () => {
    // Quarters below 2^40 are exact in both BigInt and double.
    const quarters = fc.array(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), { minLength: 1 });
    fc.assert(
      fc.property(quarters, whole => {
        const stats = selectionStats(
          [
            numberColumn(
              'a',
              whole.map(value => value / 4),
            ),
          ],
          [...whole.keys()],
        );
        const sum = whole.reduce((total, value) => total + BigInt(value), 0n);
        assert.equal(stats.sum, Number(sum) / 4);
        assert.equal(stats.max, Math.max(...whole) / 4);
        assert.equal(stats.min, Math.min(...whole) / 4);
      }),
    );
  });
});
