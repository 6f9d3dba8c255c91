import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { extensionId } from '../../src/host/ids.ts';
import { endsAfter } from './harness/failures.ts';
import { countInputs, inputsOf } from './harness/inputs.ts';
import { startWorkbench } from './harness/start.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { headerOf, openSampleData, tableOf } from './support.ts';

const result = 'System state · last 7 days · hourly';

describe('the first use of the extension in a window', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await startWorkbench();
  });
  endsAfter(() => [workbench]);

  /** The folder of the logs of the extension host that started last. */
  async function hostLogs(): Promise<string> {
    const logs = join(workbench.userDataDir, 'logs');
    const hosts = (await readdir(logs, { recursive: true })).filter(name => /exthost\d+$/.test(name));
    return join(logs, hosts.sort((a, b) => numberOf(a) - numberOf(b)).at(-1) ?? '');
  }

  /** Reloads the window, and waits until VS Code has started the extension in the new extension host. */
  async function reload(): Promise<void> {
    const before = await hostLogs();
    rmdirSync(ownFolder());
    await workbench.reload();
    await until('another extension host', hostLogs, host => host !== before);
    await activated();
  }

  async function activated(): Promise<void> {
    await until(
      'the extension to be activated',
      async () => {
        const log = join(await hostLogs(), 'remoteexthost.log');
        return existsSync(log) ? readFileSync(log, 'utf8') : '';
      },
      text => text.includes(`_doActivateExtension ${extensionId}`),
    );
  }

  /** Made whenever the app starts, and empty as long as nothing is saved. */
  function ownFolder(): string {
    return join(workbench.userDataDir, 'User', 'globalStorage', extensionId, 'savedQueries');
  }

  async function loaded(): Promise<void> {
    await until('the app to be loaded', () => Promise.resolve(existsSync(ownFolder())), Boolean);
  }

  async function toggleSidebar(): Promise<void> {
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  }

  it('loads nothing before, and offers what can be done without a connection', async () => {
    await activated();
    const { page, quickInput } = workbench;
    await until(
      'no command that needs a connection or a saved query',
      async () => {
        // The palette stays as it was when it opened.
        await page.keyboard.press('F1');
        await quickInput.type('>Grid Data: S');
        const labels = await quickInput.waitItem('Grid Data: Show Log');
        await quickInput.cancel();
        return labels;
      },
      labels => !/Set Limits|Snooze Alerts/.test(labels.join()),
    );
    assert.equal(existsSync(ownFolder()), false);
  });

  it('begins with a view that is opened, where one click opens Sample Data, labeled as such, and nothing else', async () => {
    await workbench.openSidebar('Grid Data');
    await workbench.page.locator('.welcome-view-content:visible').getByText('Add Connection').waitFor();
    await countInputs(workbench.page);
    await openSampleData(workbench);
    const frame = await tableOf(workbench, result);
    assert.deepEqual(await inputsOf(workbench.page), { clicks: 1, keys: [], pastes: 0 });
    assert.match(await headerOf(frame), /Sample Data/);
    await until(
      'the connection',
      () => workbench.treeRows(),
      rows => rows.some(row => /^Sample Data/.test(row)),
    );
    assert.deepEqual(await workbench.editorTabs(), [result]);
    await workbench.notifications.none();
    await loaded();
  });

  it('begins with a panel that VS Code restores', async () => {
    await toggleSidebar();
    await reload();
    await tableOf(workbench, result);
    await loaded();
  });

  it('begins with a view that is there when the window opens', async () => {
    await workbench.closeEditors();
    await toggleSidebar();
    await reload();
    await until(
      'the connection',
      () => workbench.treeRows(),
      rows => rows.some(row => row.includes('Sample Data')),
    );
    await loaded();
  });

  it('begins with a command from the palette', async () => {
    await toggleSidebar();
    await reload();
    assert.equal(existsSync(ownFolder()), false);
    await workbench.runCommand('Grid Data: Run Query…');
    await workbench.quickInput.waitItem('System state');
    await workbench.quickInput.cancel();
    await loaded();
  });

  it('begins by itself where the latest stress is pinned', async () => {
    await workbench.runCommand('Grid Data: Pin Latest Stress');
    const shown = (entries: readonly string[]): boolean => entries.some(text => /stress/i.test(text));
    await until('the stress in the status bar', () => workbench.statusBar(), shown);
    await reload();
    await until('the stress in the status bar again', () => workbench.statusBar(), shown);
    await loaded();
  });
});

/** `20261123T182410/exthost12` → 12. */
function numberOf(host: string): number {
  return Number(/\d+$/.exec(host)?.[0]);
}
