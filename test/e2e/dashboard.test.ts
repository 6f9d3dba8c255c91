import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { startSandbox } from '../../src/sandbox/embedded.ts';
import { pictureFailures } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { addConnection, runSystemState, sharedWorkbench, tableOf } from './support.ts';

describe('API keys of the sandbox dashboard in VS Code', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox;
  let dashboard: Page;

  before(async () => {
    sandbox = await startSandbox();
    workbench = await sharedWorkbench('Dashboard', 'Sample Data');
    dashboard = await workbench.page.context().newPage();
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await sandbox.close();
  });

  const row = () => dashboard.getByRole('row').filter({ hasText: 'VS Code' });

  it('uses a key from the dashboard in VS Code, and the dashboard shows its requests', async () => {
    await dashboard.goto(sandbox.createDashboardLink());
    await dashboard.getByLabel('Name of a new key').fill('VS Code');
    await dashboard.getByRole('button', { name: 'Create key' }).click();
    await dashboard.getByRole('button', { name: 'Copy key' }).click();
    await dashboard.getByRole('status').filter({ hasText: 'Key copied.' }).waitFor();
    const key = String(await dashboard.evaluate('navigator.clipboard.readText()'));
    await dashboard.getByRole('link', { name: 'Done' }).click();
    await row().filter({ hasText: 'never' }).waitFor();

    await workbench.page.bringToFront();
    await addConnection(workbench, sandbox.baseUrl, key, 'Dashboard');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await dashboard.bringToFront();
    await dashboard.getByRole('link', { name: 'Refresh' }).click();
    const used = row().filter({ hasNotText: 'never' });
    await used.filter({ hasText: /normalized_data: 10 in 60 s\s*1 in the last minute, 1 in the last hour/ }).waitFor();
  });

  it('rejects a key that the dashboard revoked, and offers to enter another', async () => {
    await row().getByRole('button', { name: 'Revoke' }).click();
    await dashboard.getByRole('button', { name: 'Revoke', exact: true }).click();
    await dashboard.getByRole('status').filter({ hasText: 'Revoked' }).waitFor();
    const asked = watchKeys(sandbox);
    await workbench.page.bringToFront();
    await runSystemState(workbench, '2023-01-01');
    const frame = await workbench.resultFrame('System state · 2023-01-01 · hourly');
    const message = frame.locator('.message');
    await message.filter({ hasText: 'rejected this key (401).' }).waitFor();
    await until(
      'the buttons of the message',
      () => message.getByRole('button').allInnerTexts(),
      labels => labels.join() === 'Enter Another Key,Try Again,Open Dashboard',
    );
    // One request came after the revocation, and was refused: it took no second one to know.
    assert.deepEqual(asked(), ['refused']);
  });

  it('signs in to the dashboard by the link of Open Dashboard', async () => {
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Grid Data: Open Sample Data');
    await tableOf(workbench, 'System state · last 7 days · hourly · Sample Data');
    await workbench.runCommand('Grid Data: Open Dashboard');
    await workbench.quickInput.waitOpen('');
    const opened = workbench.page.context().waitForEvent('page');
    await workbench.quickInput.pick('Sample Data');
    // This VS Code opens local addresses through a proxy.
    const own = await opened;
    await own.getByRole('heading', { name: 'API keys' }).waitFor();
    await own.getByRole('row').filter({ hasText: 'VS Code' }).waitFor();
    await own.getByRole('row').filter({ hasText: 'VS Code' }).getByRole('button', { name: 'Revoke' }).click();
    await own.getByRole('button', { name: 'Revoke', exact: true }).click();
    await own.getByRole('status').filter({ hasText: 'Revoked' }).waitFor();
    await own.close();
    const log = await workbench.outputText('Grid Data', 'GET /api/v1/grid/system-state');
    assert.ok(!log.includes('token'));
  });

  it('replaces a revoked key of the sandbox in this window', async () => {
    await runSystemState(workbench, '2023-01-02');
    const title = 'System state · 2023-01-02 · hourly · Sample Data';
    const frame = await workbench.resultFrame(title);
    await frame.locator('.message').getByRole('button', { name: 'Enter Another Key' }).click();
    await tableOf(workbench, title);
    await until(
      'the sandbox to work again',
      async () => frame.locator('header .parts').innerText(),
      text => text.includes('24 rows'),
    );
  });
});

/** What the service said to every request that carried a key, from now on, in their order. */
function watchKeys({ keys }: RunningSandbox): () => readonly string[] {
  const outcomes: string[] = [];
  const authenticate = keys.authenticate.bind(keys);
  keys.authenticate = value => {
    const key = authenticate(value);
    outcomes.push(key ? 'let in' : 'refused');
    return key;
  };
  return () => outcomes;
}
