import { pictureFailure } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import type { Workbench } from './harness/workbench.ts';
import { openSaved } from './savedSupport.ts';
import { tableOf } from './support.ts';

describe('a walkthrough that is opened later', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await startWorkbench();
  });
  afterEach(pictureFailure(() => workbench));
  after(async () => workbench.dispose());

  it('has ticked what was done already', async () => {
    await openSaved(workbench);
    await workbench.page.locator('.welcome-view-content:visible').getByText('Try With Sample Data').first().click();
    await tableOf(workbench, 'System state · last 7 days · hourly');
    await workbench.runCommand('Grid Data: Open Walkthrough');
    for (const id of ['connect', 'run'])
      await workbench.page
        .locator(`.getting-started-step[data-step-id$="#start#${id}"] .codicon-getting-started-step-checked`)
        .waitFor();
  });
});
