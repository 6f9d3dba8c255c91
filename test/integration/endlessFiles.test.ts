import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ImportOptionsStore } from '../../src/host/dataFile/importOptionsStore.ts';
import { readFile } from '../../src/host/dataFile/readFile.ts';
import { readUri } from '../../src/host/readUri.ts';
import { endlessFiles } from '../support/endlessFiles.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { FakeState } from '../unit/service/storeFakes.ts';
import { createShippedReaders } from './shippedReaders.ts';

describe('files without an end, in the extension host', () => {
  if (process.platform === 'win32') return;
  const { signal } = new AbortController();

  for (const { name, create } of endlessFiles)
    it(`rejects ${name}`, async () => {
      const file = join(createTemporaryFolder(), 'x.csv.meta.json');
      create(file);
      const code = name.includes('GB') ? 'EFBIG' : 'ENOTFILE';
      await assert.rejects(readUri(vscode.Uri.file(file), 1e6), { code });
    });

  for (const { name, create } of endlessFiles.filter(file => !file.name.includes('GB')))
    it(`rejects ${name} in place of a data file`, async () => {
      const file = join(createTemporaryFolder(), 'x.csv');
      create(file);
      const reading = { readers: createShippedReaders(), importOptions: new ImportOptionsStore(new FakeState()) };
      const decision = { options: {}, assumesUtc: true };
      await assert.rejects(readFile(reading, vscode.Uri.file(file), { signal, decision }), {
        reason: name === 'a folder' ? 'folderWithoutParquet' : 'fileForeign',
      });
    });

  it('reads a file of another file system up to a maximum size, and rejects anything that is not a file', async () => {
    const files = new Map([['/x.json', Buffer.from('12345')]]);
    const emptyEmitter = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
    const fail = (): never => {
      throw vscode.FileSystemError.NoPermissions();
    };
    const provider: vscode.FileSystemProvider = {
      onDidChangeFile: emptyEmitter.event,
      watch: () => emptyEmitter,
      stat: ({ path }) => {
        const bytes = files.get(path);
        const type = bytes ? vscode.FileType.File : vscode.FileType.Unknown;
        return { type, ctime: 0, mtime: 0, size: bytes?.length ?? 0 };
      },
      readFile: ({ path }) => files.get(path) ?? fail(),
      readDirectory: fail,
      createDirectory: fail,
      writeFile: fail,
      delete: fail,
      rename: fail,
    };
    const registered = vscode.workspace.registerFileSystemProvider('endless', provider);
    try {
      const uri = vscode.Uri.parse('endless:/x.json');
      assert.equal(Buffer.from(await readUri(uri, 5)).toString(), '12345');
      await assert.rejects(readUri(uri, 4), { code: 'EFBIG' });
      await assert.rejects(readUri(vscode.Uri.parse('endless:/device'), 5), { code: 'ENOTFILE' });
    } finally {
      registered.dispose();
      emptyEmitter.dispose();
    }
  });
});
