import assert from 'node:assert/strict';
import { endRefreshTurn, takeRefreshTurn } from '../../../../src/core/watch/alertHistory.ts';
import { hour, midnight } from './readings.ts';

describe('sharing requests between windows', () => {
  const minute = 60_000;

  it('lets one window request, and the next when the first is done or has died', () => {
    const { turn, asked } = takeRefreshTurn(undefined, midnight);
    assert.equal(turn, 'ask');
    // Also in a window whose clock is a little behind.
    for (const now of [midnight - minute, midnight, midnight + minute])
      assert.deepEqual(takeRefreshTurn(asked, now), { turn: 'wait', asked });
    assert.equal(takeRefreshTurn(asked, midnight + 6 * minute).turn, 'ask');
    assert.equal(takeRefreshTurn(endRefreshTurn(midnight + minute, false), midnight + 2 * minute).turn, 'ask');
  });

  it('lets no window request again within the hour of an empty response', () => {
    const asked = endRefreshTurn(midnight + minute, true);
    assert.deepEqual(takeRefreshTurn(asked, midnight + hour - 1), { turn: 'look', asked });
    assert.equal(takeRefreshTurn(asked, midnight + hour).turn, 'ask');
  });

  it('ignores a claim from a clock that was ahead', () => {
    const { asked } = takeRefreshTurn(undefined, midnight + 100 * hour);
    assert.equal(takeRefreshTurn(asked, midnight).turn, 'ask');
    assert.equal(takeRefreshTurn(endRefreshTurn(midnight + 100 * hour, true), midnight).turn, 'ask');
  });
});
