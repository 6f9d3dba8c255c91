import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sampleRows } from '../../../../src/core/summary/summarizeResult.ts';

describe('the rows of a summary', () => {
  it('takes the first rows, samples rows evenly, or takes the first and the last ones', () => {
    assert.deepEqual(sampleRows(9, 3, 'first'), [0, 1, 2]);
    assert.deepEqual(sampleRows(9, 1, 'first'), [0]);
    assert.deepEqual(sampleRows(9, 3, 'sample'), [0, 4, 8]);
    assert.deepEqual(sampleRows(9, 3, 'ends'), [0, 1, 8]);
    assert.deepEqual(sampleRows(2, 3, 'ends'), [0, 1]);
    assert.deepEqual(sampleRows(9, 3, 'none'), []);
  });

  it('returns as many rows as requested, each once and in order, including both ends', () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 2, max: 60 }));
    fc.assert(
      fc.property(sizes, fc.constantFrom('sample', 'ends'), ([rowCount, maxRows], choice) => {
        const rows = sampleRows(rowCount, maxRows, choice);
        assert.equal(rows.length, Math.min(rowCount, maxRows));
        assert.deepEqual([rows[0], rows.at(-1)], [0, rowCount - 1]);
        assert.ok(rows.every((row, index) => index === 0 || row > (rows[index - 1] ?? Infinity)));
      }),
    );
  });
});
