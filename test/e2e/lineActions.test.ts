import assert from 'node:assert/strict';
import { entryOf, openMenuAt } from './harness/contextMenu.ts';
import { pictureFailures } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { startMovingService, type MovingService } from './movingService.ts';
import { itemMenu, saveBoth, savedNames, waitNames } from './savedSupport.ts';
import { addConnection, emptiedWorkbench, tableOf } from './support.ts';

// With two connections a title ends with the name of its own.
const stress = 'Grid stress · last 24 hours · hourly · First';
const day = 'System state · last 24 hours · hourly';

describe('the context menus of tree items', () => {
  let workbench: Workbench;
  let service: MovingService;

  before(async () => {
    service = await startMovingService();
    workbench = await emptiedWorkbench('First', 'Second');
    for (const [name, title] of [
      ['First', day],
      ['Second', `${day} · Second`],
    ] as const) {
      await addConnection(workbench, service.baseUrl, `not-a-real-key-${name}`, name);
      await tableOf(workbench, title);
      await workbench.closeEditors();
    }
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
  });

  it('switches the active connection from the context menu', async () => {
    await itemMenu(workbench, 'First', 'Switch Connection…');
    await spoken('First', 'active');
  });

  it('tests a connection with one request from the context menu', async () => {
    const before = service.requests();
    await itemMenu(workbench, 'Second', 'Test Connection');
    await workbench.notifications.waitFor("'Second' works");
    assert.equal(service.requests(), before + 1);
    assert.deepEqual(await workbench.editorTabs(), []);
  });

  it('replaces an API key from the context menu', async () => {
    await itemMenu(workbench, 'Second', 'Replace Key');
    await workbench.quickInput.waitOpen('New Key for Second');
    assert.equal(await workbench.quickInput.isPassword(), true);
    await workbench.quickInput.type('also-no-real-key');
    await workbench.quickInput.accept();
    await until(
      'the other key',
      () => workbench.treeRow('Second').innerText(),
      text => text.includes('also'),
    );
  });

  it('repeats and saves a recent run from the context menu', async () => {
    const recent = workbench.page.locator(
      '.part.sidebar .pane:has(.pane-header[aria-label^="Recent"]) .monaco-list-row',
    );
    const runs = (count: number): Promise<number> =>
      until(
        `${count} runs`,
        () => recent.count(),
        now => now === count,
      );
    await runs(2);
    await itemMenu(workbench, 'System state · last 24 hours', 'Repeat Recent Run');
    await tableOf(workbench, `${day} · Second`);
    await runs(3);
    await workbench.closeEditors();
    await itemMenu(workbench, 'System state · last 24 hours', 'Save Recent Query…');
    await saveBoth(workbench, 'Day', 'Personal');
    await until(
      'the saved query',
      () => savedNames(workbench),
      names => names.includes('Day'),
    );
  });

  it('moves a saved query down, and enables and disables its hourly refresh, from the context menu', async () => {
    await workbench.runCommand('Grid Data: Query Grid Stress…');
    await workbench.quickInput.pick('Last 24 hours');
    await workbench.quickInput.pick('1h');
    const frame = await tableOf(workbench, stress);
    await frame.locator('[data-action=save]').click();
    await saveBoth(workbench, 'Stress', 'Personal');
    await waitNames(workbench, ['Day', 'Stress']);
    await itemMenu(workbench, 'Day', 'Move Saved Item Down');
    await waitNames(workbench, ['Stress', 'Day']);
    const { page } = workbench;
    await openMenuAt(page, workbench.treeRow('Stress'), 'Enable Hourly Refresh…');
    await page.keyboard.press('Escape');
    await entryOf(page, 'Enable Hourly Refresh…').waitFor({ state: 'hidden' });
    await itemMenu(workbench, 'Stress', 'Enable Hourly Refresh…');
    await spoken('Stress', 'refresh hourly');
    await itemMenu(workbench, 'Stress', 'Disable Hourly Refresh…');
    await until(
      'the line without the mark',
      () => workbench.treeRow('Stress').innerText(),
      text => !text.includes('⟳'),
    );
  });

  async function spoken(line: string, words: string): Promise<void> {
    await until(
      `“${words}” read aloud`,
      () => workbench.treeRows(),
      rows => rows.some(row => row.includes(line) && row.includes(words)),
    );
  }
});
