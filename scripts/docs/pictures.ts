// `npm run pictures:docs`: takes the pictures of README.md and docs/ in a real VS Code with the packaged extension. Look at each before
// you commit it. They show sample data of the last days, so they differ each time.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Frame, Locator, Page } from 'playwright-core';
import { startSandbox } from '../../src/sandbox/embedded.ts';
import { chooseFromMenu } from '../../test/e2e/harness/contextMenu.ts';
import { startWorkbench } from '../../test/e2e/harness/start.ts';
import { until } from '../../test/support/until.ts';
import { ResultPage } from '../../test/e2e/resultPage.ts';
import { addConnection, beginQuery, waitForTable } from '../../test/e2e/support.ts';
import { chooseFile, chooseFromItemMenu, enterNameAndStore } from '../../test/e2e/savedSupport.ts';
import { root } from '../paths.ts';
import { encodeAnimatedWebp, type WebpFrame } from './animatedWebp.ts';

/** The window without its title bar, which would show the name of VS Code's server. */
const clip = { x: 0, y: 30, width: 1120, height: 680 };
const viewport = { width: clip.width, height: clip.y + clip.height };
const folder = join(root, 'media', 'docs');

const queries = {
  queries: [
    { name: 'Stress, last day', dataset: 'gridStress', range: 'last 24 hours' },
    {
      folder: 'Monthly report',
      queries: [{ name: 'Wind and PV', dataset: 'systemState', range: 'last month', interval: '1d' }],
    },
  ],
};

mkdirSync(folder, { recursive: true });
const workbench = await startWorkbench({
  viewport,
  settings: { 'workbench.startupEditor': 'none', 'editor.minimap.enabled': false, 'workbench.hover.delay': 60_000 },
  companions: [join(import.meta.dirname, 'agentExtension')],
});
const { page, quickInput } = workbench;
try {
  await recordFirstMinute();
  const frame = await workbench.resultFrame();
  await takeTabs(frame);
  await takeDialogs(frame);
  await takeJoinedMeter(frame);
  await takeProgram();
  await takeAgent();
  await takeSidebar();
  await takeDataFile();
  await takeBoard();
  await takeDashboard();
} finally {
  await workbench.dispose();
}
process.exit();

/** Records the way from an empty window to a saved result as one animation; each frame is a still. */
async function recordFirstMinute(): Promise<void> {
  const frames: WebpFrame[] = [];
  const addFrame = async (durationMs: number): Promise<void> => {
    frames.push({ webp: await takeScreenshot(page), durationMs });
  };
  await workbench.openSidebar('Grid Data');
  const welcome = page.locator('.welcome-view-content').getByText('Open Sample Data', { exact: true });
  await welcome.hover();
  await addFrame(1500);
  await welcome.click();
  const frame = await waitForTable(workbench, 'System state · last 7 days · hourly');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await addFrame(2000);
  await frame.locator('#tab-chart').click();
  await frame.locator('.chart-summary li').first().waitFor({ state: 'attached' });
  await addFrame(1500);
  await frame.locator('.chart-tools').getByRole('button', { name: 'Generation Mix', exact: true }).click();
  await frame.locator('.chart-tools [aria-pressed=true]', { hasText: 'Generation Mix' }).waitFor();
  for (const share of [0.2, 0.3, 0.4]) {
    await page.mouse.move(...(await getPointInside(frame.locator('.chart-area'), share)));
    await frame.locator('.chart-crosshair').waitFor();
    await addFrame(share === 0.4 ? 1500 : 400);
  }
  await page.mouse.down();
  for (const share of [0.5, 0.6]) {
    await page.mouse.move(...(await getPointInside(frame.locator('.chart-area'), share)));
    await addFrame(400);
  }
  await page.mouse.up();
  await addFrame(2000);
  await frame.locator('#tab-statistics').click();
  await frame.locator('.statistics-below [role=img]').nth(2).waitFor();
  await addFrame(2500);
  await frame.locator('[data-action=save]').click();
  await enterNameAndStore(workbench, 'The last week', 'Personal');
  await workbench.treeRow('The last week').waitFor();
  await workbench.runCommand('Notifications: Clear All Notifications');
  // Moves the mouse away so that no button is highlighted.
  await page.mouse.move(clip.width / 2, clip.height);
  await addFrame(2500);
  writePicture('first-minute', encodeAnimatedWebp(frames, clip.width, clip.height));
}

async function takeTabs(frame: Frame): Promise<void> {
  await frame.locator('#tab-table').click();
  await frame.locator('[role=gridcell]:visible').nth(30).click();
  await takePicture('table');
  await frame.locator('#tab-chart').click();
  await frame.locator('.chart-plot').press('0');
  await page.mouse.move(...(await getPointInside(frame.locator('.chart-area'), 0.6)));
  await frame.locator('.chart-crosshair').waitFor();
  await takePicture('mix');
  await frame.locator('#tab-statistics').click();
  await frame.getByRole('columnheader', { name: 'Energy' }).scrollIntoViewIfNeeded();
  await takePicture('statistics');
}

async function takeDialogs(frame: Frame): Promise<void> {
  await workbench.runCommand('Grid Data: Export Result…');
  await quickInput.waitOpen('Export Result');
  await quickInput.pick('As Displayed');
  await quickInput.waitItem('Parquet');
  await takePicture('export');
  await quickInput.cancel();
  await frame.locator('#tab-table').click();
  await new ResultPage(frame).chooseFromToolbarMenu('Compare With…');
  await quickInput.pick('previous period');
  await frame.locator('header .parts').filter({ hasText: 'compared with' }).waitFor();
  await frame.locator('[role=gridcell]:visible').first().click();
  // The first column is frozen: moving to the second one scrolls back to the start.
  for (const key of ['Control+Home', 'ArrowRight']) await page.keyboard.press(key);
  await takePicture('compare');
}

/** Shows the cost of a meter by tariff period, beside the means of the grid. */
async function takeJoinedMeter(frame: Frame): Promise<void> {
  const halfHourMs = 1_800_000;
  const start = Math.floor(Date.now() / halfHourMs) * halfHourMs - 500 * halfHourMs;
  const rows = Array.from({ length: 500 }, (_, index) => {
    const ms = start + index * halfHourMs;
    return `${new Date(ms).toISOString()};${200 + 5 * (index % 48)}`;
  });
  writeFileSync(join(workbench.folder, 'plant.csv'), ['Time;Import (kWh)', ...rows].join('\n'));
  const resultPage = new ResultPage(frame);
  await resultPage.chooseFromToolbarMenu('End Comparison');
  await resultPage.chooseFromToolbarMenu('Add Columns From…');
  await quickInput.pick('plant.csv');
  await frame.locator('header .parts').filter({ hasText: 'with plant.csv' }).waitFor();
  await resultPage.chooseFromToolbarMenu('Add Preset Columns…');
  await quickInput.pick('Time-of-use cost');
  await quickInput.waitOpen('Time-of-use cost · Import');
  await quickInput.type('700 215 118 230 160 102');
  await quickInput.accept();
  await frame.locator('[role=gridcell]:visible, [role=rowheader]:visible', { hasText: 'Off-peak' }).first().click();
  await takePicture('joining');
}

/** Shows the guide's API example beside the panel that it opens. */
async function takeProgram(): Promise<void> {
  const [, code = ''] = /```ts\n([^]*?)```/.exec(readFileSync(join(root, 'docs/api.md'), 'utf8')) ?? [];
  writeFileSync(join(workbench.folder, 'highestDemand.ts'), code);
  await page.locator('.tab.active').click();
  await page.keyboard.press('Control+p');
  await quickInput.waitOpen();
  await quickInput.type('highestDemand.ts');
  await quickInput.waitItem('highestDemand.ts');
  await quickInput.accept();
  await workbench.waitTab('highestDemand');
  await workbench.runCommand('View: Move Editor into Right Group');
  await page.locator('.editor-group-container').nth(1).waitFor();
  await (await workbench.resultFrame()).locator('[role=grid]').waitFor();
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  await takePicture('api');
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  await workbench.runCommand('View: Close Editor');
}

/** Shows a tool's confirmation, then its result beside the panel that its link opens. */
async function takeAgent(): Promise<void> {
  await workbench.runCommand('Ask an Agent');
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.waitFor();
  await takePicture('agents-request');
  await dialog.locator('.monaco-button:not(.secondary)').click();
  await waitForTable(workbench, 'System state · last 30 days · hourly');
  await workbench.runCommand('View: Move Editor into Right Group');
  await page.locator('.editor-group-container').nth(1).waitFor();
  await (await workbench.resultFrame()).locator('[role=grid]').waitFor();
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  // Moves the mouse away so that no tooltip is visible.
  await page.mouse.move(clip.width / 2, clip.height / 2);
  await takePicture('agents');
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  await workbench.runCommand('View: Close Editor');
  await workbench.runCommand('View: Close Editor');
}

async function takeSidebar(): Promise<void> {
  const file = join(workbench.folder, '.vscode', 'grid-queries.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(queries, null, 2)}\n`);
  await workbench.treeRow('Stress, last day').waitFor();
  await workbench.runCommand('Grid Data: Open Workspace Queries File');
  await page.locator('.codelens-decoration').nth(1).waitFor();
  await takePicture('queries');
}

/** Exports a result as Parquet, and opens it from the explorer's menu. */
async function takeDataFile(): Promise<void> {
  const name = 'last-week.parquet';
  await workbench.closeEditors();
  await chooseFromItemMenu(workbench, 'The last week', 'Run');
  const frame = await workbench.resultFrame();
  await frame.locator('#tab-table').click();
  await frame.locator('[role=gridcell]:visible').nth(30).waitFor();
  await workbench.runCommand('Grid Data: Export Result…');
  for (const choice of ['As Displayed', 'Parquet']) await quickInput.pick(choice);
  await chooseFile(workbench, join(workbench.folder, name));
  await workbench.notifications.waitFor(`to ${name}.`);
  await workbench.closeEditors();
  await workbench.openSidebar('Explorer');
  await chooseFromMenu(page, page.getByRole('treeitem', { name }), 'Open Data File…');
  const resultFrame = await workbench.resultFrame();
  await resultFrame.locator('header .parts').filter({ hasText: name }).waitFor();
  await resultFrame.locator('[role=gridcell]:visible').nth(30).click();
  await workbench.runCommand('Notifications: Clear All Notifications');
  await takePicture('data-file');
  await workbench.closeEditors();
}

/** Shows the Morning board, and its report in a browser. */
async function takeBoard(): Promise<void> {
  await workbench.closeEditors();
  await workbench.openSidebar('Grid Data');
  await workbench.runCommand('Grid Data: Add Board…');
  await workbench.quickInput.pick('Morning');
  await quickInput.pick('Personal');
  await page.locator('.monaco-dialog-box .monaco-button:not(.secondary)').click();
  // A board needs a large screen.
  const largeClip = { ...clip, width: 1600, height: 970 };
  await page.setViewportSize({ width: largeClip.width, height: largeClip.y + largeClip.height });
  const names = ['Mix', 'Forecast Error', 'Stress', 'Month', 'Events'];
  const frames = await Promise.all(names.map(async name => workbench.resultFrame(name)));
  for (const frame of frames) await frame.locator('.chart-plot canvas, [role=gridcell]').first().waitFor();
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  const [mix] = frames;
  if (mix) await page.mouse.move(...(await getPointInside(mix.locator('.chart-area'), 0.6)));
  await mix?.locator('.chart-crosshair').waitFor();
  writePicture('board', await takeScreenshot(page, largeClip));
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  const file = join(workbench.folder, 'Morning.html');
  await chooseFromItemMenu(workbench, 'Morning', 'Copy and Export', 'Export Report…');
  await quickInput.pick('HTML');
  await chooseFile(workbench, file);
  await workbench.notifications.waitFor('Exported the report');
  const reportPage = await page.context().newPage();
  const reportSize = { width: clip.width, height: 1000 };
  await reportPage.setViewportSize(reportSize);
  await reportPage.goto(pathToFileURL(file).href);
  writePicture('report', await takeScreenshot(reportPage, { x: 0, y: 0, ...reportSize }));
  await reportPage.close();
  // Editors below one another would keep the window high.
  await workbench.closeEditors();
  await page.setViewportSize(viewport);
  const statusBar = page.locator('.part.statusbar');
  const isVisible = async (): Promise<boolean> => {
    const { y, height } = (await statusBar.boundingBox()) ?? { y: Infinity, height: 0 };
    return y + height <= viewport.height;
  };
  await until('the status bar to be visible', isVisible, Boolean, 20_000);
}

async function takeDashboard(): Promise<void> {
  const sandbox = await startSandbox();
  const { value } = sandbox.createKey('desk');
  sandbox.createKey('nightly export');
  const dashboardPage = await page.context().newPage();
  await dashboardPage.setViewportSize({ width: clip.width, height: clip.height });
  await dashboardPage.goto(sandbox.createDashboardLink());
  await addConnection(workbench, sandbox.baseUrl, value, 'Desk');
  await waitForTable(workbench, 'System state · last 24 hours · hourly · Desk');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await takePicture('connections');
  await beginQuery(workbench);
  await quickInput.type('1-5/2023');
  await quickInput.waitItem(' request');
  await takePicture('range');
  await quickInput.cancel();
  await dashboardPage.bringToFront();
  await dashboardPage.reload();
  await dashboardPage.getByRole('row').filter({ hasText: 'desk' }).filter({ hasNotText: 'never' }).waitFor();
  writePicture('dashboard', await takeScreenshot(dashboardPage, { ...clip, y: 0 }));
  await sandbox.close();
}

async function takePicture(name: string): Promise<void> {
  writePicture(name, await takeScreenshot(page));
}

function writePicture(name: string, webp: Buffer): void {
  writeFileSync(join(folder, `${name}.webp`), webp);
  console.log(`media/docs/${name}.webp: ${Math.ceil(webp.length / 1000)} kB`);
}

/** Takes a screenshot once two in a row are equal, so that nothing is still being drawn. */
async function takeScreenshot(target: Page, area = clip): Promise<Buffer> {
  const session = await target.context().newCDPSession(target);
  const quality = 80;
  const capture = async (): Promise<string> => {
    const shot = { format: 'webp', quality, clip: { ...area, scale: 1 } } as const;
    return (await session.send('Page.captureScreenshot', shot)).data;
  };
  let previous = '';
  const data = await until('the window to stand still', capture, now => now === previous || ((previous = now), false));
  await session.detach();
  return Buffer.from(data, 'base64');
}

async function getPointInside(element: Locator, fraction: number): Promise<[number, number]> {
  const box = await element.boundingBox();
  if (!box) throw new Error('The element is not visible.');
  return [box.x + box.width * fraction, box.y + box.height / 2];
}
