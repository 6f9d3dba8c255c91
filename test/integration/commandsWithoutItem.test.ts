import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ErrorBoundary } from '../../src/host/messages/errorBoundary.ts';
import { registerRecentCommands, type RecentCommandsDeps } from '../../src/host/savedQueries/recentCommands.ts';
import { TreeSelection, type TreeSelectionDeps } from '../../src/host/savedQueries/treeSelection.ts';

/** The arguments that VS Code passes for a button in a view's title, or if a node was removed while its menu was open. */
const noTreeItem = [undefined, undefined] as const;

describe('commands that VS Code calls without a tree item', () => {
  const { showQuickPick } = vscode.window;

  afterEach(() => {
    vscode.window.showQuickPick = showQuickPick;
  });

  it('passes undefined arguments to a command that VS Code calls without a tree item', async () => {
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

  it('resolveItems shows a picker if there is no tree item, and returns the picked items', async () => {
    const store = { key: 'personal', kind: 'personal', name: 'Personal', tree: () => [] };
    const createEntry = (name: string): object => ({ store, item: { kind: 'folder', id: name, name, items: [] } });
    const stores = { settle: async () => Promise.resolve(), items: () => ['First', 'Second'].map(createEntry) };
    const view = { keyboardNodes: (): never => assert.fail('no key was pressed') };
    const selection = new TreeSelection({ stores, view } as unknown as TreeSelectionDeps);
    const offeredLabels: string[][] = [];
    const pickSecondItemOnSecondCall = async (...args: unknown[]): Promise<unknown> => {
      const items = args[0] as readonly vscode.QuickPickItem[];
      offeredLabels.push(items.map(({ label }) => label));
      return Promise.resolve(offeredLabels.length === 1 ? undefined : items.slice(1));
    };
    vscode.window.showQuickPick = pickSecondItemOnSecondCall as typeof showQuickPick;
    assert.deepEqual(await selection.resolveItems(...noTreeItem, ''), [], 'the picker was canceled');
    assert.deepEqual(await selection.resolveItems(...noTreeItem, ''), [createEntry('Second')]);
    assert.deepEqual(offeredLabels, [
      ['First', 'Second'],
      ['First', 'Second'],
    ]);
  });

  it('the picker of recent runs describes replayed hours like the Recent view', async () => {
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
