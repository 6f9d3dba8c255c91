import assert from 'node:assert/strict';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { askedOf, gridRecords } from './gridHours.ts';
import { pictureFailures } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { openSaved, saveBoth, selectLine } from './savedSupport.ts';
import { addConnection, messageOf, runSystemState, sharedWorkbench, tableOf } from './support.ts';

const titleOf = (range: string): string => `System state · ${range} · hourly`;
/** The service has no rows from here on. */
const end = Date.UTC(2023, 3, 1);

describe('the toolbar and title of a panel', () => {
  let workbench: Workbench;
  let service: CannedService;

  before(async () => {
    service = await startCannedService(({ query }, response) => {
      const asked = askedOf(query);
      const isRecent = asked.start > Date.UTC(2024, 0, 1);
      const data = gridRecords(asked).filter(({ ts }) => isRecent || Date.parse(ts) < end);
      sendJson(response, 200, { data });
    });
    workbench = await sharedWorkbench('First', 'Second');
    await addConnection(workbench, service.baseUrl, 'sb_test_toolbar', 'First');
    await tableOf(workbench, titleOf('last 24 hours'));
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
  });

  const press = async (title: string, action: string): Promise<void> =>
    (await workbench.resultFrame(title)).locator(`.toolbar [data-action=${action}]`).click();

  it('names a stepped range by its dates', async () => {
    await press(titleOf('last 24 hours'), 'previousPeriod');
    const tabs = await until(
      'the dates in the tab',
      () => workbench.editorTabs(),
      all => all.every(tab => !tab.includes('last')),
    );
    assert.match(tabs[0] ?? '', /^System state · \d+ \w{3} .*\d\d:00 – \d+ \w{3} .*\d\d:00 UTC · hourly$/);
    const frame = await tableOf(workbench, tabs[0] ?? '');
    const range = await frame.locator('[data-action=chooseRange]').innerText();
    assert.equal(tabs[0], titleOf(range.trim()));
  });

  it('steps back from a period without rows', async () => {
    await runSystemState(workbench, '2023-03');
    await tableOf(workbench, titleOf('2023-03'));
    await press(titleOf('2023-03'), 'nextPeriod');
    await workbench.waitTab(titleOf('2023-04'));
    await messageOf(await workbench.resultFrame(titleOf('2023-04')), 'has no rows');
    await press(titleOf('2023-04'), 'previousPeriod');
    await tableOf(workbench, titleOf('2023-03'));
  });

  it('opens the range picker from the toolbar, and keeps dataset and interval', async () => {
    await press(titleOf('2023-03'), 'chooseRange');
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

  it("shows the connection's name as soon as there are two connections", async () => {
    await addConnection(workbench, service.baseUrl, 'sb_test_toolbar_2', 'Second');
    await workbench.waitTab(`${titleOf('last 24 hours')} · Second`);
    await workbench.waitTab('February');
    await runSystemState(workbench, '2023-02');
    await tableOf(workbench, `${titleOf('2023-02')} · Second`);
    const tabs = await workbench.editorTabs();
    assert.equal(new Set(tabs).size, tabs.length, tabs.join('\n'));
    const star = (await workbench.resultFrame(`${titleOf('2023-02')} · Second`)).locator('[data-action=save]');
    await until(
      'the empty star: it is saved for the other connection',
      () => star.getAttribute('icon'),
      icon => icon === 'star-empty',
    );
  });

  it('opens the same query in a second tab with Open in New Tab', async () => {
    const title = `${titleOf('2023-02')} · Second`;
    await new ResultPage(await workbench.resultFrame(title)).more('Open in New Tab');
    const tabs = async () => (await workbench.editorTabs()).filter(name => name.startsWith(title));
    await until('two tabs', tabs, names => names.join('\n') === [title, `${title} (2)`].join('\n'));
  });
});
