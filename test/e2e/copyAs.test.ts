import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { chooseFromMenu, pressItemButton } from './harness/contextMenu.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { chooseFolder, chooseFromItemMenu, enterNameAndStore, waitForSavedNames } from './savedSupport.ts';
import {
  addConnection,
  clearArchive,
  getEmptyWorkbench,
  runSystemState,
  startSandboxWithKey,
  waitForTable,
} from './support.ts';

const copiedAsPython = 'Copied as Python. It reads the key from GRID_DATA_API_KEY.';

describe('copying a query as code', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { readonly key: string };
  let folder: string;

  before(async () => {
    sandbox = await startSandboxWithKey();
    workbench = await getEmptyWorkbench('Sandbox service');
    folder = workbench.folder;
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Sandbox service');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await clearArchive(workbench);
  });
  disposeAfter(() => [workbench, sandbox]);

  it('copies a query as code from the panel menu, without the API key', async () => {
    const frame = await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await new ResultPage(frame).chooseFromToolbarMenu('Copy As…');
    await workbench.quickInput.waitOpen('Copy last 24 hours As');
    await workbench.quickInput.pick('Python');
    assert.ok((await workbench.notifications.waitFor('Copied as')).includes(copiedAsPython));
    const text = await workbench.clipboard();
    assert.match(text, /os\.environ\.get\("GRID_DATA_API_KEY"\)/);
    assert.match(text, /The range is relative to the current time/);
    assert.ok(text.includes(sandbox.baseUrl) && !text.includes(sandbox.key));
  });

  it('offers the last used language first, and opens the code in an editor', async () => {
    await runSystemState(workbench, '2023-05-01');
    await waitForTable(workbench, 'System state · 2023-05-01 · hourly');
    await workbench.runCommand('Grid Data: Copy As…');
    await workbench.quickInput.waitOpen('Copy 2023-05-01 As');
    const items = await workbench.quickInput.waitItem('DuckDB');
    assert.match(items[0] ?? '', /Python/);
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'TypeScript' }).hover();
    await workbench.page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'TypeScript' })
      .locator('[aria-label="Open in Editor"]')
      .click();
    await until(
      'the program',
      async () => workbench.activeEditorText(),
      text => text.includes('process.env.GRID_DATA_API_KEY'),
    );
  });

  it('copies a saved query as code from the sidebar', async () => {
    const pane = '.part.sidebar .pane:has(.pane-header[aria-label^="Recent"])';
    const item = workbench.page.locator(`${pane} .monaco-list-row`).filter({ hasText: '2023-05-01' }).first();
    await chooseFromMenu(workbench.page, item, 'Copy As…');
    await workbench.quickInput.waitOpen('Copy 2023-05-01 As');
    await workbench.quickInput.pick('DuckDB');
    await workbench.notifications.waitFor('Copied for DuckDB. It reads from disk and needs no key.');
    assert.match(await workbench.clipboard(), /import duckdb[^]*glob\("\*\.arrow"\)/);
    await pressItemButton(item, 'Save…');
    await enterNameAndStore(workbench, 'A day', 'Personal');
    await waitForSavedNames(workbench, ['A day']);
    await chooseFromItemMenu(workbench, 'A day', 'Copy and Export', 'Copy As…');
    await workbench.quickInput.waitOpen('Copy 2023-05-01 As');
    await workbench.quickInput.pick('curl');
    await workbench.notifications.waitFor('Copied as curl.');
    assert.match(await workbench.clipboard(), /^bash <<'END_OF_SNIPPET'/);
  });

  it('copies code that reads the folder of the last export', async () => {
    const exportFolder = join(folder, 'hive [1]');
    await mkdir(exportFolder);
    await workbench.runCommand('Grid Data: Export Archive…');
    await chooseFolder(workbench, exportFolder, 'Export Here');
    await workbench.notifications.waitFor('to hive [1]');
    await workbench.notifications.press('to hive [1]', 'Copy Snippet…');
    await workbench.quickInput.waitOpen('Copy code that reads this data');
    await workbench.quickInput.pick('DuckDB');
    // The message of an earlier copy may still be visible.
    const text = await until(
      'the program on the clipboard',
      async () => workbench.clipboard(),
      copied => copied.includes('grid_files'),
    );
    assert.ok(text.includes(`${folder}/hive [[]1]/dataset=systemState/interval=1h/**/*.parquet`), text);
  });

  it('names the compared period of a panel, which the code does not request', async () => {
    await runSystemState(workbench, '2023-05-02');
    const frame = await waitForTable(workbench, 'System state · 2023-05-02 · hourly');
    await new ResultPage(frame).chooseFromToolbarMenu('Compare With…');
    await workbench.quickInput.waitItem('previous period');
    await workbench.quickInput.pick('previous period');
    await frame.locator('header .parts').filter({ hasText: 'compared with previous period' }).waitFor();
    await workbench.runCommand('Grid Data: Copy As…');
    await workbench.quickInput.waitOpen('Copy 2023-05-02 As');
    await workbench.quickInput.pick('curl');
    const comment = '# Only in the panel: compared with the previous period, aligned by ';
    await until(
      'the program on the clipboard',
      async () => workbench.clipboard(),
      copied => copied.includes(comment),
      20_000,
    );
  });
});
