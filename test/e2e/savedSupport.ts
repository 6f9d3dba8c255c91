import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { basename, join } from 'node:path';
import { vsixPath } from '../../scripts/package/vsixPath.ts';
import { LockedText } from '../../src/service/savedQueries/lockedText.ts';
import { PersonalQueryStore } from '../../src/service/savedQueries/personalQueryStore.ts';
import { realClock } from '../support/realClock.ts';
import { chooseAt } from './harness/contextMenu.ts';
import { succeeds, until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';

const pane = '.part.sidebar .pane:has(.pane-header[aria-label^="Saved Queries"])';

/** Opens the sidebar; the view with the saved queries is its first. */
export async function openSaved(workbench: Workbench): Promise<void> {
  await workbench.openSidebar('Grid Data');
  await workbench.page.locator(pane).waitFor();
}

/** The person's saved queries as any window has them. */
export function personalHome(userDataDir: string): PersonalQueryStore {
  const storage = join(userDataDir, 'User', 'globalStorage', 'grid-data.grid-data-inspector');
  const path = join(storage, 'savedQueries', 'savedQueries.json');
  const state = { get: () => undefined, update: async () => Promise.resolve() };
  const file = new LockedText({ path, clock: realClock, random: Math.random });
  return new PersonalQueryStore({ file, state, clock: realClock, windowId: 'test' });
}

/** The names in the view Saved Queries, from top to bottom, without the stores. */
export async function savedNames(workbench: Workbench): Promise<string[]> {
  const names = await savedLines(workbench);
  return names.filter(name => name !== 'Personal' && name !== 'Workspace');
}

/** The same with the stores. */
export async function savedLines(workbench: Workbench): Promise<string[]> {
  return workbench.page.locator(`${pane} .monaco-list-row .label-name`).allInnerTexts();
}

/** Waits until the view shows exactly these names. */
export async function waitNames(workbench: Workbench, names: readonly string[]): Promise<void> {
  const shown = await until(
    `the saved queries ${names.join(', ')}`,
    () => savedNames(workbench),
    all => JSON.stringify(all) === JSON.stringify(names),
  );
  assert.deepEqual(shown, names);
}

/** Answers the two boxes of saving: the name, and where. */
export async function saveBoth(workbench: Workbench, name: string, place: string): Promise<void> {
  await workbench.quickInput.waitOpen('Save Query');
  await workbench.quickInput.type(name);
  await workbench.quickInput.accept();
  await workbench.quickInput.pick(place);
}

/** Acts on the view until the names in it are so: VS Code loses a click or a drag that begins while the tree is drawn anew. */
export async function actUntil(
  workbench: Workbench,
  isSo: (names: readonly string[]) => boolean,
  act: () => Promise<void>,
): Promise<void> {
  const names = (): Promise<string[]> => savedNames(workbench);
  await until(
    'the saved queries as they are to be',
    async () => {
      if (isSo(await names())) return names();
      await succeeds(act());
      await succeeds(until('the names', names, isSo, 10_000));
      return names();
    },
    isSo,
  );
}

/** Selects a line by a click, and gives it the keyboard. */
export async function selectLine(workbench: Workbench, line: string): Promise<void> {
  const row = workbench.treeRow(line);
  const selected = workbench.page.locator('.monaco-list:focus-within .monaco-list-row.selected.focused');
  await until(
    `the selected line "${line}"`,
    async () =>
      (await succeeds(row.click({ timeout: 10_000 }))) && succeeds(row.and(selected).waitFor({ timeout: 5_000 })),
    isSelected => isSelected,
  );
}

/** Chooses an entry of the menu of a line. `path`: the submenus that lead to it, and its own label. */
export async function itemMenu(workbench: Workbench, line: string, ...path: readonly string[]): Promise<void> {
  await chooseAt(workbench.page, workbench.treeRow(line), ...path);
}

/** Answers VS Code's own dialog for a file. */
export async function chooseFile(workbench: Workbench, path: string): Promise<void> {
  await typeFile(workbench, path);
  await acceptFile(workbench);
}

/** Takes the path that stands in VS Code's own dialog for a file. */
export async function acceptFile(workbench: Workbench): Promise<void> {
  const path = await workbench.quickInput.valueNow();
  await pressUntilHeard(workbench, path, async () => workbench.quickInput.accept());
}

/**
 * Answers VS Code's own dialog for a folder. Enter walks into it, and the button takes it; before the dialog has looked at what was
 * typed, Enter takes it already.
 */
export async function chooseFolder(workbench: Workbench, path: string, button: string): Promise<void> {
  await chooseFile(workbench, path);
  const value = await until(
    'the folder',
    () => workbench.quickInput.valueNow(),
    now => now === `${path}/` || now === '',
  );
  if (value === '') return;
  const accept = workbench.page.locator('.quick-input-widget .monaco-button', { hasText: button });
  await pressUntilHeard(workbench, value, async () => succeeds(accept.click({ timeout: 5_000 })));
}

/** Presses until the dialog for a file shows another value than this one: it ignores what is pressed while it looks at a folder. */
async function pressUntilHeard({ quickInput }: Workbench, value: string, press: () => Promise<unknown>): Promise<void> {
  await until(
    'the end of the file dialog',
    async () => {
      if ((await quickInput.valueNow()) !== value) return true;
      await press();
      return succeeds(
        until(
          'another value',
          () => quickInput.valueNow(),
          now => now !== value,
          5_000,
        ),
      );
    },
    isOver => isOver,
  );
}

/** Types into VS Code's own dialog for a file: it comes up with a path of its own, which a path typed too early is lost to. */
async function typeFile({ quickInput }: Workbench, path: string): Promise<void> {
  let before = '';
  await until(
    'the file dialog',
    async () => {
      const now = await quickInput.valueNow();
      const rests = now !== '' && now === before && (await quickInput.items()).length > 0;
      before = now;
      return rests;
    },
    rests => rests,
  );
  await quickInput.type(path);
  await until(
    'the path',
    () => quickInput.valueNow(),
    value => value === path,
  );
}

/** Installs the packaged extension as a person does, from a folder of its own: in a long list its line would be out of sight. */
export async function installFromVsix(workbench: Workbench): Promise<void> {
  const folder = join(workbench.userDataDir, 'vsix');
  await fs.mkdir(folder);
  const file = join(folder, basename(vsixPath()));
  await fs.copyFile(vsixPath(), file);
  await workbench.runCommand('Extensions: Install from VSIX...');
  await workbench.quickInput.waitOpen('Install from VSIX');
  await typeFile(workbench, file);
  // The box reads the folder first.
  await workbench.quickInput.waitItem(basename(file));
  await acceptFile(workbench);
}
