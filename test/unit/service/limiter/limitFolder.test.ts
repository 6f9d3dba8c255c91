import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../../src/core/ports.ts';
import { createFingerprint, type Fingerprint, SharedLimiter } from '../../../../src/service/limiter/sharedLimiter.ts';
import { getScope } from '../../../../src/service/limiter/keyState.ts';
import { LimitFolder } from '../../../../src/service/limiter/limitFolder.ts';
import { hostileBudgetFiles } from '../../../hostile/queriesFiles.ts';
import { endlessFiles } from '../../../support/endlessFiles.ts';
import { impatientClock, createMachine, realClock } from '../../../support/realClock.ts';
import { StrictThrottle } from '../../../support/strictServer.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { fileSystems } from '../../../support/windowsFs.ts';
import { testKey } from '../client/clientSetUp.ts';
import { VirtualClock } from '../virtualClock.ts';
import { gridScope, minute, minuteMs } from './limiterSetUp.ts';

const hourMs = 3_600_000;
const now = Date.now();
const four = { requests: 4, seconds: 60 };
const damage = 'a file of request budgets is damaged and was replaced';
const plain: Fingerprint = () => Promise.resolve('0123abcd');

/** Advances the clock by at most `ms`, after pending writes have ended. */
async function advanceUntil(
  isDone: () => boolean,
  { limiter, clock }: { readonly limiter: SharedLimiter; readonly clock: VirtualClock },
  ms: number,
): Promise<void> {
  const end = clock.now() + ms;
  while (!isDone() && clock.now() < end) {
    await limiter.budget(gridScope, minute);
    await clock.advance(clock.pending === 0 ? 0 : 5_000);
  }
  assert.ok(isDone());
}

for (const { name: system, isWindows, machine } of fileSystems)
  describe(`LimitFolder${system}`, () => {
    const fs = machine();
    let folder: string;
    beforeEach(() => (folder = join(createTemporaryFolder(), 'limits')));

    /** Opens a window with an empty memory. */
    function open<C extends Clock = VirtualClock>(
      name: string,
      clock = new VirtualClock(Date.now()) as Clock as C,
      fingerprint: Fingerprint = plain,
    ) {
      const warnings: string[] = [];
      const logger = { warn: (line: string) => void warnings.push(line) };
      let alone = 0;
      let damaged = 0;
      const onUnshared = () => void (alone += 1);
      const onDamaged = () => void (damaged += 1);
      // Refused calls are retried in real time.
      const retryClock = { ...impatientClock, now: () => clock.now() };
      const store = new LimitFolder({
        folder,
        clock: retryClock,
        random: () => 0.5,
        logger,
        onUnshared,
        onDamaged,
        fs,
      });
      const limiter = new SharedLimiter({ store, clock, machine: createMachine(clock), window: name, fingerprint });
      return {
        clock,
        warnings,
        limiter,
        alone: () => alone,
        damaged: () => damaged,
        left: async () => (await limiter.budget(gridScope, minute)).left,
      };
    }

    const file = () => join(folder, '0123abcd.json');

    /** Sends one request, and waits until it is stored. */
    async function spend({ limiter, left }: ReturnType<typeof open>): Promise<void> {
      const permit = await limiter.acquire(gridScope, minute);
      permit.release('counted');
      await left();
    }

    it('shares spent requests with another window, and one after a restart', async () => {
      const clock = new VirtualClock(Date.now());
      const first = open('w1', clock);
      await spend(first);
      assert.equal(await first.left(), 1);
      assert.equal(await open('w2', clock).left(), 1);
      await spend(open('w3', clock));
      assert.equal(await first.left(), 0);
      await clock.advance(minuteMs);
      assert.equal(await open('w4', clock).left(), 2);
      assert.deepEqual(await readdir(folder), ['0123abcd.json']);
    });

    it('keeps three windows within the limit, and reports no window as unshared', async () => {
      const limit = { requests: 3, seconds: 0.2 };
      const windows = ['w1', 'w2', 'w3'].map(name => open(name, realClock));
      const throttle = new StrictThrottle();
      const isAllowed: boolean[] = [];
      const send = async ({ limiter }: (typeof windows)[number]): Promise<void> => {
        const permit = await limiter.acquire(gridScope, limit);
        isAllowed.push(throttle.allow(performance.now(), limit.requests, 1000 * limit.seconds));
        permit.release('counted');
      };
      await Promise.all(windows.flatMap(window => Array.from({ length: 6 }, async () => send(window))));
      // All permits are released.
      await Promise.all(windows.map(async ({ left }) => left()));
      assert.deepEqual([isAllowed.length, isAllowed.filter(allowed => !allowed)], [18, []]);
      assert.deepEqual(
        windows.map(({ warnings, alone }) => [warnings, alone()]),
        [
          [[], 0],
          [[], 0],
          [[], 0],
        ],
      );
    });

    it('writes a file that only its owner can read', async () => {
      await spend(open('w1'));
      if (!isWindows && process.platform !== 'win32') assert.equal((await stat(file())).mode & 0o777, 0o600);
    });

    it('applies all simultaneous changes in one write', async () => {
      let writes = 0;
      const writeFile: typeof fs.writeFile = async (path, ...rest) => {
        await fs.writeFile(path, ...rest);
        if ((path as string).endsWith('.tmp')) writes += 1;
      };
      const deps = { folder, clock: impatientClock, random: () => 0.5, logger: { warn: () => undefined } };
      const store = new LimitFolder({ ...deps, fs: { ...fs, writeFile } });
      const names = ['grid', 'other'];
      await Promise.all(names.map(async name => store.update('0123abcd', state => getScope(state, name))));
      assert.equal(writes, 1);
      assert.deepEqual(Object.keys((await new LimitFolder({ ...deps, fs }).read('0123abcd')).scopes), names);
    });

    for (const [name, text] of [
      ['empty', ''],
      ['cut', undefined],
      ['of another version', '{"version":2,"rejected":true,"scopes":{}}'],
      ['of another kind', '[1,2,3]'],
      ['full of wrong numbers', '{"version":1,"rejected":false,"scopes":{"grid":{"slots":[{"at":1e999}]}}}'],
      ['no text', '\u0000\ufffd\u0001'],
    ] as const)
      it(`starts empty if the file is ${name}, reports it once, and writes a valid file`, async () => {
        const first = open('w1');
        await spend(first);
        await writeFile(file(), text ?? (await readFile(file(), 'utf8')).slice(0, -9));
        const second = open('w2');
        assert.equal(await second.left(), 2);
        await spend(second);
        const third = open('w3');
        assert.equal(await third.left(), 1);
        assert.deepEqual([second.warnings, second.damaged()], [[damage], 1]);
        assert.deepEqual([third.warnings, third.damaged()], [[], 0]);
      });

    it('treats a file over 1 MiB as lost', async () => {
      const first = open('w1');
      await spend(first);
      const text = await readFile(file(), 'utf8');
      await writeFile(file(), text.padEnd(2 ** 20));
      assert.equal(await open('w2').left(), 1);
      await writeFile(file(), text.padEnd(2 ** 20 + 1));
      assert.equal(await open('w3').left(), 2);
    });

    if (!isWindows && process.platform !== 'win32')
      for (const { name, create } of endlessFiles.filter(smallLimit => smallLimit.name !== 'a folder'))
        it(`replaces ${name} in place of its file`, async () => {
          await mkdir(folder);
          create(file());
          const first = open('w1');
          assert.equal(await first.left(), 2);
          await spend(first);
          assert.equal(await open('w2').left(), 1);
          assert.deepEqual([first.warnings, first.damaged()], [[damage], 1]);
        });

    it('keeps the file small enough to read with more waiting and allowed requests than fit', async () => {
      const { limiter, clock } = open('w1');
      const limit = { requests: 99_999, seconds: 86_400 };
      const stop = new AbortController();
      const requests = Array.from({ length: 1_600 }, async () =>
        limiter.acquire(gridScope, limit, { signal: stop.signal }),
      );
      await Promise.all(requests.slice(0, 1_000));
      await clock.advance(500);
      const { left, allowed, waiting } = await limiter.budget(gridScope, limit);
      assert.deepEqual([left, allowed, waiting], [0, 1_000, 500]);
      stop.abort();
      await Promise.allSettled(requests);
      await limiter.budget(gridScope, limit);
    });

    it('restores the data of a damaged file from an open window', async () => {
      const window = open('w1');
      await spend(window);
      await writeFile(file(), 'x');
      await spend(window);
      assert.equal(await window.left(), 0);
      assert.equal(await open('w2').left(), 0);
    });

    it('waits at most one window when the clock was set back an hour', async () => {
      const windowBefore = open('w1');
      await spend(windowBefore);
      await spend(windowBefore);
      const clock = new VirtualClock(windowBefore.clock.now() - hourMs);
      const windowAfter = open('w2', clock);
      const { left, nextFreeInMs } = await windowAfter.limiter.budget(gridScope, minute);
      assert.deepEqual([left, nextFreeInMs], [0, minuteMs]);
    });

    it('does not wait when the clock was set forward an hour', async () => {
      const windowBefore = open('w1');
      await spend(windowBefore);
      assert.equal(await open('w2', new VirtualClock(windowBefore.clock.now() + hourMs)).left(), 2);
    });

    for (const [name, ageMs] of [
      ['of a process that died', 10_000],
      ['of one that died before the clock was set back', -hourMs],
    ] as const)
      it(`breaks the lock ${name}`, async () => {
        await mkdir(`${file()}.lock`, { recursive: true });
        const createdAt = new Date(Date.now() - ageMs);
        await utimes(`${file()}.lock`, createdAt, createdAt);
        const window = open('w1');
        const spending = spend(window);
        // A lock of the second kind is checked again after a short sleep.
        const tick = async (): Promise<boolean> => {
          await readdir(folder);
          await window.clock.advance(4);
          return false;
        };
        while (!(await Promise.race([spending.then(() => true), tick()])));
        assert.equal(await window.left(), 1);
        assert.deepEqual(await readdir(folder), ['0123abcd.json']);
      });

    it('uses half of the limit when there is no folder, and logs it once', async () => {
      await writeFile(folder, 'a file in the way');
      const clock = new VirtualClock(Date.now());
      const windows = [open('w1', clock), open('w2', clock)];
      for (const { limiter } of windows) {
        for (let sent = 0; sent < 2; sent += 1) (await limiter.acquire(gridScope, four)).release('counted');
        const { left, allowed } = await limiter.budget(gridScope, four);
        assert.deepEqual([left, allowed], [0, 2]);
        // At least one request is allowed.
        const smallLimit = { requests: 1, seconds: 60 };
        assert.equal((await limiter.budget({ ...gridScope, scope: 'other' }, smallLimit)).allowed, 1);
      }
      assert.deepEqual(
        windows.map(({ warnings, alone }) => [warnings, alone()]),
        windows.map(() => [['request budgets cannot be shared between windows (EEXIST)'], 1]),
      );
    });

    for (const { name, text, mayBeTrue = false } of hostileBudgetFiles(gridScope.scope, now))
      it(`${mayBeTrue ? 'stays open' : 'is open at once'} when the file holds ${name}`, async () => {
        await mkdir(folder);
        await writeFile(file(), text);
        const window = open('w1', new VirtualClock(now));
        const { limiter, clock } = window;
        const granted: number[] = [];
        const stop = new AbortController();
        const attempts = [1, 2, 3].map(async () => {
          const permit = await limiter.acquire(gridScope, minute, { signal: stop.signal });
          granted.push(clock.now() - now);
          permit.release('counted');
        });
        // This is the maximum time in flight or blocked, plus one window.
        await advanceUntil(() => granted.length >= minute.requests, window, mayBeTrue ? 192_000 : 1);
        assert.equal(window.damaged(), mayBeTrue ? 0 : 1);
        await limiter.budget(gridScope, minute);
        stop.abort();
        await Promise.allSettled(attempts);
        await limiter.budget(gridScope, minute);
        // The limit still applies.
        assert.equal(granted.length, minute.requests);
      });

    it('uses the folder again once it is available, with the requests spent meanwhile', async () => {
      const window = open('w1');
      await spend(window);
      await rename(folder, `${folder}.away`);
      await writeFile(folder, 'a file in the way');
      const { limiter } = window;
      (await limiter.acquire(gridScope, four)).release('counted');
      assert.equal((await limiter.budget(gridScope, four)).left, 0);
      await rm(folder);
      await rename(`${folder}.away`, folder);
      assert.equal(await open('w2').left(), 1);
      await window.limiter.clearRejection(gridScope);
      assert.equal(await open('w3').left(), 0);
      assert.equal((await limiter.budget(gridScope, four)).left, 2);
    });

    for (const rejection of ['keyRejected', 'forbidden'] as const) {
      /** Opens a window whose key was rejected. */
      async function openRejectedWindow() {
        const window = open('w1');
        const permit = await window.limiter.acquire(gridScope, minute);
        permit.release({ refused: rejection });
        assert.equal(await getRejection(window), rejection);
        return window;
      }
      const getRejection = async ({ limiter }: ReturnType<typeof open>) =>
        (await limiter.budget(gridScope, minute)).refusal;

      for (const [loss, lose] of [
        ['removed', () => rm(file())],
        ['damaged', () => writeFile(file(), 'x')],
      ] as const)
        it(`keeps a ${rejection} key blocked although the file was ${loss}`, async () => {
          const window = await openRejectedWindow();
          await lose();
          await assert.rejects(window.limiter.acquire(gridScope, minute), { reason: rejection });
          assert.equal(await getRejection(open('w2')), rejection);
        });

      it(`unblocks a key that is no longer ${rejection}, once the file is readable again`, async () => {
        const window = await openRejectedWindow();
        await rename(folder, `${folder}.away`);
        await writeFile(folder, 'a file in the way');
        await assert.rejects(window.limiter.acquire(gridScope, minute), { reason: rejection });
        await rm(folder);
        await rename(`${folder}.away`, folder);
        await open('w2').limiter.clearRejection(gridScope);
        await spend(window);
        assert.equal(await getRejection(window), undefined);
      });
    }

    it('creates a missing folder again', async () => {
      const window = open('w1');
      await spend(window);
      await rm(folder, { recursive: true });
      await spend(window);
      assert.equal(await window.left(), 0);
      assert.equal(await open('w2').left(), 0);
      assert.deepEqual(window.warnings, []);
    });

    it('writes no part of a key into any file or file name', async () => {
      const { limiter } = open('w1', undefined, createFingerprint());
      const budgetScope = { ...gridScope, key: testKey };
      const permit = await limiter.acquire(budgetScope, minute);
      permit.release({ refused: 'keyRejected' });
      assert.equal((await limiter.budget(budgetScope, minute)).refusal, 'keyRejected');
      const names = await readdir(folder);
      assert.equal(names.length, 1);
      const texts = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')));
      const allText = [...names, ...texts].join('\n');
      const secret = testKey.slice('sb_test_'.length);
      for (let start = 0; start + 4 <= secret.length; start += 1) {
        const piece = secret.slice(start, start + 4);
        for (const spelling of [piece, Buffer.from(piece).toString('hex')])
          assert.ok(!allText.includes(spelling), allText);
      }
      assert.ok(!allText.includes('sb_test'));
    });
  });
