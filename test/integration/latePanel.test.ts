import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { showQuickPick } from '../../src/host/messages/messages.ts';
import { ResultPanel } from '../../src/host/panel/resultPanel.ts';

describe('a panel that opens while a picker is open', () => {
  let panel: ResultPanel;
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    panel.dispose();
  });

  /** Opens a panel. Resolves when its page has loaded. */
  const openPanel = async (): Promise<void> =>
    new Promise(resolve => {
      const tools = { range: 'yesterday', interval: 'hourly', actions: [] };
      const { extensionUri } = vscode.extensions.getExtension('grid-data.grid-data-inspector') ?? assert.fail();
      panel = new ResultPanel(
        { extensionUri, newNonce: () => 'a'.repeat(32), logError: line => assert.fail(line), hasExported: () => true },
        {
          state: {
            view: 'loading',
            title: 'Late',
            tools,
            header: [],
            detail: 'Asking…',
            content: 'earlier',
            actions: [],
          },
          getPersistedState: () => {
            resolve();
            return {};
          },
          handlers: {
            act: () => undefined,
            setZone: () => undefined,
            viewChanged: () => undefined,
            tabOpened: () => undefined,
            pointed: () => undefined,
            saveFile: () => undefined,
            readResponse: async () => Promise.resolve(undefined),
          },
        },
      );
    });

  it('leaves the keyboard focus in the picker', async () => {
    const items = [{ label: 'First' }, { label: 'Second' }];
    const choice = showQuickPick(items, { placeHolder: 'Select one' });
    await openPanel();
    panel.reveal();
    await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    assert.equal((await choice)?.label, 'Second');
  });
});
