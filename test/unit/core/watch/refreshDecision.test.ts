import assert from 'node:assert/strict';
import { endRefresh, startRefresh } from '../../../../src/core/watch/alertHistory.ts';
import { hour, midnight } from './readings.ts';

describe('sharing requests between windows', () => {
  const minute = 60_000;

  it('lets one window request, and the next when the first is done or has died', () => {
    const { decision, asked } = startRefresh(undefined, midnight);
    assert.equal(decision, 'request');
    // This also holds for a window whose clock is slightly behind.
    for (const now of [midnight - minute, midnight, midnight + minute])
      assert.deepEqual(startRefresh(asked, now), { decision: 'wait', asked });
    assert.equal(startRefresh(asked, midnight + 6 * minute).decision, 'request');
    assert.equal(startRefresh(endRefresh(midnight + minute, false), midnight + 2 * minute).decision, 'request');
  });

  it('lets no window request again within the hour of an empty response', () => {
    const asked = endRefresh(midnight + minute, true);
    assert.deepEqual(startRefresh(asked, midnight + hour - 1), { decision: 'readArchive', asked });
    assert.equal(startRefresh(asked, midnight + hour).decision, 'request');
  });

  it('ignores a claim from a clock that was ahead', () => {
    const { asked } = startRefresh(undefined, midnight + 100 * hour);
    assert.equal(startRefresh(asked, midnight).decision, 'request');
    assert.equal(startRefresh(endRefresh(midnight + 100 * hour, true), midnight).decision, 'request');
  });
});
