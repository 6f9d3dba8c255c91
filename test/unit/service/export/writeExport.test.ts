import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import * as fsPromises from 'node:fs/promises';
import { GridError } from '../../../../src/core/errors.ts';
import { PendingFiles, writeExport, type ExportFs } from '../../../../src/service/export/writeExport.ts';
import { endlessFiles } from '../../../support/endlessFiles.ts';
import { fileSystems } from '../../../support/windowsFs.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const clock = { sleep: () => Promise.resolve() };

async function* pieces(...texts: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    await Promise.resolve();
    if (text instanceof Error) throw text;
    yield Buffer.from(text);
  }
}

describe('writeExport', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = createTemporaryFolder();
    file = `${folder}/a.csv`;
  });

  it('writes a file and its sidecar', async () => {
    assert.equal(await writeExport({ file, chunks: pieces('a,', 'b'), clock, sidecar: '{}' }), 3);
    assert.deepEqual(readdirSync(folder), ['a.csv', 'a.csv.meta.json']);
    assert.deepEqual([readFileSync(file, 'utf8'), readFileSync(`${file}.meta.json`, 'utf8')], ['a,b', '{}']);
  });

  for (const { name: system, machine } of fileSystems)
    it(`accepts the longest possible name, in folders longer than 260 characters${system}`, async () => {
      const deep = `${folder}/${'deep '.repeat(20)}a/${'deeper '.repeat(20)}b`;
      mkdirSync(deep, { recursive: true });
      // Each character has two bytes, and names are cut between characters.
      for (const name of [`${'a'.repeat(251)}.csv`, `${'ê'.repeat(125)}.csv`]) {
        const long = `${deep}/${name}`;
        for (const text of ['first', 'second'])
          await writeExport({ file: long, chunks: pieces(text), clock, fs: machine() });
        assert.equal(readFileSync(long, 'utf8'), 'second');
      }
      assert.equal(readdirSync(deep).length, 2);
    });

  it('removes the sidecar of an earlier export, and no other file of that name', async () => {
    const sidecarFile = `${file}.meta.json`;
    await writeExport({ file, chunks: pieces('a'), clock, sidecar: '{"source": "Grid Data Inspector", "rows": 9}' });
    await writeExport({ file, chunks: pieces('b'), clock });
    assert.deepEqual(readdirSync(folder), ['a.csv']);
    for (const unrelated of ['{"source": "me"}', 'no JSON']) {
      writeFileSync(sidecarFile, unrelated);
      await writeExport({ file, chunks: pieces('c'), clock });
      assert.equal(readFileSync(sidecarFile, 'utf8'), unrelated);
    }
  });

  if (process.platform !== 'win32') {
    const getMode = (path: string): number => statSync(path).mode & 0o777;

    it('keeps the mode of the replaced file, also during the write', async () => {
      writeFileSync(file, 'before', { mode: 0o640 });
      chmodSync(file, 0o640);
      async function* watched(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('x');
        const [temporary] = readdirSync(folder).filter(name => name.endsWith('.tmp'));
        assert.equal(getMode(`${folder}/${temporary ?? ''}`), 0o600);
        await Promise.resolve();
      }
      await writeExport({ file, chunks: watched(), clock });
      assert.deepEqual([readFileSync(file, 'utf8'), getMode(file)], ['x', 0o640]);
      const umask = process.umask(0o022);
      await writeExport({ file: `${folder}/new.csv`, chunks: pieces('x'), clock });
      process.umask(umask);
      assert.equal(getMode(`${folder}/new.csv`), 0o644);
    });

    it('writes through a symbolic link', async () => {
      mkdirSync(`${folder}/far`);
      writeFileSync(`${folder}/far/real.csv`, 'before', { mode: 0o600 });
      symlinkSync('far/real.csv', file);
      await writeExport({ file, chunks: pieces('x'), clock });
      assert.ok(lstatSync(file).isSymbolicLink());
      assert.deepEqual(readdirSync(`${folder}/far`), ['real.csv']);
      assert.deepEqual([readFileSync(file, 'utf8'), getMode(`${folder}/far/real.csv`)], ['x', 0o600]);
    });

    for (const { name, create } of endlessFiles)
      it(`writes next to ${name} in place of the sidecar, which stays`, async () => {
        create(`${file}.meta.json`);
        await writeExport({ file, chunks: pieces('x'), clock });
        assert.deepEqual(readdirSync(folder), ['a.csv', 'a.csv.meta.json']);
      });

    it('replaces only files, and no dangling links', async () => {
      symlinkSync('nowhere.csv', file);
      execFileSync('mkfifo', [`${folder}/pipe.csv`]);
      for (const name of ['a.csv', 'pipe.csv'])
        await assert.rejects(writeExport({ file: `${folder}/${name}`, chunks: pieces('x'), clock }), {
          code: 'ENOTFILE',
        });
      assert.deepEqual(readdirSync(folder), ['a.csv', 'pipe.csv']);
      assert.ok(lstatSync(file).isSymbolicLink());
    });
  }

  it('removes only the leftovers of a killed export', async () => {
    const killed = new PendingFiles({ clock });
    await killed.write(`${folder}/killed.csv`, [Buffer.from('half')]);
    const [left = ''] = readdirSync(folder);
    await writeExport({ file, chunks: pieces('x'), clock });
    // The export that writes this file may still be running.
    assert.deepEqual(readdirSync(folder), [left, 'a.csv']);
    const otherFiles = ['b.csv.123.0123abcd.tmp', 'c.tmp'];
    for (const name of otherFiles) writeFileSync(`${folder}/${name}`, '');
    for (const name of [left, ...otherFiles]) utimesSync(`${folder}/${name}`, 1e9, 1e9);
    await writeExport({ file, chunks: pieces('y'), clock });
    assert.deepEqual(readdirSync(folder), ['a.csv', ...otherFiles]);
  });

  it('replaces a file only after the export is complete', async () => {
    writeFileSync(file, 'before');
    async function* watched(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('x');
      assert.equal(readFileSync(file, 'utf8'), 'before');
      await Promise.resolve();
    }
    await writeExport({ file, chunks: watched(), clock });
    assert.equal(readFileSync(file, 'utf8'), 'x');
  });

  for (const oldText of [undefined, 'before']) {
    const remainingFiles = oldText === undefined ? [] : ['a.csv'];
    const check = (): void => {
      assert.deepEqual(readdirSync(folder), remainingFiles);
      if (oldText !== undefined) assert.equal(readFileSync(file, 'utf8'), oldText);
    };
    const outcome = oldText === undefined ? 'leaves no file' : 'keeps the existing file';
    const prepare = (): void => {
      if (oldText !== undefined) writeFileSync(file, oldText);
    };

    it(`${outcome} when its chunks fail`, async () => {
      prepare();
      const chunks = pieces('a', new Error('no more'));
      await assert.rejects(writeExport({ file, chunks, clock, sidecar: '{}' }), /no more/);
      check();
    });

    it(`${outcome} when canceled during the export`, async () => {
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

    it(`${outcome} when the disk is full`, async () => {
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

    it(`${outcome} when the target cannot be replaced`, async () => {
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
