import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { menuEntry, openContextMenu } from './harness/contextMenu.ts';
import { disposeAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { succeeds, until } from '../support/until.ts';
import { Workbench } from './harness/workbench.ts';
import {
  repeatUntilNames,
  chooseFromItemMenu,
  openSavedQueries,
  readSavedNames,
  waitForSavedNames,
} from './savedSupport.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const formatQueriesFile = (...names: string[]): string =>
  `${JSON.stringify({ queries: names.map(name => ({ name, dataset: 'systemState', range: '2023-05' })) }, undefined, 2)}\n`;

describe('two windows with the same saved queries', () => {
  let firstWindow: Workbench;
  let secondWindow: Workbench;
  const folder = createTemporaryFolder();
  const path = join(folder, '.vscode', 'grid-queries.json');

  before(async () => {
    mkdirSync(join(folder, '.vscode'));
    writeFileSync(path, formatQueriesFile('Ours'));
    firstWindow = await startWorkbench({ folder });
    const page = await firstWindow.page.context().newPage();
    page.setDefaultTimeout(90_000);
    const { userDataDir } = firstWindow;
    const dispose = async (): Promise<void> => page.close();
    secondWindow = new Workbench({ page, url: firstWindow.page.url(), folder, userDataDir, dispose });
    await secondWindow.open();
    for (const window of [firstWindow, secondWindow]) await openSavedQueries(window);
    for (const window of [firstWindow, secondWindow]) await waitForSavedNames(window, ['Ours']);
  });
  disposeAfter(() => [firstWindow]);

  it('keeps the simultaneous edits of two windows, and shows both', async () => {
    const windows = [
      [firstWindow, 'Morning'],
      [secondWindow, 'Evening'],
    ] as const;
    for (const [window, name] of windows) await startNewFolder(window, name);
    await Promise.all(windows.map(async ([window]) => window.quickInput.accept()));
    for (const [window] of windows)
      await until(
        'both folders',
        () => readSavedNames(window),
        names => ['Morning', 'Evening', 'Ours'].every(name => names.includes(name)),
      );
    await waitForSavedNames(secondWindow, await readSavedNames(firstWindow));
  });

  it('shows changes of the workspace file by another program at once', async () => {
    writeFileSync(path, formatQueriesFile('Ours', 'Theirs'));
    for (const window of [firstWindow, secondWindow])
      await until(
        'the new query',
        () => readSavedNames(window),
        names => names.includes('Theirs'),
      );
  });

  it('moves a query from the personal store into the workspace file by drag and drop', async () => {
    const text = async (): Promise<string> => Promise.resolve(readFileSync(path, 'utf8'));
    /** Repeats a drag, since VS Code loses one that starts while the tree is redrawn. A repeated drag to the same folder changes nothing. */
    const drag = async (window: Workbench, target: string, isDone: (text: string) => boolean): Promise<void> => {
      await until(
        `the changed file after a drag to ${target}`,
        async () => {
          await window.treeRow('Theirs').dragTo(window.treeRow(target));
          return succeeds(until('the file', text, isDone, 10_000));
        },
        isChanged => isChanged,
      );
    };
    await drag(firstWindow, 'Morning', fileText => !fileText.includes('Theirs') && fileText.includes('Ours'));
    await until(
      'the item to disappear from the other window',
      () => readSavedNames(secondWindow),
      names => !names.includes('Theirs'),
    );
    const isInFolder = (names: readonly string[]): boolean => names.indexOf('Theirs') === names.indexOf('Morning') + 1;
    await repeatUntilNames(secondWindow, isInFolder, () => secondWindow.treeRow('Morning').click({ timeout: 10_000 }));
    await drag(secondWindow, 'Workspace', fileText => fileText.includes('Theirs'));
  });

  it('runs a context menu command on the right item although the other window changed the tree', async () => {
    await openContextMenu(firstWindow.page, firstWindow.treeRow('Theirs'), 'Rename…');
    await chooseFromItemMenu(secondWindow, 'Evening', 'Rename…');
    await secondWindow.quickInput.waitOpen('Rename Evening');
    await secondWindow.quickInput.type('Elsewhere');
    await secondWindow.quickInput.accept();
    await until(
      'the new name behind the menu',
      () => readSavedNames(firstWindow),
      names => names.includes('Elsewhere'),
    );
    await menuEntry(firstWindow.page, 'Rename…').hover();
    await firstWindow.page.keyboard.press('Enter');
    await firstWindow.quickInput.waitOpen('Rename Theirs');
    await firstWindow.quickInput.cancel();
  });

  it('syncs only the saved queries through Settings Sync', async () => {
    const keys = await until(
      'the keys to sync',
      () => firstWindow.page.evaluate<string[]>(syncedKeysScript),
      found => found.length > 0,
    );
    assert.deepEqual(keys, ['savedQueries']);
  });
});

async function startNewFolder(window: Workbench, name: string): Promise<void> {
  await window.runCommand('Grid Data Saved Queries: New Folder…');
  await window.quickInput.pick('Personal');
  await window.quickInput.waitOpen('New Folder');
  await window.quickInput.type(name);
}

/** A script that reads the extension's synced keys from VS Code's store in the browser. */
const syncedKeysScript = `(async () => {
  const names = (await indexedDB.databases()).map(({ name }) => name).filter(name => name.includes('web-state-db-global'));
  const foundRows = [];
  for (const name of names) {
    const open = indexedDB.open(name);
    const db = await new Promise((resolve, reject) => { open.onsuccess = () => resolve(open.result); open.onerror = reject; });
    const items = db.transaction('ItemTable').objectStore('ItemTable');
    const keys = items.getAllKeys();
    await new Promise(resolve => { keys.onsuccess = resolve; });
    for (const key of keys.result.filter(name => String(name).startsWith('extensionKeys/grid-data.grid-data-inspector@'))) {
      const value = db.transaction('ItemTable').objectStore('ItemTable').get(key);
      await new Promise(resolve => { value.onsuccess = resolve; });
      foundRows.push(...JSON.parse(value.result));
    }
    db.close();
  }
  return foundRows;
})()`;
