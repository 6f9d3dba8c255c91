import assert from 'node:assert/strict';
import { disposeAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { openStep, walkthroughStep } from './harness/walkthrough.ts';
import { waitForTable } from './support.ts';

const stepIds = ['connect', 'run', 'read', 'keep'] as const;
const result = 'System state · last 7 days · hourly';

describe('the walkthrough', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await startWorkbench();
  });
  disposeAfter(() => [workbench]);

  const step = (id: string) => walkthroughStep(workbench.page, `start#${id}`);
  const open = (id: string) => openStep(workbench.page, `start#${id}`);

  /** Reads the completed steps. */
  async function readCompletedSteps(): Promise<string[]> {
    const ticked = await Promise.all(
      stepIds.map(async id => (await step(id).locator('.codicon-getting-started-step-checked').count()) > 0),
    );
    return stepIds.filter((_, index) => ticked[index]);
  }

  async function waitForCompleted(...expected: string[]): Promise<void> {
    await until(`the stepIds ${expected.join()}`, readCompletedSteps, stepIds => stepIds.join() === expected.join());
  }

  async function showWalkthrough(): Promise<void> {
    await workbench.page.locator('.tabs-container .tab', { hasText: /Welcome|Walkthrough/ }).click();
    await step('connect').waitFor();
  }

  it('opens from the empty view, with no step ticked', async () => {
    await workbench.openSidebar('Grid Data');
    await workbench.page.locator('.welcome-view-content:visible').getByText('Open the walkthrough').click();
    await step('connect').waitFor();
    for (const id of stepIds) assert.equal(await step(id).count(), 1, id);
    assert.deepEqual(await readCompletedSteps(), []);
  });

  it('ticks the steps for connecting and running only when Sample Data is added', async () => {
    await open('connect');
    assert.deepEqual(await readCompletedSteps(), []);
    await step('connect').getByText('Open Sample Data', { exact: true }).click();
    await waitForTable(workbench, result);
    await showWalkthrough();
    await waitForCompleted('connect', 'run');
  });

  it('ticks the walkthrough step for reading when another tab of a result is opened', async () => {
    await workbench.page.locator('.tabs-container .tab', { hasText: result }).click();
    const frame = await waitForTable(workbench, result);
    await frame.locator('#tab-chart').click();
    await frame.locator('#result-chart').waitFor();
    await showWalkthrough();
    await waitForCompleted('connect', 'run', 'read');
  });

  it('ticks the walkthrough step for saving when a query is saved, but not when saving is canceled', async () => {
    await open('keep');
    const save = step('keep').getByText('Save Recent Query');
    await save.click();
    await workbench.quickInput.waitOpen();
    await workbench.quickInput.cancel();
    await waitForCompleted('connect', 'run', 'read');
    await save.click();
    await workbench.quickInput.waitItem('System state');
    await workbench.quickInput.accept();
    await workbench.quickInput.waitOpen('Save Query');
    await workbench.quickInput.accept();
    await workbench.quickInput.pick('Personal');
    await waitForCompleted('connect', 'run', 'read', 'keep');
  });
});
