import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import type { RunHandlers } from '../../../support/followRun.ts';
import { GridWorld, hour } from '../gridWorld.ts';

const parseTime = (text: string): number => Date.parse(text);

describe('the plan of a run', () => {
  it('confirms a plan only if it has to wait; predicted and actual requests agree', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.knownLimits.set(JSON.stringify(['world', 'systemState', '1h', []]), 744 * hour);
    world.price = requests => ({ requests, now: Math.min(10, requests), waitMs: requests > 10 ? 60_000 : 0 });
    const plans: { requests: number; now: number; waitMs: number; archived: number }[] = [];
    const onPlan: RunHandlers['onPlan'] = async (price, { archived }) =>
      Promise.resolve(plans.push({ ...price, archived }) > 1);
    await assert.rejects(world.window().run(world.query('2025'), world.endpoint, { onPlan }), { reason: 'cancelled' });
    assert.deepEqual([plans, world.sentRequests.length], [[{ requests: 12, now: 10, waitMs: 60_000, archived: 0 }], 0]);
    await world.window().run(world.query('2025'), world.endpoint, { onPlan });
    assert.equal(world.sentRequests.length, plans[1]?.requests);
    await world.window().run(world.query('2024-01..2024-03'), world.endpoint, { onPlan });
    assert.equal(plans.length, 2, 'three requests within the budget need no confirmation');
  });

  it('confirms again when the service makes the plan longer', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.price = requests => ({ requests, now: 0, waitMs: requests * 20_000 });
    world.beforeResponse = ({ start, end }) => {
      if (end - start > 31 * 24 * hour) throw new GridError('badRequest', { status: 400, detail: 'at most 31 days' });
    };
    const plans: number[] = [];
    const confirmPlan: RunHandlers['onPlan'] = async ({ requests }) => Promise.resolve(plans.push(requests) > 0);
    const fullResult = await world
      .window()
      .run(world.query('2025-01..2025-06'), world.endpoint, { onPlan: confirmPlan });
    assert.deepEqual(
      [plans, fullResult.frame?.rowCount],
      [[6], 181 * 24],
      'one confirmation, after the limit was detected',
    );
    assert.equal(world.sentRequests.length, 1 + 6);
    const decline: RunHandlers['onPlan'] = async () => Promise.resolve(false);
    const otherWorld = new GridWorld('2026-11-21T08:05Z');
    otherWorld.price = world.price;
    otherWorld.beforeResponse = world.beforeResponse;
    await assert.rejects(otherWorld.window().run(otherWorld.query('2025'), otherWorld.endpoint, { onPlan: decline }), {
      reason: 'cancelled',
      facts: { requestsSpent: 0 },
    });
    assert.equal(otherWorld.sentRequests.length, 1, 'the request that revealed the limit');
  });

  it('keeps the rows of a response with more pages, and marks the rest as not requested', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.firstHours = 10;
    const query = world.query('2026-11-01');
    const first = await world.window().run(query, world.endpoint);
    assert.deepEqual([first.coverage?.present, first.coverage?.notRequested, first.coverage?.missing], [10, 14, 0]);
    const archivedResult = await world.window().run(query, world.endpoint, { refresh: 'never' });
    assert.equal(archivedResult.frame?.rowCount, 10);
    world.firstHours = Infinity;
    await world.window().run(query, world.endpoint);
    assert.deepEqual(world.sentRequests[1]?.start, parseTime('2026-11-01T10:00Z'), 'only the rest is requested');
  });

  it('ignores request times in the future', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    const query = world.query('last 24 hours');
    world.now += 100 * 24 * hour;
    await world.window().run(query, world.endpoint);
    world.now -= 100 * 24 * hour;
    await world.window().run(query, world.endpoint);
    assert.equal(world.sentRequests.length, 2);
  });
});
