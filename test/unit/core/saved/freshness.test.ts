import assert from 'node:assert/strict';
import { resolveQuery, type ResolvedQuery } from '../../../../src/core/query.ts';
import { isStillFresh } from '../../../../src/core/saved/freshness.ts';

const hour = 3_600_000;
const now = Date.UTC(2026, 10, 14, 5, 30);
const rule = { now, settledAfterMs: 48 * hour };

describe('the freshness of a last run', () => {
  it('of a range up to now ends with the hour', () => {
    assert.equal(isStillFresh(resolved('last 24 hours'), now - 0.2 * hour, rule), true);
    assert.equal(isStillFresh(resolved('last 24 hours'), now - hour, rule), false);
  });

  it('of hours that are final never ends', () => {
    assert.equal(isStillFresh(resolved('2023-05'), Date.UTC(2024, 0), rule), true);
  });

  it('of hours that were not final when asked for ends with the next publication', () => {
    assert.equal(isStillFresh(resolved('2026-11-01..2026-11-12'), Date.UTC(2026, 10, 13), rule), false);
  });

  it('of a range that has not begun, or without a known step, lasts until the next publication', () => {
    for (const query of [resolved('2026-12'), resolved('2023-05', '1mo')]) {
      assert.equal(isStillFresh(query, now - 0.2 * hour, rule), true);
      assert.equal(isStillFresh(query, now - hour, rule), false);
    }
  });
});

function resolved(range: string, interval = '1h'): ResolvedQuery {
  const resolution = resolveQuery({ dataset: 'systemState', range, interval, params: {} }, now, 'UTC');
  assert.ok(resolution.ok);
  return resolution.value;
}
