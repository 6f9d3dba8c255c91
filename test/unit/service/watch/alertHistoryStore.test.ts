import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { retainAlerts, evaluateAlerts } from '../../../../src/core/watch/alertHistory.ts';
import { AlertHistoryFolder } from '../../../../src/service/watch/alertHistoryStore.ts';
import { getHistoryFile } from '../../../../src/service/watch/alertHistoryStore.ts';
import { impatientClock } from '../../../support/realClock.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { fileSystems } from '../../../support/windowsFs.ts';
import { faultyFs } from '../archive/archiveSetUp.ts';
import { hoursOfDay, midnight, over5, readingOfHours } from '../../core/watch/readings.ts';
import { watched } from './watchWorld.ts';

const name = getHistoryFile(watched('a'));

for (const { name: system, isWindows, machine } of fileSystems)
  describe(`the shared alert history${system}`, () => {
    const disk = machine();
    let folder: string;
    let warnings: string[];

    beforeEach(() => {
      folder = join(createTemporaryFolder(), 'told');
      warnings = [];
    });

    function open(fs = isWindows ? disk : faultyFs().fs): AlertHistoryFolder {
      const logger = { warn: (line: string) => void warnings.push(line) };
      return new AlertHistoryFolder({ folder, clock: impatientClock, random: Math.random, logger, fs });
    }

    const startAlerts = async (window: AlertHistoryFolder): Promise<undefined> =>
      window.update(name, history => ({ history: retainAlerts(history, [over5], midnight), value: undefined }));

    /** Returns the hours that a window alerts to when this number of hours has ended. */
    const listAlertedHours = async (window: AlertHistoryFolder, count: number): Promise<number[]> => {
      const reading = readingOfHours(Array.from({ length: count }, () => ({ mw: 6 })));
      return window.update(name, previousHistory => {
        const { history, notifications } = evaluateAlerts(previousHistory, [over5], reading);
        return { history, value: hoursOfDay(notifications.flatMap(({ findings }) => findings)) };
      });
    };

    it('lets one of many windows alert, and remembers the alert after all windows are closed', async () => {
      const windows = Array.from({ length: 5 }, () => open());
      await Promise.all(windows.map(startAlerts));
      const alertedHours = await Promise.all(windows.map(async window => listAlertedHours(window, 3)));
      assert.deepEqual(
        alertedHours.filter(hours => hours.length > 0),
        [[0, 1, 2]],
      );
      assert.deepEqual(await listAlertedHours(open(), 4), [3]);
      assert.deepEqual(await readdir(folder), [name]);
      assert.deepEqual(warnings, []);
    });

    it('takes no lock without a change', async () => {
      await startAlerts(open());
      const { fs, faults } = faultyFs();
      faults.set('mkdir', () => assert.fail('a lock was taken'));
      assert.deepEqual(await listAlertedHours(open(fs), 0), []);
      assert.deepEqual(warnings, []);
    });

    it('alerts separately when the folder fails, warns once, and shares again afterwards', async () => {
      const { fs, faults } = faultyFs();
      const window = open(fs);
      await startAlerts(window);
      faults.set('writeFile', () => {
        throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      });
      assert.deepEqual(await listAlertedHours(window, 1), [0]);
      assert.deepEqual(await listAlertedHours(window, 2), [1]);
      assert.deepEqual(await listAlertedHours(window, 2), []);
      assert.deepEqual(warnings, ['windows cannot share the history of alerts (ENOSPC)']);
      faults.clear();
      assert.deepEqual(await listAlertedHours(window, 3), [2]);
      assert.deepEqual(await listAlertedHours(open(), 4), [3]);
    });

    it('works without a folder', async () => {
      await writeFile(folder, 'a file where the folder should be');
      const window = open();
      await startAlerts(window);
      assert.deepEqual([await listAlertedHours(window, 1), await listAlertedHours(window, 1)], [[0], []]);
      assert.equal(warnings.length, 1);
    });

    it('uses its memory when a file is damaged or missing, and repairs it', async () => {
      const window = open();
      await startAlerts(window);
      assert.deepEqual(await listAlertedHours(window, 1), [0]);
      for (const damage of [
        async () => writeFile(join(folder, name), '{"alerts":[{"id"'),
        async () => rm(folder, { recursive: true }),
      ]) {
        const stored = JSON.parse(await readFile(join(folder, name), 'utf8')) as { alerts: { hours: number[] }[] };
        const count = stored.alerts[0]?.hours.length ?? 0;
        await damage();
        assert.deepEqual(await listAlertedHours(window, count + 1), [count]);
        assert.deepEqual(await listAlertedHours(open(), count + 1), []);
      }
    });

    it('rethrows programming errors, and keeps stored data', async () => {
      const window = open();
      await startAlerts(window);
      await assert.rejects(
        window.update(name, () => {
          throw new TypeError('a mistake');
        }),
        TypeError,
      );
      assert.deepEqual(await listAlertedHours(open(), 1), [0]);
    });

    it('names files by dataset, for any ids', () => {
      const { query } = watched('a');
      const names = [
        watched('a'),
        watched('../../a'),
        watched('a', { source: 'other' }),
        watched('a', { query: { ...query, interval: '1d' } }),
      ].map(getHistoryFile);
      assert.equal(new Set(names).size, 4);
      for (const fileName of names) assert.match(fileName, /^[0-9a-f]{24}\.json$/);
      assert.equal(getHistoryFile(watched('a', { query: { ...query, range: 'last 7 days' } })), name);
    });
  });
