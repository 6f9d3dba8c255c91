import assert from 'node:assert/strict';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { chooseAt } from './harness/contextMenu.ts';
import { pictureFailures } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { addConnection, emptiedWorkbench, sandboxWithKey, tableOf } from './support.ts';

describe('the sidebar', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };

  before(async () => {
    sandbox = await sandboxWithKey();
    workbench = await emptiedWorkbench('First');
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'First');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await sandbox.close();
  });

  it('shows each connection with its key prefix and remaining budget', async () => {
    const other = sandbox.createKey('other').value;
    await addConnection(workbench, sandbox.baseUrl, other, 'Second');
    // Before its table: a minute later the request no longer counts.
    const rows = await until(
      'both connections',
      () => workbench.treeRows(),
      all =>
        all.some(row => /Second.*(?:9 of 10 requests left|9\/10)/s.test(row)) && all.some(row => row.includes('First')),
    );
    await tableOf(workbench, 'System state · last 24 hours · hourly · Second');
    assert.ok(!rows.some(row => row.includes(sandbox.key) || row.includes(other)), 'never the key');
  });

  it('removes a connection from its context menu', async () => {
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
