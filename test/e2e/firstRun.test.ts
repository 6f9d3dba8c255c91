import assert from 'node:assert/strict';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { screenshotFailures } from './harness/failures.ts';
import { countInputs, readInputs } from './harness/inputs.ts';
import { standInCompanion, startStandIn, type StandIn } from './harness/standIn.ts';
import { startWorkbench } from './harness/start.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { readHeader, startSandboxWithKey, waitForTable } from './support.ts';

const welcomeView = (workbench: Workbench) => workbench.page.locator('.welcome-view-content:visible');

describe('the first run with an API key', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };
  let service: StandIn;

  before(async () => {
    sandbox = await startSandboxWithKey();
    service = await startStandIn(sandbox.baseUrl);
    workbench = await startWorkbench({ env: service.env, companions: [standInCompanion] });
  });
  screenshotFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
    await sandbox.close();
  });

  it('shows a first table after three clicks, a pasted key and Enter, with one request', async () => {
    const { page, quickInput } = workbench;
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(sandbox.key)})`);
    await countInputs(page);
    await workbench.openSidebar('Grid Data');
    await welcomeView(workbench).getByText('Add Connection').click();
    await quickInput.waitOpen('Add Connection');
    await quickInput.pick('Power Signals');
    await quickInput.waitMessage('https://api.powersignals.co.za');
    assert.equal(await quickInput.isPassword(), true);
    await page.keyboard.press('Control+v');
    await until(
      'the pasted key',
      () => quickInput.valueNow(),
      value => value === sandbox.key,
    );
    await page.keyboard.press('Enter');
    const frame = await waitForTable(workbench, 'System state · last 24 hours · hourly');
    assert.deepEqual(await readInputs(page), { clicks: 3, keys: ['v', 'Enter'], pastes: 1 });
    assert.match(await readHeader(frame), /^Power Signals · .* 1 request$/);
    assert.equal(service.paths.length, 1, service.paths.join());
  });

  it('names a new connection after its service, and shows no notification', async () => {
    await until(
      'the connection',
      () => workbench.treeRows(),
      rows => rows.some(row => row.includes('Power Signals')),
    );
    assert.deepEqual(await workbench.editorTabs(), ['System state · last 24 hours · hourly']);
    await workbench.notifications.waitForNone();
    assert.equal(service.paths.length, 1, 'no further request was sent');
  });
});
