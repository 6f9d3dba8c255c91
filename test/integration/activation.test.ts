import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GridDataApi } from '../../api/grid-data-inspector.d.ts';
import { commands, extensionId, tools } from '../../src/host/ids.ts';

describe('the activation of the extension in VS Code', () => {
  const { cache } = createRequire(import.meta.filename);
  let folder: string;
  const isLoaded = (file: string): boolean => join(folder, 'dist', file) in cache;

  it('activates under its published name, and loads only one file', async () => {
    const extension = vscode.extensions.getExtension<GridDataApi>(extensionId);
    assert.ok(extension, `VS Code does not list ${extensionId}`);
    folder = extension.extensionPath;
    const api = await extension.activate();
    assert.deepEqual([extension.isActive, api.version], [true, 1]);
    assert.deepEqual(['extension.js', 'background.js', 'app.js'].map(isLoaded), [true, false, false]);
  });

  it('loads the other files on the first tool call', async () => {
    const input = { input: { dataset: 'gridStress' }, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool(tools.describeFields, input);
    assert.match((content[0] as vscode.LanguageModelTextPart).value, /Grid stress index/);
    assert.equal(isLoaded('app.js'), true);
  });

  it('registers every command after loading the other files', async () => {
    const known = await vscode.commands.getCommands(true);
    assert.deepEqual(
      Object.values(commands).filter(id => !known.includes(id)),
      [],
    );
    await vscode.commands.executeCommand(commands.showLog);
  });
});
