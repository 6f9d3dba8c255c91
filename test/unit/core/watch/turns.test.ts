import assert from 'node:assert/strict';
import { endTurn, takeTurn } from '../../../../src/core/watch/told.ts';
import { hour, midnight } from './readings.ts';

describe('sharing requests between windows', () => {
  const minute = 60_000;

  it('lets one window request, and the next when the first is done or has died', () => {
    const { turn, asked } = takeTurn(undefined, midnight);
    assert.equal(turn, 'ask');
    // Also in a window whose clock is a little behind.
    for (const now of [midnight - minute, midnight, midnight + minute])
      assert.deepEqual(takeTurn(asked, now), { turn: 'wait', asked });
    assert.equal(takeTurn(asked, midnight + 6 * minute).turn, 'ask');
    assert.equal(takeTurn(endTurn(midnight + minute, false), midnight + 2 * minute).turn, 'ask');
  });

  it('lets no window request again within the hour of an empty response', () => {
    const asked = endTurn(midnight + minute, true);
    assert.deepEqual(takeTurn(asked, midnight + hour - 1), { turn: 'look', asked });
    assert.equal(takeTurn(asked, midnight + hour).turn, 'ask');
  });

  it('ignores a claim from a clock that was ahead', () => {
    const { asked } = takeTurn(undefined, midnight + 100 * hour);
    assert.equal(takeTurn(asked, midnight).turn, 'ask');
    assert.equal(takeTurn(endTurn(midnight + 100 * hour, true), midnight).turn, 'ask');
  });
});
