import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as fsPromises from 'node:fs/promises';
import { GridError } from '../../../../src/core/errors.ts';
import { writeExport, type ExportFs } from '../../../../src/service/export/writeExport.ts';
import { scratchFolder } from './readers.ts';

const clock = { sleep: () => Promise.resolve() };

async function* pieces(...texts: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    await Promise.resolve();
    if (text instanceof Error) throw text;
    yield Buffer.from(text);
  }
}

describe('writeExport', () => {
  const scratch = scratchFolder();
  let folder: string;
  let file: string;
  let count = 0;
  beforeEach(() => {
    folder = scratch.path(String(++count));
    mkdirSync(folder);
    file = `${folder}/a.csv`;
  });

  it('writes a file whole, with what is known of it beside', async () => {
    assert.equal(await writeExport({ file, chunks: pieces('a,', 'b'), clock, sidecar: '{}' }), 3);
    assert.deepEqual(readdirSync(folder), ['a.csv', 'a.csv.meta.json']);
    assert.deepEqual([readFileSync(file, 'utf8'), readFileSync(`${file}.meta.json`, 'utf8')], ['a,b', '{}']);
  });

  it('takes away what an earlier export said beside the file, and nothing else of that name', async () => {
    const beside = `${file}.meta.json`;
    await writeExport({ file, chunks: pieces('a'), clock, sidecar: '{"source": "Grid Data Inspector", "rows": 9}' });
    await writeExport({ file, chunks: pieces('b'), clock });
    assert.deepEqual(readdirSync(folder), ['a.csv']);
    for (const own of ['{"source": "me"}', 'no JSON']) {
      writeFileSync(beside, own);
      await writeExport({ file, chunks: pieces('c'), clock });
      assert.equal(readFileSync(beside, 'utf8'), own);
    }
  });

  it('takes the place of a file only when whole', async () => {
    writeFileSync(file, 'before');
    async function* watched(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('x');
      assert.equal(readFileSync(file, 'utf8'), 'before');
      await Promise.resolve();
    }
    await writeExport({ file, chunks: watched(), clock });
    assert.equal(readFileSync(file, 'utf8'), 'x');
  });

  for (const before of [undefined, 'before']) {
    const left = before === undefined ? [] : ['a.csv'];
    const check = (): void => {
      assert.deepEqual(readdirSync(folder), left);
      if (before !== undefined) assert.equal(readFileSync(file, 'utf8'), before);
    };
    const what = before === undefined ? 'leaves nothing' : 'leaves the file that was there';
    const prepare = (): void => {
      if (before !== undefined) writeFileSync(file, before);
    };

    it(`${what} when its chunks fail`, async () => {
      prepare();
      const chunks = pieces('a', new Error('no more'));
      await assert.rejects(writeExport({ file, chunks, clock, sidecar: '{}' }), /no more/);
      check();
    });

    it(`${what} when cancelled on the way`, async () => {
      prepare();
      const stop = new AbortController();
      async function* stopping(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('a');
        stop.abort();
        await Promise.resolve();
        yield Buffer.from('b');
      }
      const writing = writeExport({ file, chunks: stopping(), clock, signal: stop.signal });
      await assert.rejects(writing, (error: unknown) => error instanceof GridError && error.reason === 'cancelled');
      check();
    });

    it(`${what} when the disk is full`, async () => {
      prepare();
      const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
      const fs: ExportFs = {
        ...fsPromises,
        open: async (...args: Parameters<typeof fsPromises.open>) => {
          const handle = await fsPromises.open(...args);
          handle.sync = () => Promise.reject(full);
          return handle;
        },
      };
      await assert.rejects(writeExport({ file, chunks: pieces('a'), clock, fs }), full);
      check();
    });

    it(`${what} when it cannot take its place`, async () => {
      prepare();
      const fs: ExportFs = {
        ...fsPromises,
        rename: () => Promise.reject(Object.assign(new Error('no'), { code: 'EISDIR' })),
      };
      await assert.rejects(writeExport({ file, chunks: pieces('a'), clock, fs, sidecar: '{}' }), /no/);
      check();
    });
  }
});
