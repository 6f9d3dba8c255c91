import assert from 'node:assert/strict';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { endsAfter } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { itemMenu, saveBoth, waitNames } from './savedSupport.ts';
import { addConnection, emptiedWorkbench, runSystemState, sandboxWithKey, tableOf } from './support.ts';

describe('a saved query is a saved view', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };

  before(async () => {
    sandbox = await sandboxWithKey();
    workbench = await emptiedWorkbench('Views');
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Views');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
  });
  endsAfter(() => [workbench, sandbox]);

  const titled = async (title: string): Promise<string[]> =>
    until(
      `a tab with the title "${title}"`,
      async () => workbench.page.locator('.tabs-container .tab .label-name').allInnerTexts(),
      titles => titles.includes(title),
    );
  const resampling = (frame: ResultPage['frame']) => frame.locator('[data-choice=resample]');

  it('saves chart, filter and resampling of a panel, and shows them again after it was closed', async () => {
    await runSystemState(workbench, '2023-05');
    const frame = await tableOf(workbench, 'System state · 2023-05 · hourly');
    const page = new ResultPage(frame);
    await page.chooseIn(async () => resampling(frame).click(), 'Days');
    await page.footer('31 rows');
    await page.columnMenu('Residual demand', 'Filter…');
    await frame.locator('#filter-residual_demand_mw').fill('>0');
    await frame.locator('[data-tab=chart]').click();
    await frame.getByRole('button', { name: 'Generation Mix' }).click();
    await workbench.runCommand('Grid Data: Save Query');
    await saveBoth(workbench, 'Mix of days', 'Personal');
    await titled('Mix of days');
    await workbench.runCommand('View: Close Editor');
    await itemMenu(workbench, 'Mix of days', 'Run');
    const again = await workbench.resultFrame('Mix of days');
    await again.locator('[data-tab=chart][aria-selected=true]').waitFor();
    await again.getByRole('button', { name: 'Generation Mix', pressed: true }).waitFor();
    assert.equal(await resampling(again).innerText(), 'Days');
    assert.equal(await again.locator('#filter-residual_demand_mw').inputValue(), '>0');
    const titles = await titled('Mix of days');
    assert.ok(!titles.some(title => title.startsWith('●')), titles.join(', '));
  });

  it('marks the tab while the view is another, and saves it with one key', async () => {
    const frame = await workbench.resultFrame('Mix of days');
    await frame.locator('[data-tab=table]').click();
    await titled('● Mix of days');
    await frame.locator('[data-tab=chart]').click();
    await titled('Mix of days');
    await frame.locator('[data-tab=table]').click();
    await titled('● Mix of days');
    await frame.locator('[role=gridcell]:visible').first().click();
    await frame.page().keyboard.press('Control+s');
    await titled('Mix of days');
    await frame.locator('[role=columnheader]:visible').nth(1).click();
    await titled('● Mix of days');
    await frame.page().keyboard.press('Control+z');
    await titled('Mix of days');
    await frame.page().keyboard.press('Control+y');
    await titled('● Mix of days');
    await frame.page().keyboard.press('Control+z');
    await titled('Mix of days');
    await frame.locator('[data-action=chooseRange]').click();
    await frame.getByText('Last Month').click();
    await titled('● Mix of days');
    await itemMenu(workbench, 'Mix of days', 'Run');
    await titled('Mix of days');
    await frame.locator('[data-tab=table][aria-selected=true]').waitFor();
  });

  it('saves the comparison, marks the tab while there is another, and requests both periods again', async () => {
    const frame = await workbench.resultFrame('Mix of days');
    const compared = (shown: ResultPage['frame']) =>
      shown.locator('header .parts', { hasText: 'compared with previous period' }).waitFor();
    await new ResultPage(frame).more('Compare With…');
    await workbench.quickInput.waitItem('previous period');
    await workbench.quickInput.pick('previous period');
    await compared(frame);
    await titled('● Mix of days');
    await workbench.runCommand('Grid Data: Save Query');
    await titled('Mix of days');
    await workbench.closeEditors();
    await itemMenu(workbench, 'Mix of days', 'Run');
    const again = await workbench.resultFrame('Mix of days');
    await compared(again);
    await new ResultPage(again).more('End Comparison');
    await titled('● Mix of days');
    await workbench.runCommand('Grid Data: Save Query');
    await titled('Mix of days');
  });

  it('saves a changed view as another query, and the first keeps its look', async () => {
    const frame = await workbench.resultFrame('Mix of days');
    await frame.locator('[data-tab=chart]').click();
    await frame.getByRole('button', { name: 'Lines', exact: true }).click();
    await titled('● Mix of days');
    await workbench.runCommand('Grid Data: Save Query As…');
    await saveBoth(workbench, 'Lines of days', 'Personal');
    const titles = await titled('Lines of days');
    // The panel is that of the new query; the other one has none.
    assert.ok(!titles.some(title => title.includes('Mix of days')), titles.join(', '));
    await waitNames(workbench, ['Mix of days', 'Lines of days']);
    for (const [name, tab, mode] of [
      ['Mix of days', 'table', 'Generation Mix'],
      ['Lines of days', 'chart', 'Lines'],
    ] as const) {
      await workbench.closeEditors();
      await itemMenu(workbench, name, 'Run');
      const again = await workbench.resultFrame(name);
      await again.locator(`[data-tab=${tab}][aria-selected=true]`).waitFor();
      assert.equal(await resampling(again).innerText(), 'Days');
      await again.locator('[data-tab=chart]').click();
      await again.getByRole('button', { name: mode, exact: true, pressed: true }).waitFor();
    }
  });
});
