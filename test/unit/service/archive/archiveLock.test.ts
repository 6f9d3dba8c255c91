import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { faultyArchives, fileIn, filesIn, hourly, hourMs, keptValues, series, unsyncedFs } from './archiveSetUp.ts';
import { systems } from '../../../support/windowsFs.ts';
import type { TestArchive } from './archiveSetUp.ts';

const may = Date.UTC(2023, 4, 1);
const span = { start: may, end: may + 3 * hourMs };

for (const { name, isWindows, machine } of systems)
  describe(`the lock of a FileArchive${name}`, () => {
    const disk = isWindows ? machine() : unsyncedFs;
    let test: TestArchive;
    const { faults } = faultyArchives(opened => (test = opened), disk);

    const keep = async (values: readonly unknown[]): Promise<boolean> =>
      test.archive.merge(series, hourMs, { start: may, end: may + values.length * hourMs }, hourly(may, values));
    const kept = async (): Promise<unknown[]> => keptValues(await test.archive.read(series, hourMs, span));

    it('repeats its work when another window took over the lock, and loses nothing', async () => {
      await keep([1]);
      faults.set('writeFile', async path => {
        if (!path.endsWith('.tmp')) return;
        faults.delete('writeFile');
        // As if this computer had slept: the lock has grown stale, and another window takes it over and writes.
        utimesSync(fileIn(test.folder, 'write.lock'), 1, 1);
        const start = may + hourMs;
        const hour = { start, end: start + hourMs };
        const other = test.another({ fs: disk });
        assert.equal(await other.merge(series, hourMs, hour, hourly(start, [2])), true);
      });
      const start = may + 2 * hourMs;
      assert.equal(await test.archive.merge(series, hourMs, { start, end: span.end }, hourly(start, [3])), true);
      assert.deepEqual(await kept(), [1, 2, 3]);
    });

    for (const [what, ageS] of [
      ['died', 60],
      ['died before the clock was set back an hour', -3600],
    ] as const)
      it(`breaks the lock of a window that ${what}`, async () => {
        await keep([1]);
        const lock = fileIn(test.folder, 'write.lock');
        mkdirSync(lock);
        utimesSync(lock, Date.now() / 1000 - ageS, Date.now() / 1000 - ageS);
        assert.equal(await keep([2]), true);
        assert.deepEqual(filesIn(test.folder), ['2023.arrow', 'series.json']);
      });

    it('works once, and leaves no lock, when its lock shows another time meanwhile', async () => {
      const archive = test.another();
      await archive.merge(series, hourMs, span, hourly(may, [1]));
      let writes = 0;
      faults.set('writeFile', path => {
        if (path.endsWith('.tmp')) writes += 1;
        utimesSync(fileIn(test.folder, 'write.lock'), Date.now() / 1000, Date.now() / 1000 + 0.5);
      });
      assert.equal(await archive.merge(series, hourMs, span, hourly(may, [2])), true);
      assert.equal(writes, 1);
      assert.deepEqual(filesIn(test.folder), ['2023.arrow', 'series.json']);
      assert.deepEqual(await kept(), [2]);
    });

    it('leaves the lock to the window that took it over', async () => {
      await keep([1]);
      const lock = fileIn(test.folder, 'write.lock');
      let isLeft = false as boolean;
      faults.set('writeFile', path => {
        if (!path.endsWith('.tmp')) return;
        faults.delete('writeFile');
        // Another window found it stale.
        rmSync(lock, { recursive: true });
        mkdirSync(lock);
        const stolen = statSync(lock).birthtimeMs;
        faults.set('mkdir', () => {
          faults.delete('mkdir');
          isLeft = existsSync(lock) && statSync(lock).birthtimeMs === stolen;
          // And dies.
          if (isLeft) utimesSync(lock, 1, 1);
        });
      });
      assert.equal(await keep([2]), true);
      assert.ok(isLeft);
    });
  });
