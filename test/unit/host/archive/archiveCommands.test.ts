import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Uri } from 'vscode';
import { clipboard, registered, windowEnv } from '../../../support/fakeVscode.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const { registerArchiveCommands } = await import('../../../../src/host/archive/archiveCommands.ts');

describe('Open Archive Folder', () => {
  const fsPath = join(createTemporaryFolder(), 'a folder');
  const openFolder = async (): Promise<unknown[]> => {
    const revealed: unknown[] = [];
    registered.set('command revealFileInOS', (folder: Uri) => revealed.push(folder.fsPath));
    const commands = new Map<string, () => Promise<void>>();
    registerArchiveCommands({
      boundary: {
        register(id: string, run: () => Promise<void>) {
          commands.set(id, run);
          return { dispose: () => undefined };
        },
      },
      folder: { fsPath },
    } as unknown as Parameters<typeof registerArchiveCommands>[0]);
    await commands.get('gridData.openArchiveFolder')?.();
    return revealed;
  };

  afterEach(() => {
    registered.clear();
    Object.assign(windowEnv, { uiKind: 1, remoteName: undefined });
  });

  it("shows the folder in the system's file manager, also before anything was fetched", async () => {
    assert.deepEqual(await openFolder(), [fsPath]);
    assert.ok(existsSync(fsPath));
    assert.equal(clipboard.text, '');
  });

  for (const [where, env] of [
    ['in a browser', { uiKind: 2 }],
    ['on another machine', { remoteName: 'ssh-remote' }],
  ] as const)
    it(`copies the path to the clipboard ${where}, since no file manager can show the folder`, async () => {
      clipboard.text = '';
      Object.assign(windowEnv, env);
      assert.deepEqual(await openFolder(), []);
      assert.equal(clipboard.text, fsPath);
    });
});
