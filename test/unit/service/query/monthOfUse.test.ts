import assert from 'node:assert/strict';
import type { EndpointRunner } from '../../../support/followRun.ts';
import { computeMinRequest, createMonthOfUse } from '../../../support/monthOfUse.ts';
import { toServiceQuery } from '../../../support/serviceQuery.ts';
import { unsyncedFs } from '../archive/archiveSetUp.ts';
import { DiskMonth, countWrongRows } from '../../../support/diskMonth.ts';
import { GridWorld } from '../gridWorld.ts';

describe('a month of use', () => {
  it('spends the fewest requests that freshness allows, ten times less than without an archive', async () => {
    const world = new GridWorld('2026-11-01T00:00Z');
    const script = createMonthOfUse(world.now);
    const windows = new Map<number, EndpointRunner>();
    const requestHistory = new Map<string, number>();
    let spent = 0;
    let minimum = 0;
    for (const { at, window, restart, dataset, range } of script) {
      world.now = at;
      if (restart) windows.clear();
      const runner = windows.get(window) ?? world.window();
      windows.set(window, runner);
      const query = world.query(range, dataset);
      const result = await runner.run(query, world.endpoint);
      const expected = computeMinRequest(requestHistory, dataset, query.start, query.end, at);
      const description = `${dataset} ${range} at ${new Date(at).toISOString()}`;
      assert.deepEqual(world.sentRequests.splice(0), expected ? [{ dataset, ...expected }] : [], description);
      assert.equal(result.provenance.requestsSpent, expected ? 1 : 0, description);
      spent += result.provenance.requestsSpent;
      if (expected) minimum++;
    }
    assert.equal(script.length, 200);
    assert.equal(spent, minimum);
    assert.ok(spent * 10 <= script.length, `${spent} requests for ${script.length} queries`);
  });

  it('spends the same on real files after restarts', async () => {
    const start = Date.parse('2026-11-01T00:00Z');
    const script = createMonthOfUse(start);
    const month = new DiskMonth(start, unsyncedFs);
    const requestHistory = new Map<string, number>();
    let minimum = 0;
    for (const entry of script) {
      const { query, result, left } = await month.run(entry);
      const { dataset, range, at } = entry;
      const expected = computeMinRequest(requestHistory, dataset, query.start, query.end, at);
      const description = `${dataset} ${range} at ${new Date(at).toISOString()}`;
      assert.deepEqual(month.requestedSpans.slice(minimum), expected ? [expected] : [], description);
      assert.equal(result.provenance.requestsSpent, expected ? 1 : 0, description);
      assert.equal(countWrongRows(result, query, at), 0, description);
      // The queries of a session are farther apart than the rate limit window. Therefore at most one recent request counts.
      if (expected) assert.equal(left, toServiceQuery(query).dataset.limit.requests - 1, description);
      if (expected) minimum++;
    }
    assert.equal(month.requestedSpans.length, minimum);
    assert.ok(minimum * 10 <= script.length, `${minimum} requests for ${script.length} queries`);
    assert.ok(month.windowsStarted > 30, `${month.windowsStarted} windows`);
    assert.deepEqual(month.warnings, []);
  });
});
