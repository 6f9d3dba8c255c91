import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stackParts } from '../../../../src/presentation/chart/stack.ts';

describe('the stack', () => {
  it('stacks sources, negative ones downward', () => {
    const [thermal, imports, wind] = stackParts([
      Float64Array.of(10, 10),
      Float64Array.of(2, -3),
      Float64Array.of(4, 4),
    ]);
    assert.deepEqual(
      thermal?.above.map(edge => Array.from(edge)),
      [
        [0, 0],
        [10, 10],
      ],
    );
    assert.equal(thermal.below, undefined);
    assert.deepEqual(
      imports?.above.map(edge => Array.from(edge)),
      [
        [10, 10],
        [12, 10],
      ],
    );
    assert.deepEqual(
      imports.below?.map(edge => Array.from(edge)),
      [
        [0, -3],
        [0, 0],
      ],
    );
    assert.deepEqual(
      wind?.above.map(edge => Array.from(edge)),
      [
        [12, 10],
        [16, 14],
      ],
    );
  });

  it('equals the sum of its sources above and below zero', () => {
    const part = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), parts => {
        const layers = stackParts(parts.map(values => Float64Array.from(values)));
        for (let point = 0; point < 6; point++) {
          const values = parts.map(values => values[point] ?? NaN);
          const highest = Math.max(...layers.map(({ above }) => above[1][point] ?? NaN));
          const lowest = Math.min(0, ...layers.map(({ below }) => below?.[0][point] ?? 0));
          assert.equal(
            highest,
            values.reduce((sum, value) => sum + Math.max(value, 0), 0),
          );
          assert.equal(
            lowest,
            values.reduce((sum, value) => sum + Math.min(value, 0), 0),
          );
          layers.forEach(({ above, below }, index) => {
            const height = (above[1][point] ?? 0) - (above[0][point] ?? 0);
            const depth = below ? (below[1][point] ?? 0) - (below[0][point] ?? 0) : 0;
            assert.equal(height - depth, values[index]);
          });
        }
      }),
    );
  });
});
