import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { acquireLock, type LockOptions } from '../../../../src/service/files/fileLock.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const staleMs = 2_000;
const lock = '/locks/a.lock';

function fail(code: string): never {
  throw Object.assign(new Error(code), { code });
}

/** A disk in memory. Each call is one step, and `step` determines when it runs. */
class SteppedDisk {
  readonly files = new Set<string>();
  /** The folders with their modification times. */
  readonly folders = new Map<string, number>([['/locks', 0]]);
  readonly #step: () => Promise<void>;
  readonly #now: () => number;

  constructor(runCall: () => Promise<void>, now: () => number) {
    this.#step = runCall;
    this.#now = now;
  }

  /** The disk as one process uses it, with the file that it wrote last. */
  open(): { readonly fs: NonNullable<LockOptions['fs']>; readonly written: () => string } {
    let writtenFile = '';
    const calls: Record<string, (path: string, options?: unknown, seconds?: number) => unknown> = {
      mkdir: (path, options) => {
        if (this.folders.has(path)) return 'recursive' in Object(options) ? undefined : fail('EEXIST');
        this.folders.set(path, this.#now());
        return undefined;
      },
      rmdir: path => {
        if (this.#namesIn(path).length > 0) fail('ENOTEMPTY');
        this.folders.delete(path);
      },
      readdir: path => this.#namesIn(path),
      stat: path => ({ mtimeMs: this.files.has(path) ? 0 : (this.folders.get(path) ?? fail('ENOENT')) }),
      writeFile: path => {
        writtenFile = path;
        this.#namesIn(dirname(path));
        this.files.add(path);
        this.folders.set(dirname(path), this.#now());
      },
      unlink: path => this.files.delete(path) || fail('ENOENT'),
      utimes: (path, _, seconds) => {
        this.#namesIn(path);
        this.folders.set(path, Number(seconds) * 1000);
      },
    };
    const stepped = Object.entries(calls).map(([name, call]) => [
      name,
      async (...of: Parameters<typeof call>) => this.#step().then(() => call(...of)),
    ]);
    return { fs: Object.fromEntries(stepped) as NonNullable<LockOptions['fs']>, written: () => writtenFile };
  }

  #namesIn(path: string): string[] {
    if (!this.folders.has(path)) fail('ENOENT');
    return [...this.files].filter(file => dirname(file) === path).map(file => file.slice(path.length + 1));
  }
}

/** The number of rejected calls, which is less than the number of retries. */
const failingCalls = fc.uniqueArray(fc.nat(80), { maxLength: 12 });

describe('acquireLock with its file system calls in every order', () => {
  for (const [description, left] of [
    ['a free lock', undefined],
    ['the lock of a dead process', `${lock}/dead`],
    ['the lock of a dead process of an earlier version', lock],
  ] as const)
    it(`grants the lock to one holder at a time: ${description}`, () =>
      fc.assert(
        // In haste, time passes so fast that a living holder seems dead.
        fc.asyncProperty(fc.scheduler(), failingCalls, fc.constantFrom(0, 1, 30), async (scheduler, failing, haste) => {
          let now = 100_000;
          let calls = 0;
          let taken = 0;
          /** The owner files of the processes that hold the lock. */
          const holders = new Set<string>();
          const pause = async (): Promise<void> => {
            await scheduler.schedule(Promise.resolve());
            const owners = [...holders].filter(owner => disk.files.has(owner));
            assert.ok(owners.length <= 1, owners.join(' and '));
          };
          const disk = new SteppedDisk(
            async () => {
              await pause();
              if (failing.includes(calls++)) fail(calls % 2 === 0 ? 'EPERM' : 'EBUSY');
            },
            () => now,
          );
          if (left !== undefined) disk.folders.set(lock, 0);
          if (left !== undefined && left !== lock) disk.files.add(left);
          const sleep = async (ms: number): Promise<void> => {
            await pause();
            now += ms * haste;
          };
          const take = async (): Promise<void> => {
            const { fs, written } = disk.open();
            const times = { now: () => now, clock: { now: () => now, sleep }, staleMs, patienceMs: Infinity };
            const held = await acquireLock(lock, { ...times, random: () => 0.5, fs });
            taken += 1;
            holders.add(written());
            for (let pauseCount = 0; pauseCount < 4; pauseCount += 1) await pause();
            // Without haste, a living holder never loses the lock.
            if (haste === 0) assert.ok(disk.files.has(written()));
            holders.delete(written());
            await held.release();
          };
          await scheduler.waitFor(Promise.all([take(), take(), take()]));
          assert.equal(taken, 3);
        }),
        { numRuns: scaleRunCount(300) },
      ));
});
