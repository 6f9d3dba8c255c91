import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Column } from '../../../../src/shared/frame.ts';
import { computeSelectionStats } from '../../../../src/webview/rows/selectionStats.ts';
import { numberColumn, textColumn } from '../../core/filter/columns.ts';
import { energy, index, power, powerDifference, powerExtreme, share } from '../../../../src/shared/units.ts';

const hourMs = 3_600_000;

describe('computeSelectionStats', () => {
  it('summarizes the numbers of the selected rows only', () => {
    const columns = [numberColumn('a', [1, null, 3, 100], power), numberColumn('b', [-2, 0, undefined, 100], power)];
    assert.deepEqual(
      computeSelectionStats([...columns, textColumn('c', ['5', '6', '7', '8'])], Uint32Array.from([2, 0, 1])),
      {
        count: 4,
        missing: 2,
        columns: 2,
        figures: { unit: power, sum: 2, mean: 0.5, min: -2, max: 3, energy: undefined },
      },
    );
  });

  it('computes figures only when all columns share their unit', () => {
    const mw = numberColumn('a', [1], power);
    const withoutUnit = numberColumn('b', [1]);
    const percent = numberColumn('c', [1], share);
    const getUnit = (...columns: Column[]) => computeSelectionStats(columns, [0]).figures?.unit;
    assert.equal(getUnit(mw, withoutUnit), undefined);
    assert.equal(getUnit(mw, percent), undefined);
    assert.equal(getUnit(mw, numberColumn('d', [1], powerDifference)), undefined);
    assert.equal(getUnit(mw, numberColumn('e', [1], powerExtreme)), undefined);
    assert.equal(getUnit(percent, textColumn('d', ['x'])), share);
    assert.equal(computeSelectionStats([mw, percent], [0]).count, 2);
  });

  it('sums the energy of power columns over the hours in which one has a value', () => {
    const columns = [
      numberColumn('a', [100, null, 300, null], power),
      numberColumn('b', [1, 2, undefined, null], power),
    ];
    assert.deepEqual(computeSelectionStats(columns, [0, 1, 2, 3], hourMs / 2).figures?.energy, {
      mwh: 201.5,
      hours: 1.5,
    });
    assert.deepEqual(computeSelectionStats(columns, [2, 3], 24 * hourMs).figures?.energy, { mwh: 7200, hours: 24 });
    for (const unit of [powerExtreme, share, index, energy, undefined])
      assert.equal(computeSelectionStats([numberColumn('a', [1, 2], unit)], [0, 1], hourMs).figures?.energy, undefined);
  });

  it('returns no figures without values', () => {
    const { count, missing, figures } = computeSelectionStats([numberColumn('a', [null])], [0]);
    assert.deepEqual([count, missing, figures], [0, 1, undefined]);
  });

  it('returns the exact sum of many or very different numbers', () => {
    const tenths = numberColumn(
      'a',
      Array.from({ length: 100_000 }, () => 0.1),
    );
    const rows = Uint32Array.from({ length: 100_000 }, (_, row) => row);
    assert.equal(computeSelectionStats([tenths], rows).figures?.sum, 10_000);
    assert.equal(computeSelectionStats([numberColumn('a', [1e100, 1, -1e100])], [0, 1, 2]).figures?.sum, 1);
    assert.equal(computeSelectionStats([numberColumn('a', [1.7e308, 1.7e308])], [0, 1]).figures?.sum, Infinity);
  });

  it('sums decimals that cancel to zero', () => {
    const { figures } = computeSelectionStats([numberColumn('a', [0.1, 0.2]), numberColumn('b', [-0.3, 0])], [0, 1]);
    assert.deepEqual([figures?.sum, figures?.mean], [0, 0]);
  });

  it('equals exact arithmetic over quarters', () => {
    // Quarters below 2^40 are exact in both BigInt and double.
    const quarters = fc.array(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), { minLength: 1 });
    fc.assert(
      fc.property(quarters, whole => {
        const { figures: stats } = computeSelectionStats(
          [
            numberColumn(
              'a',
              whole.map(value => value / 4),
            ),
          ],
          [...whole.keys()],
        );
        const sum = whole.reduce((total, value) => total + BigInt(value), 0n);
        assert.equal(stats?.sum, Number(sum) / 4);
        assert.equal(stats.max, Math.max(...whole) / 4);
        assert.equal(stats.min, Math.min(...whole) / 4);
      }),
    );
  });
});
