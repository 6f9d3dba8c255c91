import assert from 'node:assert/strict';
import { startCannedService, type CannedService } from '../support/cannedService.ts';
import { answerHours } from './gridHours.ts';
import { endsAfter } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { openSaved, saveBoth, selectLine } from './savedSupport.ts';
import { addConnection, runSystemState, sharedWorkbench, tableOf } from './support.ts';

const titleOf = (range: string): string => `System state · ${range} · hourly`;

describe('the toolbar and title of a panel', () => {
  let workbench: Workbench;
  let service: CannedService;

  before(async () => {
    service = await startCannedService(answerHours);
    workbench = await sharedWorkbench('First');
    await addConnection(workbench, service.baseUrl, 'sb_test_toolbar', 'First');
    await tableOf(workbench, titleOf('last 24 hours'));
  });
  endsAfter(() => [workbench, service]);

  it('opens the range picker from the toolbar, and keeps dataset and interval', async () => {
    await runSystemState(workbench, '2023-03');
    const before = await tableOf(workbench, titleOf('2023-03'));
    await before.locator('.toolbar [data-action=chooseRange]').click();
    await before.getByRole('menuitem', { name: 'Other Range…' }).click();
    const { quickInput } = workbench;
    await quickInput.waitOpen('Time Range · First');
    assert.match((await quickInput.waitItem('2023-03'))[0] ?? '', /^2023-03/);
    await quickInput.type('2023-02');
    await quickInput.waitItem('2023-02');
    await quickInput.accept();
    const frame = await tableOf(workbench, titleOf('2023-02'));
    assert.equal(await quickInput.isOpen(), false);
    assert.equal(await frame.locator('[data-action=chooseRange]').innerText(), '2023-02');
    assert.ok(!(await workbench.editorTabs()).includes(titleOf('2023-03')), 'in the same panel');
  });

  it('opens a tab with Ctrl+Shift and its number, and goes from part to part with F6, without VS Code', async () => {
    const { keyboard } = workbench.page;
    const frame = await workbench.resultFrame(titleOf('2023-02'));
    await frame.locator('[role=gridcell]').first().click();
    await keyboard.press('Control+Shift+Digit2');
    await frame.locator('.chart-plot:focus').waitFor();
    await keyboard.press('F6');
    await frame.locator('.chart-series:focus').waitFor();
    await keyboard.press('Control+Shift+Digit1');
    await frame.locator('[role=gridcell]:focus').waitFor();
  });

  it('opens the same query in a second tab with Open in New Tab', async () => {
    const title = titleOf('2023-02');
    await new ResultPage(await workbench.resultFrame(title)).more('Open in New Tab');
    const tabs = async () => (await workbench.editorTabs()).filter(name => name.startsWith(title));
    await until('two tabs', tabs, names => names.join('\n') === [title, `${title} (2)`].join('\n'));
    await workbench.runCommand('View: Close Editor');
    await until('one tab', tabs, names => names.length === 1);
  });

  it('shows in the star whether the query is saved, also after delete and undo', async () => {
    const star = (await workbench.resultFrame(titleOf('2023-02'))).locator('[data-action=save]');
    const becomes = (icon: string): Promise<string | null> =>
      until(
        icon,
        () => star.getAttribute('icon'),
        now => now === icon,
      );
    await becomes('star-empty');
    await openSaved(workbench);
    await star.click();
    await saveBoth(workbench, 'February', 'Personal');
    await becomes('star-full');
    await until(
      'what it was saved as',
      () => star.getAttribute('label'),
      label => label === "Saved as 'February'",
    );
    await selectLine(workbench, 'February');
    await workbench.page.keyboard.press('Delete');
    await becomes('star-empty');
    await workbench.notifications.press("Deleted 'February'.", 'Undo');
    await becomes('star-full');
  });
});
