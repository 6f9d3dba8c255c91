import assert from 'node:assert/strict';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { decodeBeginning, joinBodies, decodeBody } from '../../../../src/core/json/responseText.ts';
import { ResponseStore } from '../../../../src/service/client/responseStore.ts';
import { impatientClock as clock } from '../../../support/realClock.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { fileSystems } from '../../../support/windowsFs.ts';
import { countTurns } from './turnsWithin.ts';

for (const { name: system, isWindows, machine } of fileSystems)
  describe(`ResponseStore${system}`, () => {
    const fs = machine();
    let parent: string;
    let folder: string;
    beforeEach(() => {
      parent = createTemporaryFolder();
      folder = join(parent, 'responses');
    });

    const setUp = (at = folder) => {
      const warned: string[] = [];
      let ids = 0;
      const logger = { warn: (line: string) => void warned.push(line) };
      return {
        warned,
        store: new ResponseStore({ folder: at, newId: () => `id-${++ids}`, logger, clock, fs }),
      };
    };

    /** A text that is too long for memory, with characters of several bytes. */
    const long = JSON.stringify(Array.from({ length: 9000 }, (_, row) => ({ row, note: 'größer 😀' })));

    it('stores long texts on disk, for the owner only, and deletes unused ones', async () => {
      const { store } = setUp();
      const stored = store.store([Buffer.from(long)]);
      assert.equal(await stored.readText(), long);
      assert.deepEqual(await readdir(folder), ['id-1.json.gz']);
      if (!isWindows && process.platform !== 'win32')
        assert.equal((await stat(join(folder, 'id-1.json.gz'))).mode & 0o777, 0o600);
      assert.equal(await stored.readText(), long);
      await stored.dispose();
      assert.deepEqual(await readdir(folder), []);
    });

    it('joins and reads texts in chunks of some megabytes, and splits no character', async () => {
      const { store } = setUp();
      // These characters of two bytes each cross every even byte boundary.
      const page = `[ "${'é'.repeat(4 * 2 ** 20)}"]`;
      const stored = store.store([Buffer.from(page), Buffer.from(page)]);
      let text = '';
      const reading = async (): Promise<void> => void (text = await stored.readText());
      assert.ok((await countTurns(reading())) > 4);
      assert.ok(text === `[${page},\n${page}]`);
      await stored.dispose();
    });

    it('returns the same start of a text, read in whole or in part', () => {
      const page = fc.uint8Array({ maxLength: 30 }).map(bytes => Buffer.concat([Buffer.from('\uFEFFaé😀'), bytes]));
      fc.assert(
        fc.property(fc.array(page, { maxLength: 4 }), fc.integer({ min: 1, max: 40 }), (pages, characters) => {
          const fullText = decodeBody(joinBodies(pages), characters);
          assert.equal(decodeBeginning(pages, characters), fullText);
        }),
      );
    });

    it('deletes all texts of a closed window', async () => {
      const { store } = setUp();
      store.store([Buffer.from(long)]);
      await store.store([Buffer.from(long)]).readText();
      await store.clear();
      assert.deepEqual(await readdir(folder), []);
    });

    it('keeps short texts in memory', async () => {
      const { store } = setUp();
      const stored = store.store([Buffer.from('{"data": []}')]);
      assert.equal(await stored.readText(), '{"data": []}');
      await stored.dispose();
      assert.deepEqual(await readdir(parent), []);
    });

    it('keeps texts in memory when the disk fails', async () => {
      const file = join(parent, 'no-folder');
      await writeFile(file, '');
      const { store, warned } = setUp(file);
      const stored = store.store([Buffer.from(long)]);
      assert.equal(await stored.readText(), long);
      assert.equal(warned.length, 1);
      await stored.dispose();
    });
  });
