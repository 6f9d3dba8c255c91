import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { startSandbox, type RunningSandbox, type SandboxOptions } from '../../src/sandbox/embedded.ts';
import { dismissAll } from './harness/activation.ts';
import { startWorkbench, defaultViewport } from './harness/start.ts';
import { waitTimeoutMs, succeeds, until } from '../support/until.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import type { Workbench } from './harness/workbench.ts';
import { openSavedQueries, openPersonalStore, waitForSavedNames } from './savedSupport.ts';

/** Starts a sandbox with a key, separate from the one in the extension. */
export async function startSandboxWithKey(
  options: SandboxOptions = {},
): Promise<RunningSandbox & { readonly key: string }> {
  const sandbox = await startSandbox(options);
  return { ...sandbox, key: sandbox.createKey('e2e').value };
}

let sharedWindow: Workbench | undefined;

/**
 * Returns the window that test files without special options share, since starting one takes as long as their tests. `dispose` closes
 * the editors, and removes the named connections and the workspace's files. If this or a test fails, the window is closed, and the next
 * file starts a new one. Parallel Mocha workers have a window each.
 */
export async function getSharedWorkbench(...connections: readonly string[]): Promise<Workbench> {
  // No file knows that it is the last one, so the folders are removed when the process exits.
  const window = (sharedWindow ??= await startWorkbench({ base: createTemporaryFolder() }));
  const workbench = window.withDispose(async () => {
    if (!workbench.hasFailed && (await succeeds(resetWindow(workbench, connections)))) return;
    sharedWindow = undefined;
    await window.dispose();
  });
  return workbench;
}

/** Returns the shared window with its sidebar open, without saved queries or recent runs of other files. */
export async function getEmptyWorkbench(...connections: readonly string[]): Promise<Workbench> {
  const isUsed = sharedWindow !== undefined;
  const workbench = await getSharedWorkbench(...connections);
  await openSavedQueries(workbench);
  if (!isUsed) return workbench;
  await openPersonalStore(workbench.userDataDir).edit(() => []);
  await waitForSavedNames(workbench, []);
  await workbench.clearNotifications();
  await workbench.runCommand('Grid Data: Clear Recent Runs');
  await workbench.notifications.pressInDialog('Clear');
  await workbench.notifications.waitFor('Cleared the recent runs.');
  await workbench.clearNotifications();
  return workbench;
}

/** Clears the archive, which may have hours of other test files. */
export async function clearArchive(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Grid Data: Clear Archive…');
  await workbench.notifications.pressInDialog('Clear Archive');
}

/** The window's title once the workspace settings are applied. */
const settingsTitle = 'with settings of the workspace';

/** Writes workspace settings, which `dispose` removes, and waits until they are applied. */
export async function setWorkspaceSettings(
  workbench: Workbench,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  mkdirSync(join(workbench.folder, '.vscode'), { recursive: true });
  const text = JSON.stringify({ ...settings, 'window.title': settingsTitle });
  writeFileSync(join(workbench.folder, '.vscode', 'settings.json'), text);
  await waitForSettings(workbench, true);
}

async function waitForSettings({ page }: Workbench, isApplied: boolean): Promise<void> {
  await until(
    `the window ${isApplied ? 'with' : 'without'} settings of the workspace`,
    () => page.title(),
    title => title.includes(settingsTitle) === isApplied,
  );
}

async function resetWindow(workbench: Workbench, connections: readonly string[]): Promise<void> {
  await workbench.page.setViewportSize(defaultViewport);
  await workbench.clearNotifications();
  // Closing all editors at once is faster; `dismissAll` handles those that ask whether to save.
  if ((await workbench.editorTabs()).length > 2) await workbench.runCommand('View: Close All Editors');
  await dismissAll(workbench);
  if (!(await workbench.page.locator('.part.sidebar').isVisible()))
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  for (const name of readdirSync(workbench.folder))
    rmSync(join(workbench.folder, name), { recursive: true, force: true });
  await waitForSettings(workbench, false);
  for (const connection of connections) {
    await workbench.runCommand('Grid Data Connections: Remove…');
    await workbench.quickInput.pick(connection);
    await workbench.notifications.pressInDialog('Remove');
  }
}

/** Opens Sample Data from the sidebar of a window without connections. */
export async function openSampleData(workbench: Workbench): Promise<void> {
  await workbench.openSidebar('Grid Data');
  await workbench.page.locator('.welcome-view-content:visible').getByText('Open Sample Data', { exact: true }).click();
}

/** Adds a connection to a custom URL through the palette. */
export async function addConnection(workbench: Workbench, baseUrl: string, key: string, name: string): Promise<void> {
  const { quickInput } = workbench;
  // A result that opens meanwhile, such as that of Sample Data, takes the focus and closes the box.
  await until(
    'the box of Add Connection…',
    async () => {
      await workbench.runCommand('Grid Data: Add Connection…');
      return (await quickInput.opensWithin(10_000)) && (await quickInput.title()).includes('Add Connection (1/4)');
    },
    isOpen => isOpen,
  );
  await completeConnection(workbench, baseUrl, key, name);
}

/** Completes the steps of Add Connection…, which must be open. */
export async function completeConnection(
  { quickInput }: Workbench,
  baseUrl: string,
  key: string,
  name: string,
): Promise<void> {
  await quickInput.pick('Another URL…');
  await quickInput.waitOpen('(2/4)');
  await quickInput.type(baseUrl);
  await quickInput.accept();
  await quickInput.waitOpen('(3/4)');
  await quickInput.type(key);
  await quickInput.accept();
  await quickInput.waitOpen('(4/4)');
  await quickInput.type(name);
  await quickInput.accept();
}

/** Opens a link of the extension with the given query string. */
export async function followLink(workbench: Workbench, query: string): Promise<void> {
  await workbench.runCommand('Developer: Open URL');
  await workbench.quickInput.waitOpen();
  await workbench.quickInput.type(`code-oss://grid-data.grid-data-inspector/open?${query}`);
  await workbench.quickInput.accept();
  await workbench.notifications.pressInDialog('Open');
}

/**
 * Sets the limits of a connection through the palette, such as 1000/1: requests per seconds. Without it, tests with more than ten
 * requests a minute would have to wait.
 */
export async function setLimits(
  workbench: Workbench,
  connection: string,
  limits: string,
  ...datasets: readonly string[]
): Promise<void> {
  const { quickInput } = workbench;
  for (const dataset of datasets) {
    // The box closes if something else takes the focus, as above.
    await until(
      `the limits of ${dataset}`,
      async () => {
        await workbench.runCommand('Grid Data: Set Limits…');
        return succeeds(quickInput.pick(connection, 10_000).then(() => quickInput.pick(dataset, 10_000)));
      },
      isPicked => isPicked,
    );
    await quickInput.waitMessage('Requests/seconds granted');
    await quickInput.type(limits);
    await quickInput.accept();
    await quickInput.waitClosed();
  }
}

/** Starts a query through the palette, up to the range step. */
export async function beginQuery(workbench: Workbench, dataset = 'System state'): Promise<void> {
  const { quickInput } = workbench;
  await workbench.runCommand('Grid Data: Run Query…');
  await quickInput.waitOpen('(1/3)');
  await quickInput.pick(dataset);
  await quickInput.waitOpen('(2/3)');
}

/** Starts a query of the system state through the palette, up to the interval step. */
export async function enterRange(workbench: Workbench, range: string): Promise<void> {
  const { quickInput } = workbench;
  await beginQuery(workbench);
  await quickInput.type(range);
  await quickInput.waitItem(range);
  await quickInput.accept();
  await quickInput.waitOpen('(3/3)');
}

/** Runs a query of the system state through the palette, with an offered or a typed interval. */
export async function runSystemState(workbench: Workbench, range: string, interval = '1h'): Promise<void> {
  await enterRange(workbench, range);
  // Offered intervals are picked without typing, since another item may move under the mouse while the list is filtered.
  if (!['1h', '1d'].includes(interval)) await workbench.quickInput.type(interval);
  await workbench.quickInput.pick(interval);
}

/** Waits until the panel with that title or saved query shows a table. Returns its page. */
export async function waitForTable(workbench: Workbench, title: string, timeoutMs = waitTimeoutMs): Promise<Frame> {
  await workbench.waitTab(title);
  let frame = await workbench.resultFrame(title);
  await until(
    `the table of ${title}`,
    async () => {
      // A tab that becomes visible again may have a new page.
      if (frame.isDetached()) frame = await workbench.resultFrame(title);
      return checkTable(frame, title).catch(String);
    },
    state => state === 'there',
    timeoutMs,
  );
  return frame;
}

/** A script that returns a snapshot of the page. */
const snapshotScript = `({
  choices: [...document.querySelectorAll('.toolbar-choice[data-action]')].map(choice => choice.innerText.trim()),
  hasCell: [...document.querySelectorAll('[role=grid] [role=gridcell]')].some(cell => cell.checkVisibility()),
  header: document.querySelector('header .parts')?.innerText ?? '',
})`;

/** Returns "there", or a description of what is not ready yet. */
async function checkTable(frame: Frame, title: string): Promise<string> {
  const { choices, hasCell, header } = await frame.evaluate<{ choices: string[]; hasCell: boolean; header: string }>(
    snapshotScript,
  );
  // The tab's title changes before the page receives another range or interval.
  const matchesTitle = !title.includes(' · ') || choices.every(text => title.includes(text));
  if (choices.length !== 2 || !matchesTitle) return `the choices ${choices.join(', ')}`;
  if (!hasCell) return 'no cell';
  // The earlier rows stay visible, dimmed, while a query runs.
  return header.includes(' request') && !header.includes('…') ? 'there' : `the header ${header}`;
}

/** Reads the text of the header. */
export async function readHeader(frame: Frame): Promise<string> {
  return (await frame.locator('header .parts').innerText()).replaceAll(/\s+/g, ' ');
}

/** Reads the texts of a grid row by its zero-based data index; empty cells are ''. */
export async function readRow(frame: Frame, row: number): Promise<string[]> {
  return frame
    .locator(
      `[role=row][aria-rowindex="${row + 2}"] [role=gridcell], [role=row][aria-rowindex="${row + 2}"] [role=rowheader]`,
    )
    .allInnerTexts();
}

/** Waits until the message shown instead of the table contains the text. Returns the whole message. */
export async function waitForMessage(frame: Frame, text: string, timeoutMs = waitTimeoutMs): Promise<string> {
  return until(
    `the message "${text}"`,
    async () => (await frame.locator('.message p').allInnerTexts()).join(' '),
    message => message.includes(text),
    timeoutMs,
  );
}

/** Switches the time zone of a panel by its short name. */
export async function chooseZone(frame: Frame | undefined, name: string): Promise<void> {
  await frame?.locator('[data-choice=zone]').click();
  await frame?.getByRole('menuitemcheckbox', { name: new RegExp(`^${name}\\b`) }).click();
}
