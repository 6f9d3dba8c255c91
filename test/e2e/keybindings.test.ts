import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { chooseFromMenu, menuEntry, openContextMenu } from './harness/contextMenu.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { openPersonalStore, readSavedNames, waitForSavedNames } from './savedSupport.ts';
import { addConnection, getEmptyWorkbench, startSandboxWithKey, waitForTable } from './support.ts';

const lastDay = 'System state · last 24 hours · hourly';

describe('keys and menus outside of a result', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };
  let folder: string;
  const press = (key: string) => workbench.page.keyboard.press(key);

  before(async () => {
    sandbox = await startSandboxWithKey();
    workbench = await getEmptyWorkbench('Grid');
    ({ folder } = workbench);
    writeFileSync(join(folder, 'hours.csv'), 'ts,residual_demand_mw\n2023-05-01T00:00:00Z,20000\n');
    writeFileSync(join(folder, 'notes.txt'), 'x\n');
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Grid');
    await waitForTable(workbench, lastDay);
    const may = { dataset: 'systemState', range: '2023-05', interval: '1h', params: {}, timeZone: 'UTC' } as const;
    const mayQuery = { kind: 'query', id: 'inner', name: 'May', query: may } as const;
    await openPersonalStore(workbench.userDataDir).edit(() => [
      { kind: 'folder', id: 'f', name: 'Months', items: [mayQuery] },
    ]);
    await waitForSavedNames(workbench, ['Months']);
  });
  after(() => workbench.runCommand('View: Reset View Locations'));
  disposeAfter(() => [workbench, sandbox]);

  it('opens and closes a folder of saved queries by Enter, and runs a query', async () => {
    await workbench.treeRow('Months').click();
    await waitForSavedNames(workbench, ['Months', 'May']);
    await press('Enter');
    await waitForSavedNames(workbench, ['Months']);
    await press('Enter');
    await waitForSavedNames(workbench, ['Months', 'May']);
    const tabs = await workbench.editorTabs();
    assert.equal(tabs.length, 1, tabs.join());
    await press('ArrowDown');
    await press('Enter');
    await waitForTable(workbench, 'May');
    assert.deepEqual(await readSavedNames(workbench), ['Months', 'May']);
  });

  it('repeats the query by Ctrl+Enter in its result, and not in a list of the secondary side bar', async () => {
    const recentItems = workbench.page.locator('.part.auxiliarybar .monaco-list-row');
    await workbench.runCommand('View: Move View');
    await workbench.quickInput.pick('Recent');
    await workbench.quickInput.pick('New Secondary Side Bar Entry');
    await recentItems.nth(1).waitFor();
    const previousCount = await recentItems.count();
    const newest = (): Promise<string> => recentItems.first().innerText();
    const findFirstCell = async (tab: string, title: string) => {
      await workbench.page.locator('.tabs-container .tab', { hasText: tab }).click();
      const frame = await waitForTable(workbench, title);
      return frame.locator('[role=gridcell]:visible').first();
    };
    await (await findFirstCell('last 24 hours', lastDay)).click();
    await press('Control+Enter');
    await until('the last day', newest, text => text.includes('last 24 hours'));
    await workbench.runCommand('View: Focus into Secondary Side Bar');
    await workbench.page.locator('.part.auxiliarybar .monaco-list:focus').waitFor();
    await press('Control+Enter');
    const cell = await findFirstCell('May', 'May');
    assert.ok((await newest()).includes('last 24 hours'), 'the key in the list ran nothing');
    await cell.click();
    await press('Control+Enter');
    await until('another run', newest, text => text.includes('2023-05'));
    // The list keeps only the newest run of each query.
    assert.equal(await recentItems.count(), previousCount);
  });

  it("opens a data file in a notebook from the explorer's menu, and offers that for no other file", async () => {
    const { page } = workbench;
    const title = 'Open Data File in Notebook…';
    await workbench.openSidebar('Explorer');
    await openContextMenu(page, workbench.treeRow('notes.txt'), 'Delete Permanently');
    assert.equal(await menuEntry(page, title).count(), 0);
    await press('Escape');
    await chooseFromMenu(page, workbench.treeRow('hours.csv'), title);
    await workbench.waitTab('hours');
    await page.locator('.notebook-editor .code-cell-row').first().waitFor();
    assert.ok(existsSync(join(folder, 'hours.ipynb')));
  });
});
