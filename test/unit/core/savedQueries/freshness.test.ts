import assert from 'node:assert/strict';
import { resolveQuery, type ResolvedQuery } from '../../../../src/core/query/query.ts';
import { isStillFresh } from '../../../../src/core/savedQueries/savedItem.ts';

const hour = 3_600_000;
const now = Date.UTC(2026, 10, 14, 5, 30);
const rule = { now, settledAfterMs: 48 * hour };

describe('the freshness of a last run', () => {
  it('ends with the hour for a range up to now', () => {
    assert.equal(isStillFresh(resolve('last 24 hours'), now - 0.2 * hour, rule), true);
    assert.equal(isStillFresh(resolve('last 24 hours'), now - hour, rule), false);
  });

  it('never ends for final hours', () => {
    assert.equal(isStillFresh(resolve('2023-05'), Date.UTC(2024, 0), rule), true);
  });

  it('ends with the next publication for hours that were not final', () => {
    assert.equal(isStillFresh(resolve('2026-11-01..2026-11-12'), Date.UTC(2026, 10, 13), rule), false);
  });

  it('ends with the next publication for a future range or an unknown interval', () => {
    for (const query of [resolve('2026-12'), resolve('2023-05', '1mo')]) {
      assert.equal(isStillFresh(query, now - 0.2 * hour, rule), true);
      assert.equal(isStillFresh(query, now - hour, rule), false);
    }
  });
});

function resolve(range: string, interval = '1h'): ResolvedQuery {
  const resolution = resolveQuery({ dataset: 'systemState', range, interval, params: {}, timeZone: 'UTC' }, now);
  assert.ok(resolution.ok);
  return resolution.value;
}
