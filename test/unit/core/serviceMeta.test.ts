import assert from 'node:assert/strict';
import { isSampleData } from '../../../src/core/serviceMeta.ts';

describe('isSampleData', () => {
  it('is true of any answer that a sandbox gave, made up or replayed, and of the connection of Sample Data', () => {
    for (const meta of [
      { meta: { source: 'synthetic' } },
      { meta: { source: 'replay' } },
      { source: 'synthetic', count: 3 },
    ])
      assert.ok(isSampleData({ meta }), JSON.stringify(meta));
    // The first rows are shown before anything is known of the rest of the answer.
    assert.ok(isSampleData({ sample: true, meta: {} }));
  });

  it('is false of a service that says nothing of it', () => {
    for (const meta of [{}, { meta: { source: 'scada' } }, { source: ['synthetic'] }, { note: 'synthetic' }])
      assert.equal(isSampleData({ meta }), false, JSON.stringify(meta));
  });
});
