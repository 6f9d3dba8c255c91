import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import type { FileArchive } from '../../../../src/service/archive/fileArchive.ts';
import { descriptionFile } from '../../../../src/service/archive/seriesFolder.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { hostileYearFiles, hostileYearRows, unusualYearFiles } from '../../../hostile/yearFiles.ts';
import { endlessFiles } from '../../../support/endlessFiles.ts';
import { hostileTexts } from '../../../hostile/texts.ts';
import { exportToBytes } from '../export/anyFrame.ts';
import {
  getFilePath,
  listFiles,
  hourMs,
  listRows,
  series,
  createTestArchive,
  type TestArchive,
} from './archiveSetUp.ts';

const [earlier, start, later, end] = [2022, 2023, 2024, 2025].map(year => Date.UTC(year, 0)) as [
  number,
  number,
  number,
  number,
];
const range = { start: earlier, end };
const yearFile = '2023.arrow';

const createDay = (first: number, more: object = {}): Frame =>
  recordsToFrame(hostileYearRows(first).map(row => ({ ...row, ...more })));

describe('a year file from another writer', () => {
  let test: TestArchive;
  let good = Buffer.alloc(0);
  let about = Buffer.alloc(0);
  const merge = async (first: number, last: number, frame: Frame): Promise<boolean> =>
    archive.merge(series, hourMs, { start: first, end: last }, { frame, requestedAt: 1, meta: { requestedAt: 1 } });

  let archive: FileArchive;

  before(async () => {
    test = createTestArchive();
    archive = test.archive;
    for (const [first, last] of [
      [earlier, start],
      [start, later],
      [later, end],
    ] as const)
      await merge(first, last, createDay(first));
    good = readFileSync(getFilePath(test.folder, yearFile));
    about = readFileSync(getFilePath(test.folder, descriptionFile));
  });
  // Opens a new window on the unchanged folder.
  beforeEach(() => {
    for (const name of [...listFiles(test.folder).filter(file => file.includes('.damaged')), yearFile, descriptionFile])
      rmSync(getFilePath(test.folder, name), { recursive: true, force: true });
    writeFileSync(getFilePath(test.folder, yearFile), good);
    writeFileSync(getFilePath(test.folder, descriptionFile), about);
    test.errors.length = 0;
    archive = test.openAnother();
  });

  for (const { name, change } of hostileYearFiles)
    it(`moves a hostile file aside, and keeps other years: ${name}`, async () => {
      const hostile = Buffer.from(change(good));
      writeFileSync(getFilePath(test.folder, yearFile), hostile);
      const stored = await archive.read(series, hourMs, range);
      assert.deepEqual(listRows(stored).length, 48);
      assert.deepEqual(test.errors, ['damaged']);
      const aside = listFiles(test.folder).filter(file => file.endsWith('.damaged'));
      assert.deepEqual(
        aside.map(file => readFileSync(getFilePath(test.folder, file)).equals(hostile)),
        [true],
      );
      assert.ok(await merge(start, later, createDay(start)));
      assert.equal(listRows(await archive.read(series, hourMs, range)).length, 72);
    });

  if (process.platform !== 'win32')
    for (const { name, create } of endlessFiles) {
      const writeHostileFile = (): void => {
        rmSync(getFilePath(test.folder, yearFile));
        create(getFilePath(test.folder, yearFile));
      };

      it(`moves ${name} in place of a year aside, and keeps other years`, async () => {
        writeHostileFile();
        const stored = await archive.read(series, hourMs, range);
        assert.equal(listRows(stored).length, 48);
        assert.equal(stored.requestedAt.filter(instant => instant > 0).length, 8_760 + 8_784);
        assert.deepEqual(test.errors, ['damaged']);
        assert.ok(await merge(start, later, createDay(start)));
        assert.equal(listRows(await archive.read(series, hourMs, range)).length, 72);
      });

      it(`moves ${name} in place of a year aside before it is overwritten`, async () => {
        writeHostileFile();
        assert.ok(await merge(start, later, createDay(start)));
        assert.deepEqual(test.errors, ['damaged']);
        assert.equal(listRows(await archive.read(series, hourMs, range)).length, 72);
      });

      it(`lists no series of a folder with ${name} in place of its description`, async () => {
        rmSync(getFilePath(test.folder, descriptionFile));
        create(getFilePath(test.folder, descriptionFile));
        assert.deepEqual(await archive.contents(), []);
      });
    }

  for (const { name, change } of hostileYearFiles)
    it(`moves a hostile file aside before it is overwritten: ${name}`, async () => {
      const hostile = Buffer.from(change(good));
      writeFileSync(getFilePath(test.folder, yearFile), hostile);
      assert.ok(await merge(start, later, createDay(start)));
      const aside = listFiles(test.folder).filter(file => file.endsWith('.damaged'));
      assert.deepEqual(
        aside.map(file => readFileSync(getFilePath(test.folder, file)).equals(hostile)),
        [true],
      );
    });

  for (const { name, change } of unusualYearFiles)
    it(`reads the valid part of a hostile file: ${name}`, async () => {
      writeFileSync(getFilePath(test.folder, yearFile), change(good));
      const stored = await archive.read(series, hourMs, range);
      assert.equal(listRows(stored).length, 72);
      assert.deepEqual(test.errors, []);
      assert.ok((await exportToBytes(stored, { format: 'csv' })).length > 0);
      assert.ok(await merge(start, later, createDay(start)));
    });

  it('returns names and texts unchanged, whatever they contain', async () => {
    const names = Object.fromEntries(
      hostileTexts.map(({ text }, index) => [`${index} ${text}`.slice(0, 900), text.slice(0, 5_000)]),
    );
    await merge(start, later, createDay(start, names));
    const [row] = listRows(await archive.read(series, hourMs, { start, end: later }));
    for (const [name, text] of Object.entries(names)) assert.equal((row as Record<string, unknown>)[name], text);
  });

  for (const description of [
    ...['', 'null', '[]', '{', '['.repeat(90_000), ' '.repeat(5_000_000), JSON.stringify({ ...series, params: null })],
    ...[JSON.stringify({ ...series, params: { a: 1 } }), JSON.stringify({ ...series, source: { length: 9 } })],
    JSON.stringify({ ...series, source: 'https://other.example.test' }),
  ])
    it(`skips a folder that describes another series: ${description.slice(0, 90).trim()}`, async () => {
      assert.equal((await archive.contents()).length, 1);
      writeFileSync(getFilePath(test.folder, descriptionFile), description);
      assert.deepEqual(await archive.contents(), []);
      assert.deepEqual(test.errors, []);
      assert.equal(listRows(await archive.read(series, hourMs, range)).length, 72);
    });

  it('ignores folders and files with other names', async () => {
    const folder = join(test.folder, readdirSync(test.folder)[0] ?? '');
    for (const name of ['99.arrow', '2023.arrow.tmp', '..arrow', '__proto__.arrow', '2023-05.arrow', '02023.arrow'])
      writeFileSync(join(folder, name), 'x');
    const [contents] = await archive.contents();
    assert.deepEqual(
      contents?.years.map(({ start: first }) => first),
      [earlier, start, later],
    );
  });
});
