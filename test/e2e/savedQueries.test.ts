import assert from 'node:assert/strict';
import { showTooltip } from './harness/contextMenu.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { startClockedService, type ClockedService } from './clockedService.ts';
import {
  repeatUntilNames,
  chooseFromItemMenu,
  enterNameAndStore,
  readSavedNames,
  selectItem,
  waitForSavedNames,
} from './savedSupport.ts';
import { addConnection, beginQuery, getEmptyWorkbench, readHeader, waitForTable } from './support.ts';

describe('saved queries', () => {
  let workbench: Workbench;
  /** The service's current hour lasts until after the last test, since a new hour would be requested. */
  let service: ClockedService;
  const row = (text: string) => workbench.treeRow(text);

  before(async () => {
    service = await startClockedService();
    workbench = await getEmptyWorkbench('Grid');
  });
  disposeAfter(() => [workbench, service]);

  it('saves a query from the star of a panel, and shows the result of its last run', async () => {
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Grid');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await service.syncClock(workbench);
    await beginQuery(workbench);
    await workbench.quickInput.pick('Last 7 days');
    await workbench.quickInput.pick('1h');
    const frame = await waitForTable(workbench, 'System state · last 7 days · hourly');
    await frame.locator('[data-action=save]').click();
    await enterNameAndStore(workbench, 'Week', 'Personal');
    const text = await until(
      'the saved query',
      () => row('Week').innerText(),
      line => line.includes('rows'),
    );
    assert.match(text, /up to date · 1[56]\d rows · \d\d:\d\d UTC · System state · last 7 days · hourly/);
    const tooltip = workbench.page
      .locator('.workbench-hover-container .hover-contents', { hasText: /Connection:\sGrid/ })
      .last();
    await showTooltip(workbench.page, row('Week'), tooltip);
    assert.match(await tooltip.innerText(), /Now:\s\d+\s\w+\s\d{4}\s\d\d:\d\d\s–.*UTC/);
  });

  it('creates a saved query in the steps of a new query, and edits it in the same steps, prefilled', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Grid Data Saved Queries: New Query…');
    await quickInput.pick('Grid stress');
    await quickInput.pick('Last 24 hours');
    await quickInput.pick('1h');
    await quickInput.waitOpen('New Saved Query (4/4)');
    assert.equal(await quickInput.value(), 'Grid stress · last 24 hours · hourly');
    await quickInput.type('Stress');
    await quickInput.accept();
    await quickInput.pick('Personal');
    await waitForSavedNames(workbench, ['Week', 'Stress']);
    await chooseFromItemMenu(workbench, 'Stress', 'Edit…');
    await quickInput.pick('Grid stress');
    await quickInput.waitItem('Last 24 hours');
    await quickInput.type('last 48 hours');
    await quickInput.pick('last 48 hours');
    await quickInput.pick('1h');
    await quickInput.waitOpen('(4/4)');
    assert.equal(await quickInput.value(), 'Stress');
    await quickInput.accept();
    await until(
      'the new range',
      () => row('Stress').innerText(),
      text => text.includes('last 48 hours'),
    );
  });

  it('renames a saved query with F2', async () => {
    await selectItem(workbench, 'Stress');
    await workbench.page.keyboard.press('F2');
    await workbench.quickInput.waitOpen('Rename Stress');
    assert.equal(await workbench.quickInput.value(), 'Stress');
    await workbench.quickInput.type('Stress now');
    await workbench.quickInput.accept();
    await waitForSavedNames(workbench, ['Week', 'Stress now']);
  });

  it('duplicates a saved query, and moves it up by keyboard', async () => {
    await chooseFromItemMenu(workbench, 'Week', 'Duplicate');
    await waitForSavedNames(workbench, ['Week', 'Week copy', 'Stress now']);
    await selectItem(workbench, 'Stress now');
    await workbench.page.keyboard.press('Alt+ArrowUp');
    await waitForSavedNames(workbench, ['Week', 'Stress now', 'Week copy']);
  });

  it('moves a saved query into a folder, and within it, by drag and drop', async () => {
    await workbench.runCommand('Grid Data Saved Queries: New Folder…');
    await workbench.quickInput.pick('Personal');
    await workbench.quickInput.waitOpen('New Folder');
    await workbench.quickInput.type('Morning');
    await workbench.quickInput.accept();
    await waitForSavedNames(workbench, ['Week', 'Stress now', 'Week copy', 'Morning']);
    const limit = { timeout: 10_000 };
    for (const [act, ...names] of [
      [() => row('Week copy').dragTo(row('Morning'), limit), 'Week', 'Stress now', 'Morning'],
      [() => row('Morning').click(limit), 'Week', 'Stress now', 'Morning', 'Week copy'],
      [() => row('Stress now').dragTo(row('Week copy'), limit), 'Week', 'Morning', 'Stress now', 'Week copy'],
    ] as const)
      await repeatUntilNames(workbench, shownNames => shownNames.join() === names.join(), act);
  });

  it('deletes a saved query, and restores it in place with Undo', async () => {
    await selectItem(workbench, 'Morning');
    await workbench.page.keyboard.press('Delete');
    await waitForSavedNames(workbench, ['Week']);
    await workbench.notifications.press("Deleted 'Morning'.", 'Undo');
    const names = await until(
      'the folder',
      () => readSavedNames(workbench),
      texts => texts.includes('Morning'),
    );
    assert.equal(names[1], 'Morning');
    await chooseFromItemMenu(workbench, 'Week', 'Delete');
    await waitForSavedNames(workbench, names.slice(1));
    await workbench.runCommand('Grid Data: Undo Delete or Move');
    await waitForSavedNames(workbench, names);
    await selectItem(workbench, 'Week');
    await workbench.page.keyboard.press('Delete');
    await waitForSavedNames(workbench, names.slice(1));
    await workbench.page.keyboard.press('Control+z');
    await waitForSavedNames(workbench, names);
  });

  it('opens a saved query from the archive on click, without a request, and keeps the focus in the list', async () => {
    await workbench.closeEditors();
    const previousCount = service.requests();
    await row('Week').click();
    await waitForTable(workbench, 'Week');
    await workbench.page.locator('.monaco-list:focus-within .monaco-list-row.focused').waitFor();
    assert.equal(service.requests(), previousCount);
  });

  it('runs a saved query with Enter, and with another range', async () => {
    await workbench.closeEditors();
    await selectItem(workbench, 'Week');
    await workbench.page.keyboard.press('Enter');
    const frame = await waitForTable(workbench, 'Week');
    assert.match(await readHeader(frame), /0 requests/);
    await chooseFromItemMenu(workbench, 'Week', 'Run With Another Range…');
    await workbench.quickInput.type('2023-05');
    await workbench.quickInput.waitItem('2023-05');
    await workbench.quickInput.accept();
    await waitForTable(workbench, 'System state · 2023-05 · hourly');
    assert.match(await row('Week').innerText(), /last 7 days/);
  });
});
