import assert from 'node:assert/strict';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newerYearFile } from '../../../hostile/yearFiles.ts';
import {
  useFaultyArchives,
  getFilePath,
  listFiles,
  createHourlyResponse,
  hourMs,
  listValues,
  series,
} from './archiveSetUp.ts';
import { fileSystems } from '../../../support/windowsFs.ts';
import type { TestArchive } from './archiveSetUp.ts';

const mayStart = Date.UTC(2023, 4, 1);
const nextYearStart = Date.UTC(2024, 0, 1);
const span = { start: mayStart, end: mayStart + 3 * hourMs };

function createThrower(code: string): () => never {
  return () => {
    throw Object.assign(new Error(code), { code });
  };
}

for (const { name, isWindows, machine } of fileSystems)
  describe(`FileArchive during file system errors${name}`, () => {
    let test: TestArchive;
    const { faults } = useFaultyArchives(testArchive => (test = testArchive), isWindows ? machine() : undefined);

    const mergeValues = async (values: readonly unknown[], start = mayStart): Promise<boolean> =>
      test.archive.merge(
        series,
        hourMs,
        { start, end: start + values.length * hourMs },
        createHourlyResponse(start, values),
      );
    const readValues = async (): Promise<unknown[]> => listValues(await test.archive.read(series, hourMs, span));

    for (const [code, problem] of [
      ['ENOSPC', 'diskFull'],
      ['EDQUOT', 'diskFull'],
      ['EROFS', 'readOnly'],
      ['EACCES', 'readOnly'],
      ['EIO', 'unusable'],
    ] as const)
      for (const call of ['writeFile', 'mkdir', 'rename'] as const)
        it(`keeps its rows while ${call} fails with ${code}, reports the error once, and then writes again`, async () => {
          await mergeValues([1]);
          faults.set(call, createThrower(code));
          assert.equal(await mergeValues([7, 8]), false);
          assert.equal(await mergeValues([7, 8]), false);
          assert.deepEqual(test.errors, [problem]);
          assert.equal(test.logged.length, 2);
          assert.deepEqual(await readValues(), [1]);
          assert.deepEqual(listFiles(test.folder), ['2023.arrow', 'series.json']);
          faults.delete(call);
          assert.equal(await mergeValues([7, 8]), true);
          assert.deepEqual(await readValues(), [7, 8]);
        });

    it('stores no year of a response if the disk becomes full before all years are written', async () => {
      await mergeValues([1]);
      let writes = 0;
      faults.set('writeFile', path => {
        if (path.endsWith('.tmp') && ++writes === 2) createThrower('ENOSPC')();
      });
      const start = nextYearStart - hourMs;
      assert.equal(await mergeValues([5, 6], start), false);
      faults.delete('writeFile');
      assert.deepEqual(listFiles(test.folder), ['2023.arrow', 'series.json']);
      assert.deepEqual(
        listValues(await test.archive.read(series, hourMs, { start: mayStart, end: nextYearStart + hourMs })),
        [1],
      );
    });

    it('skips a year whose file cannot be read, and does not overwrite it', async () => {
      await mergeValues([1, 2, 3]);
      await mergeValues([4], nextYearStart);
      faults.set('open', path => {
        if (path.endsWith('2023.arrow')) createThrower('EACCES')();
      });
      const archivedRange = await test.archive.read(series, hourMs, { start: mayStart, end: nextYearStart + hourMs });
      assert.deepEqual(listValues(archivedRange), [4]);
      assert.equal(archivedRange.requestedAt[0], 0);
      assert.equal(await mergeValues([9]), false);
      faults.clear();
      assert.deepEqual(await readValues(), [1, 2, 3]);
      assert.deepEqual(test.errors, ['readOnly']);
    });

    it('reads and writes nothing if a file has the name of its folder', async () => {
      writeFileSync(test.folder, 'not a folder');
      assert.deepEqual(await readValues(), []);
      assert.equal(await mergeValues([1]), false);
      assert.equal(await test.archive.size(), 0);
      await test.archive.clear();
      assert.deepEqual(test.errors, ['unusable']);
      assert.equal(readFileSync(test.folder, 'utf8'), 'not a folder');
    });

    it('creates a new folder after its folder was moved away', async () => {
      await mergeValues([1]);
      renameSync(test.folder, `${test.folder}.moved`);
      assert.deepEqual(await readValues(), []);
      assert.equal(await mergeValues([2]), true);
      assert.deepEqual(await readValues(), [2]);
      assert.deepEqual(test.errors, []);
    });

    it('creates a new folder if its folder is moved away during a write', async () => {
      await mergeValues([1]);
      faults.set('writeFile', path => {
        if (!path.endsWith('.tmp')) return;
        faults.delete('writeFile');
        renameSync(test.folder, `${test.folder}.moved`);
      });
      assert.equal(await mergeValues([2, 3]), true);
      assert.deepEqual(await readValues(), [2, 3]);
    });

    for (const [damage, damageBytes] of [
      [
        'a flipped bit',
        (bytes: Buffer) => {
          // The file contains the schema twice. Readers use the copy in the footer, which is the last one.
          const offset = bytes.lastIndexOf('askedAt');
          return bytes.fill((bytes[offset] ?? 0) ^ 4, offset, offset + 1);
        },
      ],
      ['half of its bytes', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
      ['no bytes', () => Buffer.alloc(0)],
      ['JSON instead of Arrow', () => Buffer.from('{"rows": []}')],
    ] as const)
      it(`moves a year file with ${damage} aside, reports it once, and stores the year again`, async () => {
        await mergeValues([1, 2]);
        await mergeValues([4], nextYearStart);
        const file = getFilePath(test.folder, '2023.arrow');
        const damagedFile = Buffer.from(damageBytes(readFileSync(file)));
        writeFileSync(file, damagedFile);
        const archivedRange = await test.archive.read(series, hourMs, { start: mayStart, end: nextYearStart + hourMs });
        assert.deepEqual(listValues(archivedRange), [4]);
        assert.equal(archivedRange.requestedAt[0], 0);
        const aside = listFiles(test.folder).filter(name => name.endsWith('.damaged'));
        assert.equal(aside.length, 1);
        assert.deepEqual(readFileSync(getFilePath(test.folder, aside[0] ?? '')), damagedFile);
        await readValues();
        assert.deepEqual([test.errors, test.logged.length], [['damaged'], 1]);
        assert.equal(await mergeValues([5, 6]), true);
        assert.deepEqual(await readValues(), [5, 6]);
      });

    it('keeps only the three newest damaged files', async () => {
      let now = Date.now();
      const clock = { now: () => (now += 1), sleep: async () => Promise.resolve() };
      const archive = test.openAnother({ clock });
      for (let time = 0; time < 6; time++) {
        await archive.merge(series, hourMs, span, createHourlyResponse(mayStart, [1]));
        writeFileSync(getFilePath(test.folder, '2023.arrow'), `damage ${time}`);
        await archive.merge(series, hourMs, span, createHourlyResponse(mayStart, [2]));
      }
      const aside = listFiles(test.folder).filter(name => name.endsWith('.damaged'));
      assert.deepEqual(
        aside.map(name => readFileSync(getFilePath(test.folder, name), 'utf8')),
        ['damage 3', 'damage 4', 'damage 5'],
      );
      assert.deepEqual(test.errors, ['damaged']);
    });

    it('returns the other years if a damaged file cannot be moved aside', async () => {
      await mergeValues([1]);
      await mergeValues([4], nextYearStart);
      writeFileSync(getFilePath(test.folder, '2023.arrow'), 'damage');
      faults.set('mkdir', createThrower('EROFS'));
      const archivedRange = await test.archive.read(series, hourMs, { start: mayStart, end: nextYearStart + hourMs });
      assert.deepEqual(listValues(archivedRange), [4]);
      assert.deepEqual(test.errors, ['damaged', 'readOnly']);
    });

    it('ignores a year file of a newer version, and moves it aside before writing the year', async () => {
      await mergeValues([1]);
      const file = getFilePath(test.folder, '2023.arrow');
      const newer = Buffer.from(newerYearFile(readFileSync(file)));
      writeFileSync(file, newer);
      assert.deepEqual(await readValues(), []);
      await readValues();
      assert.deepEqual(readFileSync(file), newer);
      assert.equal(await mergeValues([2]), true);
      assert.deepEqual(await readValues(), [2]);
      const [aside = ''] = listFiles(test.folder).filter(name => name.endsWith('.newer'));
      assert.deepEqual(readFileSync(join(dirname(file), aside)), newer);
      assert.deepEqual([test.errors, test.logged.length], [['newerVersion'], 1]);
    });

    it('creates files and folders that other users cannot read', async function () {
      if (isWindows || process.platform === 'win32') this.skip();
      await mergeValues([1]);
      assert.equal(statSync(getFilePath(test.folder, '2023.arrow')).mode & 0o077, 0);
      assert.equal(statSync(test.folder).mode & 0o077, 0);
    });
  });
