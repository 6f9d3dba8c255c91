import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryOf, openMenuAt } from './harness/contextMenu.ts';
import { endsAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { succeeds, until } from '../support/waiting.ts';
import { Workbench } from './harness/workbench.ts';
import { actUntil, itemMenu, openSaved, savedNames, waitNames } from './savedSupport.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const fileOf = (...names: string[]): string =>
  `${JSON.stringify({ queries: names.map(name => ({ name, dataset: 'systemState', range: '2023-05' })) }, undefined, 2)}\n`;

describe('two windows with the same saved queries', () => {
  let one: Workbench;
  let other: Workbench;
  const folder = temporaryFolder();
  const path = join(folder, '.vscode', 'grid-queries.json');

  before(async () => {
    mkdirSync(join(folder, '.vscode'));
    writeFileSync(path, fileOf('Ours'));
    one = await startWorkbench({ folder });
    const page = await one.page.context().newPage();
    page.setDefaultTimeout(90_000);
    const { userDataDir } = one;
    const dispose = async (): Promise<void> => page.close();
    other = new Workbench({ page, url: one.page.url(), folder, userDataDir, dispose });
    await other.open();
    for (const window of [one, other]) await openSaved(window);
    for (const window of [one, other]) await waitNames(window, ['Ours']);
  });
  endsAfter(() => [one]);

  it('keeps the simultaneous edits of two windows, and shows both', async () => {
    const windows = [
      [one, 'Morning'],
      [other, 'Evening'],
    ] as const;
    for (const [window, name] of windows) await beginFolder(window, name);
    await Promise.all(windows.map(async ([window]) => window.quickInput.accept()));
    for (const [window] of windows)
      await until(
        'both folders',
        () => savedNames(window),
        names => ['Morning', 'Evening', 'Ours'].every(name => names.includes(name)),
      );
    await waitNames(other, await savedNames(one));
  });

  it('shows at once what another program writes into the workspace file', async () => {
    writeFileSync(path, fileOf('Ours', 'Theirs'));
    for (const window of [one, other])
      await until(
        'the new query',
        () => savedNames(window),
        names => names.includes('Theirs'),
      );
  });

  it('moves a query from the personal store into the workspace file by drag and drop', async () => {
    const text = async (): Promise<string> => Promise.resolve(readFileSync(path, 'utf8'));
    /** VS Code loses a drag that begins while the tree is drawn anew; one more onto where it is already moves nothing. */
    const drag = async (window: Workbench, target: string, isDone: (text: string) => boolean): Promise<void> => {
      await until(
        `the file once it is dragged to ${target}`,
        async () => {
          await window.treeRow('Theirs').dragTo(window.treeRow(target));
          return succeeds(until('the file', text, isDone, 10_000));
        },
        done => done,
      );
    };
    await drag(one, 'Morning', now => !now.includes('Theirs') && now.includes('Ours'));
    await until(
      'the line gone from the other window',
      () => savedNames(other),
      names => !names.includes('Theirs'),
    );
    const isInFolder = (names: readonly string[]): boolean => names.indexOf('Theirs') === names.indexOf('Morning') + 1;
    await actUntil(other, isInFolder, () => other.treeRow('Morning').click({ timeout: 10_000 }));
    await drag(other, 'Workspace', now => now.includes('Theirs'));
  });

  it('runs a context menu on its own item although the other window changed the tree', async () => {
    await openMenuAt(one.page, one.treeRow('Theirs'), 'Rename…');
    await itemMenu(other, 'Evening', 'Rename…');
    await other.quickInput.waitOpen('Rename Evening');
    await other.quickInput.type('Elsewhere');
    await other.quickInput.accept();
    await until(
      'the new name behind the menu',
      () => savedNames(one),
      names => names.includes('Elsewhere'),
    );
    await entryOf(one.page, 'Rename…').hover();
    await one.page.keyboard.press('Enter');
    await one.quickInput.waitOpen('Rename Theirs');
    await one.quickInput.cancel();
  });

  it('syncs only the saved queries through Settings Sync', async () => {
    const keys = await until(
      'the keys to sync',
      () => one.page.evaluate<string[]>(syncedKeys),
      found => found.length > 0,
    );
    assert.deepEqual(keys, ['savedQueries']);
  });
});

async function beginFolder(window: Workbench, name: string): Promise<void> {
  await window.runCommand('Grid Data Saved Queries: New Folder…');
  await window.quickInput.pick('Personal');
  await window.quickInput.waitOpen('New Folder');
  await window.quickInput.type(name);
}

/** What VS Code has noted of the extension's keys, in its own store in the browser. */
const syncedKeys = `(async () => {
  const names = (await indexedDB.databases()).map(({ name }) => name).filter(name => name.includes('web-state-db-global'));
  const found = [];
  for (const name of names) {
    const open = indexedDB.open(name);
    const db = await new Promise((resolve, reject) => { open.onsuccess = () => resolve(open.result); open.onerror = reject; });
    const items = db.transaction('ItemTable').objectStore('ItemTable');
    const keys = items.getAllKeys();
    await new Promise(resolve => { keys.onsuccess = resolve; });
    for (const key of keys.result.filter(one => String(one).startsWith('extensionKeys/grid-data.grid-data-inspector@'))) {
      const value = db.transaction('ItemTable').objectStore('ItemTable').get(key);
      await new Promise(resolve => { value.onsuccess = resolve; });
      found.push(...JSON.parse(value.result));
    }
    db.close();
  }
  return found;
})()`;
