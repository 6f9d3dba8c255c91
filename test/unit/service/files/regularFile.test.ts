import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import {
  openRegularFile,
  readRegularFile,
  readRegularTextFile,
  ignoreUnexpectedFile,
  withTimeout,
  type OpenFs,
} from '../../../../src/service/files/regularFile.ts';
import { endlessFiles } from '../../../support/endlessFiles.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('readRegularFile', () => {
  let path = '';
  beforeEach(() => (path = join(createTemporaryFolder(), 'file.json')));

  it('reads a file up to the size limit, and its text', async () => {
    writeFileSync(path, 'Grün');
    assert.deepEqual(Buffer.from(await readRegularFile(path, 5, nodeFs)).toString(), 'Grün');
    assert.equal(await readRegularTextFile(path, 5, nodeFs), 'Grün');
    await assert.rejects(readRegularFile(path, 4, nodeFs), { code: 'EFBIG' });
  });

  it('reads into the given memory, and no further', async () => {
    writeFileSync(path, 'abc');
    const memory = Buffer.alloc(8, 'x');
    const bytes = await readRegularFile(path, 8, nodeFs, length => memory.subarray(0, length));
    assert.deepEqual([Buffer.from(bytes).toString(), memory.toString()], ['abc', 'abcxxxxx']);
  });

  it('continues after partial reads', async () => {
    writeFileSync(path, 'abcdef');
    const slow: OpenFs = {
      open: async (...of) => {
        const handle = await nodeFs.open(...of);
        const read = handle.read.bind(handle) as (...args: unknown[]) => Promise<{ bytesRead: number }>;
        const readTwoBytes = async (bytes: unknown, offset: unknown, _: unknown, position: unknown) =>
          read(bytes, offset, 2, position);
        return Object.assign(handle, { read: readTwoBytes as typeof handle.read });
      },
    };
    assert.equal(await readRegularTextFile(path, 6, slow), 'abcdef');
  });

  it('rejects immediately if there is no file', async () => {
    await assert.rejects(readRegularFile(path, 5, nodeFs), { code: 'ENOENT' });
    assert.equal(await ignoreUnexpectedFile(readRegularFile(path, 5, nodeFs)), undefined);
  });

  if (process.platform !== 'win32')
    for (const { name, create } of endlessFiles)
      it(`does not begin to read ${name}`, async () => {
        create(path);
        const code = name.includes('GB') ? 'EFBIG' : 'ENOTFILE';
        await assert.rejects(readRegularFile(path, 1e9, nodeFs), { code });
        assert.equal(await ignoreUnexpectedFile(readRegularFile(path, 1e9, nodeFs)), undefined);
        // A file that was opened before it was rejected is closed.
        await assert.rejects(openRegularFile(path, 1e9, nodeFs), { code });
      });

  it('times out if the file system does not respond', async () => {
    await assert.rejects(withTimeout(new Promise<never>(() => undefined), 1), { code: 'ETIMEDOUT' });
    assert.equal(await withTimeout(Promise.resolve(5), 1), 5);
    await assert.rejects(withTimeout(Promise.reject(new RangeError('own')), 1), RangeError);
  });
});
