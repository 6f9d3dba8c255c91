import assert from 'node:assert/strict';
import * as v from 'valibot';
import { analysisSchema, panelAnalysisOf } from '../../../../src/core/analysis/analysisSchema.ts';

describe('an analysis from outside', () => {
  const both = { derive: [{ name: 'x', formula: 'wind_mw' }], where: { ts: 'Mon' }, missing: true } as const;

  it('of a panel has another period, and neither window, columns nor limit', () => {
    const compare = { kind: 'lastYear', align: 'hourOfWeek' } as const;
    for (const good of [{}, both, { ...both, compare }, { compare: { kind: 'range', range: '2023-05' } }])
      assert.deepEqual(panelAnalysisOf(good), good);
    for (const bad of [
      ...[undefined, null, 'day', [], { limit: 5 }, { columns: ['ts'] }, { within: { start: 0, end: 1 } }],
      ...[{ compare: { kind: 'file', uri: 'file:///x', name: 'x' } }, { compare: { ...compare, uri: 'x' } }],
      ...[{ resample: 'day', score: { actual: 'a', forecast: 'b', by: 'all' } }, { where: { ts: 'x'.repeat(10_001) } }],
    ])
      assert.equal(panelAnalysisOf(bad), undefined, JSON.stringify(bad));
  });

  it('of rows that are there compares nothing', () => {
    assert.ok(v.is(analysisSchema, { ...both, limit: 5 }));
    assert.ok(!v.is(analysisSchema, { compare: { kind: 'range', range: '2023-05' } }));
  });
});
