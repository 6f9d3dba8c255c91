import assert from 'node:assert/strict';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { chooseAt } from './harness/contextMenu.ts';
import { pictureFailure } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { until } from './harness/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { addConnection, headerOf, sandboxWithKey, tableOf } from './support.ts';

describe('the sidebar', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };

  before(async () => {
    sandbox = await sandboxWithKey();
    workbench = await startWorkbench();
  });
  afterEach(pictureFailure(() => workbench));
  after(async () => {
    await workbench.dispose();
    await sandbox.close();
  });

  it('offers a beginning where there is nothing, and one click leads to sample data', async () => {
    await workbench.openSidebar('Grid Data');
    const welcome = workbench.page.locator('.welcome-view-content');
    await welcome.getByText('Add Connection').waitFor();
    await welcome.getByText('Open Sample Data', { exact: true }).click();
    const frame = await tableOf(workbench, 'System state · last 7 days · hourly');
    assert.match(await headerOf(frame), /Sample Data/);
  });

  it('shows each connection with its key and what is left of its budget', async () => {
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Second');
    await tableOf(workbench, 'System state · last 24 hours · hourly · Second');
    const rows = await until(
      'both connections',
      () => workbench.treeRows(),
      all => all.some(row => row.includes('Second')) && all.some(row => row.includes('Sample Data')),
    );
    const second = rows.find(row => row.includes('Second')) ?? '';
    assert.match(second, /9 of 10 requests left|9\/10/);
    assert.ok(!rows.some(row => row.includes(sandbox.key)), 'never the key');
  });

  it('removes by the menu of a line', async () => {
    const line = workbench.page.locator('.pane-body .monaco-list-row', { hasText: 'Second' });
    await chooseAt(workbench.page, line, 'Remove Connection');
    await workbench.notifications.pressInDialog('Remove');
    await until(
      'one connection',
      () => workbench.treeRows(),
      all => !all.some(row => row.includes('Second')),
    );
  });
});
