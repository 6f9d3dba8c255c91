import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { retainAlerts, evaluateAlerts } from '../../../../src/core/watch/alertHistory.ts';
import { AlertHistoryFolder } from '../../../../src/service/watch/alertHistoryStore.ts';
import { getHistoryFile } from '../../../../src/service/watch/alertHistoryStore.ts';
import { impatientClock } from '../../../support/realClock.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { fileSystems } from '../../../support/windowsFs.ts';
import { createFaultyFs } from '../archive/archiveSetUp.ts';
import { hoursOfDay, midnight, over5, readingOfHours } from '../../core/watch/readings.ts';
import { createWatchedQuery } from './watchWorld.ts';

const name = getHistoryFile(createWatchedQuery('a'));

for (const { name: system, isWindows, machine } of fileSystems)
  describe(`AlertHistoryFolder${system}`, () => {
    const disk = machine();
    let folder: string;
    let warnings: string[];

    beforeEach(() => {
      folder = join(createTemporaryFolder(), 'told');
      warnings = [];
    });

    function openFolder(fs = isWindows ? disk : createFaultyFs().fs): AlertHistoryFolder {
      const logger = { warn: (line: string) => void warnings.push(line) };
      return new AlertHistoryFolder({ folder, clock: impatientClock, random: Math.random, logger, fs });
    }

    const addAlerts = async (window: AlertHistoryFolder): Promise<undefined> =>
      window.update(name, history => ({ history: retainAlerts(history, [over5], midnight), value: undefined }));

    /** Evaluates the alerts of a window after `count` hours have ended. Returns the hours for which it notifies the user. */
    const listNotifiedHours = async (window: AlertHistoryFolder, count: number): Promise<number[]> => {
      const reading = readingOfHours(Array.from({ length: count }, () => ({ mw: 6 })));
      return window.update(name, previousHistory => {
        const { history, notifications } = evaluateAlerts(previousHistory, [over5], reading);
        return { history, value: hoursOfDay(notifications.flatMap(({ findings }) => findings)) };
      });
    };

    it('notifies in only one of several windows, also after all windows are closed', async () => {
      const windows = Array.from({ length: 5 }, () => openFolder());
      await Promise.all(windows.map(addAlerts));
      const notifiedHours = await Promise.all(windows.map(async window => listNotifiedHours(window, 3)));
      assert.deepEqual(
        notifiedHours.filter(hours => hours.length > 0),
        [[0, 1, 2]],
      );
      assert.deepEqual(await listNotifiedHours(openFolder(), 4), [3]);
      assert.deepEqual(await readdir(folder), [name]);
      assert.deepEqual(warnings, []);
    });

    it('does not lock the folder if the history does not change', async () => {
      await addAlerts(openFolder());
      const { fs, faults } = createFaultyFs();
      faults.set('mkdir', () => assert.fail('a lock was taken'));
      assert.deepEqual(await listNotifiedHours(openFolder(fs), 0), []);
      assert.deepEqual(warnings, []);
    });

    it('notifies in each window and warns once if the folder cannot be written, and shares the history again afterwards', async () => {
      const { fs, faults } = createFaultyFs();
      const window = openFolder(fs);
      await addAlerts(window);
      faults.set('writeFile', () => {
        throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      });
      assert.deepEqual(await listNotifiedHours(window, 1), [0]);
      assert.deepEqual(await listNotifiedHours(window, 2), [1]);
      assert.deepEqual(await listNotifiedHours(window, 2), []);
      assert.deepEqual(warnings, ['windows cannot share the history of alerts (ENOSPC)']);
      faults.clear();
      assert.deepEqual(await listNotifiedHours(window, 3), [2]);
      assert.deepEqual(await listNotifiedHours(openFolder(), 4), [3]);
    });

    it('works if the folder cannot be created', async () => {
      await writeFile(folder, 'a file where the folder should be');
      const window = openFolder();
      await addAlerts(window);
      assert.deepEqual([await listNotifiedHours(window, 1), await listNotifiedHours(window, 1)], [[0], []]);
      assert.equal(warnings.length, 1);
    });

    it('uses the history in memory if the file is damaged or missing, and writes the file again', async () => {
      const window = openFolder();
      await addAlerts(window);
      assert.deepEqual(await listNotifiedHours(window, 1), [0]);
      for (const damage of [
        async () => writeFile(join(folder, name), '{"alerts":[{"id"'),
        async () => rm(folder, { recursive: true }),
      ]) {
        const stored = JSON.parse(await readFile(join(folder, name), 'utf8')) as { alerts: { hours: number[] }[] };
        const count = stored.alerts[0]?.hours.length ?? 0;
        await damage();
        assert.deepEqual(await listNotifiedHours(window, count + 1), [count]);
        assert.deepEqual(await listNotifiedHours(openFolder(), count + 1), []);
      }
    });

    it('rethrows programming errors, and leaves the stored history unchanged', async () => {
      const window = openFolder();
      await addAlerts(window);
      await assert.rejects(
        window.update(name, () => {
          throw new TypeError('a mistake');
        }),
        TypeError,
      );
      assert.deepEqual(await listNotifiedHours(openFolder(), 1), [0]);
    });

    it('returns different file names for different ids, sources and queries, but not for different ranges', () => {
      const { query } = createWatchedQuery('a');
      const names = [
        createWatchedQuery('a'),
        createWatchedQuery('../../a'),
        createWatchedQuery('a', { source: 'other' }),
        createWatchedQuery('a', { query: { ...query, interval: '1d' } }),
      ].map(getHistoryFile);
      assert.equal(new Set(names).size, 4);
      for (const fileName of names) assert.match(fileName, /^[0-9a-f]{24}\.json$/);
      assert.equal(getHistoryFile(createWatchedQuery('a', { query: { ...query, range: 'last 7 days' } })), name);
    });
  });
