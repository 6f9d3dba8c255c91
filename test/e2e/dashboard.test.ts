import assert from 'node:assert/strict';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { runSystemState, getSharedWorkbench, waitForTable } from './support.ts';

describe('the dashboard of Sample Data', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await getSharedWorkbench('Sample Data');
  });
  disposeAfter(() => [workbench]);

  it('signs in through Open Dashboard, and replaces a key that is revoked there', async () => {
    await workbench.runCommand('Grid Data: Open Sample Data');
    await waitForTable(workbench, 'System state · last 7 days · hourly');
    await workbench.runCommand('Grid Data: Open Dashboard');
    await workbench.quickInput.waitOpen('');
    const pageEvent = workbench.page.context().waitForEvent('page');
    await workbench.quickInput.pick('Sample Data');
    // VS Code's server opens local addresses through a proxy.
    const dashboard = await pageEvent;
    await dashboard.getByRole('heading', { name: 'API keys' }).waitFor();
    const row = dashboard.getByRole('row').filter({ hasText: 'VS Code' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await dashboard.getByRole('button', { name: 'Revoke', exact: true }).click();
    await dashboard.getByRole('status').filter({ hasText: 'Revoked' }).waitFor();
    await dashboard.close();
    const log = await workbench.outputText('Grid Data', 'GET /api/v1/grid/system-state');
    assert.ok(!log.includes('token'));

    await runSystemState(workbench, '2023-01-02');
    const title = 'System state · 2023-01-02 · hourly';
    const frame = await workbench.resultFrame(title);
    await frame.locator('.message').getByRole('button', { name: 'Enter Another Key' }).click();
    await waitForTable(workbench, title);
    await until(
      'the sandbox to work again',
      async () => frame.locator('header .parts').innerText(),
      text => text.includes('24 rows'),
    );
  });
});
