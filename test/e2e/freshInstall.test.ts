import assert from 'node:assert/strict';
import { disposeAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { standInCompanion } from './harness/standIn.ts';
import type { Workbench } from './harness/workbench.ts';
import { installFromVsix } from './savedSupport.ts';

/** VS Code's default, which allows opening a walkthrough on installation. */
const settings = { 'workbench.welcomePage.walkthroughs.openOnInstall': true };

describe('installing the extension in an open window', () => {
  let workbench: Workbench;

  before(async () => {
    // Develops another extension, so that this one is not loaded before it is installed.
    workbench = await startWorkbench({ developmentPath: standInCompanion, settings });
  });
  disposeAfter(() => [workbench]);

  it('opens no tab and shows no notification, and the view offers to add a connection or open Sample Data', async () => {
    const icon = workbench.page.locator('.part.activitybar .action-item:has([aria-label^="Grid Data"])');
    assert.equal(await icon.count(), 0);
    await installFromVsix(workbench);
    await icon.first().waitFor();
    // VS Code itself reports that the installation is complete.
    const otherNotifications = async (): Promise<string[]> =>
      (await workbench.notifications.texts()).filter(text => !text.includes('Completed installing'));
    assert.deepEqual(await workbench.editorTabs(), []);
    await workbench.openSidebar('Grid Data');
    const welcome = workbench.page.locator('.welcome-view-content:visible');
    await welcome.getByText('Add Connection').first().waitFor();
    await welcome.getByText('Open Sample Data', { exact: true }).first().waitFor();
    assert.deepEqual([await workbench.editorTabs(), await otherNotifications()], [[], []]);
  });
});
