import assert from 'node:assert/strict';
import { fixRangeAt } from '../../../../src/core/savedQueries/walk.ts';

const query = { dataset: 'systemState', range: 'last 24 hours', interval: '1h', params: {}, timeZone: 'UTC' };
const runAt = Date.UTC(2026, 10, 14, 5, 30);

describe('a query fixed at an earlier run', () => {
  it('keeps the written range while it resolves to the same hours', () => {
    assert.equal(fixRangeAt(query, runAt, runAt + 60_000), query);
    const fixed = { ...query, range: '2023-05' };
    assert.equal(fixRangeAt(fixed, runAt, runAt + 365 * 86_400_000), fixed);
  });

  it('returns the earlier hours once the range resolves to others', () => {
    const fixedQuery = fixRangeAt(query, runAt, runAt + 3_600_000);
    assert.deepEqual(fixedQuery, { ...query, range: '2026-11-13T05:00:00Z..2026-11-14T05:00:00Z' });
  });

  it('keeps a text that is not a range', () => {
    const invalidQuery = { ...query, range: 'whenever' };
    assert.equal(fixRangeAt(invalidQuery, runAt, runAt), invalidQuery);
  });
});
