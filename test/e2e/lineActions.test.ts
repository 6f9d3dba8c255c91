import assert from 'node:assert/strict';
import { entryOf, openMenuAt } from './harness/contextMenu.ts';
import { endsAfter } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { startMovingService, type MovingService } from './movingService.ts';
import { itemMenu, saveBoth } from './savedSupport.ts';
import { addConnection, beginQuery, emptiedWorkbench, tableOf } from './support.ts';

// With two connections a title ends with the name of its own.
const stress = 'Grid stress · last 24 hours · hourly · First';
const day = 'System state · last 24 hours · hourly';
const ofWatching = 'Hourly Refresh and Alerts';
const keyOf = (name: string): string => `not-a-real-key-${name}`;

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
      await addConnection(workbench, service.baseUrl, keyOf(name), name);
      await tableOf(workbench, title);
      await workbench.closeEditors();
    }
  });
  endsAfter(() => [workbench, service]);

  it('shows each connection with its key prefix and remaining budget', async () => {
    // Before the first minute is over: then the request no longer counts.
    const rows = await until(
      'both connections',
      () => workbench.treeRows(),
      all =>
        ['First', 'Second'].every(name =>
          all.some(row => row.includes(name) && /9 of 10 requests left|9\/10/.test(row)),
        ),
    );
    for (const name of ['First', 'Second']) assert.ok(!rows.join('\n').includes(keyOf(name)), 'never the key');
  });

  it('switches the active connection from the context menu', async () => {
    await itemMenu(workbench, 'First', 'Make Active');
    await spoken('First', 'active');
  });

  it('tests a connection with one request from the context menu', async () => {
    const before = service.requests();
    await itemMenu(workbench, 'Second', 'Test');
    await workbench.notifications.waitFor("'Second' works");
    assert.equal(service.requests(), before + 1);
    assert.deepEqual(await workbench.editorTabs(), []);
  });

  it('replaces an API key from the context menu', async () => {
    await itemMenu(workbench, 'Second', 'Replace Key…');
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

  it('enables and disables the hourly refresh of a saved query from the context menu', async () => {
    await beginQuery(workbench, 'Grid stress');
    await workbench.quickInput.pick('Last 24 hours');
    await workbench.quickInput.pick('1h');
    const frame = await tableOf(workbench, stress);
    await frame.locator('[data-action=save]').click();
    await saveBoth(workbench, 'Stress', 'Personal');
    const { page } = workbench;
    await openMenuAt(page, workbench.treeRow('Stress'), ofWatching, 'Enable Hourly Refresh');
    await page.keyboard.press('Escape');
    await entryOf(page, 'Enable Hourly Refresh').waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await itemMenu(workbench, 'Stress', ofWatching, 'Enable Hourly Refresh');
    await spoken('Stress', 'refresh hourly');
    await itemMenu(workbench, 'Stress', ofWatching, 'Disable Hourly Refresh');
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
