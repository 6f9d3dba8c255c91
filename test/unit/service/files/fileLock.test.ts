import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, rmdir, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SerialQueue, takeLock, type HeldLock } from '../../../../src/service/files/fileLock.ts';
import { VirtualClock } from '../virtualClock.ts';

describe('takeLock', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'locks-'));
    file = join(folder, 'a.json');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const lock = (clock = new VirtualClock(Date.now()), random = 0.5) =>
    takeLock(`${file}.lock`, { clock, random: () => random, staleMs: 2_000, patienceMs: 10_000 });

  /** Lets the one who waits for a lock look at it many times, while real time hardly passes. */
  async function advance(clock: VirtualClock, ms: number, step = 50): Promise<void> {
    for (let passed = 0; passed < ms; passed += step) {
      await readdir(folder);
      await clock.advance(step);
    }
  }

  it('holds the lock until released, and leaves nothing behind', async () => {
    const held = await lock();
    assert.ok(await held.isOurs());
    await held.release();
    assert.deepEqual(await readdir(folder), []);
  });

  it('detects that another process took over the lock', async () => {
    const held = await lock();
    await rmdir(`${file}.lock`);
    assert.equal(await held.isOurs(), false);
    await mkdir(`${file}.lock`);
    await utimes(`${file}.lock`, new Date(), new Date());
    assert.equal(await held.isOurs(), false);
  });

  it('keeps the lock when the process was paused and renews it late', async () => {
    const held = await lock();
    // The library renews the lock's time once a second: that makes it no other lock.
    await utimes(`${file}.lock`, new Date(), new Date(Date.now() + 500));
    assert.equal(await held.isOurs(), true);
    await held.release();
    assert.deepEqual(await readdir(folder), []);
  });

  it('waits for a living holder', async () => {
    const clock = new VirtualClock(Date.now());
    const held = await lock();
    const got: HeldLock[] = [];
    const waiting = lock(clock).then(other => got.push(other));
    await advance(clock, 1_000);
    assert.equal([...got].length, 0);
    await held.release();
    for (let turn = 0; turn < 40 && got.length === 0; turn += 1) await advance(clock, 50);
    await waiting;
    assert.ok(await got[0]?.isOurs());
    await got[0]?.release();
    assert.equal(clock.pending, 0);
  });

  it('gives up on a holder that keeps the lock, without breaking it', async () => {
    const clock = new VirtualClock(Date.now());
    const held = await lock();
    const codes: unknown[] = [];
    // Few looks, so that it takes less real time than a lock needs to grow old.
    const refused = lock(clock, 1_000).catch((error: unknown) => codes.push((error as NodeJS.ErrnoException).code));
    for (let turn = 0; turn < 100 && codes.length === 0; turn += 1) await advance(clock, 1_000, 1_000);
    await refused;
    assert.deepEqual(codes, ['ELOCKED']);
    assert.ok(await held.isOurs());
    await held.release();
  });
});

describe('SerialQueue', () => {
  it('runs tasks one after the other although one fails, and is idle once the last has ended', async () => {
    const queue = new SerialQueue();
    const steps: string[] = [];
    const task = (name: string, fails = false) =>
      queue.run(async () => {
        steps.push(`${name} begins`);
        await Promise.resolve();
        steps.push(`${name} ends`);
        if (fails) throw new Error(name);
      });
    const [first, second] = [task('first', true), task('second')];
    assert.equal(queue.isIdle, false);
    await assert.rejects(first, { message: 'first' });
    assert.equal(queue.isIdle, false, 'the second waits or runs');
    await second;
    assert.equal(queue.isIdle, true);
    assert.deepEqual(steps, ['first begins', 'first ends', 'second begins', 'second ends']);
  });
});
