import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import type { EndpointRunner, RunHandlers } from '../../../support/followRun.ts';
import { RunGroup } from '../../../../src/service/query/runGroup.ts';
import { toOutcome, hasWastedRequests } from '../../../../src/service/watch/watcher.ts';
import { GridWorld, hour } from '../gridWorld.ts';

/** Sets up a service that returns at most ten days per request. Each run may send one request. */
function setUp() {
  const world = new GridWorld('2026-05-04T00:10:00Z');
  const window: EndpointRunner = world.window({
    maxRanges: {
      getLimit: () => 240 * hour,
      confirmLimit: () => Promise.resolve(),
      suspectLimit: () => Promise.resolve(),
    },
  });
  const run = async (range: string, options: RunHandlers = {}) =>
    window.run(world.query(range), world.endpoint, { ...options, maxRequests: 1 });
  return { world, run };
}

describe('a run with maxRequests: 1', () => {
  it('returns a partial result if the range needs more requests, and continues in the next run', async () => {
    const { world, run } = setUp();
    const first = await run('last 30 days');
    assert.deepEqual([first.provenance.requestsSpent, first.frame?.rowCount, world.sentRequests.length], [1, 240, 1]);
    assert.equal(first.coverage?.notRequested, 480);
    assert.equal(
      hasWastedRequests(await toOutcome(Promise.resolve(first))),
      true,
      'no other window sends a request within the hour',
    );
    await run('last 30 days');
    const third = await run('last 30 days');
    assert.deepEqual([third.frame?.rowCount, third.coverage?.notRequested, world.sentRequests.length], [720, 0, 3]);
    assert.equal(hasWastedRequests(await toOutcome(Promise.resolve(third))), false);
    assert.equal((await run('last 30 days')).provenance.requestsSpent, 0);
  });

  it('requests the newest hours first, even if another query needs earlier ones', async () => {
    const { world, run } = setUp();
    const group = new RunGroup(['last 30 days', 'last 8 days'].map(range => world.query(range)));
    const newest = await run('last 8 days', { group, priority: 'background' });
    assert.deepEqual([newest.frame?.rowCount, newest.coverage?.notRequested], [192, 0]);
  });

  it('returns the result or error of a normal run if one request is enough', async () => {
    const { world, run } = setUp();
    const result = await run('last 24 hours');
    assert.deepEqual([result.provenance.requestsSpent, result.frame?.rowCount], [1, 24]);
    world.beforeResponse = () => {
      throw new GridError('serverError', { requestsSpent: 1 });
    };
    await assert.rejects(run('2026-01-05'), (error: GridError) => error.reason === 'serverError');
    // The request for a part of the range fails. The run returns a partial result with the failure, and sends no further request.
    const partialResult = await run('2026-03');
    assert.deepEqual(
      [partialResult.provenance.requestsSpent, partialResult.provenance.failure?.reason],
      [1, 'serverError'],
    );
    await assert.rejects(
      run('2026-02', { signal: AbortSignal.abort() }),
      (error: GridError) => error.reason === 'cancelled',
    );
  });
});
