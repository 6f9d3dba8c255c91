import assert from 'node:assert/strict';
import fc from 'fast-check';
import { clipSteps, takeRowsSteps } from '../../../../src/core/frame/clip.ts';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import type { JsonObject } from '../../../../src/core/decode/envelope.ts';
import { headFrame } from '../../../../src/service/query/plannedRun.ts';
import { rowsOf } from '../../../../src/core/frame/rows.ts';
import { runSteps } from '../../../../src/core/time/steps.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const hour = 3_600_000;
const at = (step: number): string => new Date(step * hour).toISOString().replace('.000', '');
const span = { start: 0, end: 1000 * hour };
const head = (...times: readonly unknown[]) =>
  headFrame(
    times.map(ts => ({ ts, mw: 1 })),
    span,
  );

describe('the first rows of a response', () => {
  it('returns the first rows of the whole result, for any order of the rest', () => {
    const row = fc.record({ mw: fc.double({ noNaN: true }), note: fc.option(fc.string()) });
    const rows = fc.array(row, { minLength: 6, maxLength: 12 });
    const steps = fc.array(fc.integer({ min: -20, max: 1020 }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(rows, steps, fc.boolean(), (values, times, sorted) => {
        const order = sorted ? times.sort((a, b) => a - b) : times;
        const records: JsonObject[] = values.map((value, index) => ({ ts: at(order[index] ?? 0), ...value }));
        const found = headFrame(records.slice(0, 3), span);
        if (!found) return;
        const whole = runSteps(clipSteps(frameOf(records), span)).frame;
        assert.deepEqual([...rowsOf(found)], [...rowsOf(runSteps(takeRowsSteps(whole, Uint32Array.of(0, 1, 2))))]);
      }),
      { numRuns: manyRuns(1000) },
    );
  });

  it('returns the first rows when they ascend, and all of them', () => {
    assert.equal(head(at(0), at(1), at(5))?.rowCount, 3);
  });

  it('returns no first rows when other rows may precede them', () => {
    for (const [why, found] of Object.entries({
      'they descend': head(at(2), at(1)),
      'two are of one time': head(at(1), at(1)),
      'the first is before the range': head(at(-1), at(0)),
      'one has no time': head(at(0), null, at(2)),
      'the first has no time': head(null, at(1)),
      'none has a time': head('x', 'y'),
    }))
      assert.equal(found, undefined, why);
  });
});
