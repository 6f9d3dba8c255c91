import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { KeyState } from '../../../../src/service/limiter/keyState.ts';
import { settle, VirtualClock } from '../virtualClock.ts';
import { acquire, gridScope, minute, minuteMs, createWindow } from './limiterSetUp.ts';
import { MemoryStore } from './memoryStore.ts';

function setUp() {
  const clock = new VirtualClock();
  const limiter = createWindow(clock);
  const readRemaining = async (limit = minute) => {
    const { left, nextFreeInMs } = await limiter.budget(gridScope, limit);
    return { left, nextFreeInMs };
  };
  return { clock, limiter, left: readRemaining };
}

/** A store that is as slow as a disk. */
class SlowStore extends MemoryStore {
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock) {
    super();
    this.#clock = clock;
  }

  override async update<T>(fingerprint: string, change: (state: KeyState) => T): Promise<T> {
    const result = await super.update(fingerprint, change);
    await this.#clock.sleep(5);
    return result;
  }
}

describe('SharedLimiter in one window', () => {
  it('grants up to the limit at once, the next one window after the first response', async () => {
    const { clock, limiter } = setUp();
    const first = acquire(limiter);
    const second = acquire(limiter);
    const third = acquire(limiter);
    await settle();
    assert.ok(first.permit && second.permit && !third.permit);
    await clock.advance(5_000);
    first.permit.release('counted');
    await clock.advance(minuteMs - 1);
    assert.equal(third.permit, undefined);
    await clock.advance(1);
    assert.ok(third.permit);
  });

  it('grants a released permit immediately, and only once', async () => {
    const { limiter } = setUp();
    const first = acquire(limiter);
    acquire(limiter);
    const third = acquire(limiter);
    const fourth = acquire(limiter);
    await settle();
    first.permit?.release('free');
    first.permit?.release('free');
    await settle();
    assert.ok(third.permit);
    assert.equal(fourth.permit, undefined);
  });

  it('serves first come, first served', async () => {
    const { clock, limiter } = setUp();
    const order: number[] = [];
    for (let index = 0; index < 7; index += 1)
      void limiter.acquire(gridScope, minute).then(permit => {
        order.push(index);
        permit.release('counted');
      });
    await clock.advance(600_000);
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6]);
  });

  it('reports the remaining wait each second', async () => {
    const { clock, limiter } = setUp();
    const first = acquire(limiter);
    const second = acquire(limiter);
    await settle();
    await clock.advance(10_000);
    first.permit?.release('counted');
    second.permit?.release('counted');
    await clock.advance(18_000);
    const waits: number[] = [];
    const third = acquire(limiter, { onWait: ms => waits.push(ms) });
    await settle();
    assert.deepEqual(waits, [minuteMs - 18_000]);
    await clock.advance(40_000);
    const seconds = waits.map(ms => Math.ceil(ms / 1000));
    assert.deepEqual(
      seconds,
      Array.from({ length: 41 }, (_, index) => 43 - index),
    );
    await clock.advance(2_031);
    assert.ok(third.permit);
  });

  it('blocks all requests until a 429 is over, and reports the wait', async () => {
    const { clock, limiter, left } = setUp();
    const first = acquire(limiter);
    await settle();
    first.permit?.release({ throttledUntil: clock.now() + 30_000 });
    const waits: number[] = [];
    const second = acquire(limiter, { onWait: ms => waits.push(ms) });
    await clock.advance(29_999);
    assert.deepEqual([waits[0], waits.at(-1)], [30_000, 1_000]);
    assert.deepEqual(await left(), { left: 0, nextFreeInMs: 1 });
    assert.equal(second.permit, undefined);
    await clock.advance(1);
    assert.ok(second.permit);
  });

  it('never shortens a block', async () => {
    const { clock, limiter } = setUp();
    const first = acquire(limiter);
    const second = acquire(limiter);
    await settle();
    first.permit?.release({ throttledUntil: clock.now() + 30_000 });
    second.permit?.release({ throttledUntil: clock.now() + 1_000 });
    const third = acquire(limiter);
    await clock.advance(29_999);
    assert.equal(third.permit, undefined);
    await clock.advance(1);
    assert.ok(third.permit);
  });

  it('sends one request at a time for a window after a 429', async () => {
    const { clock, limiter } = setUp();
    const first = acquire(limiter);
    await settle();
    first.permit?.release({ throttledUntil: clock.now() + 10_000 });
    const second = acquire(limiter);
    const third = acquire(limiter);
    await clock.advance(10_000);
    assert.ok(second.permit);
    await clock.advance(5_000);
    assert.equal(third.permit, undefined);
    second.permit.release('counted');
    await settle();
    assert.ok(third.permit);
  });

  it('keeps scopes and keys apart', async () => {
    const { limiter, left } = setUp();
    await limiter.acquire({ ...gridScope, scope: 'other' }, minute);
    await limiter.acquire({ ...gridScope, key: 'not-a-real-key-either' }, minute);
    assert.deepEqual(await left(), { left: 2, nextFreeInMs: 0 });
  });

  it('rejects immediately when aborted, leaves no timer, listener or queue entry, and serves the next', async () => {
    const { clock, limiter } = setUp();
    const first = acquire(limiter);
    acquire(limiter);
    const aborter = new AbortController();
    const third = acquire(limiter, { signal: aborter.signal });
    const fourth = acquire(limiter);
    await settle();
    aborter.abort(new Error('changed my mind'));
    await settle();
    assert.match(String(third.error), /changed my mind/);
    assert.equal(getEventListeners(aborter.signal, 'abort').length, 0);
    assert.equal((await limiter.budget(gridScope, minute)).waiting, 1);
    first.permit?.release('free');
    await settle();
    assert.ok(fourth.permit);
    assert.equal(clock.pending, 0);
  });

  it('releases a permit that was granted at the moment of the abort', async () => {
    const clock = new VirtualClock();
    const store = new SlowStore(clock);
    const limiter = createWindow(clock, store);
    const aborter = new AbortController();
    const acquisition = acquire(limiter, { signal: aborter.signal });
    await settle();
    assert.equal((await limiter.budget(gridScope, minute)).left, 1);
    aborter.abort(new Error('changed my mind'));
    await settle();
    assert.match(String(acquisition.error), /changed my mind/);
    await clock.advance(100);
    assert.equal((await limiter.budget(gridScope, minute)).left, 2);
    assert.equal(clock.pending, 0);
  });

  it('ignores the signal once the permit is granted', async () => {
    const { limiter, left } = setUp();
    const aborter = new AbortController();
    acquire(limiter, { signal: aborter.signal });
    await settle();
    assert.equal(getEventListeners(aborter.signal, 'abort').length, 0);
    aborter.abort();
    await settle();
    assert.equal((await left()).left, 1);
  });

  it('rejects an already aborted signal', async () => {
    const { clock, limiter } = setUp();
    const acquisition = acquire(limiter, { signal: AbortSignal.abort(new Error('too late')) });
    await settle();
    assert.match(String(acquisition.error), /too late/);
    assert.equal(clock.pending, 0);
  });

  it('reports remaining and waiting requests, and when the next permit is free', async () => {
    const { clock, limiter, left } = setUp();
    const first = acquire(limiter);
    const second = acquire(limiter);
    await settle();
    first.permit?.release('counted');
    await clock.advance(20_000);
    second.permit?.release('counted');
    await settle();
    assert.deepEqual(await left(), { left: 0, nextFreeInMs: minuteMs - 20_000 });
    acquire(limiter);
    await settle();
    assert.equal((await limiter.budget(gridScope, minute)).waiting, 1);
    assert.deepEqual(await left(), { left: 0, nextFreeInMs: minuteMs });
    await clock.advance(minuteMs - 20_000);
    assert.deepEqual(await left(), { left: 0, nextFreeInMs: 20_000 });
  });

  it('reports when the last of several requests would start after the waiting ones, and when a permit is released', async () => {
    const { clock, limiter } = setUp();
    const readBudget = async (count?: number) => {
      const { lastStartsInMs, nextSlotInMs } = await limiter.budget(gridScope, minute, count);
      return [lastStartsInMs, nextSlotInMs];
    };
    assert.deepEqual(await readBudget(), [0, undefined]);
    assert.deepEqual(await readBudget(5), [2 * minuteMs, undefined]);
    const first = acquire(limiter);
    const second = acquire(limiter);
    await settle();
    // A request in flight gets its response now at the earliest.
    assert.deepEqual(await readBudget(), [minuteMs, minuteMs]);
    first.permit?.release('counted');
    second.permit?.release('free');
    await clock.advance(20_000);
    const untilFirst = minuteMs - 20_000;
    assert.deepEqual(await readBudget(0), [0, untilFirst]);
    assert.deepEqual(await readBudget(), [0, untilFirst]);
    assert.deepEqual(await readBudget(2), [untilFirst, untilFirst]);
    assert.deepEqual(await readBudget(3), [minuteMs, untilFirst]);
    assert.equal((await limiter.budget(gridScope, minute, 9)).left, 1);
    acquire(limiter);
    acquire(limiter);
    await settle();
    // The first of them has started, and the second waits for the first slot.
    assert.deepEqual(await readBudget(2), [untilFirst + minuteMs, untilFirst]);
    await clock.advance(untilFirst);
    assert.equal((await readBudget())[1], minuteMs);
  });

  for (const [outcome, untilMs] of [
    ['abandoned', 5_000],
    ['timedOut', 125_000 - 10_000],
  ] as const)
    it(`counts a request that was ${outcome} as long as it may still reach the service`, async () => {
      const { clock, limiter } = setUp();
      const once = { requests: 1, seconds: 60 };
      const first = acquire(limiter, {}, once);
      const second = acquire(limiter, {}, once);
      await clock.advance(10_000);
      first.permit?.release(outcome);
      await settle();
      const { left, waiting, nextSlotInMs } = await limiter.budget(gridScope, once);
      assert.deepEqual([left, waiting, nextSlotInMs], [0, 1, untilMs + minuteMs]);
      await clock.advance(20_000);
      assert.equal((await limiter.budget(gridScope, once)).nextSlotInMs, untilMs + minuteMs - 20_000);
      await clock.advance(untilMs + minuteMs - 20_000 - 1);
      assert.equal(second.permit, undefined);
      await clock.advance(1);
      assert.ok(second.permit);
    });

  it('delays no request after a 429 because of one that was given up', async () => {
    const { clock, limiter } = setUp();
    const three = { requests: 3, seconds: 60 };
    const first = acquire(limiter, {}, three);
    const second = acquire(limiter, {}, three);
    await settle();
    first.permit?.release({ throttledUntil: clock.now() + 10_000 });
    second.permit?.release('timedOut');
    const third = acquire(limiter, {}, three);
    await clock.advance(10_000);
    assert.ok(third.permit);
  });

  it('waits until enough permits are free when the limit was lowered', async () => {
    const { clock, limiter, left } = setUp();
    for (let index = 0; index < 3; index += 1) {
      const permit = await limiter.acquire(gridScope, { requests: 3, seconds: 60 });
      permit.release('counted');
      await clock.advance(1_000);
    }
    assert.deepEqual(await left({ requests: 1, seconds: 60 }), { left: 0, nextFreeInMs: minuteMs - 1_000 });
    assert.deepEqual(await left({ requests: 2, seconds: 60 }), { left: 0, nextFreeInMs: minuteMs - 2_000 });
  });

  it('rejects a limit that allows no requests', async () => {
    const { limiter } = setUp();
    await assert.rejects(limiter.acquire(gridScope, { requests: 0, seconds: 60 }), RangeError);
    await assert.rejects(limiter.acquire(gridScope, { requests: 1, seconds: 0 }), RangeError);
  });
});
