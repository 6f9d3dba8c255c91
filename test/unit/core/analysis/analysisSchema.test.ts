import assert from 'node:assert/strict';
import * as v from 'valibot';
import { analysisSchema, parsePanelAnalysis } from '../../../../src/core/analysis/analysisSchema.ts';

describe('an analysis from outside', () => {
  const both = { derive: [{ name: 'x', formula: 'wind_mw' }], where: { ts: 'Mon' }, missing: true } as const;

  it('of a panel has another period, and neither window, columns nor limit', () => {
    const compare = { kind: 'lastYear', align: 'hourOfWeek' } as const;
    for (const good of [{}, both, { ...both, compare }, { compare: { kind: 'range', range: '2023-05' } }])
      assert.deepEqual(parsePanelAnalysis(good), good);
    for (const bad of [
      ...[undefined, null, 'day', [], { limit: 5 }, { columns: ['ts'] }, { within: { start: 0, end: 1 } }],
      ...[{ compare: { kind: 'file', uri: 'file:///x', name: 'x' } }, { compare: { ...compare, uri: 'x' } }],
      ...[{ resample: 'day', score: { actual: 'a', forecast: 'b', by: 'all' } }, { where: { ts: 'x'.repeat(10_001) } }],
    ])
      assert.equal(parsePanelAnalysis(bad), undefined, JSON.stringify(bad));
  });

  it('of tools and programs has these, too, and a summary in place of rows that are resampled or received', () => {
    for (const good of [
      { ...both, limit: 5 },
      { compare: { kind: 'range', range: '2023-05' } },
      { resample: 'day', summarise: ['mean'] },
    ])
      assert.ok(v.is(analysisSchema, good), JSON.stringify(good));
    const score = { actual: 'a', forecast: 'b', by: 'all' } as const;
    for (const bad of [{ summarise: ['sum'] }, { score, summarise: [] }, { score, resample: 'day' }])
      assert.ok(!v.is(analysisSchema, bad), JSON.stringify(bad));
  });
});
