import assert from 'node:assert/strict';
import { startCannedService, type CannedService } from '../support/cannedService.ts';
import { respondWithHours } from './gridHours.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { openSavedQueries, enterNameAndStore, selectItem } from './savedSupport.ts';
import { addConnection, runSystemState, getSharedWorkbench, waitForTable } from './support.ts';

const formatTitle = (range: string): string => `System state · ${range} · hourly`;

describe('the toolbar and title of a panel', () => {
  let workbench: Workbench;
  let service: CannedService;

  before(async () => {
    service = await startCannedService(respondWithHours);
    workbench = await getSharedWorkbench('First');
    await addConnection(workbench, service.baseUrl, 'sb_test_toolbar', 'First');
    await waitForTable(workbench, formatTitle('last 24 hours'));
  });
  disposeAfter(() => [workbench, service]);

  it('opens the range picker from the toolbar, and keeps dataset and interval', async () => {
    await runSystemState(workbench, '2023-03');
    const previousFrame = await waitForTable(workbench, formatTitle('2023-03'));
    await previousFrame.locator('.toolbar [data-action=chooseRange]').click();
    await previousFrame.getByRole('menuitem', { name: 'Other Range…' }).click();
    const { quickInput } = workbench;
    await quickInput.waitOpen('Time Range · First');
    assert.match((await quickInput.waitItem('2023-03'))[0] ?? '', /^2023-03/);
    await quickInput.type('2023-02');
    await quickInput.waitItem('2023-02');
    await quickInput.accept();
    const frame = await waitForTable(workbench, formatTitle('2023-02'));
    assert.equal(await quickInput.isOpen(), false);
    assert.equal(await frame.locator('[data-action=chooseRange]').innerText(), '2023-02');
    assert.ok(!(await workbench.editorTabs()).includes(formatTitle('2023-03')), 'the query runs in the same panel');
  });

  it('opens a tab with Ctrl+Shift and its number, and goes from part to part with F6, without VS Code', async () => {
    const { keyboard } = workbench.page;
    const frame = await workbench.resultFrame(formatTitle('2023-02'));
    await frame.locator('[role=gridcell]').first().click();
    await keyboard.press('Control+Shift+Digit2');
    await frame.locator('.chart-plot:focus').waitFor();
    await keyboard.press('F6');
    await frame.locator('.chart-series:focus').waitFor();
    await keyboard.press('Control+Shift+Digit1');
    await frame.locator('[role=gridcell]:focus').waitFor();
  });

  it('opens the same query in a second tab with Open in New Tab', async () => {
    const title = formatTitle('2023-02');
    await new ResultPage(await workbench.resultFrame(title)).chooseFromToolbarMenu('Open in New Tab');
    const tabs = async () => (await workbench.editorTabs()).filter(name => name.startsWith(title));
    await until('two tabs', tabs, names => names.join('\n') === [title, `${title} (2)`].join('\n'));
    await workbench.runCommand('View: Close Editor');
    await until('one tab', tabs, names => names.length === 1);
  });

  it('shows in the star whether the query is saved, also after delete and undo', async () => {
    const star = (await workbench.resultFrame(formatTitle('2023-02'))).locator('[data-action=save]');
    const waitForIcon = (icon: string): Promise<string | null> =>
      until(
        icon,
        () => star.getAttribute('icon'),
        currentIcon => currentIcon === icon,
      );
    await waitForIcon('star-empty');
    await openSavedQueries(workbench);
    await star.click();
    await enterNameAndStore(workbench, 'February', 'Personal');
    await waitForIcon('star-full');
    await until(
      'the name of the saved query',
      () => star.getAttribute('label'),
      label => label === "Saved as 'February'",
    );
    await selectItem(workbench, 'February');
    await workbench.page.keyboard.press('Delete');
    await waitForIcon('star-empty');
    await workbench.notifications.press("Deleted 'February'.", 'Undo');
    await waitForIcon('star-full');
  });
});
