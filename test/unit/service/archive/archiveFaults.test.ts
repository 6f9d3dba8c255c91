import assert from 'node:assert/strict';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newerYearFile } from '../../../hostile/yearFiles.ts';
import { faultyArchives, fileIn, filesIn, hourly, hourMs, keptValues, series } from './archiveSetUp.ts';
import { systems } from '../../../support/windowsFs.ts';
import type { TestArchive } from './archiveSetUp.ts';

const may = Date.UTC(2023, 4, 1);
const nextYear = Date.UTC(2024, 0, 1);
const span = { start: may, end: may + 3 * hourMs };

function fails(code: string): () => never {
  return () => {
    throw Object.assign(new Error(code), { code });
  };
}

for (const { name, isWindows, machine } of systems)
  describe(`FileArchive, when things go wrong${name}`, () => {
    let test: TestArchive;
    const { faults } = faultyArchives(opened => (test = opened), isWindows ? machine() : undefined);

    const keep = async (values: readonly unknown[], start = may): Promise<boolean> =>
      test.archive.merge(series, hourMs, { start, end: start + values.length * hourMs }, hourly(start, values));
    const kept = async (): Promise<unknown[]> => keptValues(await test.archive.read(series, hourMs, span));

    for (const [code, trouble] of [
      ['ENOSPC', 'diskFull'],
      ['EDQUOT', 'diskFull'],
      ['EROFS', 'readOnly'],
      ['EACCES', 'readOnly'],
      ['EIO', 'unusable'],
    ] as const)
      for (const call of ['writeFile', 'mkdir', 'rename'] as const)
        it(`keeps its data when ${call} fails with ${code}, logs it once, and recovers`, async () => {
          await keep([1]);
          faults.set(call, fails(code));
          assert.equal(await keep([7, 8]), false);
          assert.equal(await keep([7, 8]), false);
          assert.deepEqual(test.troubles, [trouble]);
          assert.equal(test.logged.length, 2);
          assert.deepEqual(await kept(), [1]);
          assert.deepEqual(filesIn(test.folder), ['2023.arrow', 'series.json']);
          faults.delete(call);
          assert.equal(await keep([7, 8]), true);
          assert.deepEqual(await kept(), [7, 8]);
        });

    it('leaves no partial response across years when the disk fills up', async () => {
      await keep([1]);
      let writes = 0;
      faults.set('writeFile', path => {
        if (path.endsWith('.tmp') && ++writes === 2) fails('ENOSPC')();
      });
      const start = nextYear - hourMs;
      assert.equal(await keep([5, 6], start), false);
      faults.delete('writeFile');
      assert.deepEqual(filesIn(test.folder), ['2023.arrow', 'series.json']);
      assert.deepEqual(
        keptValues(await test.archive.read(series, hourMs, { start: may, end: nextYear + hourMs })),
        [1],
      );
    });

    it('skips an unreadable year, and does not overwrite it', async () => {
      await keep([1, 2, 3]);
      await keep([4], nextYear);
      faults.set('open', path => {
        if (path.endsWith('2023.arrow')) fails('EACCES')();
      });
      const all = await test.archive.read(series, hourMs, { start: may, end: nextYear + hourMs });
      assert.deepEqual(keptValues(all), [4]);
      assert.equal(all.requestedAt[0], 0);
      assert.equal(await keep([9]), false);
      faults.clear();
      assert.deepEqual(await kept(), [1, 2, 3]);
      assert.deepEqual(test.troubles, ['readOnly']);
    });

    it('reads and writes nothing when a file is in place of the folder', async () => {
      writeFileSync(test.folder, 'not a folder');
      assert.deepEqual(await kept(), []);
      assert.equal(await keep([1]), false);
      assert.equal(await test.archive.size(), 0);
      await test.archive.clear();
      assert.deepEqual(test.troubles, ['unusable']);
      assert.equal(readFileSync(test.folder, 'utf8'), 'not a folder');
    });

    it('starts again when its folder was moved away', async () => {
      await keep([1]);
      renameSync(test.folder, `${test.folder}.moved`);
      assert.deepEqual(await kept(), []);
      assert.equal(await keep([2]), true);
      assert.deepEqual(await kept(), [2]);
      assert.deepEqual(test.troubles, []);
    });

    it('starts again when its folder is moved away during a write', async () => {
      await keep([1]);
      faults.set('writeFile', path => {
        if (!path.endsWith('.tmp')) return;
        faults.delete('writeFile');
        renameSync(test.folder, `${test.folder}.moved`);
      });
      assert.equal(await keep([2, 3]), true);
      assert.deepEqual(await kept(), [2, 3]);
    });

    for (const [what, harm] of [
      [
        'a flipped bit',
        (bytes: Buffer) => {
          // The schema is in the file twice, and the one in the footer is read.
          const at = bytes.lastIndexOf('askedAt');
          return bytes.fill((bytes[at] ?? 0) ^ 4, at, at + 1);
        },
      ],
      ['half of it', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
      ['nothing in it', () => Buffer.alloc(0)],
      ['something else in it', () => Buffer.from('{"rows": []}')],
    ] as const)
      it(`sets a file with ${what} aside, logs it once, and stores the year again`, async () => {
        await keep([1, 2]);
        await keep([4], nextYear);
        const file = fileIn(test.folder, '2023.arrow');
        const harmed = Buffer.from(harm(readFileSync(file)));
        writeFileSync(file, harmed);
        const all = await test.archive.read(series, hourMs, { start: may, end: nextYear + hourMs });
        assert.deepEqual(keptValues(all), [4]);
        assert.equal(all.requestedAt[0], 0);
        const aside = filesIn(test.folder).filter(name => name.endsWith('.damaged'));
        assert.equal(aside.length, 1);
        assert.deepEqual(readFileSync(fileIn(test.folder, aside[0] ?? '')), harmed);
        await kept();
        assert.deepEqual([test.troubles, test.logged.length], [['damaged'], 1]);
        assert.equal(await keep([5, 6]), true);
        assert.deepEqual(await kept(), [5, 6]);
      });

    it('keeps only the last few damaged files', async () => {
      let now = Date.now();
      const clock = { now: () => (now += 1), sleep: async () => Promise.resolve() };
      const archive = test.another({ clock });
      for (let time = 0; time < 6; time++) {
        await archive.merge(series, hourMs, span, hourly(may, [1]));
        writeFileSync(fileIn(test.folder, '2023.arrow'), `damage ${time}`);
        await archive.merge(series, hourMs, span, hourly(may, [2]));
      }
      const aside = filesIn(test.folder).filter(name => name.endsWith('.damaged'));
      assert.deepEqual(
        aside.map(name => readFileSync(fileIn(test.folder, name), 'utf8')),
        ['damage 3', 'damage 4', 'damage 5'],
      );
      assert.deepEqual(test.troubles, ['damaged']);
    });

    it('returns data although a damaged file cannot be set aside', async () => {
      await keep([1]);
      await keep([4], nextYear);
      writeFileSync(fileIn(test.folder, '2023.arrow'), 'damage');
      faults.set('mkdir', fails('EROFS'));
      const all = await test.archive.read(series, hourMs, { start: may, end: nextYear + hourMs });
      assert.deepEqual(keptValues(all), [4]);
      assert.deepEqual(test.troubles, ['damaged', 'readOnly']);
    });

    it('ignores a file of a newer version, and sets it aside rather than overwrite it', async () => {
      await keep([1]);
      const file = fileIn(test.folder, '2023.arrow');
      const newer = Buffer.from(newerYearFile(readFileSync(file)));
      writeFileSync(file, newer);
      assert.deepEqual(await kept(), []);
      await kept();
      assert.deepEqual(readFileSync(file), newer);
      assert.equal(await keep([2]), true);
      assert.deepEqual(await kept(), [2]);
      const [aside = ''] = filesIn(test.folder).filter(name => name.endsWith('.newer'));
      assert.deepEqual(readFileSync(join(dirname(file), aside)), newer);
      assert.deepEqual([test.troubles, test.logged.length], [['newerVersion'], 1]);
    });

    it('writes files that no other user can read', async function () {
      if (isWindows || process.platform === 'win32') this.skip();
      await keep([1]);
      assert.equal(statSync(fileIn(test.folder, '2023.arrow')).mode & 0o077, 0);
      assert.equal(statSync(test.folder).mode & 0o077, 0);
    });
  });
