import assert from 'node:assert/strict';
import { isSampleData } from '../../../../src/core/query/serviceMeta.ts';

describe('isSampleData', () => {
  it('returns true for any response of a sandbox, and for the Sample Data connection', () => {
    for (const meta of [
      { meta: { source: 'synthetic' } },
      { meta: { source: 'replay' } },
      { source: 'synthetic', count: 3 },
    ])
      assert.ok(isSampleData({ meta }), JSON.stringify(meta));
    // The first rows are shown before anything is known of the rest of the answer.
    assert.ok(isSampleData({ sample: true, meta: {} }));
  });

  it('returns false for a service that does not declare it', () => {
    for (const meta of [{}, { meta: { source: 'scada' } }, { source: ['synthetic'] }, { note: 'synthetic' }])
      assert.equal(isSampleData({ meta }), false, JSON.stringify(meta));
  });
});
