import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { chooseFile, chooseFromItemMenu, readSavedItems, readSavedNames, waitForSavedNames } from './savedSupport.ts';
import { addConnection, getEmptyWorkbench, startSandboxWithKey, waitForTable } from './support.ts';

const queriesFile = `{
  // For the morning meeting.
  "queries": [
    {
      "name": "Day", // the last one
      "dataset": "systemState",
      "range": "last 24 hours",
      "connection": "Production"
    },
    { "name": "Wrong", "dataset": "nothing", "range": "2023-05" },
    { "folder": "Reports", "queries": [{ "name": "May", "dataset": "systemState", "range": "2023-05" }] }
  ]
}
`;

describe('the queries file of a workspace', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };
  const filePath = (): string => join(workbench.folder, '.vscode', 'grid-queries.json');
  const text = (): string => readFileSync(filePath(), 'utf8');

  before(async () => {
    sandbox = await startSandboxWithKey();
    workbench = await getEmptyWorkbench('Grid');
    mkdirSync(join(workbench.folder, '.vscode'));
    writeFileSync(filePath(), queriesFile);
  });
  disposeAfter(() => [workbench, sandbox]);

  it('shows the valid queries of a file, and prompts once for a connection if its name is unknown', async () => {
    await waitForSavedNames(workbench, ['Day', 'Reports']);
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Grid');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await workbench.closeEditors();
    for (const isKnown of [false, true]) {
      await chooseFromItemMenu(workbench, 'Day', 'Run');
      if (!isKnown) {
        assert.match(await workbench.quickInput.placeholder(), /No connection named 'Production'/);
        // Enter alone selects no connection, since the query names another one.
        await workbench.quickInput.accept();
        assert.equal(await workbench.quickInput.isOpen(), true);
        await workbench.quickInput.pick('Grid');
      }
      await waitForTable(workbench, 'Day');
      await workbench.closeEditors();
    }
    assert.equal(text(), queriesFile, 'the file is unchanged');
    await workbench
      .treeRow('Day')
      .filter({ hasText: /up to date · 24 rows/ })
      .waitFor();
  });

  it('runs workspace queries from the CodeLens in the file', async () => {
    await workbench.runCommand('Grid Data: Open Workspace Queries File');
    const lenses = workbench.page.locator('.codelens-decoration a', { hasText: 'Run' });
    await until(
      'two lenses',
      () => lenses.count(),
      count => count === 2,
    );
    await lenses.last().click();
    await waitForTable(workbench, 'May');
    await workbench.closeEditors();
  });

  it('moves a workspace query to the personal store and back from the menu', async () => {
    await chooseFromItemMenu(workbench, 'Day', 'Move', 'Move…');
    await workbench.quickInput.pick('Personal');
    await until(
      'the file without the query',
      async () => Promise.resolve(text()),
      texts => !texts.includes('"Day"'),
    );
    // Compares all items, since the name alone could be the item from the file.
    await until(
      'the query in the personal store',
      () => readSavedItems(workbench),
      names => names.join() === 'Personal,Day,Workspace,Reports',
    );
    await chooseFromItemMenu(workbench, 'Day', 'Move', 'Move…');
    await workbench.quickInput.pick('Workspace › Reports');
    await until(
      'the query in the file',
      async () => Promise.resolve(text()),
      texts => texts.includes('"Day"'),
    );
    await waitForSavedNames(workbench, ['Reports']);
  });

  it('rejects edits while the file has errors, and offers to open the file', async () => {
    const validText = text();
    // The new name shows when the invalid file has been read: a menu opened on an item that is being replaced would have no effect.
    writeFileSync(
      filePath(),
      validText.replace('"queries": [', '"queries": [,').replace('"Reports"', '"Weekly reports"'),
    );
    await waitForSavedNames(workbench, ['Weekly reports']);
    await chooseFromItemMenu(workbench, 'Weekly reports', 'Delete');
    await workbench.notifications.waitFor('has errors and was not changed');
    await workbench.notifications.press('has errors and was not changed', 'Open File');
    await workbench.waitTab('grid-queries');
    writeFileSync(filePath(), validText);
    await waitForSavedNames(workbench, ['Reports']);
    await workbench.closeEditors();
  });

  it('exports and imports workspace queries as one file', async () => {
    const target = join(workbench.folder, 'all.json');
    await workbench.runCommand('Grid Data: Export Saved Queries…');
    await chooseFile(workbench, target);
    await workbench.notifications.waitFor('Exported 2 queries');
    assert.ok(existsSync(target));
    await workbench.runCommand('Grid Data: Import Saved Queries…');
    await chooseFile(workbench, target);
    await workbench.quickInput.pick('Personal');
    await workbench.notifications.waitFor('Imported 2 queries');
    await until(
      'the query in both stores',
      () => readSavedNames(workbench),
      names => names.filter(name => name === 'Reports').length === 2,
    );
  });
});
