// `npm run pictures:docs`: takes the pictures of README.md and docs/ from a real VS Code with the package in it, anew. Look at each
// before it goes into a commit. What they show is made-up data of the last days, so they differ from one time to the next.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Frame, Locator, Page } from 'playwright-core';
import { startSandbox } from '../../src/sandbox/embedded.ts';
import { chooseAt } from '../../test/e2e/harness/contextMenu.ts';
import { startWorkbench } from '../../test/e2e/harness/start.ts';
import { until } from '../../test/support/waiting.ts';
import { ResultPage } from '../../test/e2e/resultPage.ts';
import { addConnection, beginQuery, tableOf } from '../../test/e2e/support.ts';
import { chooseFile, itemMenu, saveBoth } from '../../test/e2e/savedSupport.ts';
import { root } from '../paths.ts';
import { animatedWebp, type WebpFrame } from './animatedWebp.ts';

/** The window without its title bar, which is that of VS Code's server. */
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
  settings: { 'workbench.startupEditor': 'none', 'editor.minimap.enabled': false },
  companions: [join(import.meta.dirname, 'agentExtension')],
});
const { page, quickInput } = workbench;
try {
  await firstMinute();
  const frame = await workbench.resultFrame();
  await tabs(frame);
  await boxes(frame);
  await program();
  await agent();
  await sidebar();
  await dataFile();
  await board();
  await dashboard();
} finally {
  await workbench.dispose();
}
process.exit();

/** From nothing to an answer, as one moving picture; each frame is a state that stands still. */
async function firstMinute(): Promise<void> {
  const frames: WebpFrame[] = [];
  const show = async (ms: number): Promise<void> => {
    frames.push({ webp: await take(page), ms });
  };
  await workbench.openSidebar('Grid Data');
  const welcome = page.locator('.welcome-view-content').getByText('Open Sample Data', { exact: true });
  await welcome.hover();
  await show(1500);
  await welcome.click();
  const frame = await tableOf(workbench, 'System state · last 7 days · hourly');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await show(2000);
  await frame.locator('#tab-chart').click();
  await frame.locator('.chart-summary li').first().waitFor({ state: 'attached' });
  await show(1500);
  await frame.locator('.chart-tools').getByRole('button', { name: 'Generation Mix', exact: true }).click();
  await frame.locator('.chart-tools [aria-pressed=true]', { hasText: 'Generation Mix' }).waitFor();
  for (const share of [0.2, 0.3, 0.4]) {
    await page.mouse.move(...(await pointIn(frame.locator('.chart-area'), share)));
    await frame.locator('.chart-crosshair').waitFor();
    await show(share === 0.4 ? 1500 : 400);
  }
  await page.mouse.down();
  for (const share of [0.5, 0.6]) {
    await page.mouse.move(...(await pointIn(frame.locator('.chart-area'), share)));
    await show(400);
  }
  await page.mouse.up();
  await show(2000);
  await frame.locator('#tab-statistics').click();
  await frame.locator('.statistics-below [role=img]').nth(2).waitFor();
  await show(2500);
  await frame.locator('[data-action=save]').click();
  await saveBoth(workbench, 'The last week', 'Personal');
  await workbench.treeRow('The last week').waitFor();
  await workbench.runCommand('Notifications: Clear All Notifications');
  await show(2500);
  write('first-minute', animatedWebp(frames, clip.width, clip.height));
}

async function tabs(frame: Frame): Promise<void> {
  await frame.locator('#tab-table').click();
  await frame.locator('[role=gridcell]:visible').nth(30).click();
  await picture('table');
  await frame.locator('#tab-chart').click();
  await frame.locator('.chart-plot').press('0');
  await page.mouse.move(...(await pointIn(frame.locator('.chart-area'), 0.6)));
  await frame.locator('.chart-crosshair').waitFor();
  await picture('mix');
  await frame.locator('#tab-statistics').click();
  await frame.getByRole('columnheader', { name: 'Energy' }).scrollIntoViewIfNeeded();
  await picture('statistics');
}

async function boxes(frame: Frame): Promise<void> {
  await workbench.runCommand('Grid Data: Export Result…');
  await quickInput.waitOpen('Export Result');
  await quickInput.pick('As Displayed');
  await quickInput.waitItem('Parquet');
  await picture('export');
  await quickInput.cancel();
  await frame.locator('#tab-table').click();
  await new ResultPage(frame).more('Compare With…');
  await quickInput.pick('previous period');
  await frame.locator('header .parts').filter({ hasText: 'compared with' }).waitFor();
  await frame.locator('[role=gridcell]:visible').first().click();
  // The first column is frozen: the one beside it brings the beginning into sight.
  for (const key of ['Control+Home', 'ArrowRight']) await page.keyboard.press(key);
  await picture('compare');
}

/** The example of the guide, beside the panel that it opens. */
async function program(): Promise<void> {
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
  await picture('api');
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  await workbench.runCommand('View: Close Editor');
}

/** A tool asks first; then what it answers, beside the panel that its link opens. */
async function agent(): Promise<void> {
  await workbench.runCommand('Ask an Agent');
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.waitFor();
  await picture('agents-request');
  await dialog.locator('.monaco-button:not(.secondary)').click();
  await tableOf(workbench, 'System state · last 30 days · hourly');
  await workbench.runCommand('View: Move Editor into Right Group');
  await page.locator('.editor-group-container').nth(1).waitFor();
  await (await workbench.resultFrame()).locator('[role=grid]').waitFor();
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  // Away from where a tooltip shows.
  await page.mouse.move(clip.width / 2, clip.height / 2);
  await picture('agents');
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  await workbench.runCommand('View: Close Editor');
  await workbench.runCommand('View: Close Editor');
}

async function sidebar(): Promise<void> {
  const file = join(workbench.folder, '.vscode', 'grid-queries.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(queries, null, 2)}\n`);
  await workbench.treeRow('Stress, last day').waitFor();
  await workbench.runCommand('Grid Data: Open Workspace Queries File');
  await page.locator('.codelens-decoration').nth(1).waitFor();
  await picture('queries');
}

/** A result exported as Parquet, and opened from the explorer's menu. */
async function dataFile(): Promise<void> {
  const name = 'last-week.parquet';
  await workbench.closeEditors();
  await itemMenu(workbench, 'The last week', 'Run');
  const frame = await workbench.resultFrame();
  await frame.locator('#tab-table').click();
  await frame.locator('[role=gridcell]:visible').nth(30).waitFor();
  await workbench.runCommand('Grid Data: Export Result…');
  for (const choice of ['As Displayed', 'Parquet']) await quickInput.pick(choice);
  await chooseFile(workbench, join(workbench.folder, name));
  await workbench.notifications.waitFor(`to ${name}.`);
  await workbench.closeEditors();
  await workbench.openSidebar('Explorer');
  await chooseAt(page, page.getByRole('treeitem', { name }), 'Open Data File…');
  const opened = await workbench.resultFrame();
  await opened.locator('header .parts').filter({ hasText: name }).waitFor();
  await opened.locator('[role=gridcell]:visible').nth(30).click();
  await workbench.runCommand('Notifications: Clear All Notifications');
  await picture('data-file');
  await workbench.closeEditors();
}

/** The Morning board, and its report in a browser. */
async function board(): Promise<void> {
  await workbench.closeEditors();
  await workbench.openSidebar('Grid Data');
  await workbench.runCommand('Grid Data: Add Board…');
  await workbench.quickInput.pick('Morning');
  await quickInput.pick('Personal');
  await page.locator('.monaco-dialog-box .monaco-button:not(.secondary)').click();
  // A board is for a large screen.
  const large = { ...clip, width: 1600, height: 970 };
  await page.setViewportSize({ width: large.width, height: large.y + large.height });
  const names = ['Mix', 'Forecast Error', 'Stress', 'Month', 'Events'];
  const frames = await Promise.all(names.map(async name => workbench.resultFrame(name)));
  for (const frame of frames) await frame.locator('.chart-plot canvas, [role=gridcell]').first().waitFor();
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  const [mix] = frames;
  if (mix) await page.mouse.move(...(await pointIn(mix.locator('.chart-area'), 0.6)));
  await mix?.locator('.chart-crosshair').waitFor();
  write('board', await take(page, large));
  await page.setViewportSize(viewport);
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  const file = join(workbench.folder, 'Morning.html');
  await itemMenu(workbench, 'Morning', 'Copy and Export', 'Export Report…');
  await quickInput.pick('HTML');
  await chooseFile(workbench, file);
  await workbench.notifications.waitFor('Exported the report');
  const paper = await page.context().newPage();
  const sheet = { width: clip.width, height: 1000 };
  await paper.setViewportSize(sheet);
  await paper.goto(pathToFileURL(file).href);
  write('report', await take(paper, { x: 0, y: 0, ...sheet }));
  await paper.close();
  await workbench.closeEditors();
}

async function dashboard(): Promise<void> {
  const sandbox = await startSandbox();
  const { value } = sandbox.createKey('desk');
  sandbox.createKey('nightly export');
  const other = await page.context().newPage();
  await other.setViewportSize({ width: clip.width, height: clip.height });
  await other.goto(sandbox.createDashboardLink());
  await addConnection(workbench, sandbox.baseUrl, value, 'Desk');
  await tableOf(workbench, 'System state · last 24 hours · hourly · Desk');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await picture('connections');
  await beginQuery(workbench);
  await quickInput.type('1-5/2023');
  await quickInput.waitItem(' request');
  await picture('range');
  await quickInput.cancel();
  await other.bringToFront();
  await other.reload();
  await other.getByRole('row').filter({ hasText: 'desk' }).filter({ hasNotText: 'never' }).waitFor();
  write('dashboard', await take(other, { ...clip, y: 0 }));
  await sandbox.close();
}

async function picture(name: string): Promise<void> {
  write(name, await take(page));
}

function write(name: string, webp: Buffer): void {
  writeFileSync(join(folder, `${name}.webp`), webp);
  console.log(`media/docs/${name}.webp: ${Math.ceil(webp.length / 1000)} kB`);
}

/** Takes the window once two pictures of it are alike: what is still being drawn differs. */
async function take(of: Page, area = clip): Promise<Buffer> {
  const session = await of.context().newCDPSession(of);
  const quality = 80;
  const shoot = async (): Promise<string> => {
    const shot = { format: 'webp', quality, clip: { ...area, scale: 1 } } as const;
    return (await session.send('Page.captureScreenshot', shot)).data;
  };
  let before = '';
  const data = await until('the window to stand still', shoot, now => now === before || ((before = now), false));
  await session.detach();
  return Buffer.from(data, 'base64');
}

async function pointIn(element: Locator, share: number): Promise<[number, number]> {
  const box = await element.boundingBox();
  if (!box) throw new Error('There is no chart.');
  return [box.x + box.width * share, box.y + box.height / 2];
}
