import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import * as nodeFs from 'node:fs/promises';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  SerialQueue,
  isLocked,
  acquireLock,
  type HeldLock,
  type LockOptions,
} from '../../../../src/service/files/fileLock.ts';
import { realClock } from '../../../support/realClock.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { VirtualClock } from '../virtualClock.ts';

describe('acquireLock', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = createTemporaryFolder();
    file = join(folder, 'a.json');
  });

  const lock = (clock = new VirtualClock(Date.now()), random = 0.5) =>
    acquireLock(`${file}.lock`, { clock, random: () => random, staleMs: 60_000, patienceMs: 10_000 });

  /** Advances the clock so that a waiting process checks the lock many times, while little real time passes. */
  async function advance(clock: VirtualClock, ms: number, step = 50): Promise<void> {
    for (let passed = 0; passed < ms; passed += step) {
      await readdir(folder);
      await clock.advance(step);
    }
  }

  it('holds the lock until it is released, and leaves no files', async () => {
    const held = await lock();
    assert.ok(await held.isHeld());
    await held.release();
    assert.deepEqual(await readdir(folder), []);
  });

  it('detects that another process has acquired the lock', async () => {
    const held = await lock();
    await utimes(`${file}.lock`, 1, 1);
    const newLock = await lock();
    assert.equal(await held.isHeld(), false);
    await held.release();
    assert.ok(await newLock.isHeld());
    await newLock.release();
    assert.deepEqual(await readdir(folder), []);
  });

  it('keeps the lock when the process was paused and renews it late', async () => {
    const held = await lock();
    await utimes(`${file}.lock`, new Date(), new Date(Date.now() + 500));
    assert.equal(await held.isHeld(), true);
    await held.release();
    assert.deepEqual(await readdir(folder), []);
  });

  const options = { clock: realClock, random: () => 0.5, staleMs: 60, patienceMs: 0 };

  it('renews the lock while it is held, and reports its loss once', async () => {
    const events = new EventEmitter();
    const fs: NonNullable<LockOptions['fs']> = {
      ...nodeFs,
      utimes: async (...of) => nodeFs.utimes(...of).then(() => void events.emit('renewed')),
    };
    let losses = 0;
    const onLost = (): void => void events.emit('lost', (losses += 1));
    const held = await acquireLock(`${file}.lock`, { ...options, fs, onLost });
    const previousMtime = (await stat(`${file}.lock`)).mtimeMs;
    await once(events, 'renewed');
    assert.ok((await stat(`${file}.lock`)).mtimeMs > previousMtime);
    const lost = once(events, 'lost');
    await rm(`${file}.lock`, { recursive: true });
    await lost;
    const newLock = await acquireLock(`${file}.lock`, { ...options, fs });
    await once(events, 'renewed');
    assert.equal(losses, 1);
    await held.release();
    assert.ok(await newLock.isHeld());
    await newLock.release();
  });

  it('retries while the system rejects calls, and then throws its error', async () => {
    for (const [times, code] of [
      [4, 'EPERM'],
      [4, 'EBUSY'],
      [4, 'EACCES'],
      [Infinity, 'EPERM'],
    ] as const) {
      let calls = 0;
      const rejectMkdir = (async (...of: Parameters<typeof nodeFs.mkdir>) => {
        // The first call creates the folder.
        if (of[0] === `${file}.lock` && ++calls <= times) throw Object.assign(new Error(code), { code });
        return nodeFs.mkdir(...of);
      }) as typeof nodeFs.mkdir;
      const clock = { now: () => Date.now(), sleep: async () => Promise.resolve() };
      const taking = acquireLock(`${file}.lock`, { ...options, clock, fs: { ...nodeFs, mkdir: rejectMkdir } });
      if (times === Infinity) await assert.rejects(taking, { code });
      else await (await taking).release();
    }
    assert.deepEqual(await readdir(folder), []);
  });

  it('does not break the lock of an earlier version, an empty folder, while it is renewed', async () => {
    await mkdir(`${file}.lock`);
    assert.ok(await isLocked(`${file}.lock`, { ...options, staleMs: 60_000 }));
    await assert.rejects(acquireLock(`${file}.lock`, { ...options, staleMs: 60_000 }), { code: 'ELOCKED' });
    await utimes(`${file}.lock`, 1, 1);
    assert.equal(await isLocked(`${file}.lock`, options), false);
    const held = await acquireLock(`${file}.lock`, options);
    // The earlier version would remove a stale lock, but cannot remove a folder that is not empty.
    await assert.rejects(nodeFs.rmdir(`${file}.lock`), { code: 'ENOTEMPTY' });
    await held.release();
  });

  it('does not change the process, and does not keep it running', async () => {
    const script = `
      import fs from 'node:fs';
      const snapshot = () => [...process.eventNames(), process.emit, process.reallyExit, ...Object.values(fs)];
      const before = snapshot();
      const { acquireLock } = await import(process.argv[1]);
      const clock = { now: () => Date.now(), sleep: async () => {} };
      await acquireLock(process.argv[2], { clock, random: Math.random, staleMs: 60_000, patienceMs: 0 });
      const after = snapshot();
      console.log(after.length === before.length && after.every((value, index) => value === before[index]));`;
    const module = new URL('../../../../src/service/files/fileLock.ts', import.meta.url).href;
    const args = ['--input-type=module', '-e', script, '--', module, `${file}.lock`];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } });
    assert.equal(stdout.trim(), 'true');
    assert.equal((await readdir(folder)).length, 1);
  });

  it('waits for a living holder', async () => {
    const clock = new VirtualClock(Date.now());
    const held = await lock();
    const acquiredLocks: HeldLock[] = [];
    const waiting = lock(clock).then(acquiredLock => acquiredLocks.push(acquiredLock));
    await advance(clock, 1_000);
    assert.equal([...acquiredLocks].length, 0);
    await held.release();
    while (acquiredLocks.length === 0) await advance(clock, 50);
    await waiting;
    assert.ok(await acquiredLocks[0]?.isHeld());
    await acquiredLocks[0]?.release();
    assert.equal(clock.pending, 0);
  });

  it('times out if a living process holds the lock', async () => {
    const clock = new VirtualClock(Date.now());
    const held = await lock();
    const codes: unknown[] = [];
    const timeout = lock(clock, 1_000).catch((error: unknown) => codes.push((error as NodeJS.ErrnoException).code));
    while (codes.length === 0) await advance(clock, 1_000, 1_000);
    await timeout;
    assert.deepEqual(codes, ['ELOCKED']);
    assert.ok(await held.isHeld());
    await held.release();
  });
});

describe('SerialQueue', () => {
  it('runs tasks one after another even if one fails, and is idle after the last one', async () => {
    const queue = new SerialQueue();
    const events: string[] = [];
    const createTask = (name: string, fails = false) =>
      queue.run(async () => {
        events.push(`${name} begins`);
        await Promise.resolve();
        events.push(`${name} ends`);
        if (fails) throw new Error(name);
      });
    const first = createTask('first', true);
    const second = createTask('second');
    assert.equal(queue.isIdle, false);
    await assert.rejects(first, { message: 'first' });
    assert.equal(queue.isIdle, false, 'the second task is waiting or running');
    await second;
    assert.equal(queue.isIdle, true);
    assert.deepEqual(events, ['first begins', 'first ends', 'second begins', 'second ends']);
  });
});
