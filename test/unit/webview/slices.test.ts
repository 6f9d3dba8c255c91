import assert from 'node:assert/strict';
import { runInSlices } from '../../../src/webview/slices.ts';
import type { Steps } from '../../../src/core/time/steps.ts';

/** A clock on which every step takes `stepMs`, and what it counted. */
function work(steps: number, stepMs: number) {
  const seen = { now: 0, done: 0, pauses: 0, longest: 0, since: 0 };
  function* run(): Steps<string> {
    for (let step = 0; step < steps; step++) {
      seen.now += stepMs;
      seen.done++;
      seen.longest = Math.max(seen.longest, seen.now - seen.since);
      yield;
    }
    return 'result';
  }
  const pause = () => {
    seen.pauses++;
    seen.since = seen.now;
    return Promise.resolve();
  };
  return { seen, run, turns: { now: () => seen.now, pause } };
}

describe('runInSlices', () => {
  it('yields about every 8 ms and ends with the result', async () => {
    const { seen, run, turns } = work(100, 3);
    assert.equal(await runInSlices(run(), turns, () => false), 'result');
    assert.deepEqual([seen.done, seen.pauses, seen.longest], [100, 33, 9]);
  });

  it('runs short work without a pause', async () => {
    const { seen, run, turns } = work(5, 1);
    assert.equal(await runInSlices(run(), turns, () => true), 'result');
    assert.equal(seen.pauses, 0);
  });

  it('runs no further step once stopped', async () => {
    const { seen, run, turns } = work(100, 10);
    assert.equal(await runInSlices(run(), turns, () => seen.done === 4), undefined);
    assert.equal(seen.done, 4);
  });
});
