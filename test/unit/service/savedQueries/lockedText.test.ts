import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageFs } from '../../../../src/service/files/fileSystem.ts';
import { LockedText } from '../../../../src/service/savedQueries/lockedText.ts';
import { systemClock } from '../../../../src/host/systemPorts.ts';

const random = (): number => 0.5;

describe('a text file shared by windows', () => {
  let folder: string;
  beforeEach(async () => (folder = await fs.mkdtemp(join(tmpdir(), 'saved-'))));
  afterEach(async () => fs.rm(folder, { recursive: true, force: true }));

  function text(own: Partial<StorageFs> = {}): LockedText {
    const all: StorageFs = { ...fs, ...own };
    return new LockedText({ path: join(folder, 'in', 'kept.json'), clock: systemClock, random, fs: all });
  }

  it('reads nothing at first, and then what was written', async () => {
    assert.equal(await text().read(), undefined);
    await text().change(async before => Promise.resolve(before === undefined ? 'one' : 'wrong'));
    assert.equal(await text().read(), 'one');
    await text().change(async () => Promise.resolve(undefined));
    assert.equal(await text().read(), 'one');
  });

  it('leaves a file alone that is larger than any written one', async () => {
    const large = 'x'.repeat(4_000_001);
    await fs.mkdir(join(folder, 'in'));
    await fs.writeFile(join(folder, 'in', 'kept.json'), large);
    await assert.rejects(text().read(), { code: 'EFBIG' });
    await assert.rejects(
      text().change(async () => Promise.resolve('new')),
      { code: 'EFBIG' },
    );
    assert.equal(await fs.readFile(join(folder, 'in', 'kept.json'), 'utf8'), large);
  });

  it('loses no concurrent change of several windows', async () => {
    const windows = [text(), text(), text()];
    const add = async (before: string | undefined): Promise<string> => Promise.resolve(`${before ?? ''}x`);
    await Promise.all(Array.from({ length: 12 }, async (_, n) => windows[n % 3]?.change(add)));
    assert.equal(await text().read(), 'x'.repeat(12));
  });

  it('keeps the old text when a write fails, and leaves nothing behind', async () => {
    await text().change(async () => Promise.resolve('old'));
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
    const failing = text({
      writeFile: (async (file: string) => {
        await fs.writeFile(file, 'ha');
        throw full;
      }) as typeof fs.writeFile,
    });
    await assert.rejects(
      failing.change(async () => Promise.resolve('half')),
      full,
    );
    assert.equal(await text().read(), 'old');
    assert.deepEqual(await fs.readdir(join(folder, 'in')), ['kept.json']);
  });

  it('waits for a file that another process has open', async () => {
    let refused = 0;
    const busy = text({
      rename: async (from, to) => {
        refused += 1;
        if (refused < 3) throw Object.assign(new Error('busy'), { code: 'EPERM' });
        await fs.rename(from, to);
      },
    });
    await busy.change(async () => Promise.resolve('new'));
    assert.equal(await text().read(), 'new');
    assert.equal(refused, 3);
  });

  it('sets a damaged text aside once', async () => {
    const [one, two] = [await text().keepAside('broken'), await text().keepAside('broken')];
    assert.equal(one, two);
    assert.equal(await fs.readFile(one, 'utf8'), 'broken');
    assert.notEqual(await text().keepAside('other'), one);
  });
});
