import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { MemoryLimiter } from '../../../src/service/limiter.ts';
import type { Permit } from '../../../src/service/limiter.ts';
import { settle, VirtualClock } from './virtualClock.ts';

/** Django REST framework's SimpleRateThrottle: the times of accepted requests, newest first. */
class Throttle {
  #history: number[] = [];

  allow(now: number, requests: number, windowMs: number): boolean {
    while (this.#history.length > 0 && (this.#history.at(-1) ?? now) <= now - windowMs) this.#history.pop();
    if (this.#history.length >= requests) return false;
    this.#history.unshift(now);
    return true;
  }
}

const journeys = fc.array(fc.record({ arrival: fc.nat(300), up: fc.nat(40), work: fc.nat(10), down: fc.nat(40) }), {
  minLength: 1,
  maxLength: 25,
});

const minute = { requests: 2, seconds: 60 };

function setUp(marginMs = 0) {
  const clock = new VirtualClock();
  const limiter = new MemoryLimiter(clock, marginMs);
  /** Starts an acquire and tells whether it was granted. */
  const ask = (signal?: AbortSignal, onWait?: (ms: number) => void) => {
    const asked: { permit?: Permit; error?: unknown } = {};
    limiter.acquire('a', minute, { signal, onWait }).then(
      permit => (asked.permit = permit),
      (error: unknown) => (asked.error = error),
    );
    return asked;
  };
  return { clock, limiter, ask };
}

describe('MemoryLimiter', () => {
  it('never meets a 429 and never waits without need, for any arrivals, travelling times, limit and window', async () => {
    const property = fc.asyncProperty(
      journeys,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 90 }),
      simulate,
    );
    await fc.assert(property, { numRuns: 300 });
  });

  it('grants up to the limit at once, the next one window after the first answer', async () => {
    const { clock, ask } = setUp();
    const [first, second, third] = [ask(), ask(), ask()];
    await settle();
    assert.ok(first.permit && second.permit && !third.permit);
    await clock.advance(5_000);
    first.permit.release('counted');
    await clock.advance(59_999);
    assert.equal(third.permit, undefined);
    await clock.advance(1);
    assert.ok(third.permit);
  });

  it('adds the margin to each wait', async () => {
    const { clock, ask } = setUp(50);
    const [first, second, third] = [ask(), ask(), ask()];
    await settle();
    first.permit?.release('counted');
    second.permit?.release('counted');
    await clock.advance(60_049);
    assert.equal(third.permit, undefined);
    await clock.advance(1);
    assert.ok(third.permit);
  });

  it('hands a free slot on at once, and only once', async () => {
    const { ask } = setUp();
    const [first, , third, fourth] = [ask(), ask(), ask(), ask()];
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
      void limiter.acquire('a', minute).then(permit => {
        order.push(index);
        permit.release('counted');
      });
    await clock.advance(600_000);
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6]);
  });

  it('tells the wait once while it stays what it was', async () => {
    const { clock, ask } = setUp();
    const [first, second] = [ask(), ask()];
    await settle();
    await clock.advance(10_000);
    first.permit?.release('counted');
    second.permit?.release('counted');
    await clock.advance(18_000);
    const waits: number[] = [];
    const third = ask(undefined, ms => waits.push(ms));
    await settle();
    assert.deepEqual(waits, [42_000]);
    await clock.advance(2_000);
    assert.deepEqual(waits, [42_000]);
    await clock.advance(40_000);
    assert.ok(third.permit);
  });

  it('lets nobody start while blocked, and tells the new wait', async () => {
    const { clock, limiter, ask } = setUp();
    limiter.block('a', clock.now() + 30_000);
    const waits: number[] = [];
    const first = ask(undefined, ms => waits.push(ms));
    await clock.advance(10_000);
    limiter.block('a', clock.now() + 40_000);
    await clock.advance(39_999);
    assert.deepEqual(waits, [30_000, 40_000]);
    assert.equal(first.permit, undefined);
    await clock.advance(1);
    assert.ok(first.permit);
  });

  it('never shortens a block', async () => {
    const { clock, limiter, ask } = setUp();
    limiter.block('a', clock.now() + 30_000);
    limiter.block('a', clock.now() + 1_000);
    const first = ask();
    await clock.advance(29_999);
    assert.equal(first.permit, undefined);
  });

  it('keeps scopes apart', async () => {
    const { clock, limiter } = setUp();
    limiter.block('a', clock.now() + 30_000);
    await limiter.acquire('b', minute);
    assert.deepEqual(limiter.budget('b', minute), { left: 1, nextFreeInMs: 0 });
    assert.deepEqual(limiter.budget('a', minute), { left: 0, nextFreeInMs: 30_000 });
  });

  it('settles at once when aborted, leaves no timer and gives the turn to the next', async () => {
    const { clock, limiter, ask } = setUp();
    const [first] = [ask(), ask()];
    const aborter = new AbortController();
    const third = ask(aborter.signal);
    const fourth = ask();
    await settle();
    aborter.abort(new Error('changed my mind'));
    await settle();
    assert.match(String(third.error), /changed my mind/);
    first.permit?.release('free');
    await settle();
    assert.ok(fourth.permit);
    assert.equal(clock.pending, 0);
    assert.equal(limiter.budget('a', minute).left, 0);
  });

  it('leaves no timer when the only one waiting is aborted', async () => {
    const { clock, limiter, ask } = setUp();
    limiter.block('a', clock.now() + 30_000);
    const aborter = new AbortController();
    ask(aborter.signal);
    await settle();
    assert.equal(clock.pending, 1);
    aborter.abort();
    assert.equal(clock.pending, 0);
  });

  it('keeps those waiting when a signal is aborted whose turn has come', async () => {
    const { clock, ask } = setUp();
    const aborter = new AbortController();
    const [first] = [ask(aborter.signal), ask()];
    const third = ask();
    await settle();
    assert.equal(getEventListeners(aborter.signal, 'abort').length, 0);
    aborter.abort();
    first.permit?.release('counted');
    await clock.advance(60_000);
    assert.ok(third.permit);
  });

  it('refuses a signal aborted before', async () => {
    const { clock, ask } = setUp();
    const asked = ask(AbortSignal.abort(new Error('too late')));
    await settle();
    assert.match(String(asked.error), /too late/);
    assert.equal(clock.pending, 0);
  });

  it('says what is left and when the next is free', async () => {
    const { clock, limiter, ask } = setUp();
    assert.deepEqual(limiter.budget('a', minute), { left: 2, nextFreeInMs: 0 });
    const [first, second] = [ask(), ask()];
    await settle();
    first.permit?.release('counted');
    await clock.advance(20_000);
    second.permit?.release('counted');
    assert.deepEqual(limiter.budget('a', minute), { left: 0, nextFreeInMs: 40_000 });
    ask();
    assert.deepEqual(limiter.budget('a', minute), { left: 0, nextFreeInMs: 60_000 });
    await clock.advance(40_000);
    assert.deepEqual(limiter.budget('a', minute), { left: 0, nextFreeInMs: 20_000 });
  });

  it('waits until enough slots are free when the limit was lowered', async () => {
    const { clock, limiter } = setUp();
    for (let index = 0; index < 3; index += 1) {
      const permit = await limiter.acquire('a', { requests: 3, seconds: 60 });
      permit.release('counted');
      await clock.advance(1_000);
    }
    assert.deepEqual(limiter.budget('a', { requests: 1, seconds: 60 }), { left: 0, nextFreeInMs: 59_000 });
    assert.deepEqual(limiter.budget('a', { requests: 2, seconds: 60 }), { left: 0, nextFreeInMs: 58_000 });
  });

  it('does not wait an hour more when the clock is set back an hour', async () => {
    const { clock, limiter, ask } = setUp();
    const [first, second] = [ask(), ask()];
    await settle();
    first.permit?.release('counted');
    second.permit?.release('counted');
    limiter.block('a', clock.now() + 30_000);
    clock.jump(-3_600_000);
    assert.equal(limiter.budget('a', minute).nextFreeInMs, 60_000);
    const third = ask();
    await clock.advance(60_000);
    assert.ok(third.permit);
  });

  it('refuses a limit that allows nothing', async () => {
    const { limiter } = setUp();
    await assert.rejects(limiter.acquire('a', { requests: 0, seconds: 60 }), RangeError);
    await assert.rejects(limiter.acquire('a', { requests: 1, seconds: 0 }), RangeError);
  });
});

interface Journey {
  readonly arrival: number;
  readonly up: number;
  readonly work: number;
  readonly down: number;
}

async function simulate(unordered: readonly Journey[], requests: number, windowMs: number): Promise<void> {
  const clock = new VirtualClock(0);
  const limiter = new MemoryLimiter(clock, 0);
  const throttle = new Throttle();
  const ordered = unordered.toSorted((a, b) => a.arrival - b.arrival);
  const starts: number[] = [];
  const answers: number[] = [];
  let refused = 0;
  const travel = async ({ arrival, up, work, down }: Journey) => {
    await clock.sleep(arrival);
    const permit = await limiter.acquire('a', { requests, seconds: windowMs / 1000 });
    starts.push(clock.now());
    await clock.sleep(up);
    if (!throttle.allow(clock.now(), requests, windowMs)) refused += 1;
    await clock.sleep(work + down);
    permit.release('counted');
    answers.push(clock.now());
  };
  const journeysDone = Promise.all(ordered.map(travel));
  await clock.advance(1_000_000);
  await journeysDone;
  assert.equal(refused, 0);
  assert.equal(clock.pending, 0);
  assert.deepEqual(starts, bestStarts(ordered, requests, windowMs));
}

/** The earliest starts, first come first served, with at most `requests` not yet answered a window ago. */
function bestStarts(ordered: readonly Journey[], requests: number, windowMs: number): number[] {
  const starts: number[] = [];
  const slotEnds: number[] = [];
  for (const { arrival, up, work, down } of ordered) {
    const blocking = slotEnds.toSorted((a, b) => b - a)[requests - 1] ?? 0;
    const start = Math.max(arrival, starts.at(-1) ?? 0, blocking);
    starts.push(start);
    slotEnds.push(start + up + work + down + windowMs);
  }
  return starts;
}
