import assert from 'node:assert/strict';
import { menuEntry, openContextMenu } from './harness/contextMenu.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { startClockedService, type ClockedService } from './clockedService.ts';
import { chooseFromItemMenu, enterNameAndStore } from './savedSupport.ts';
import { addConnection, beginQuery, getEmptyWorkbench, waitForTable } from './support.ts';

// With two connections, each title ends with the connection's name.
const stress = 'Grid stress · last 24 hours · hourly · First';
const day = 'System state · last 24 hours · hourly';
const alertsSubmenu = 'Hourly Refresh and Alerts';
const fakeKey = (name: string): string => `not-a-real-key-${name}`;

describe('the context menus of tree items', () => {
  let workbench: Workbench;
  let service: ClockedService;

  before(async () => {
    service = await startClockedService();
    workbench = await getEmptyWorkbench('First', 'Second');
    for (const [name, title] of [
      ['First', day],
      ['Second', `${day} · Second`],
    ] as const) {
      await addConnection(workbench, service.baseUrl, fakeKey(name), name);
      await waitForTable(workbench, title);
      await workbench.closeEditors();
    }
  });
  disposeAfter(() => [workbench, service]);

  it('shows each connection with its key prefix and remaining budget', async () => {
    // The request no longer counts after the first minute.
    const rows = await until(
      'both connections',
      () => workbench.treeRows(),
      texts =>
        ['First', 'Second'].every(name =>
          texts.some(row => row.includes(name) && /9 of 10 requests left|9\/10/.test(row)),
        ),
    );
    for (const name of ['First', 'Second'])
      assert.ok(!rows.join('\n').includes(fakeKey(name)), 'the tree does not contain the key');
  });

  it('switches the active connection from the context menu', async () => {
    await chooseFromItemMenu(workbench, 'First', 'Make Active');
    await waitForAccessibleText('First', 'active');
  });

  it('tests a connection with one request from the context menu', async () => {
    const previousCount = service.requests();
    await chooseFromItemMenu(workbench, 'Second', 'Test');
    await workbench.notifications.waitFor("'Second' works");
    assert.equal(service.requests(), previousCount + 1);
    assert.deepEqual(await workbench.editorTabs(), []);
  });

  it('replaces an API key from the context menu', async () => {
    await chooseFromItemMenu(workbench, 'Second', 'Replace Key…');
    await workbench.quickInput.waitOpen('New Key for Second');
    assert.equal(await workbench.quickInput.isPassword(), true);
    await workbench.quickInput.type('also-no-real-key');
    await workbench.quickInput.accept();
    await until(
      'the other key',
      () => workbench.treeRow('Second').innerText(),
      text => text.includes('also'),
    );
  });

  it('enables and disables the hourly refresh of a saved query from the context menu', async () => {
    await beginQuery(workbench, 'Grid stress');
    await workbench.quickInput.pick('Last 24 hours');
    await workbench.quickInput.pick('1h');
    const frame = await waitForTable(workbench, stress);
    await frame.locator('[data-action=save]').click();
    await enterNameAndStore(workbench, 'Stress', 'Personal');
    const { page } = workbench;
    await openContextMenu(page, workbench.treeRow('Stress'), alertsSubmenu, 'Enable Hourly Refresh');
    await page.keyboard.press('Escape');
    await menuEntry(page, 'Enable Hourly Refresh').waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await chooseFromItemMenu(workbench, 'Stress', alertsSubmenu, 'Enable Hourly Refresh');
    await waitForAccessibleText('Stress', 'refresh hourly');
    await chooseFromItemMenu(workbench, 'Stress', alertsSubmenu, 'Disable Hourly Refresh');
    await until(
      'the item without the hourly refresh',
      () => workbench.treeRow('Stress').innerText(),
      text => !text.includes('⟳'),
    );
  });

  async function waitForAccessibleText(line: string, words: string): Promise<void> {
    await until(
      `the announcement “${words}”`,
      () => workbench.treeRows(),
      rows => rows.some(row => row.includes(line) && row.includes(words)),
    );
  }
});
