import assert from 'node:assert/strict';
import { clipboard, Uri, vscode, windowEnv } from '../../support/fakeVscode.ts';

const { createOpenFileButton } = await import('../../../src/host/openFile.ts');

describe('the Open button for an exported file', () => {
  let executed: string[] = [];
  let canOpen = true;
  let inWorkspace = false;
  // Other tests in the process share the VS Code mock.
  const { commands, env, workspace } = vscode;
  const originals = [commands, env, workspace].map(part => ({ ...part }));
  beforeEach(() => {
    [executed, canOpen, inWorkspace] = [[], true, false];
    Object.assign(commands, {
      executeCommand: async (id: string, uri: Uri, ...otherArguments: readonly string[]) =>
        Promise.resolve(executed.push([id, uri.path, ...otherArguments].join(' '))),
    });
    Object.assign(env, {
      openExternal: async ({ path }: Uri) => Promise.resolve(executed.push(`system ${path}`)).then(() => canOpen),
    });
    Object.assign(workspace, { getWorkspaceFolder: () => (inWorkspace ? {} : undefined) });
  });
  afterEach(() => {
    clipboard.text = '';
    for (const [index, part] of [commands, env, workspace].entries()) Object.assign(part, originals[index]);
  });

  async function press(path: string): Promise<string> {
    const { label, open } = createOpenFileButton(new Uri(path) as never);
    await open();
    return label;
  }

  it('opens Parquet and Arrow files in the data file panel, and text files in an editor', async () => {
    for (const name of ['a.parquet', 'a.ARROW', 'a.csv', 'a.json', 'a.md'])
      assert.equal(await press(`/d/${name}`), 'Open');
    assert.deepEqual(executed, [
      'vscode.openWith /d/a.parquet gridData.dataFile',
      'vscode.openWith /d/a.ARROW gridData.dataFile',
      'vscode.open /d/a.csv',
      'vscode.open /d/a.json',
      'vscode.open /d/a.md',
    ]);
  });

  it('opens workbooks and HTML pages in their default application, and reveals them if there is none', async () => {
    assert.equal(await press('/d/a.xlsx'), 'Open');
    canOpen = false;
    assert.equal(await press('/d/a.html'), 'Open');
    assert.deepEqual(executed, ['system /d/a.xlsx', 'system /d/a.html', 'revealFileInOS /d/a.html']);
  });

  it('reveals workbooks of the workspace and copies the path of others in a browser or a remote window', async () => {
    for (const environment of [{ uiKind: 2 }, { remoteName: 'ssh-remote' }]) {
      Object.assign(windowEnv, { uiKind: 1, remoteName: undefined, ...environment });
      [executed, inWorkspace] = [[], true];
      assert.equal(await press('/d/a.xlsx'), 'Reveal in Explorer View');
      assert.deepEqual(executed, ['revealInExplorer /d/a.xlsx']);
      inWorkspace = false;
      assert.equal(await press('/d/b.xlsx'), 'Copy Path');
      assert.equal(clipboard.text, new Uri('/d/b.xlsx').fsPath);
    }
  });
});
