import assert from 'node:assert/strict';
import * as v from 'valibot';
import { analysisSchema, parsePanelAnalysis } from '../../../../src/core/analysis/analysisSchema.ts';

describe('the schema of an analysis', () => {
  const sharedFields = {
    derive: [{ name: 'x', formula: 'wind_mw', source: 'NERSA, 2025' }],
    where: { ts: 'Mon' },
    missing: true,
  } as const;

  it('accepts a compared period for a panel, but rejects a window, columns and a limit', () => {
    const compare = { kind: 'lastYear', align: 'hourOfWeek' } as const;
    for (const analysis of [
      {},
      sharedFields,
      { ...sharedFields, compare },
      { compare: { kind: 'range', range: '2023-05' } },
    ])
      assert.deepEqual(parsePanelAnalysis(analysis), analysis);
    for (const analysis of [
      ...[undefined, null, 'day', [], { limit: 5 }, { columns: ['ts'] }, { within: { start: 0, end: 1 } }],
      ...[{ compare: { kind: 'file', uri: 'file:///x', name: 'x' } }, { compare: { ...compare, uri: 'x' } }],
      ...[{ resample: 'day', score: { actual: 'a', forecast: 'b', by: 'all' } }, { where: { ts: 'x'.repeat(10_001) } }],
      { derive: [{ name: 'x', formula: 'wind_mw', source: 'x'.repeat(301) }] },
    ])
      assert.equal(parsePanelAnalysis(analysis), undefined, JSON.stringify(analysis));
  });

  it('accepts a limit and a summary for tools, but rejects a summary or resampling together with a score', () => {
    for (const analysis of [
      { ...sharedFields, limit: 5 },
      { compare: { kind: 'range', range: '2023-05' } },
      { resample: 'day', summarize: ['mean'] },
    ])
      assert.ok(v.is(analysisSchema, analysis), JSON.stringify(analysis));
    const score = { actual: 'a', forecast: 'b', by: 'all' } as const;
    for (const analysis of [{ summarize: ['sum'] }, { score, summarize: [] }, { score, resample: 'day' }])
      assert.ok(!v.is(analysisSchema, analysis), JSON.stringify(analysis));
  });
});
