import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import {
  useFaultyArchives,
  getFilePath,
  listFiles,
  createHourlyResponse,
  hourMs,
  listValues,
  series,
  unsyncedFs,
} from './archiveSetUp.ts';
import { fileSystems } from '../../../support/windowsFs.ts';
import type { TestArchive } from './archiveSetUp.ts';

const may = Date.UTC(2023, 4, 1);
const span = { start: may, end: may + 3 * hourMs };

for (const { name, isWindows, machine } of fileSystems)
  describe(`the lock of a FileArchive${name}`, () => {
    const disk = isWindows ? machine() : unsyncedFs;
    let test: TestArchive;
    const { faults } = useFaultyArchives(openedTest => (test = openedTest), disk);

    const mergeValues = async (values: readonly unknown[]): Promise<boolean> =>
      test.archive.merge(
        series,
        hourMs,
        { start: may, end: may + values.length * hourMs },
        createHourlyResponse(may, values),
      );
    const readValues = async (): Promise<unknown[]> => listValues(await test.archive.read(series, hourMs, span));

    it('repeats its work when another window acquires the lock, and loses no data', async () => {
      await mergeValues([1]);
      faults.set('writeFile', async path => {
        if (!path.endsWith('.tmp')) return;
        faults.delete('writeFile');
        // Simulates a computer that slept: the lock is stale, and another window acquires it and writes.
        utimesSync(getFilePath(test.folder, 'write.lock'), 1, 1);
        const start = may + hourMs;
        const hour = { start, end: start + hourMs };
        const otherArchive = test.openAnother({ fs: disk });
        assert.equal(await otherArchive.merge(series, hourMs, hour, createHourlyResponse(start, [2])), true);
      });
      const start = may + 2 * hourMs;
      assert.equal(
        await test.archive.merge(series, hourMs, { start, end: span.end }, createHourlyResponse(start, [3])),
        true,
      );
      assert.deepEqual(await readValues(), [1, 2, 3]);
    });

    for (const [state, ageS] of [
      ['died', 60],
      ['died before the clock was set back an hour', -3600],
    ] as const)
      it(`breaks the lock of a window that ${state}`, async () => {
        await mergeValues([1]);
        const lock = getFilePath(test.folder, 'write.lock');
        mkdirSync(lock);
        utimesSync(lock, Date.now() / 1000 - ageS, Date.now() / 1000 - ageS);
        assert.equal(await mergeValues([2]), true);
        assert.deepEqual(listFiles(test.folder), ['2023.arrow', 'series.json']);
      });

    it('works once, and leaves no lock, when the time of its lock changes meanwhile', async () => {
      const archive = test.openAnother();
      await archive.merge(series, hourMs, span, createHourlyResponse(may, [1]));
      let writes = 0;
      faults.set('writeFile', path => {
        if (path.endsWith('.tmp')) writes += 1;
        utimesSync(getFilePath(test.folder, 'write.lock'), Date.now() / 1000, Date.now() / 1000 + 0.5);
      });
      assert.equal(await archive.merge(series, hourMs, span, createHourlyResponse(may, [2])), true);
      assert.equal(writes, 1);
      assert.deepEqual(listFiles(test.folder), ['2023.arrow', 'series.json']);
      assert.deepEqual(await readValues(), [2]);
    });

    it('leaves the lock to the window that acquired it', async () => {
      await mergeValues([1]);
      const lock = getFilePath(test.folder, 'write.lock');
      let isLeft = false as boolean;
      faults.set('writeFile', path => {
        if (!path.endsWith('.tmp')) return;
        faults.delete('writeFile');
        // Another window has found the lock stale.
        rmSync(lock, { recursive: true });
        mkdirSync(lock);
        const stolen = statSync(lock).birthtimeMs;
        faults.set('mkdir', () => {
          faults.delete('mkdir');
          isLeft = existsSync(lock) && statSync(lock).birthtimeMs === stolen;
          // That window has died.
          if (isLeft) utimesSync(lock, 1, 1);
        });
      });
      assert.equal(await mergeValues([2]), true);
      assert.ok(isLeft);
    });
  });
