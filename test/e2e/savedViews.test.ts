import assert from 'node:assert/strict';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { chooseFromItemMenu, enterNameAndStore, waitForSavedNames } from './savedSupport.ts';
import { addConnection, getEmptyWorkbench, runSystemState, startSandboxWithKey, waitForTable } from './support.ts';

describe('saved views', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };

  before(async () => {
    sandbox = await startSandboxWithKey();
    workbench = await getEmptyWorkbench('Views');
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Views');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
  });
  disposeAfter(() => [workbench, sandbox]);

  const waitForTab = async (title: string): Promise<string[]> =>
    until(
      `a tab with the title "${title}"`,
      async () => workbench.page.locator('.tabs-container .tab .label-name').allInnerTexts(),
      titles => titles.includes(title),
    );
  const getResampleButton = (frame: ResultPage['frame']) => frame.locator('[data-choice=resample]');

  it('saves the chart, filter and resampling of a panel, and restores them when the query runs in a new panel', async () => {
    await runSystemState(workbench, '2023-05');
    const frame = await waitForTable(workbench, 'System state · 2023-05 · hourly');
    const page = new ResultPage(frame);
    await page.chooseFromMenu(async () => getResampleButton(frame).click(), 'Days');
    await page.waitForFooter('31 rows');
    await page.chooseFromColumnMenu('Residual demand', 'Filter…');
    await frame.locator('#filter-residual_demand_mw').fill('>0');
    await frame.locator('[data-tab=chart]').click();
    await frame.getByRole('button', { name: 'Generation Mix' }).click();
    await workbench.runCommand('Grid Data: Save Query');
    await enterNameAndStore(workbench, 'Mix of days', 'Personal');
    await waitForTab('Mix of days');
    await workbench.runCommand('View: Close Editor');
    await chooseFromItemMenu(workbench, 'Mix of days', 'Run');
    const reopened = await workbench.resultFrame('Mix of days');
    await reopened.locator('[data-tab=chart][aria-selected=true]').waitFor();
    await reopened.getByRole('button', { name: 'Generation Mix', pressed: true }).waitFor();
    assert.equal(await getResampleButton(reopened).innerText(), 'Days');
    assert.equal(await reopened.locator('#filter-residual_demand_mw').inputValue(), '>0');
    const titles = await waitForTab('Mix of days');
    assert.ok(!titles.some(title => title.startsWith('●')), titles.join(', '));
  });

  it('marks the tab while the view has unsaved changes, and saves them with Ctrl+S', async () => {
    const frame = await workbench.resultFrame('Mix of days');
    await frame.locator('[data-tab=table]').click();
    await waitForTab('● Mix of days');
    await frame.locator('[data-tab=chart]').click();
    await waitForTab('Mix of days');
    await frame.locator('[data-tab=table]').click();
    await waitForTab('● Mix of days');
    await frame.locator('[role=gridcell]:visible').first().click();
    await frame.page().keyboard.press('Control+s');
    await waitForTab('Mix of days');
    await frame.locator('[role=columnheader]:visible').nth(1).click();
    await waitForTab('● Mix of days');
    await frame.page().keyboard.press('Control+z');
    await waitForTab('Mix of days');
    await frame.page().keyboard.press('Control+y');
    await waitForTab('● Mix of days');
    await frame.page().keyboard.press('Control+z');
    await waitForTab('Mix of days');
    await frame.locator('[data-action=chooseRange]').click();
    await frame.getByText('Last Month').click();
    await waitForTab('● Mix of days');
    await chooseFromItemMenu(workbench, 'Mix of days', 'Run');
    await waitForTab('Mix of days');
    await frame.locator('[data-tab=table][aria-selected=true]').waitFor();
  });

  it('saves a comparison, restores it in a new panel, and marks the tab when the user ends it', async () => {
    const frame = await workbench.resultFrame('Mix of days');
    const waitForComparison = (resultFrame: ResultPage['frame']) =>
      resultFrame.locator('header .parts', { hasText: 'compared with previous period' }).waitFor();
    await new ResultPage(frame).chooseFromToolbarMenu('Compare With…');
    await workbench.quickInput.waitItem('previous period');
    await workbench.quickInput.pick('previous period');
    await waitForComparison(frame);
    await waitForTab('● Mix of days');
    await workbench.runCommand('Grid Data: Save Query');
    await waitForTab('Mix of days');
    await workbench.closeEditors();
    await chooseFromItemMenu(workbench, 'Mix of days', 'Run');
    const reopened = await workbench.resultFrame('Mix of days');
    await waitForComparison(reopened);
    await new ResultPage(reopened).chooseFromToolbarMenu('End Comparison');
    await waitForTab('● Mix of days');
    await workbench.runCommand('Grid Data: Save Query');
    await waitForTab('Mix of days');
  });

  it('saves a changed view as another query, without changing the first one', async () => {
    const frame = await workbench.resultFrame('Mix of days');
    await frame.locator('[data-tab=chart]').click();
    await frame.getByRole('button', { name: 'Lines', exact: true }).click();
    await waitForTab('● Mix of days');
    await workbench.runCommand('Grid Data: Save Query As…');
    await enterNameAndStore(workbench, 'Lines of days', 'Personal');
    const titles = await waitForTab('Lines of days');
    // The panel now belongs to the new query; the first query has no panel.
    assert.ok(!titles.some(title => title.includes('Mix of days')), titles.join(', '));
    await waitForSavedNames(workbench, ['Mix of days', 'Lines of days']);
    for (const [name, tab, mode] of [
      ['Mix of days', 'table', 'Generation Mix'],
      ['Lines of days', 'chart', 'Lines'],
    ] as const) {
      await workbench.closeEditors();
      await chooseFromItemMenu(workbench, name, 'Run');
      const reopened = await workbench.resultFrame(name);
      await reopened.locator(`[data-tab=${tab}][aria-selected=true]`).waitFor();
      assert.equal(await getResampleButton(reopened).innerText(), 'Days');
      await reopened.locator('[data-tab=chart]').click();
      await reopened.getByRole('button', { name: mode, exact: true, pressed: true }).waitFor();
    }
  });
});
