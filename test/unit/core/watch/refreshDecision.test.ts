import assert from 'node:assert/strict';
import { endRefresh, startRefresh } from '../../../../src/core/watch/alertHistory.ts';
import { hour, midnight } from './readings.ts';

describe('coordinating refreshes between windows', () => {
  const minute = 60_000;

  it('lets one window refresh, and the next one when the first has finished or closed', () => {
    const { decision, lastRefresh: claim } = startRefresh(undefined, midnight);
    assert.equal(decision, 'request');
    // The same applies to a window whose clock is slightly behind.
    for (const now of [midnight - minute, midnight, midnight + minute])
      assert.deepEqual(startRefresh(claim, now), { decision: 'wait', lastRefresh: claim });
    assert.equal(startRefresh(claim, midnight + 6 * minute).decision, 'request');
    assert.equal(startRefresh(endRefresh(midnight + minute, false), midnight + 2 * minute).decision, 'request');
  });

  it('allows no second request within the hour of an empty response', () => {
    const claim = endRefresh(midnight + minute, true);
    assert.deepEqual(startRefresh(claim, midnight + hour - 1), { decision: 'readArchive', lastRefresh: claim });
    assert.equal(startRefresh(claim, midnight + hour).decision, 'request');
  });

  it('ignores a claim from a clock that was ahead', () => {
    const { lastRefresh: claim } = startRefresh(undefined, midnight + 100 * hour);
    assert.equal(startRefresh(claim, midnight).decision, 'request');
    assert.equal(startRefresh(endRefresh(midnight + 100 * hour, true), midnight).decision, 'request');
  });
});
