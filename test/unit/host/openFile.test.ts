import assert from 'node:assert/strict';
import { clipboard, Uri, vscode, windowEnv } from '../../support/fakeVscode.ts';

const { createOpenFileButton } = await import('../../../src/host/openFile.ts');

describe('the button that opens a written file', () => {
  let ran: string[] = [];
  let canOpen = true;
  let inWorkspace = false;
  // Other tests in the process share the VS Code mock.
  const { commands, env, workspace } = vscode;
  const before = [commands, env, workspace].map(part => ({ ...part }));
  beforeEach(() => {
    [ran, canOpen, inWorkspace] = [[], true, false];
    Object.assign(commands, {
      executeCommand: async (id: string, uri: Uri, ...more: readonly string[]) =>
        Promise.resolve(ran.push([id, uri.path, ...more].join(' '))),
    });
    Object.assign(env, {
      openExternal: async ({ path }: Uri) => Promise.resolve(ran.push(`system ${path}`)).then(() => canOpen),
    });
    Object.assign(workspace, { getWorkspaceFolder: () => (inWorkspace ? {} : undefined) });
  });
  afterEach(() => {
    clipboard.text = '';
    for (const [at, part] of [commands, env, workspace].entries()) Object.assign(part, before[at]);
  });

  async function press(path: string): Promise<string> {
    const { label, open } = createOpenFileButton(new Uri(path) as never);
    await open();
    return label;
  }

  it('opens Parquet and Arrow files in the panel, and texts in an editor', async () => {
    for (const name of ['a.parquet', 'a.ARROW', 'a.csv', 'a.json', 'a.md'])
      assert.equal(await press(`/d/${name}`), 'Open');
    assert.deepEqual(ran, [
      'vscode.openWith /d/a.parquet gridData.dataFile',
      'vscode.openWith /d/a.ARROW gridData.dataFile',
      'vscode.open /d/a.csv',
      'vscode.open /d/a.json',
      'vscode.open /d/a.md',
    ]);
  });

  it('opens workbooks and pages with the system, and reveals them if no program opens them', async () => {
    assert.equal(await press('/d/a.xlsx'), 'Open');
    canOpen = false;
    assert.equal(await press('/d/a.html'), 'Open');
    assert.deepEqual(ran, ['system /d/a.xlsx', 'system /d/a.html', 'revealFileInOS /d/a.html']);
  });

  it('reveals workbooks in the Explorer, or copies their paths, in a browser or for a remote machine', async () => {
    for (const elsewhere of [{ uiKind: 2 }, { remoteName: 'ssh-remote' }]) {
      Object.assign(windowEnv, { uiKind: 1, remoteName: undefined, ...elsewhere });
      [ran, inWorkspace] = [[], true];
      assert.equal(await press('/d/a.xlsx'), 'Reveal in Explorer View');
      assert.deepEqual(ran, ['revealInExplorer /d/a.xlsx']);
      inWorkspace = false;
      assert.equal(await press('/d/b.xlsx'), 'Copy Path');
      assert.equal(clipboard.text, new Uri('/d/b.xlsx').fsPath);
    }
  });
});
