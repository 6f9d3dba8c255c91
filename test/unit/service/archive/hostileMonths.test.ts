import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import type { FileArchive } from '../../../../src/service/archive/fileArchive.ts';
import { aboutFile } from '../../../../src/service/archive/seriesFolder.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { hostileMonthFiles, oddMonthFiles } from '../../../hostile/monthFiles.ts';
import { endlessFiles } from '../../../support/endlessFiles.ts';
import { hostileTexts } from '../../../hostile/texts.ts';
import { exported } from '../export/anyFrame.ts';
import { fileIn, filesIn, hourMs, keptRows, series, testArchive, type TestArchive } from './archiveSetUp.ts';

const [april, may, june, july] = [3, 4, 5, 6].map(month => Date.UTC(2023, month)) as [number, number, number, number];
const all = { start: april, end: july };
const mayFile = '2023-05.arrow';

function dayOf(start: number, more: object = {}): Frame {
  return frameOf(
    Array.from({ length: 24 }, (_, hour) => ({
      ts: new Date(start + hour * hourMs).toISOString(),
      mw: hour === 3 ? null : hour,
      on: hour > 9,
      who: `v${hour % 3}`,
      list: [hour],
      ...more,
    })),
  );
}

describe('a month file from another writer', () => {
  let test: TestArchive;
  let [good, about] = [Buffer.alloc(0), Buffer.alloc(0)];
  const merge = async (start: number, end: number, frame: Frame): Promise<boolean> =>
    archive.merge(series, hourMs, { start, end }, { frame, askedAt: 1, meta: { asked: 1 } });

  let archive: FileArchive;

  before(async () => {
    test = testArchive();
    archive = test.archive;
    for (const [start, end] of [
      [april, may],
      [may, june],
      [june, july],
    ] as const)
      await merge(start, end, dayOf(start));
    good = readFileSync(fileIn(test.folder, mayFile));
    about = readFileSync(fileIn(test.folder, aboutFile));
  });
  // A new window on the same folder as it was.
  beforeEach(() => {
    for (const name of [...filesIn(test.folder).filter(file => file.includes('.damaged')), mayFile, aboutFile])
      rmSync(fileIn(test.folder, name), { recursive: true, force: true });
    writeFileSync(fileIn(test.folder, mayFile), good);
    writeFileSync(fileIn(test.folder, aboutFile), about);
    test.troubles.length = 0;
    archive = test.another();
  });

  for (const { name, of } of hostileMonthFiles)
    it(`sets a hostile file aside, and keeps other months: ${name}`, async () => {
      const hostile = Buffer.from(of(good));
      writeFileSync(fileIn(test.folder, mayFile), hostile);
      const kept = await archive.read(series, hourMs, all);
      assert.deepEqual(keptRows(kept).length, 48);
      assert.deepEqual(test.troubles, ['damaged']);
      const aside = filesIn(test.folder).filter(file => file.endsWith('.damaged'));
      assert.deepEqual(
        aside.map(file => readFileSync(fileIn(test.folder, file)).equals(hostile)),
        [true],
      );
      assert.ok(await merge(may, june, dayOf(may)));
      assert.equal(keptRows(await archive.read(series, hourMs, all)).length, 72);
    });

  if (process.platform !== 'win32')
    for (const { name, make } of endlessFiles) {
      const put = (): void => {
        rmSync(fileIn(test.folder, mayFile));
        make(fileIn(test.folder, mayFile));
      };

      it(`sets ${name} in place of a month aside, and keeps other months`, async () => {
        put();
        assert.equal((await archive.readSteps(series, hourMs, all)).askedAt.filter(at => at > 0).length, 1_440);
        assert.equal(keptRows(await archive.read(series, hourMs, all)).length, 48);
        assert.deepEqual(test.troubles, ['damaged']);
        assert.ok(await merge(may, june, dayOf(may)));
        assert.equal(keptRows(await archive.read(series, hourMs, all)).length, 72);
      });

      it(`sets ${name} in place of a month aside before it is overwritten`, async () => {
        put();
        assert.ok(await merge(may, june, dayOf(may)));
        assert.deepEqual(test.troubles, ['damaged']);
        assert.equal(keptRows(await archive.read(series, hourMs, all)).length, 72);
      });

      it(`lists no series of a folder with ${name} in place of its description`, async () => {
        rmSync(fileIn(test.folder, aboutFile));
        make(fileIn(test.folder, aboutFile));
        assert.deepEqual(await archive.contents(), []);
      });
    }

  for (const { name, of } of hostileMonthFiles)
    it(`sets a hostile file aside before it is overwritten: ${name}`, async () => {
      const hostile = Buffer.from(of(good));
      writeFileSync(fileIn(test.folder, mayFile), hostile);
      assert.ok(await merge(may, june, dayOf(may)));
      const aside = filesIn(test.folder).filter(file => file.endsWith('.damaged'));
      assert.deepEqual(
        aside.map(file => readFileSync(fileIn(test.folder, file)).equals(hostile)),
        [true],
      );
    });

  for (const { name, of } of oddMonthFiles)
    it(`reads the valid part of a hostile file: ${name}`, async () => {
      writeFileSync(fileIn(test.folder, mayFile), of(good));
      const kept = await archive.read(series, hourMs, all);
      assert.equal(keptRows(kept).length, 72);
      assert.deepEqual(test.troubles, []);
      assert.ok((await exported(kept, { format: 'csv' })).length > 0);
      assert.ok(await merge(may, june, dayOf(may)));
    });

  it('returns names and texts unchanged, whatever they contain', async () => {
    const names = Object.fromEntries(
      hostileTexts.map(({ text }, index) => [`${index} ${text}`.slice(0, 900), text.slice(0, 5_000)]),
    );
    await merge(may, june, dayOf(may, names));
    const [row] = keptRows(await archive.read(series, hourMs, { start: may, end: june }));
    for (const [name, text] of Object.entries(names)) assert.equal((row as Record<string, unknown>)[name], text);
  });

  for (const other of [
    ...['', 'null', '[]', '{', '['.repeat(90_000), ' '.repeat(5_000_000), JSON.stringify({ ...series, params: null })],
    ...[JSON.stringify({ ...series, params: { a: 1 } }), JSON.stringify({ ...series, source: { length: 9 } })],
    JSON.stringify({ ...series, source: 'https://other.example.test' }),
  ])
    it(`skips a folder that describes another series: ${other.slice(0, 90).trim()}`, async () => {
      assert.equal((await archive.contents()).length, 1);
      writeFileSync(fileIn(test.folder, aboutFile), other);
      assert.deepEqual(await archive.contents(), []);
      assert.deepEqual(test.troubles, []);
      assert.equal(keptRows(await archive.read(series, hourMs, all)).length, 72);
    });

  it('ignores folders and files of other names', async () => {
    const folder = join(test.folder, readdirSync(test.folder)[0] ?? '');
    for (const name of ['2023-99.arrow', '2023-05.arrow.tmp', '..arrow', '__proto__.arrow', '2023-5.arrow'])
      writeFileSync(join(folder, name), 'x');
    const [contents] = await archive.contents();
    assert.deepEqual(
      contents?.months.map(({ start }) => start),
      [april, may, june],
    );
  });
});
