import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageFs } from '../../../../src/service/files/fileSystem.ts';
import { LockedText } from '../../../../src/service/files/lockedText.ts';
import { allIds } from '../../../../src/core/savedQueries/walk.ts';
import { PersonalQueryStore } from '../../../../src/service/savedQueries/personalQueryStore.ts';
import { createQuery } from '../../core/savedQueries/trees.ts';
import { FakeState } from '../storeFakes.ts';
import { fileSystems } from '../../../support/windowsFs.ts';
import { systemClock } from '../../../../src/host/systemPorts.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const random = (): number => 0.5;

for (const { name: system, machine } of fileSystems)
  describe(`a text file shared by windows${system}`, () => {
    const disk = machine();
    let folder: string;
    beforeEach(() => (folder = createTemporaryFolder()));

    function openText(overrides: Partial<StorageFs> = {}): LockedText {
      const fullFs: StorageFs = { ...disk, ...overrides };
      return new LockedText({ path: join(folder, 'in', 'kept.json'), clock: systemClock, random, fs: fullFs });
    }

    it('returns undefined before the first write, and the written text after it', async () => {
      assert.equal(await openText().read(), undefined);
      await openText().change(async before => Promise.resolve(before === undefined ? 'one' : 'wrong'));
      assert.equal(await openText().read(), 'one');
      await openText().change(async () => Promise.resolve(undefined));
      assert.equal(await openText().read(), 'one');
    });

    it('does not read or change a file that exceeds the maximum size', async () => {
      const large = 'x'.repeat(4_000_001);
      await fs.mkdir(join(folder, 'in'));
      await fs.writeFile(join(folder, 'in', 'kept.json'), large);
      await assert.rejects(openText().read(), { code: 'EFBIG' });
      await assert.rejects(
        openText().change(async () => Promise.resolve('new')),
        { code: 'EFBIG' },
      );
      assert.equal(await fs.readFile(join(folder, 'in', 'kept.json'), 'utf8'), large);
    });

    it('retains all concurrent changes of several windows', async () => {
      const windows = [openText(), openText(), openText()];
      const add = async (previousText: string | undefined): Promise<string> =>
        Promise.resolve(`${previousText ?? ''}x`);
      await Promise.all(Array.from({ length: 12 }, async (_, n) => windows[n % 3]?.change(add)));
      assert.equal(await openText().read(), 'x'.repeat(12));
    });

    it('retains all queries that several windows add at the same time', async () => {
      const open = (windowId: string): PersonalQueryStore =>
        new PersonalQueryStore({ file: openText(), state: new FakeState(), clock: systemClock, windowId });
      const windows = ['w1', 'w2', 'w3'].map(open);
      const ids = Array.from({ length: 12 }, (_, n) => `q${n}`);
      await Promise.all(ids.map(async (id, n) => windows[n % 3]?.edit(tree => [...tree, createQuery(id)])));
      const laterWindow = open('w4');
      await laterWindow.refresh();
      assert.deepEqual([...allIds(laterWindow.tree())].sort(), [...ids].sort());
      assert.deepEqual(
        [...windows, laterWindow].map(store => store.problems()),
        [[], [], [], []],
      );
    });

    it('retains the old text when a write fails, and removes the temporary file', async () => {
      await openText().change(async () => Promise.resolve('old'));
      const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
      const failing = openText({
        writeFile: (async (file: string) => {
          await fs.writeFile(file, 'ha');
          throw full;
        }) as typeof fs.writeFile,
      });
      await assert.rejects(
        failing.change(async () => Promise.resolve('half')),
        full,
      );
      assert.equal(await openText().read(), 'old');
      assert.deepEqual(await fs.readdir(join(folder, 'in')), ['kept.json']);
    });

    it('retries while another process has the file open', async () => {
      let rejectedCalls = 0;
      const busy = openText({
        rename: async (from, to) => {
          rejectedCalls += 1;
          if (rejectedCalls < 3) throw Object.assign(new Error('busy'), { code: 'EPERM' });
          await fs.rename(from, to);
        },
      });
      await busy.change(async () => Promise.resolve('new'));
      assert.equal(await openText().read(), 'new');
      assert.equal(rejectedCalls, 3);
    });

    it('creates one backup of each damaged text', async () => {
      const firstPath = await openText().backUp('broken');
      const secondPath = await openText().backUp('broken');
      assert.equal(firstPath, secondPath);
      assert.equal(await fs.readFile(firstPath, 'utf8'), 'broken');
      assert.notEqual(await openText().backUp('other'), firstPath);
    });
  });
