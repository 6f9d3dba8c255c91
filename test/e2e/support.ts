import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { startSandbox, type RunningSandbox, type SandboxOptions } from '../../src/sandbox/embedded.ts';
import { dismissAll } from './harness/activation.ts';
import { startWorkbench, usualViewport } from './harness/start.ts';
import { patienceMs, succeeds, until } from '../support/waiting.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { Workbench } from './harness/workbench.ts';
import { openSaved, personalHome, waitNames } from './savedSupport.ts';

/** A sandbox with a key, as another service than the embedded one. */
export async function sandboxWithKey(options: SandboxOptions = {}): Promise<RunningSandbox & { readonly key: string }> {
  const sandbox = await startSandbox(options);
  return { ...sandbox, key: sandbox.createKey('e2e').value };
}

let shared: Workbench | undefined;

/**
 * The window of all files of tests that ask for nothing special of it: its start takes as long as their tests. `dispose` closes the
 * editors and removes the connections of these names and what is in the workspace; where that fails, or a test has, the window
 * ends, and the next file has another. Processes that run files side by side have a window each.
 */
export async function sharedWorkbench(...connections: readonly string[]): Promise<Workbench> {
  // The last file does not know that it is the last: the folders go with the process.
  const window = (shared ??= await startWorkbench({ base: temporaryFolder() }));
  const workbench = window.disposedBy(async () => {
    if (!workbench.hasFailed && (await succeeds(leave(workbench, connections)))) return;
    shared = undefined;
    await window.dispose();
  });
  return workbench;
}

/** The same window with its sidebar open, and with no saved query and no run of other files in it. */
export async function emptiedWorkbench(...connections: readonly string[]): Promise<Workbench> {
  const isUsed = shared !== undefined;
  const workbench = await sharedWorkbench(...connections);
  await openSaved(workbench);
  if (!isUsed) return workbench;
  await personalHome(workbench.userDataDir).edit(() => []);
  await waitNames(workbench, []);
  await workbench.clearNotifications();
  await workbench.runCommand('Grid Data: Clear Recent Runs');
  await workbench.notifications.pressInDialog('Clear');
  await workbench.notifications.waitFor('Cleared the recent runs.');
  await workbench.clearNotifications();
  return workbench;
}

/** Removes the hours of other files from the archive. */
export async function clearArchive(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Grid Data: Clear Archive…');
  await workbench.notifications.pressInDialog('Clear Archive');
}

/** In the title of a window that has taken up the settings of its workspace. */
const settingsMark = 'with settings of the workspace';

/** Gives the window settings of its workspace, which end with the file's use of it, and waits until it has taken them up. */
export async function setWorkspaceSettings(
  workbench: Workbench,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  mkdirSync(join(workbench.folder, '.vscode'), { recursive: true });
  const text = JSON.stringify({ ...settings, 'window.title': settingsMark });
  writeFileSync(join(workbench.folder, '.vscode', 'settings.json'), text);
  await hasSettings(workbench, true);
}

async function hasSettings({ page }: Workbench, isSo: boolean): Promise<void> {
  await until(
    `the window ${isSo ? 'with' : 'without'} settings of the workspace`,
    () => page.title(),
    title => title.includes(settingsMark) === isSo,
  );
}

async function leave(workbench: Workbench, connections: readonly string[]): Promise<void> {
  await workbench.page.setViewportSize(usualViewport);
  await workbench.clearNotifications();
  // One by one they would take as long each as all do at once; what asks whether to save stays for the other way.
  if ((await workbench.editorTabs()).length > 2) await workbench.runCommand('View: Close All Editors');
  await dismissAll(workbench);
  if (!(await workbench.page.locator('.part.sidebar').isVisible()))
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  for (const name of readdirSync(workbench.folder))
    rmSync(join(workbench.folder, name), { recursive: true, force: true });
  await hasSettings(workbench, false);
  for (const connection of connections) {
    await workbench.runCommand('Grid Data Connections: Remove…');
    await workbench.quickInput.pick(connection);
    await workbench.notifications.pressInDialog('Remove');
  }
}

/** Opens the sidebar, and presses what it offers in a window without a connection. */
export async function openSampleData(workbench: Workbench): Promise<void> {
  await workbench.openSidebar('Grid Data');
  await workbench.page.locator('.welcome-view-content:visible').getByText('Open Sample Data', { exact: true }).click();
}

/** Adds a connection by the palette, as a person would, to another URL. */
export async function addConnection(workbench: Workbench, baseUrl: string, key: string, name: string): Promise<void> {
  const { quickInput } = workbench;
  // A result that opens meanwhile, such as that of Sample Data, takes the focus, and the box closes.
  await until(
    'the box of Add Connection…',
    async () => {
      await workbench.runCommand('Grid Data: Add Connection…');
      return (await quickInput.opens(10_000)) && (await quickInput.title()).includes('Add Connection (1/4)');
    },
    isOpen => isOpen,
  );
  await answerConnection(workbench, baseUrl, key, name);
}

/** Answers the open box of Add Connection…. */
export async function answerConnection(
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

/** Follows a link of the extension, by the part of it behind the question mark. */
export async function followLink(workbench: Workbench, query: string): Promise<void> {
  await workbench.runCommand('Developer: Open URL');
  await workbench.quickInput.waitOpen();
  await workbench.quickInput.type(`code-oss://grid-data.grid-data-inspector/open?${query}`);
  await workbench.quickInput.accept();
  await workbench.notifications.pressInDialog('Open');
}

/**
 * Gives a connection other limits by the palette, such as 1000/1: requests, and the seconds in which they are counted. Tests that send
 * more than the ten of a minute would wait for the next one.
 */
export async function setLimits(
  workbench: Workbench,
  connection: string,
  limits: string,
  ...datasets: readonly string[]
): Promise<void> {
  const { quickInput } = workbench;
  for (const dataset of datasets) {
    // As above, the box closes where something else takes the focus.
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

/** Begins a query by the palette, up to the step of the range. */
export async function beginQuery(workbench: Workbench, dataset = 'System state'): Promise<void> {
  const { quickInput } = workbench;
  await workbench.runCommand('Grid Data: Run Query…');
  await quickInput.waitOpen('(1/3)');
  await quickInput.pick(dataset);
  await quickInput.waitOpen('(2/3)');
}

/** Begins a query of the system state by the palette, up to the step of the interval. */
export async function enterRange(workbench: Workbench, range: string): Promise<void> {
  const { quickInput } = workbench;
  await beginQuery(workbench);
  await quickInput.type(range);
  await quickInput.waitItem(range);
  await quickInput.accept();
  await quickInput.waitOpen('(3/3)');
}

/** Runs a query of the system state by the palette; the interval is one of the offered or a typed one. */
export async function runSystemState(workbench: Workbench, range: string, interval = '1h'): Promise<void> {
  await enterRange(workbench, range);
  // What is offered is picked as it stands: while a list is filtered another line may come under the mouse.
  if (!['1h', '1d'].includes(interval)) await workbench.quickInput.type(interval);
  await workbench.quickInput.pick(interval);
}

/** Waits until the panel of that title, or of that saved query, shows a table, and returns its page. */
export async function tableOf(workbench: Workbench, title: string, patience = patienceMs): Promise<Frame> {
  await workbench.waitTab(title);
  let frame = await workbench.resultFrame(title);
  await until(
    `the table of ${title}`,
    async () => {
      // A tab that is shown again may get another page in the place of the one that was found.
      if (frame.isDetached()) frame = await workbench.resultFrame(title);
      return tableIn(frame, title).catch(String);
    },
    state => state === 'there',
    patience,
  );
  return frame;
}

/** What a page shows at one moment. */
const shownScript = `({
  choices: [...document.querySelectorAll('.toolbar-choice[data-action]')].map(choice => choice.innerText.trim()),
  hasCell: [...document.querySelectorAll('[role=grid] [role=gridcell]')].some(cell => cell.checkVisibility()),
  header: document.querySelector('header .parts')?.innerText ?? '',
})`;

/** "there", or what is not yet as it will be. */
async function tableIn(frame: Frame, title: string): Promise<string> {
  const { choices, hasCell, header } = await frame.evaluate<{ choices: string[]; hasCell: boolean; header: string }>(
    shownScript,
  );
  // The tab has its new title before the page hears of another range or interval.
  const isOfTitle = !title.includes(' · ') || choices.every(text => title.includes(text));
  if (choices.length !== 2 || !isOfTitle) return `the choices ${choices.join(', ')}`;
  if (!hasCell) return 'no cell';
  // The rows of an earlier answer stay, dimmed, while the next one is on its way.
  return header.includes(' request') && !header.includes('…') ? 'there' : `the header ${header}`;
}

/** The text of the header line. */
export async function headerOf(frame: Frame): Promise<string> {
  return (await frame.locator('header .parts').innerText()).replaceAll(/\s+/g, ' ');
}

/** The texts of a row of the grid, by its place in the data (0 is the first), blank cells as ''. */
export async function rowOf(frame: Frame, row: number): Promise<string[]> {
  return frame
    .locator(
      `[role=row][aria-rowindex="${row + 2}"] [role=gridcell], [role=row][aria-rowindex="${row + 2}"] [role=rowheader]`,
    )
    .allInnerTexts();
}

/** Waits until the message in the table's place contains the text; returns it whole. */
export async function messageOf(frame: Frame, text: string, limitMs = patienceMs): Promise<string> {
  return until(
    `the message "${text}"`,
    async () => (await frame.locator('.message p').allInnerTexts()).join(' '),
    message => message.includes(text),
    limitMs,
  );
}

/** Shows the times of a panel in another zone, by its short name. */
export async function chooseZone(frame: Frame | undefined, name: string): Promise<void> {
  await frame?.locator('[data-choice=zone]').click();
  await frame?.getByRole('menuitemcheckbox', { name: new RegExp(`^${name}\\b`) }).click();
}
