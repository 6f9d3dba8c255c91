import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { disposeAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { startClockedService, type ClockedService } from './clockedService.ts';
import { openSavedQueries } from './savedSupport.ts';
import { addConnection, waitForTable } from './support.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const queriesFile = `{
  "queries": [
    {
      "name": "Shared stress",
      "dataset": "gridStress",
      "range": "last 24 hours",
      "keepFresh": true,
      "alerts": [{ "kind": "condition", "condition": "value >= 0.6" }]
    }
  ]
}
`;
const confirmationText = '1 saved query is set to refresh hourly.';

describe('alerts of a queries file in an untrusted workspace', () => {
  let workbench: Workbench;
  let service: ClockedService;
  const folder = createTemporaryFolder();
  const path = join(folder, '.vscode', 'grid-queries.json');
  const findBell = () =>
    workbench.page.locator('.statusbar-item', { has: workbench.page.locator(`[aria-label^="${confirmationText}"]`) });

  before(async () => {
    mkdirSync(join(folder, '.vscode'));
    writeFileSync(path, queriesFile);
    service = await startClockedService();
    const settings = { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' };
    workbench = await startWorkbench({ folder, settings, trust: 'asked' });
    await openSavedQueries(workbench);
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Canned');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await workbench.closeEditors();
  });
  disposeAfter(() => [workbench, service]);

  it('shows the queries of a file in Restricted Mode, and runs none by itself', async () => {
    await workbench.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await workbench.treeRow('Shared stress').waitFor();
    await findBell().waitFor();
    await service.publishNextHour(workbench, 'Pin Latest Stress');
    await workbench.runCommand('Grid Data: Unpin Latest Stress');
    await workbench.notifications.waitForNone();
    // At most the pinned value is requested, which the user turned on.
    assert.ok(service.stressRequests() <= 1);
  });

  it('confirms alerts of a workspace file before it shows any', async () => {
    await findBell().locator('a').click();
    await workbench.quickInput.waitOpen('Allow Hourly Refresh');
    const items = await workbench.quickInput.waitItem('Shared stress');
    assert.match(items.join(), /alerts: Stress high or above/);
    await workbench.quickInput.accept();
    await findBell().waitFor({ state: 'hidden' });
    assert.equal(readFileSync(path, 'utf8'), queriesFile, 'the confirmation is not stored in the file');
    // Hours before the first refresh trigger no alerts.
    const historyFolder = join(workbench.userDataDir, 'User', 'globalStorage', 'grid-data.grid-data-inspector', 'told');
    await until(
      'the first refresh',
      async () => Promise.resolve(readJsonFiles(historyFolder)),
      texts => texts.some(text => text.includes('"from"')),
    );
    const hour = await service.publishNextHour(workbench, 'Pin Latest Stress');
    await workbench.notifications.waitFor(`Shared stress (Canned): Stress 0.72, high, ${hour}.`);
  });

  it('opens the result from an alert notification', async () => {
    const previousCount = service.stressRequests();
    await workbench.notifications.press('Stress 0.72', 'Open');
    await waitForTable(workbench, 'Shared stress');
    assert.equal(service.stressRequests(), previousCount, 'the hour is archived already');
    await workbench.closeEditors();
  });

  it('turns off a shared alert for one user or for everybody, as selected', async () => {
    await workbench.runCommand('Grid Data: Turn Off Alerts…');
    await workbench.quickInput.pick('Shared stress');
    await workbench.quickInput.waitItem('changes .vscode/grid-queries.json');
    await workbench.quickInput.pick('For Me');
    await waitForAlertState('off');
    assert.equal(readFileSync(path, 'utf8'), queriesFile);
    await workbench.runCommand('Grid Data: Edit Alerts…');
    await workbench.quickInput.pick('Shared stress');
    await workbench.quickInput.pick('Stress high or above');
    await workbench.quickInput.pick('Turn On');
    await waitForAlertState('on');
    await workbench.runCommand('Grid Data: Turn Off Alerts…');
    await workbench.quickInput.pick('Shared stress');
    await workbench.quickInput.pick('For Everyone');
    await until(
      'the file',
      async () => Promise.resolve(readFileSync(path, 'utf8')),
      text => text.includes('"on": false'),
    );
  });

  /** Waits until the list of alerts shows the state, and closes the list. */
  async function waitForAlertState(state: string): Promise<void> {
    await until(
      `an alert that is ${state}`,
      async () => {
        await workbench.runCommand('Grid Data: Edit Alerts…');
        await workbench.quickInput.pick('Shared stress');
        const items = await workbench.quickInput.waitItem('Stress high or above');
        await workbench.quickInput.cancel();
        return items;
      },
      items => items.some(item => item.startsWith('Stress high or above') && item.includes(state)),
    );
  }
});

function readJsonFiles(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter(name => name.endsWith('.json')).map(name => readFileSync(join(folder, name), 'utf8'));
}
