import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResponseStore } from '../../../src/service/responseStore.ts';

const now = Date.parse('2026-11-21T08:00Z');
const dayMs = 24 * 3_600_000;

describe('the texts of responses', () => {
  let parent: string;
  let folder: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'grid-data-responses-'));
    folder = join(parent, 'responses');
  });
  afterEach(async () => rm(parent, { recursive: true, force: true }));

  const setUp = (at = folder) => {
    const warned: string[] = [];
    let ids = 0;
    const logger = { warn: (line: string) => void warned.push(line) };
    return {
      warned,
      store: new ResponseStore({ folder: at, newId: () => `id-${++ids}`, clock: { now: () => now }, logger }),
    };
  };

  /** Longer than what stays in memory, with characters of several bytes. */
  const long = JSON.stringify(Array.from({ length: 9000 }, (_, row) => ({ row, note: 'größer 😀' })));

  it('are on disk while they are long, for nobody else to read, and gone when nobody wants them', async () => {
    const { store } = setUp();
    const kept = store.keep([Buffer.from(long)]);
    assert.equal(await kept.text(), long);
    assert.deepEqual(await readdir(folder), ['id-1.json.gz']);
    if (process.platform !== 'win32') assert.equal((await stat(join(folder, 'id-1.json.gz'))).mode & 0o777, 0o600);
    assert.equal(await kept.text(), long);
    await kept.dispose();
    assert.deepEqual(await readdir(folder), []);
  });

  it('are all gone when their window is', async () => {
    const { store } = setUp();
    store.keep([Buffer.from(long)]);
    await store.keep([Buffer.from(long)]).text();
    await store.clear();
    assert.deepEqual(await readdir(folder), []);
  });

  it('stay in memory while they are short', async () => {
    const { store } = setUp();
    const kept = store.keep([Buffer.from('{"data": []}')]);
    assert.equal(await kept.text(), '{"data": []}');
    await kept.dispose();
    assert.deepEqual(await readdir(parent), []);
  });

  it('stay in memory where the disk does not take them', async () => {
    const file = join(parent, 'no-folder');
    await writeFile(file, '');
    const { store, warned } = setUp(file);
    const kept = store.keep([Buffer.from(long)]);
    assert.equal(await kept.text(), long);
    assert.equal(warned.length, 1);
    await kept.dispose();
  });

  it('of windows that ended badly are cleared away after a week, and nothing else', async () => {
    const { store } = setUp();
    await store.keep([Buffer.from(long)]).text();
    await store.keep([Buffer.from(long)]).text();
    await writeFile(join(folder, 'mine.txt'), '');
    const at = (days: number) => (now - days * dayMs) / 1000;
    await utimes(join(folder, 'id-1.json.gz'), at(8), at(8));
    await utimes(join(folder, 'id-2.json.gz'), at(6), at(6));
    await utimes(join(folder, 'mine.txt'), at(100), at(100));
    await store.sweep();
    assert.deepEqual((await readdir(folder)).sort(), ['id-2.json.gz', 'mine.txt']);
    await setUp(join(parent, 'nothing')).store.sweep();
  });
});
