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

/** A disk in memory. Before each call, it awaits `waitForTurn`. */
class SteppedDisk {
  readonly files = new Set<string>();
  /** The folders with their modification times. */
  readonly folders = new Map<string, number>([['/locks', 0]]);
  readonly #waitForTurn: () => Promise<void>;
  readonly #now: () => number;

  constructor(waitForTurn: () => Promise<void>, now: () => number) {
    this.#waitForTurn = waitForTurn;
    this.#now = now;
  }

  /** Returns the file system for one process, and a function that returns the path of the file it wrote last. */
  open(): { readonly fs: NonNullable<LockOptions['fs']>; readonly getWrittenFile: () => string } {
    let writtenFile = '';
    const calls: Record<string, (path: string, options?: unknown, seconds?: number) => unknown> = {
      mkdir: (path, options) => {
        if (this.folders.has(path)) return 'recursive' in Object(options) ? undefined : fail('EEXIST');
        this.folders.set(path, this.#now());
        return undefined;
      },
      rmdir: path => {
        if (this.#listNames(path).length > 0) fail('ENOTEMPTY');
        this.folders.delete(path);
      },
      readdir: path => this.#listNames(path),
      stat: path => ({ mtimeMs: this.files.has(path) ? 0 : (this.folders.get(path) ?? fail('ENOENT')) }),
      writeFile: path => {
        writtenFile = path;
        this.#listNames(dirname(path));
        this.files.add(path);
        this.folders.set(dirname(path), this.#now());
      },
      unlink: path => this.files.delete(path) || fail('ENOENT'),
      utimes: (path, _, seconds) => {
        this.#listNames(path);
        this.folders.set(path, Number(seconds) * 1000);
      },
    };
    const scheduledCalls = Object.entries(calls).map(([name, call]) => [
      name,
      async (...args: Parameters<typeof call>) => this.#waitForTurn().then(() => call(...args)),
    ]);
    return {
      fs: Object.fromEntries(scheduledCalls) as NonNullable<LockOptions['fs']>,
      getWrittenFile: () => writtenFile,
    };
  }

  #listNames(path: string): string[] {
    if (!this.folders.has(path)) fail('ENOENT');
    return [...this.files].filter(file => dirname(file) === path).map(file => file.slice(path.length + 1));
  }
}

/** The indexes of the calls that fail. There are fewer of them than retries. */
const arbitraryFailingCalls = fc.uniqueArray(fc.nat(80), { maxLength: 12 });

describe('acquireLock with its file system calls in every order', () => {
  for (const [description, leftover] of [
    ['a free lock', undefined],
    ['the lock of a dead process', `${lock}/dead`],
    ['the lock of a dead process of an earlier version', lock],
  ] as const)
    it(`grants ${description} to one holder at a time`, () =>
      fc.assert(
        // With a large time factor, time passes so fast that a live holder seems dead.
        fc.asyncProperty(
          fc.scheduler(),
          arbitraryFailingCalls,
          fc.constantFrom(0, 1, 30),
          async (scheduler, failingCalls, timeFactor) => {
            let now = 100_000;
            let calls = 0;
            let acquiredCount = 0;
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
                if (failingCalls.includes(calls++)) fail(calls % 2 === 0 ? 'EPERM' : 'EBUSY');
              },
              () => now,
            );
            if (leftover !== undefined) disk.folders.set(lock, 0);
            if (leftover !== undefined && leftover !== lock) disk.files.add(leftover);
            const sleep = async (ms: number): Promise<void> => {
              await pause();
              now += ms * timeFactor;
            };
            const acquireAndRelease = async (): Promise<void> => {
              const { fs, getWrittenFile } = disk.open();
              const times = { now: () => now, clock: { now: () => now, sleep }, staleMs, patienceMs: Infinity };
              const acquiredLock = await acquireLock(lock, { ...times, random: () => 0.5, fs });
              acquiredCount += 1;
              holders.add(getWrittenFile());
              for (let pauseCount = 0; pauseCount < 4; pauseCount += 1) await pause();
              // If no time passes, a live holder never loses the lock.
              if (timeFactor === 0) assert.ok(disk.files.has(getWrittenFile()));
              holders.delete(getWrittenFile());
              await acquiredLock.release();
            };
            await scheduler.waitFor(Promise.all([acquireAndRelease(), acquireAndRelease(), acquireAndRelease()]));
            assert.equal(acquiredCount, 3);
          },
        ),
        { numRuns: scaleRunCount(300) },
      ));
});
