import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { endsAfter } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { itemMenu, savedNames, waitNames } from './savedSupport.ts';
import { addConnection, emptiedWorkbench, sandboxWithKey, tableOf } from './support.ts';

/** More than the budget of a minute: the last one has to wait whenever it is asked. */
const months = ['2023-01', '2023-02', '2023-03', '2023-04', '2023-05', '2023-06'];
/** The first two are of one series; the others share nothing. */
const entry = (range: string, index: number) => ({
  name: `Stress ${range}`,
  dataset: 'gridStress',
  range,
  ...(index > 1 && { params: { note: range } }),
});
const many = Array.from({ length: 50 }, (_, f) => ({
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
    sandbox = await sandboxWithKey();
    workbench = await emptiedWorkbench('Grid');
    const settings = join(workbench.folder, '.vscode');
    mkdirSync(settings);
    const queries = [...months.map(entry), ...many];
    writeFileSync(join(settings, 'grid-queries.json'), JSON.stringify({ queries }, undefined, 2));
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Grid');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await workbench.closeEditors();
  });
  endsAfter(() => [workbench, sandbox]);

  it('confirms several queries once, with their total cost, when they have to wait', async () => {
    await select('Stress 2023-01', 'Stress 2023-06', months.length);
    await itemMenu(workbench, 'Stress 2023-06', 'Run');
    const question = await workbench.notifications.dialogText();
    // Two of the six share one.
    assert.match(question, /Run 6 queries\?\s+This needs 5 requests: \d now, \d over about/);
    await workbench.notifications.pressInDialog('Run');
    for (const month of months) await workbench.waitTab(`Stress ${month}`);
    await workbench.closeEditors();
    // Selected lines that go with their file leave the menus of several lines behind.
    await workbench.treeRow('Stress 2023-01').click();
  });

  it('finds a query among 2,000 by typing', async () => {
    await workbench.runCommand('Grid Data: Filter Saved Queries…');
    await workbench.quickInput.type('folder 31 query 31-7');
    await waitNames(workbench, ['Folder 31', 'Query 31-7']);
    await workbench.quickInput.type('no such thing');
    await workbench.page.getByText("No saved queries match 'no such thing'.").waitFor();
    await workbench.quickInput.cancel();
    await until(
      'all of them again',
      () => savedNames(workbench),
      names => names.includes('Stress 2023-01'),
    );
  });

  /** Selects lines by their ends: one that is drawn anew between the clicks is no end. */
  async function select(first: string, last: string, count: number): Promise<void> {
    const selected = workbench.page.locator('.part.sidebar .monaco-list-row.selected', { hasText: 'Stress' });
    await until(
      `${count} selected lines`,
      async () => {
        await workbench.treeRow(first).click();
        await workbench.treeRow(last).click({ modifiers: ['Shift'] });
        return selected.count();
      },
      now => now === count,
    );
  }
});
