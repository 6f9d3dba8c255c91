import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sampleRows } from '../../../../src/core/summary/summariseResult.ts';

describe('the rows that are shown', () => {
  it('samples rows evenly, or the first and the last', () => {
    assert.deepEqual(sampleRows(9, 3, 'sample'), [0, 4, 8]);
    assert.deepEqual(sampleRows(9, 3, 'ends'), [0, 1, 8]);
    assert.deepEqual(sampleRows(2, 3, 'ends'), [0, 1]);
    assert.deepEqual(sampleRows(9, 3, 'none'), []);
  });

  it('samples as many rows as requested, each once and in order, both ends included', () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 2, max: 60 }));
    fc.assert(
      fc.property(sizes, fc.constantFrom('sample', 'ends'), ([rowCount, most], choice) => {
        const rows = sampleRows(rowCount, most, choice);
        assert.equal(rows.length, Math.min(rowCount, most));
        assert.deepEqual([rows[0], rows.at(-1)], [0, rowCount - 1]);
        assert.ok(rows.every((row, at) => at === 0 || row > (rows[at - 1] ?? Infinity)));
      }),
    );
  });
});
