import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import { getScope } from '../../../../src/service/limiter/keyState.ts';
import type { RequestOutcome } from '../../../../src/service/limiter/limiter.ts';
import { settle, VirtualClock } from '../virtualClock.ts';
import { acquire, gridScope, minute, minuteMs, windows, type Acquisition } from './limiterSetUp.ts';

const ten = { requests: 10, seconds: 60 };

/** Creates two windows, of which the first holds all permits of the minute. */
async function createFullMinute() {
  const clock = new VirtualClock();
  const { all, scope } = windows(clock, 2);
  const [first, second] = all;
  assert.ok(first && second);
  const acquired = [acquire(first), acquire(first)];
  await settle();
  return { clock, first, second, acquired, scope };
}

function getReason({ error }: Acquisition): string | undefined {
  return error instanceof GridError ? error.reason : undefined;
}

describe('SharedLimiter in several windows', () => {
  it('counts the requests of other windows', async () => {
    const { clock, second, acquired } = await createFullMinute();
    const waiting = acquire(second);
    await clock.advance(10_000);
    for (const { permit } of acquired) permit?.release('counted');
    await clock.advance(minuteMs - 1);
    assert.equal(waiting.permit, undefined);
    await clock.advance(1);
    assert.ok(waiting.permit);
  });

  it('uses a permit that another window released within half a second', async () => {
    const { clock, second, acquired } = await createFullMinute();
    const waiting = acquire(second);
    await clock.advance(10_100);
    acquired[0]?.permit?.release('free');
    await clock.advance(500);
    assert.ok(waiting.permit);
  });

  it('serves interactive requests of all windows before background requests of any', async () => {
    const { clock, first, second, acquired } = await createFullMinute();
    const order: string[] = [];
    const queue = (limiter: typeof first, name: string, priority: 'user' | 'background') =>
      void limiter.acquire(gridScope, minute, { priority }).then(permit => {
        order.push(name);
        permit.release('counted');
      });
    queue(first, 'background 1', 'background');
    queue(second, 'background 2', 'background');
    queue(first, 'background 3', 'background');
    await clock.advance(10_000);
    queue(second, 'person 1', 'user');
    queue(first, 'person 2', 'user');
    for (const { permit } of acquired) permit?.release('counted');
    await clock.advance(4 * minuteMs);
    assert.deepEqual(order.slice(0, 2).sort(), ['person 1', 'person 2']);
    assert.deepEqual(order.length, 5);
  });

  it('alternates between windows, however many requests one of them has', async () => {
    const clock = new VirtualClock();
    const { all } = windows(clock, 3);
    const served = [0, 0, 0];
    const counts = [60, 20, 20];
    for (const [index, limiter] of all.entries())
      for (let count = 0; count < (counts[index] ?? 0); count += 1)
        void limiter.acquire(gridScope, ten).then(permit => {
          served[index] = (served[index] ?? 0) + 1;
          permit.release('counted');
        });
    await clock.advance(5 * minuteMs - 1);
    // Fifty requests take five rate limit windows.
    assert.deepEqual(
      served.toSorted((a, b) => a - b),
      [16, 17, 17],
    );
    await clock.advance(10 * minuteMs);
    assert.deepEqual(served, counts);
  });

  it('removes the queue entries of dead windows after three seconds', async () => {
    const clock = new VirtualClock();
    const { store, all } = windows(clock, 1);
    await store.update(`${gridScope.origin} ${gridScope.key}`, state => {
      const scope = getScope(state, gridScope.scope);
      scope.tickets = ['dead', 'gone'].map(window => ({ id: `${window} 1`, window, priority: 'user', turn: 1 }));
      scope.seen = { dead: clock.now(), gone: clock.now() };
    });
    const [limiter] = all;
    assert.ok(limiter);
    const request = acquire(limiter);
    await clock.advance(3_000);
    assert.equal(request.permit, undefined);
    await clock.advance(501);
    assert.ok(request.permit);
  });

  it('counts a request of a dead window as completed when its lease ends', async () => {
    const clock = new VirtualClock();
    const { all } = windows(clock, 2, 5_000);
    const [deadWindow, liveWindow] = all;
    assert.ok(deadWindow && liveWindow);
    acquire(deadWindow);
    acquire(deadWindow);
    await settle();
    const waiting = acquire(liveWindow);
    await clock.advance(5_000 + minuteMs - 1);
    assert.equal(waiting.permit, undefined);
    await clock.advance(1);
    assert.ok(waiting.permit);
  });

  it('blocks all windows after one of them receives a 429', async () => {
    const { clock, second, acquired } = await createFullMinute();
    acquired[0]?.permit?.release({ throttledUntil: clock.now() + 30_000 });
    acquired[1]?.permit?.release('free');
    const waiting = acquire(second);
    await clock.advance(29_999);
    assert.equal((await second.budget(gridScope, minute)).blockedUntil, clock.now() + 1);
    assert.equal(waiting.permit, undefined);
    await clock.advance(1);
    assert.ok(waiting.permit);
  });

  it('serves waiting requests when the clock is set back an hour, after a window and a lease at most', async () => {
    const { clock, first, second, acquired } = await createFullMinute();
    acquired[0]?.permit?.release({ throttledUntil: clock.now() + 30_000 });
    const waiting = [acquire(first), acquire(second)];
    await settle();
    clock.jump(-3_600_000);
    await clock.advance(125_000 + 2 * minuteMs);
    assert.ok(waiting.some(({ permit }) => permit));
    for (const { permit } of waiting) permit?.release('counted');
    await clock.advance(1_000);
    assert.ok(waiting.every(({ permit }) => permit));
  });

  for (const [direction, jumpMs] of [
    ['forward', 600_000],
    ['back', -600_000],
  ] as const)
    it(`grants as many requests in a minute when the clock is set ${direction} as without a change`, async () => {
      const { clock, first, second, acquired } = await createFullMinute();
      for (const { permit } of acquired) permit?.release('counted');
      await clock.advance(1_000);
      clock.jump(jumpMs);
      assert.equal((await first.budget(gridScope, minute)).left, 0);
      const waiting = [acquire(first), acquire(second)];
      await clock.advance(minuteMs - 1_000 - 1);
      assert.ok(waiting.every(({ permit }) => !permit));
      await clock.advance(1);
      assert.ok(waiting.every(({ permit }) => permit));
    });

  it('waits as long as a 429 requires when the clock is set forward meanwhile', async () => {
    const { clock, second, acquired } = await createFullMinute();
    acquired[0]?.permit?.release({ throttledUntil: clock.now() + 90_000 });
    acquired[1]?.permit?.release('free');
    await clock.advance(1_000);
    clock.jump(3_600_000);
    const waiting = acquire(second);
    await clock.advance(89_000 - 1);
    assert.equal(waiting.permit, undefined);
    await clock.advance(1);
    assert.ok(waiting.permit);
  });

  it('serves waiting requests in order when the clock is set forward an hour', async () => {
    const { clock, first, second, acquired } = await createFullMinute();
    const order: number[] = [];
    for (let index = 0; index < 3; index += 1)
      void first.acquire(gridScope, minute).then(permit => {
        order.push(index);
        permit.release('counted');
      });
    const waiting = acquire(second);
    await settle();
    for (const { permit } of acquired) permit?.release('counted');
    clock.jump(3_600_000);
    await clock.advance(3 * minuteMs);
    assert.deepEqual(order, [0, 1, 2]);
    assert.ok(waiting.permit);
    assert.equal(clock.pending, 0);
  });

  for (const [outcome, reason] of [
    [{ refused: 'keyRejected' }, 'keyRejected'],
    [{ refused: 'forbidden' }, 'forbidden'],
  ] as const satisfies readonly (readonly [RequestOutcome, string])[])
    it(`blocks a key that is ${reason} in all windows until it is entered again`, async () => {
      const { clock, first, second, acquired } = await createFullMinute();
      const waiting = [acquire(first), acquire(second)];
      await settle();
      const refusedAt = clock.now();
      acquired[0]?.permit?.release(outcome);
      await clock.advance(500);
      assert.deepEqual(waiting.map(getReason), [reason, reason]);
      const laterCall = acquire(second);
      const scope = acquire(second, {}, minute, { ...gridScope, scope: 'other' });
      await settle();
      assert.equal(getReason(laterCall), reason);
      const status = reason === 'keyRejected' ? 401 : 403;
      assert.deepEqual((laterCall.error as GridError).facts, { status, refusedAt, requestsSpent: 0 });
      assert.equal(getReason(scope), reason === 'keyRejected' ? reason : undefined);
      assert.equal((await first.budget(gridScope, minute)).refusal, reason);
      await first.clearRejection(gridScope);
      const retried = acquire(second);
      await settle();
      // The rejected request was not counted.
      assert.ok(retried.permit);
      assert.equal(clock.pending, 0);
    });
});
