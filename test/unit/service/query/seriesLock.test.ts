import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SeriesLock } from '../../../../src/service/query/seriesLease.ts';
import { realClock } from '../../../support/realClock.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { fileSystems } from '../../../support/windowsFs.ts';

const series = { source: 'world', dataset: 'systemState', interval: '1h', params: {} };

for (const { name: system, isWindows, machine } of fileSystems)
  describe(`SeriesLock${system}`, () => {
    const fs = machine();
    let folder: string;
    const warnings: string[] = [];
    const createLock = (path = folder): SeriesLock =>
      new SeriesLock({
        folder: path,
        clock: realClock,
        random: () => 0.5,
        fs,
        logger: { warn: line => warnings.push(line) },
      });

    const runLocked = async <T>(lock: SeriesLock, lockedSeries: typeof series, task: () => Promise<T>): Promise<T> => {
      const release = await lock.acquire(lockedSeries);
      assert.ok(release, 'free');
      try {
        return await task();
      } finally {
        await release();
      }
    };

    beforeEach(() => {
      folder = createTemporaryFolder();
      warnings.length = 0;
    });

    it('locks a series for one window at a time, without blocking it or another series', async () => {
      const lock = createLock();
      const otherLock = createLock();
      assert.equal(await otherLock.isHeldElsewhere(series), false);
      const oldVersion = await otherLock.readVersion(series);
      await runLocked(lock, series, async () => {
        assert.deepEqual([await otherLock.acquire(series), await otherLock.isHeldElsewhere(series)], [undefined, true]);
        await runLocked(otherLock, { ...series, dataset: 'gridStress' }, async () => Promise.resolve());
        assert.equal(await otherLock.readVersion(series), oldVersion);
      });
      assert.equal(await otherLock.isHeldElsewhere(series), false);
      assert.notEqual(
        await otherLock.readVersion(series),
        oldVersion,
        'the version changes, so that waiting windows notice the release',
      );
      await runLocked(otherLock, series, async () => Promise.resolve());
      assert.deepEqual(warnings, []);
    });

    if (isWindows)
      it('locks a series for windows that spell the folder in another case, such as that of a drive', async () => {
        const otherLock = createLock(join(dirname(folder), basename(folder).toUpperCase()));
        await runLocked(createLock(), series, async () => {
          assert.deepEqual(
            [await otherLock.acquire(series), await otherLock.isHeldElsewhere(series)],
            [undefined, true],
          );
        });
        assert.equal(await otherLock.isHeldElsewhere(series), false);
        await runLocked(otherLock, series, async () => assert.equal(await createLock().isHeldElsewhere(series), true));
        assert.deepEqual(warnings, []);
      });

    it('releases the lock when the task fails', async () => {
      await assert.rejects(
        runLocked(createLock(), series, async () => Promise.reject(new Error('boom'))),
        /boom/,
      );
      assert.equal(await runLocked(createLock(), series, async () => Promise.resolve(1)), 1);
    });

    it('breaks the lock of a dead window, also one from before the clock was set back', async () => {
      for (const age of [-60_000, 3_600_000]) {
        await runLocked(createLock(), series, async () => {
          // A killed process leaves a lock folder that nobody renews.
          for (const name of readdirSync(folder).filter(file => file.endsWith('.lock')))
            mkdirSync(join(folder, `copy-${name}`));
          return Promise.resolve();
        });
        for (const name of readdirSync(folder).filter(file => file.startsWith('copy-'))) {
          const dead = join(folder, name.replace('copy-', ''));
          rmSync(join(folder, name), { recursive: true });
          mkdirSync(dead, { recursive: true });
          const time = new Date(realClock.now() + age);
          utimesSync(dead, time, time);
        }
        // A lock from the future seems new: its time is reset while somebody waits for it.
        assert.equal(await createLock().isHeldElsewhere(series), false);
        assert.equal(await runLocked(createLock(), series, async () => Promise.resolve('in')), 'in');
      }
    });

    it('continues without locks when the folder is unusable, and logs it', async () => {
      const file = join(folder, 'file');
      writeFileSync(file, '');
      assert.equal(await runLocked(createLock(file), series, async () => Promise.resolve('in')), 'in');
      assert.equal(warnings.length, 1);
    });
  });
