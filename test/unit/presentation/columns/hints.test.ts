import assert from 'node:assert/strict';
import { gridStressFields, systemStateFields } from '../../../../src/shared/fields.ts';
import type { NumberColumn } from '../../../../src/shared/frame.ts';
import { createNumberGridColumn } from '../../../../src/presentation/columns/numberGridColumn.ts';
import { createStressBadges } from '../../../../src/presentation/columns/stressBand.ts';

function column(name: string, values: readonly number[], parts: Partial<NumberColumn> = {}) {
  const model: NumberColumn = { kind: 'number', name, path: [name], values: Float64Array.from(values), ...parts };
  return createNumberGridColumn(model, values.length, 'en');
}

describe('hints', () => {
  it('names the band of a stress value, with the limit in the next band', () => {
    const { findBadge } = createStressBadges();
    const values = [0, 0.2999, 0.3, 0.5999, 0.6, 0.7999, 0.8, 1.2];
    assert.deepEqual(
      values.map(value => findBadge(value)?.tone),
      ['low', 'low', 'moderate', 'moderate', 'high', 'high', 'critical', 'critical'],
    );
    assert.equal(findBadge(NaN), undefined);
  });

  it('adds padded band names to the stress index only', () => {
    const field = gridStressFields.get('value');
    assert.ok(field);
    const stress = column('value', [0.1, 0.9, 0.5], { field, gaps: Uint8Array.from([0, 0, 1]) });
    assert.deepEqual([stress.badge?.(0)?.text, stress.badge?.(0)?.tone], ['low     ', 'low']);
    assert.deepEqual([stress.badge?.(1)?.spoken, stress.badge?.(1)?.tone], ['critical', 'critical']);
    assert.equal(stress.badge?.(2), undefined);
    assert.equal(stress.gapHint?.(2), 'null');
    assert.equal(stress.badge?.(0), stress.badge?.(0));
    assert.equal(column('value', [0.1]).badge, undefined);
  });

  it('shows whether OCGT output rose or fell', () => {
    const field = systemStateFields.get('ocgt_ramp_mw');
    const ramp = column('ocgt_ramp_mw', [12, -3, 0, 0], {
      ...(field && { field }),
      gaps: Uint8Array.from([0, 0, 0, 2]),
    });
    assert.deepEqual(
      [0, 1, 2].map(row => ramp.badge?.(row)?.tone),
      ['up', 'down', 'none'],
    );
    assert.deepEqual(
      [0, 1].map(row => ramp.badge?.(row)?.spoken),
      ['up', 'down'],
    );
    assert.deepEqual([ramp.badge?.(3), ramp.gapHint?.(3)], [undefined, 'absent']);
  });

  it('marks negative numbers, but not zero or a gap', () => {
    const numbers = column('n', [-1, 0, -0, -5], { gaps: Uint8Array.from([0, 0, 0, 1]) });
    assert.deepEqual(
      [0, 1, 2, 3].map(row => numbers.negative?.(row)),
      [true, false, false, false],
    );
  });
});
