import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import * as vscode from 'vscode';
import { utc } from '../../src/core/time/zone.ts';
import { commands } from '../../src/host/ids.ts';
import { LastExport } from '../../src/host/export/exportChoice.ts';
import { ResultExport } from '../../src/host/export/resultExport.ts';
import type { QuerySession } from '../../src/host/panel/querySession.ts';
import { systemClock as clock } from '../../src/host/systemPorts.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/embedded.ts';
import { until } from '../support/until.ts';
import { captureShownTexts } from './screen.ts';

describe('the commands', () => {
  let sandbox: RunningSandbox;

  before(async () => {
    sandbox = await startSandbox();
    await vscode.extensions.getExtension('grid-data.grid-data-inspector')?.activate();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await sandbox.close();
  });

  it('registers every command', async () => {
    const registered = await vscode.commands.getCommands(true);
    for (const id of Object.values(commands)) assert.ok(registered.includes(id), id);
  });

  it('adds a connection and opens a query from command arguments', async () => {
    const key = sandbox.createKey('commands').value;
    const argument = { name: 'Commands', baseUrl: `${sandbox.baseUrl}/`, key };
    const added = await vscode.commands.executeCommand<{ name: string; baseUrl: string }>(
      'gridData.addConnection',
      argument,
    );
    assert.deepEqual([added.name, added.baseUrl], ['Commands', sandbox.baseUrl]);
    assert.ok(!JSON.stringify(added).includes(key), 'the returned connection has no key');
    await waitForTab('System state · last 24 hours · hourly');
    await vscode.commands.executeCommand('gridData.runQuery', {
      dataset: 'gridStress',
      range: '2023-05',
      connection: 'Commands',
    });
    await waitForTab('Grid stress · 2023-05 · hourly');
  });

  it('opens only one panel for repeated runs of the same query', async () => {
    const query = { dataset: 'systemState', range: '2023-05-01', connection: 'Commands' };
    await vscode.commands.executeCommand('gridData.runQuery', query);
    await vscode.commands.executeCommand('gridData.runQuery', query);
    await waitForTab('System state · 2023-05-01 · hourly');
    assert.equal(tabs().filter(label => label.startsWith('System state · 2023-05-01 · hourly')).length, 1);
  });

  it('opens the active result as JSON in an untitled editor', async () => {
    // Closes other panels, since VS Code may report late that they are no longer active.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('gridData.runQuery', {
      dataset: 'systemState',
      range: '2023-05-02',
      connection: 'Commands',
    });
    await vscode.commands.executeCommand('gridData.openResultInEditor', 'json');
    const text = await waitForText('2023-05-02');
    assert.equal(vscode.window.activeTextEditor?.document.languageId, 'json');
    const records = JSON.parse(text) as { ts: string }[];
    assert.equal(records[0]?.ts, '2023-05-02T00:00:00Z');
  });

  it('exports the response that the user requested, even if a newer one has arrived', async () => {
    const provenance = { dataset: 'systemState', interval: '1h', start: 0, end: 0, meta: {} };
    const result = { frame: undefined, bodies: [Buffer.from('{"requested": 1}')], provenance };
    const session = {
      result,
      zone: utc,
      response: async () => Promise.resolve('{"newer": 1}'),
    } as unknown as QuerySession;
    const state = { get: () => undefined, update: async () => Promise.resolve() };
    const report = (error: unknown): void => assert.fail(String(error));
    const resultExport = new ResultExport({ last: new LastExport(state), state, clock, report });
    await resultExport.export(session, { place: 'editor' });
    assert.deepEqual(JSON.parse(await waitForText('requested')), { requested: 1 });
  });

  it('starts and stops the embedded sandbox', async () => {
    const requestedServers = new Set<Server>();
    const onRequest = (message: unknown): void => void requestedServers.add((message as { server: Server }).server);
    subscribe('http.server.request.start', onRequest);
    try {
      await vscode.commands.executeCommand('gridData.startSandbox');
      await waitForTab('System state · last 7 days · hourly');
      await until('a request to Sample Data', () => requestedServers.size);
    } finally {
      unsubscribe('http.server.request.start', onRequest);
    }
    const listening = (): boolean[] => [...requestedServers].map(server => server.listening);
    assert.deepEqual(listening(), [true]);
    const stop = async (): Promise<unknown> => vscode.commands.executeCommand('gridData.stopSandbox');
    assert.deepEqual(await captureShownTexts(stop), ['Sample Data has stopped. The next query restarts it.']);
    assert.deepEqual(listening(), [false], 'it no longer listens on its port');
    assert.deepEqual(await captureShownTexts(stop), ['Sample Data is not running in this window.']);
  });

  function tabs(): string[] {
    return vscode.window.tabGroups.all.flatMap(group => group.tabs.map(tab => tab.label));
  }

  /** Returns the text of the active editor when it contains `part`. */
  async function waitForText(part: string): Promise<string> {
    return until(
      `an editor with '${part}'`,
      () => vscode.window.activeTextEditor?.document.getText() ?? '',
      text => text.includes(part),
    );
  }

  async function waitForTab(label: string): Promise<void> {
    // If this window has several connections, the title ends with the name of the connection.
    await until(`the tab '${label}'`, tabs, labels => labels.some(tab => tab.startsWith(label)));
  }
});
