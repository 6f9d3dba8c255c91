import assert from 'node:assert/strict';
import { LatestResult, runInSlices } from '../../../src/webview/slices.ts';
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

describe('LatestResult', () => {
  const rows = {};

  it('gives a result that takes no longer than a slice at once, and computes it once', () => {
    const { seen, run, turns } = work(2, 1);
    const latest = new LatestResult<string>(() => assert.fail(), turns);
    assert.equal(latest.of(rows, 'a', run), 'result');
    assert.equal(latest.of(rows, 'a', run), 'result');
    assert.equal(seen.done, 2);
    latest.of({}, 'a', run);
    assert.equal(seen.done, 4);
  });

  it('computes a longer one between other work, and says when it is there', async () => {
    const { seen, run, turns } = work(100, 3);
    const finished = Promise.withResolvers<undefined>();
    const latest = new LatestResult<string>(() => finished.resolve(undefined), turns);
    assert.equal(latest.of(rows, 'a', run), 'computing');
    assert.equal(seen.longest, 9);
    await finished.promise;
    assert.equal(latest.of(rows, 'a', run), 'result');
    assert.equal(seen.done, 100);
  });

  it('stops a longer one where another is wanted, and says nothing of it', async () => {
    const first = work(100, 10);
    const second = work(1, 1);
    const latest = new LatestResult<string>(() => assert.fail(), first.turns);
    assert.equal(latest.of(rows, 'a', first.run), 'computing');
    assert.equal(latest.of(rows, 'b', second.run), 'result');
    const { done } = first.seen;
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    assert.equal(first.seen.done, done);
  });
});
