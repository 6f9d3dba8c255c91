import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { extensionId } from '../../src/host/ids.ts';
import { disposeAfter } from './harness/failures.ts';
import { countInputs, readInputs } from './harness/inputs.ts';
import { startWorkbench } from './harness/start.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { readHeader, openSampleData, waitForTable } from './support.ts';

const result = 'System state · last 7 days · hourly';

describe('the first use of the extension in a window', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await startWorkbench();
  });
  disposeAfter(() => [workbench]);

  /** Returns the log folder of the newest extension host. */
  async function findHostLogs(): Promise<string> {
    const logs = join(workbench.userDataDir, 'logs');
    const hosts = (await readdir(logs, { recursive: true })).filter(name => /exthost\d+$/.test(name));
    return join(logs, hosts.sort((a, b) => hostNumber(a) - hostNumber(b)).at(-1) ?? '');
  }

  /** Reloads the window, and waits until the extension is activated in the new extension host. */
  async function reload(): Promise<void> {
    const previousLogs = await findHostLogs();
    rmdirSync(appFolder());
    await workbench.reload();
    await until('another extension host', findHostLogs, host => host !== previousLogs);
    await waitForActivation();
  }

  async function waitForActivation(): Promise<void> {
    await until(
      'the extension to be activated',
      async () => {
        const log = join(await findHostLogs(), 'remoteexthost.log');
        return existsSync(log) ? readFileSync(log, 'utf8') : '';
      },
      text => text.includes(`_doActivateExtension ${extensionId}`),
    );
  }

  /** The folder that app.ts creates when it loads; it stays empty while nothing is saved. */
  function appFolder(): string {
    return join(workbench.userDataDir, 'User', 'globalStorage', extensionId, 'savedQueries');
  }

  async function waitForApp(): Promise<void> {
    await until('the app to be loaded', () => Promise.resolve(existsSync(appFolder())), Boolean);
  }

  async function toggleSidebar(): Promise<void> {
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  }

  it('does not load at startup, and offers only commands that need no connection', async () => {
    await waitForActivation();
    const { page, quickInput } = workbench;
    await until(
      'no command that needs a connection or a saved query',
      async () => {
        // An open palette is not updated.
        await page.keyboard.press('F1');
        await quickInput.type('>Grid Data: S');
        const labels = await quickInput.waitItem('Grid Data: Show Log');
        await quickInput.cancel();
        return labels;
      },
      labels => !/Set Limits|Snooze Alerts/.test(labels.join()),
    );
    assert.equal(existsSync(appFolder()), false);
  });

  it('loads when the view opens, where one click opens only Sample Data, labeled as such', async () => {
    await workbench.openSidebar('Grid Data');
    await workbench.page.locator('.welcome-view-content:visible').getByText('Add Connection').waitFor();
    await countInputs(workbench.page);
    await openSampleData(workbench);
    const frame = await waitForTable(workbench, result);
    assert.deepEqual(await readInputs(workbench.page), { clicks: 1, keys: [], pastes: 0 });
    assert.match(await readHeader(frame), /Sample Data/);
    await until(
      'the connection',
      () => workbench.treeRows(),
      rows => rows.some(row => /^Sample Data/.test(row)),
    );
    assert.deepEqual(await workbench.editorTabs(), [result]);
    await workbench.notifications.waitForNone();
    await waitForApp();
  });

  it('loads when VS Code restores a panel', async () => {
    await toggleSidebar();
    await reload();
    await waitForTable(workbench, result);
    await waitForApp();
  });

  it('loads when its view is visible at startup', async () => {
    await workbench.closeEditors();
    await toggleSidebar();
    await reload();
    await until(
      'the connection',
      () => workbench.treeRows(),
      rows => rows.some(row => row.includes('Sample Data')),
    );
    await waitForApp();
  });

  it('loads with a command from the palette', async () => {
    await toggleSidebar();
    await reload();
    assert.equal(existsSync(appFolder()), false);
    await workbench.runCommand('Grid Data: Run Query…');
    await workbench.quickInput.waitItem('System state');
    await workbench.quickInput.cancel();
    await waitForApp();
  });

  it('loads at startup if the latest stress is pinned', async () => {
    await workbench.runCommand('Grid Data: Pin Latest Stress');
    const showsStress = (entries: readonly string[]): boolean => entries.some(text => /stress/i.test(text));
    await until('the stress in the status bar', () => workbench.statusBar(), showsStress);
    await reload();
    await until('the stress in the status bar again', () => workbench.statusBar(), showsStress);
    await waitForApp();
  });
});

/** Returns the number of an extension host's folder: 12 for `20261123T182410/exthost12`. */
function hostNumber(host: string): number {
  return Number(/\d+$/.exec(host)?.[0]);
}
