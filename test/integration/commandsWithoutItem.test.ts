import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ErrorBoundary } from '../../src/host/messages/errorBoundary.ts';
import { registerRecentCommands, type RecentCommandsDeps } from '../../src/host/savedQueries/recentCommands.ts';
import { TreeSelection, type TreeSelectionDeps } from '../../src/host/savedQueries/treeSelection.ts';

/** The arguments that VS Code passes for a button in a view's title, and for a node that was removed while its menu was open. */
const noTreeItem = [undefined, undefined] as const;

describe('commands that VS Code calls without a tree item', () => {
  const { showQuickPick } = vscode.window;

  afterEach(() => {
    vscode.window.showQuickPick = showQuickPick;
  });

  it('runs a command without a tree item as from the Command Palette', async () => {
    const failTest = (error: unknown): void => assert.fail(String(error));
    const boundary = new ErrorBoundary({ logError: failTest });
    const id = 'gridData.test.withoutTreeItem';
    const command = boundary.register(id, async (...args) => Promise.resolve(args));
    try {
      assert.deepEqual(await vscode.commands.executeCommand(id, ...noTreeItem), noTreeItem);
    } finally {
      command.dispose();
    }
  });

  it('prompts for items when no tree item is given, and returns only the selected ones', async () => {
    const store = { key: 'personal', kind: 'personal', name: 'Personal', tree: () => [] };
    const entry = (name: string): object => ({ store, item: { kind: 'folder', id: name, name, items: [] } });
    const stores = { settle: async () => Promise.resolve(), items: () => ['First', 'Second'].map(entry) };
    const view = { keyboardNodes: (): never => assert.fail('no key was pressed') };
    const selection = new TreeSelection({ stores, view } as unknown as TreeSelectionDeps);
    const offeredLabels: string[][] = [];
    const showSecondTime = async (...args: unknown[]): Promise<unknown> => {
      const items = args[0] as readonly vscode.QuickPickItem[];
      offeredLabels.push(items.map(({ label }) => label));
      return Promise.resolve(offeredLabels.length === 1 ? undefined : items.slice(1));
    };
    vscode.window.showQuickPick = showSecondTime as typeof showQuickPick;
    assert.deepEqual(await selection.resolveItems(...noTreeItem, ''), [], 'the picker was canceled');
    assert.deepEqual(await selection.resolveItems(...noTreeItem, ''), [entry('Second')]);
    assert.deepEqual(offeredLabels, [
      ['First', 'Second'],
      ['First', 'Second'],
    ]);
  });

  it('labels recent runs of replayed hours as the view does', async () => {
    const run = {
      id: 'run',
      at: 0,
      connection: { id: 'demo', name: 'Demo' },
      outcome: { kind: 'rows', rows: 24 },
      data: 'replay',
      query: { dataset: 'systemState', range: 'yesterday', interval: '1h', params: {}, timeZone: 'UTC' },
    };
    const commands = new Map<string, (argument?: unknown) => Promise<void>>();
    const register = (id: string, command: () => Promise<void>): vscode.Disposable => {
      commands.set(id, command);
      return vscode.Disposable.from();
    };
    const deps = { boundary: { register }, recent: { list: () => [run] }, nowAt: () => 0 };
    registerRecentCommands(deps as unknown as RecentCommandsDeps);
    const descriptions: (string | undefined)[] = [];
    const cancelPick = async (items: readonly vscode.QuickPickItem[]): Promise<undefined> => {
      descriptions.push(...items.map(({ description }) => description));
      return Promise.resolve(undefined);
    };
    vscode.window.showQuickPick = cancelPick as unknown as typeof showQuickPick;
    await commands.get('gridData.openRecentRun')?.();
    assert.match(descriptions.join(), / · Replayed Hours · 24 rows · /);
  });
});
