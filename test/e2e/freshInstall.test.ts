import assert from 'node:assert/strict';
import { endsAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { standInCompanion } from './harness/standIn.ts';
import type { Workbench } from './harness/workbench.ts';
import { installFromVsix } from './savedSupport.ts';

/** As a person's VS Code is: it may open what it likes to. */
const settings = { 'workbench.welcomePage.walkthroughs.openOnInstall': true };

describe('installing in an open window', () => {
  let workbench: Workbench;

  before(async () => {
    // Another extension from its sources: ours is not there yet.
    workbench = await startWorkbench({ developmentPath: standInCompanion, settings });
  });
  endsAfter(() => [workbench]);

  it('opens no tab and shows no notification on installation; the view offers how to start', async () => {
    const icon = workbench.page.locator('.part.activitybar .action-item:has([aria-label^="Grid Data"])');
    assert.equal(await icon.count(), 0);
    await installFromVsix(workbench);
    await icon.first().waitFor();
    // That it is done is VS Code's own word.
    const own = async (): Promise<string[]> =>
      (await workbench.notifications.texts()).filter(text => !text.includes('Completed installing'));
    assert.deepEqual(await workbench.editorTabs(), []);
    await workbench.openSidebar('Grid Data');
    const welcome = workbench.page.locator('.welcome-view-content:visible');
    await welcome.getByText('Add Connection').first().waitFor();
    await welcome.getByText('Open Sample Data', { exact: true }).first().waitFor();
    assert.deepEqual([await workbench.editorTabs(), await own()], [[], []]);
  });
});
