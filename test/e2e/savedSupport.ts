import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { basename, join } from 'node:path';
import { vsixPath } from '../../scripts/package/vsixPath.ts';
import { LockedText } from '../../src/service/files/lockedText.ts';
import { PersonalQueryStore } from '../../src/service/savedQueries/personalQueryStore.ts';
import { realClock } from '../support/realClock.ts';
import { chooseFromMenu } from './harness/contextMenu.ts';
import { succeeds, until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';

const pane = '.part.sidebar .pane:has(.pane-header[aria-label^="Saved Queries"])';

/** Opens the sidebar, whose first view has the saved queries. */
export async function openSavedQueries(workbench: Workbench): Promise<void> {
  await workbench.openSidebar('Grid Data');
  await workbench.page.locator(pane).waitFor();
}

/** Opens the store of personal saved queries, as another window would. */
export function openPersonalStore(userDataDir: string): PersonalQueryStore {
  const storage = join(userDataDir, 'User', 'globalStorage', 'grid-data.grid-data-inspector');
  const path = join(storage, 'savedQueries', 'savedQueries.json');
  const state = { get: () => undefined, update: async () => Promise.resolve() };
  const file = new LockedText({ path, clock: realClock, random: Math.random });
  return new PersonalQueryStore({ file, state, clock: realClock, windowId: 'test' });
}

/** Reads the names in the view Saved Queries, from top to bottom, without the stores. */
export async function readSavedNames(workbench: Workbench): Promise<string[]> {
  const names = await readSavedItems(workbench);
  return names.filter(name => name !== 'Personal' && name !== 'Workspace');
}

/** Reads the names in the view Saved Queries, including the stores. */
export async function readSavedItems(workbench: Workbench): Promise<string[]> {
  return workbench.page.locator(`${pane} .monaco-list-row .label-name`).allInnerTexts();
}

/** Waits until the view shows exactly these names. */
export async function waitForSavedNames(workbench: Workbench, names: readonly string[]): Promise<void> {
  const visible = await until(
    `the saved queries ${names.join(', ')}`,
    () => readSavedNames(workbench),
    texts => JSON.stringify(texts) === JSON.stringify(names),
  );
  assert.deepEqual(visible, names);
}

/** Enters a name and picks a store in the two input boxes of Save Query. */
export async function enterNameAndStore(workbench: Workbench, name: string, storeName: string): Promise<void> {
  await workbench.quickInput.waitOpen('Save Query');
  await workbench.quickInput.type(name);
  await workbench.quickInput.accept();
  await workbench.quickInput.pick(storeName);
}

/** Repeats an action until the view has the expected names: VS Code loses a click or drag that starts while the tree is redrawn. */
export async function repeatUntilNames(
  workbench: Workbench,
  isExpected: (names: readonly string[]) => boolean,
  act: () => Promise<void>,
): Promise<void> {
  const names = (): Promise<string[]> => readSavedNames(workbench);
  await until(
    'the expected saved queries',
    async () => {
      if (isExpected(await names())) return names();
      await succeeds(act());
      await succeeds(until('the names', names, isExpected, 10_000));
      return names();
    },
    isExpected,
  );
}

/** Selects and focuses an item by a click. */
export async function selectItem(workbench: Workbench, itemName: string): Promise<void> {
  const row = workbench.treeRow(itemName);
  const selected = workbench.page.locator('.monaco-list:focus-within .monaco-list-row.selected.focused');
  await until(
    `the selected item "${itemName}"`,
    async () =>
      (await succeeds(row.click({ timeout: 10_000 }))) && succeeds(row.and(selected).waitFor({ timeout: 5_000 })),
    isSelected => isSelected,
  );
}

/** Chooses an entry of an item's context menu. `path` has the labels of its submenus and its own. */
export async function chooseFromItemMenu(
  workbench: Workbench,
  itemName: string,
  ...path: readonly string[]
): Promise<void> {
  await chooseFromMenu(workbench.page, workbench.treeRow(itemName), ...path);
}

/** Enters a path in VS Code's file dialog and accepts it. */
export async function chooseFile(workbench: Workbench, path: string): Promise<void> {
  await typeFile(workbench, path);
  await acceptFile(workbench);
}

/** Accepts the path that VS Code's file dialog proposes. */
export async function acceptFile(workbench: Workbench): Promise<void> {
  const path = await workbench.quickInput.valueNow();
  await pressUntilAccepted(workbench, path, async () => workbench.quickInput.accept());
}

/**
 * Enters a path in VS Code's folder dialog and accepts it. Enter opens the folder in the dialog, and the button accepts it; while the
 * dialog has not checked the typed path yet, Enter already accepts it.
 */
export async function chooseFolder(workbench: Workbench, path: string, button: string): Promise<void> {
  await chooseFile(workbench, path);
  const value = await until(
    'the folder',
    () => workbench.quickInput.valueNow(),
    value => value === `${path}/` || value === '',
  );
  if (value === '') return;
  const accept = workbench.page.locator('.quick-input-widget .monaco-button', { hasText: button });
  await pressUntilAccepted(workbench, value, async () => succeeds(accept.click({ timeout: 5_000 })));
}

/** Repeats a press until the file dialog's value changes: the dialog ignores input while it reads a folder. */
async function pressUntilAccepted(
  { quickInput }: Workbench,
  value: string,
  press: () => Promise<unknown>,
): Promise<void> {
  await until(
    'the file dialog to accept the path',
    async () => {
      if ((await quickInput.valueNow()) !== value) return true;
      await press();
      return succeeds(
        until(
          'the value of the dialog to change',
          () => quickInput.valueNow(),
          currentValue => currentValue !== value,
          5_000,
        ),
      );
    },
    isAccepted => isAccepted,
  );
}

/** Types a path into VS Code's file dialog, once the dialog's initial path is set, which would replace it. */
async function typeFile({ quickInput }: Workbench, path: string): Promise<void> {
  let previousPath = '';
  await until(
    'the file dialog',
    async () => {
      const path = await quickInput.valueNow();
      const isStable = path !== '' && path === previousPath && (await quickInput.items()).length > 0;
      previousPath = path;
      return isStable;
    },
    isStable => isStable,
  );
  await quickInput.type(path);
  await until(
    'the path',
    () => quickInput.valueNow(),
    value => value === path,
  );
}

/** Installs the packaged extension through VS Code's file dialog, from a folder with no other file, so that it is visible in the list. */
export async function installFromVsix(workbench: Workbench): Promise<void> {
  const folder = join(workbench.userDataDir, 'vsix');
  await fs.mkdir(folder);
  const file = join(folder, basename(vsixPath()));
  await fs.copyFile(vsixPath(), file);
  await workbench.runCommand('Extensions: Install from VSIX...');
  await workbench.quickInput.waitOpen('Install from VSIX');
  await typeFile(workbench, file);
  // Waits until the dialog has read the folder.
  await workbench.quickInput.waitItem(basename(file));
  await acceptFile(workbench);
}
