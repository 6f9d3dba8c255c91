import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { chooseFromItemMenu, readSavedNames, waitForSavedNames } from './savedSupport.ts';
import { addConnection, getEmptyWorkbench, startSandboxWithKey, waitForTable } from './support.ts';

/** More queries than the limit for a minute, so the last one always has to wait. */
const months = ['2023-01', '2023-02', '2023-03', '2023-04', '2023-05', '2023-06'];
/** Creates a saved query. The first two belong to the same series, the others to separate ones. */
const createEntry = (range: string, index: number) => ({
  name: `Stress ${range}`,
  dataset: 'gridStress',
  range,
  ...(index > 1 && { params: { note: range } }),
});
const manyFolders = Array.from({ length: 50 }, (_, f) => ({
  folder: `Folder ${f}`,
  queries: Array.from({ length: 40 }, (_, q) => ({
    name: `Query ${f}-${q}`,
    dataset: 'systemState',
    range: '2023-05',
  })),
}));

describe('running several saved queries', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };

  before(async () => {
    sandbox = await startSandboxWithKey();
    workbench = await getEmptyWorkbench('Grid');
    const settings = join(workbench.folder, '.vscode');
    mkdirSync(settings);
    const queries = [...months.map(createEntry), ...manyFolders];
    writeFileSync(join(settings, 'grid-queries.json'), JSON.stringify({ queries }, undefined, 2));
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Grid');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await workbench.closeEditors();
  });
  disposeAfter(() => [workbench, sandbox]);

  it('confirms several queries once, with their total cost, when they have to wait', async () => {
    await selectRange('Stress 2023-01', 'Stress 2023-06', months.length);
    await chooseFromItemMenu(workbench, 'Stress 2023-06', 'Run');
    const dialogText = await workbench.notifications.dialogText();
    // Two of the six queries share a request.
    assert.match(dialogText, /Run 6 queries\?\s+This needs 5 requests: \d now, \d over about/);
    await workbench.notifications.pressInDialog('Run');
    for (const month of months) await workbench.waitTab(`Stress ${month}`);
    await workbench.closeEditors();
    // Clears the multiple selection, whose menus VS Code would keep after the file is removed.
    await workbench.treeRow('Stress 2023-01').click();
  });

  it('finds a query among 2,000 by typing', async () => {
    await workbench.runCommand('Grid Data: Filter Saved Queries…');
    await workbench.quickInput.type('folder 31 query 31-7');
    await waitForSavedNames(workbench, ['Folder 31', 'Query 31-7']);
    await workbench.quickInput.type('no such thing');
    await workbench.page.getByText("No saved queries match 'no such thing'.").waitFor();
    await workbench.quickInput.cancel();
    await until(
      'all saved queries again',
      () => readSavedNames(workbench),
      names => names.includes('Stress 2023-01'),
    );
  });

  /** Selects a range of items. Tries again if an end was redrawn between the clicks. */
  async function selectRange(first: string, last: string, count: number): Promise<void> {
    const selected = workbench.page.locator('.part.sidebar .monaco-list-row.selected', { hasText: 'Stress' });
    await until(
      `${count} selected items`,
      async () => {
        await workbench.treeRow(first).click();
        await workbench.treeRow(last).click({ modifiers: ['Shift'] });
        return selected.count();
      },
      selectedCount => selectedCount === count,
    );
  }
});
