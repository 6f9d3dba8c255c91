import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endsAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { startMovingService, type MovingService } from './movingService.ts';
import { openSaved } from './savedSupport.ts';
import { addConnection, tableOf } from './support.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const written = `{
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
const waiting = '1 saved query is set to refresh hourly.';

describe('alerts of a queries file in an untrusted workspace', () => {
  let workbench: Workbench;
  let service: MovingService;
  const folder = temporaryFolder();
  const path = join(folder, '.vscode', 'grid-queries.json');
  const bell = () =>
    workbench.page.locator('.statusbar-item', { has: workbench.page.locator(`[aria-label^="${waiting}"]`) });

  before(async () => {
    mkdirSync(join(folder, '.vscode'));
    writeFileSync(path, written);
    service = await startMovingService();
    const settings = { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' };
    workbench = await startWorkbench({ folder, settings, trust: 'asked' });
    await openSaved(workbench);
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Canned');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await workbench.closeEditors();
  });
  endsAfter(() => [workbench, service]);

  it('shows the queries of a file in Restricted Mode, and runs none by itself', async () => {
    await workbench.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await workbench.treeRow('Shared stress').waitFor();
    await bell().waitFor();
    await service.nextHour(workbench, 'Pin Latest Stress');
    await workbench.runCommand('Grid Data: Unpin Latest Stress');
    await workbench.notifications.none();
    // What was asked is the pinned value alone, which the person wanted.
    assert.ok(service.stressRequests() <= 1);
  });

  it('confirms alerts of a workspace file before it shows any', async () => {
    await bell().locator('a').click();
    await workbench.quickInput.waitOpen('Allow Hourly Refresh');
    const items = await workbench.quickInput.waitItem('Shared stress');
    assert.match(items.join(), /alerts: Stress high or above/);
    await workbench.quickInput.accept();
    await bell().waitFor({ state: 'hidden' });
    assert.equal(readFileSync(path, 'utf8'), written, 'the answer is no part of the file');
    // Hours before the first look are no news.
    const told = join(workbench.userDataDir, 'User', 'globalStorage', 'grid-data.grid-data-inspector', 'told');
    await until(
      'the first look',
      async () => Promise.resolve(textsIn(told)),
      texts => texts.some(text => text.includes('"from"')),
    );
    const hour = await service.nextHour(workbench, 'Pin Latest Stress');
    await workbench.notifications.waitFor(`Shared stress (Canned): Stress 0.72, high, ${hour}.`);
  });

  it('opens the result from an alert notification', async () => {
    const before = service.stressRequests();
    await workbench.notifications.press('Stress 0.72', 'Open');
    await tableOf(workbench, 'Shared stress');
    assert.equal(service.stressRequests(), before, 'the hour is there already');
    await workbench.closeEditors();
  });

  it('turns off a shared alert for one person or for everybody, as selected', async () => {
    await workbench.runCommand('Grid Data: Turn Off Alerts…');
    await workbench.quickInput.pick('Shared stress');
    await workbench.quickInput.waitItem('changes .vscode/grid-queries.json');
    await workbench.quickInput.pick('For Me');
    await alertIs('off');
    assert.equal(readFileSync(path, 'utf8'), written);
    await workbench.runCommand('Grid Data: Edit Alerts…');
    await workbench.quickInput.pick('Shared stress');
    await workbench.quickInput.pick('Stress high or above');
    await workbench.quickInput.pick('Turn On');
    await alertIs('on');
    await workbench.runCommand('Grid Data: Turn Off Alerts…');
    await workbench.quickInput.pick('Shared stress');
    await workbench.quickInput.pick('For Everyone');
    await until(
      'the file',
      async () => Promise.resolve(readFileSync(path, 'utf8')),
      text => text.includes('"on": false'),
    );
  });

  /** Waits until the list of alerts says so, and leaves it. */
  async function alertIs(state: string): Promise<void> {
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

function textsIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter(name => name.endsWith('.json')).map(name => readFileSync(join(folder, name), 'utf8'));
}
