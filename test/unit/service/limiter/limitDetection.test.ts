import assert from 'node:assert/strict';
import fc from 'fast-check';
import { emptyKeyState, parseKeyState, scopeOf } from '../../../../src/service/limiter/keyState.ts';
import { budgetIn, releasePermit, schedulePermits } from '../../../../src/service/limiter/permitScheduler.ts';
import { StrictThrottle } from '../../../support/strictServer.ts';

const ten = { requests: 10, seconds: 60 };
const minute = 60_000;
const answerMs = 20;

/** A window that thinks that ten are allowed, at a service that may allow fewer; a script may use the same key. */
class World {
  now = Date.UTC(2026, 0, 1);
  readonly state = emptyKeyState();
  readonly refusedAt: number[] = [];
  /** Slots of the service that the script keeps taken. */
  script = 0;
  readonly #reallyAllowed: number;
  readonly #throttle = new StrictThrottle();
  readonly #accepted: number[] = [];
  #scriptSent: number[] = [];
  #waiting: { id: string; priority: 'person' }[] = [];
  #flying: { id: string; answerAt: number }[] = [];
  #count = 0;

  constructor(reallyAllowed: number) {
    this.#reallyAllowed = reallyAllowed;
  }

  /** Adds requests that wait, `most` of them in all. */
  ask(count: number, most = Infinity): void {
    for (let index = 0; index < count && this.#waiting.length < most; index += 1)
      this.#waiting.push({ id: `${(this.#count += 1)}`, priority: 'person' });
  }

  giveUp(): void {
    this.#waiting = [];
  }

  run(ms: number): void {
    for (const end = this.now + ms; this.now < end;) {
      this.#runScript();
      const { granted, starts } = schedulePermits(this.state, this.#place(), this.#waiting);
      this.#waiting = this.#waiting.filter(({ id }) => !granted.includes(id));
      this.#flying.push(...granted.map(id => ({ id, answerAt: this.now + answerMs })));
      const next = Math.min(end, this.now + (this.script > 0 ? 1_000 : Infinity), ...starts.values());
      this.now = Math.min(next, ...this.#flying.map(({ answerAt }) => answerAt));
      for (const { id } of this.#flying.filter(({ answerAt }) => answerAt <= this.now)) this.#answer(id);
      this.#flying = this.#flying.filter(({ answerAt }) => answerAt > this.now);
    }
  }

  scope() {
    return scopeOf(this.state, 'grid');
  }

  learned() {
    const { allowed, detectedUntil } = budgetIn(structuredClone(this.state), this.#place());
    return detectedUntil === undefined ? undefined : { allowed, forMs: detectedUntil - this.now };
  }

  #place() {
    return { scope: 'grid', window: 'w', limit: ten, now: this.now, leaseMs: 125_000 };
  }

  /** As the service says it: until the oldest leaves its window, rounded up, and a little more. */
  #answer(id: string): void {
    const isAllowed = this.#isAllowed();
    const oldest = this.#accepted.at(-this.#reallyAllowed) ?? this.now;
    const outcome = isAllowed ? 'counted' : { throttledUntil: oldest + minute + 1_000 };
    releasePermit(this.state, this.#place(), id, outcome, this.now);
    if (isAllowed) return;
    this.refusedAt.push(this.now);
    this.ask(1);
  }

  #runScript(): void {
    this.#scriptSent = this.#scriptSent.filter(at => at > this.now - minute);
    while (this.#scriptSent.length < this.script && this.#isAllowed()) this.#scriptSent.push(this.now);
  }

  #isAllowed(): boolean {
    const isAllowed = this.#throttle.allow(this.now, this.#reallyAllowed, minute);
    if (isAllowed) this.#accepted.push(this.now);
    return isAllowed;
  }
}

describe('detecting a lower limit', () => {
  it('detects a lower limit from the second 429, and retests it after ten windows', () => {
    const world = new World(4);
    world.ask(20);
    world.run(2.5 * minute);
    const { allowed, forMs = 0 } = world.learned() ?? {};
    assert.equal(allowed, 4);
    assert.ok(forMs > 8 * minute && forMs <= 10.1 * minute);
    world.run(forMs - 1);
    // Six of the first ten, and one that made sure.
    assert.equal(world.refusedAt.length, 7);
    assert.equal(world.learned()?.allowed, 4);
    world.run(1);
    assert.equal(world.learned(), undefined);
  });

  it('retests the limit ever less often, down to once an hour', () => {
    const world = new World(4);
    const lengths = new Set<number>();
    for (let passed = 0; passed < 6 * 60; passed += 1) {
      world.ask(12, 12);
      world.run(minute);
      const { lesson } = world.scope();
      if (lesson) lengths.add(Math.round((lesson.until - lesson.from) / minute));
    }
    assert.deepEqual([...lengths], [10, 20, 40, 60]);
    const late = world.refusedAt.filter(at => at > world.now - 120 * minute);
    assert.ok(late.length > 0 && late.length <= 2 * 7, `${late.length} refusals in two hours`);
  });

  it('never detects too low a limit while nobody else uses the key', () => {
    const bursts = fc.array(fc.record({ pause: fc.nat(90_000), count: fc.integer({ min: 1, max: 12 }) }), {
      minLength: 4,
      maxLength: 12,
    });
    const learned = new Set<number>();
    fc.assert(
      fc.property(bursts, fc.integer({ min: 1, max: 9 }), (all, reallyAllowed) => {
        const world = new World(reallyAllowed);
        for (const { pause, count } of [...all, { pause: 20 * minute, count: 1 }]) {
          world.ask(count);
          for (let passed = 0; passed < pause; passed += 20_000) {
            world.run(20_000);
            const { allowed = reallyAllowed } = world.learned() ?? {};
            if (world.learned()) learned.add(allowed);
            assert.ok(allowed >= reallyAllowed, `${allowed} of ${reallyAllowed}`);
          }
        }
      }),
      { numRuns: 40 },
    );
    assert.ok(learned.size > 3);
  });

  it('keeps the limit when more was allowed within the last ten windows', () => {
    const world = new World(10);
    world.ask(10);
    world.run(2 * minute);
    world.script = 9;
    world.ask(12);
    for (let passed = 0; passed < 7; passed += 1) {
      world.run(minute);
      assert.equal(world.learned(), undefined);
    }
    assert.ok(world.refusedAt.length >= 2);
  });

  it('lowers the limit when more was allowed only long ago', () => {
    const world = new World(10);
    world.ask(10);
    world.run(2 * minute);
    world.script = 7;
    world.ask(100);
    world.run(14 * minute);
    assert.equal(world.learned()?.allowed, 3);
  });

  it('lowers no limit for a 429 without requests of its own', () => {
    const world = new World(10);
    world.script = 10;
    world.run(1_000);
    world.ask(1);
    world.run(2.5 * minute);
    assert.ok(world.refusedAt.length >= 2);
    assert.deepEqual([world.scope().surprises, world.learned()], [[], undefined]);
  });

  it('detects no limit while several concurrent requests are unresolved', () => {
    const world = new World(10);
    world.script = 10;
    world.run(1_000);
    for (const ms of [4 * minute, 1_000]) {
      world.ask(10);
      world.run(1_000);
      world.giveUp();
      world.run(ms);
    }
    assert.equal(world.refusedAt.length, 20);
    assert.deepEqual([world.scope().surprises.length, world.learned()], [2, undefined]);
  });

  it('restores the limit soon after a script ends', () => {
    const world = new World(10);
    world.script = 9;
    world.run(1_000);
    world.ask(90);
    world.run(5 * minute);
    assert.equal(world.learned()?.allowed, 1);
    world.script = 0;
    world.run(8 * minute);
    assert.equal(world.learned(), undefined);
    world.run(2 * minute);
    assert.equal(budgetIn(world.state, { scope: 'grid', limit: ten, now: world.now, leaseMs: 1 }).allowed, 10);
  });

  it('restores the limit within an hour when the clock is set back a day', () => {
    const world = new World(4);
    world.ask(20);
    world.run(2.5 * minute);
    world.now -= 24 * 60 * minute;
    world.run(1);
    assert.equal(world.learned()?.allowed, 4);
    world.run(60 * minute);
    assert.equal(world.learned(), undefined);
  });
});

describe('parseKeyState', () => {
  it('reads the state of earlier releases', () => {
    const slot = { id: 'w 1', window: 'w', turn: 1, at: 5, flying: false };
    const old = { slots: [slot], tickets: [], seen: {}, blockedUntil: 0, surprises: [3], learned: null };
    const text = JSON.stringify({
      version: 1,
      rejected: false,
      scopes: { grid: { ...old, forbidden: false, windowMs: 60_031 } },
    });
    const scope = parseKeyState(text)?.scopes['grid'];
    assert.deepEqual([scope?.slots, scope?.surprises, scope?.lesson, scope?.passed], [[slot], [3], null, []]);
  });
});
