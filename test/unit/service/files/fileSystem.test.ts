import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  createRetryingFs,
  removeTemporaries,
  cleanStorage,
  createTemporaryName,
} from '../../../../src/service/files/fileSystem.ts';
import { impatientClock } from '../../../support/realClock.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { fileSystems } from '../../../support/windowsFs.ts';

const now = Date.now();

for (const system of fileSystems)
  describe(`cleanStorage${system.name}`, () => {
    it('removes only leftovers, and never fails', async () => {
      const folder = createTemporaryFolder();
      const machine = system.machine();
      const names = [
        'limits/0a1b.json',
        'archive/2023-05.arrow',
        ...Array.from({ length: 30 }, (_, index) => `${index}.tmp`),
      ];
      for (const name of names) {
        const path = join(folder, name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, 'half');
        utimesSync(path, now / 1000 - 120, now / 1000 - 120);
      }
      const listRemainingFiles = () =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /\.\w+$/.test(name));
      // A file that Windows refuses to remove is removed by a later window.
      for (let windows = 0; windows < 10 && listRemainingFiles().length > 2; windows += 1)
        await cleanStorage(folder, now, machine);
      assert.deepEqual(
        listRemainingFiles()
          .map(name => name.replaceAll('\\', '/'))
          .sort(),
        names.slice(0, 2).sort(),
      );
    });
  });

describe('the fake disk of Windows', () => {
  it('renames files only within their folder, so that other renames fail in tests', async () => {
    const folder = createTemporaryFolder();
    const [, { machine }] = fileSystems;
    const fs = createRetryingFs(machine(), impatientClock);
    const file = join(folder, 'a');
    const moved = join(folder, 'b');
    const elsewhere = join(folder, 'other', 'b');
    mkdirSync(dirname(elsewhere));
    writeFileSync(file, 'whole');
    await assert.rejects(fs.rename(file, elsewhere), { code: 'EXDEV' });
    await fs.rename(file, moved);
    assert.deepEqual(readdirSync(folder).sort(), ['b', 'other']);
    assert.deepEqual(readdirSync(dirname(elsewhere)), []);
  });
});

describe('temporary files', () => {
  let folder: string;
  beforeEach(() => (folder = createTemporaryFolder()));

  function write(name: string, ageMs: number): string {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'half');
    utimesSync(path, (now - ageMs) / 1000, (now - ageMs) / 1000);
    return path;
  }

  it('creates temporary files beside the target under unique names', () => {
    const firstName = createTemporaryName('/a/b.json');
    const secondName = createTemporaryName('/a/b.json');
    assert.notEqual(firstName, secondName);
    assert.equal(dirname(firstName), '/a');
    assert.match(basename(firstName), /^\.b\.json\.grid-data-\d+-[0-9a-f]{8}\.tmp$/);
  });

  it('removes leftover files anywhere in the storage once their writer is gone', async () => {
    const names = ['limits/0a.json', 'archive/series/2023-05.arrow', 'told/x.json', 'savedQueries/savedQueries.json'];
    const earlierNames = ['limits/0a.json.123.tmp', 'archive/series/2023-05.arrow.123.0123abcd.tmp'];
    const old = [...names.map(createTemporaryName), ...earlierNames].map(name => write(name, 61_000));
    const young = write(createTemporaryName('limits/0a.json'), 10_000);
    await cleanStorage(folder, now);
    assert.deepEqual(old.filter(existsSync), []);
    assert.ok(existsSync(young));
    await cleanStorage(join(folder, 'not there'), now);
  });

  it('removes stored data that was unused for a long time', async () => {
    const day = 24 * 3_600_000;
    const storedFiles = [
      ['responses/one.json.gz', 6],
      ['limits/0a1b.json', 29],
      ['limits/notes.json', 1_000],
      ['limits/0a1b.json.txt', 1_000],
      [`told/${'0a'.repeat(12)}.json`, 89],
      ['told/0a.json', 1_000],
      ['archive/responses/one.json.gz', 1_000],
      ['savedQueries/0a1b.json', 1_000],
    ] as const;
    const old = [
      ['responses/two.json.gz', 8],
      ['limits/0a1c.json', 31],
      [`told/${'0b'.repeat(12)}.json`, 91],
    ] as const;
    for (const [name, days] of [...storedFiles, ...old]) write(name, days * day);
    await cleanStorage(folder, now);
    const remainingFiles = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
      /\.\w+$/.test(name),
    );
    assert.deepEqual(
      remainingFiles.map(name => name.replaceAll('\\', '/')).sort(),
      storedFiles.map(([name]) => name).sort(),
    );
  });

  it('closes the storage to other users while it removes leftovers', async function () {
    if (process.platform === 'win32') this.skip();
    chmodSync(folder, 0o755);
    await cleanStorage(folder, now);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
  });

  it('removes no files of other programs from a folder', async () => {
    const otherFiles = [
      'notes.tmp',
      'a.csv.123.0123abcd.tmp',
      'a.csv.grid-data-1-0123abcd.tmp.txt',
      'a.grid-data-x-1.tmp',
    ];
    for (const name of otherFiles) write(name, 1e9);
    mkdirSync(join(folder, 'b.grid-data-1-0123abcd.tmp'));
    symlinkSync('notes.tmp', join(folder, 'c.grid-data-1-0123abcd.tmp'));
    const previousNames = readdirSync(folder);
    await removeTemporaries(folder, previousNames, now + 1e9);
    assert.deepEqual(readdirSync(folder), previousNames);
    await removeTemporaries(join(folder, 'not there'), previousNames, now);
  });
});
