import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { endsAfter } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { itemMenu } from './savedSupport.ts';
import { addConnection, chooseZone, emptiedWorkbench, headerOf, sandboxWithKey, tableOf } from './support.ts';

const chart = { tab: 'chart', chart: { mode: 'lines' } };
const names = ['Stress', 'Index', 'Hours'] as const;

describe('a folder as a board', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };
  let file: string;

  before(async () => {
    sandbox = await sandboxWithKey();
    workbench = await emptiedWorkbench('Grid');
    mkdirSync(join(workbench.folder, '.vscode'));
    file = join(workbench.folder, '.vscode', 'grid-queries.json');
    const queries = names.map((name, index) => ({
      name,
      dataset: 'gridStress',
      range: ['2023-05', '2023-05-10..2023-05-20', '2023-06-01'][index],
      ...(index < 2 && { display: chart }),
    }));
    writeFileSync(file, JSON.stringify({ queries: [{ folder: 'Morning', queries }] }, undefined, 2));
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Grid');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await workbench.closeEditors();
  });
  endsAfter(() => [workbench, sandbox]);

  it('opens its queries side by side, with as many requests as all their hours take', async () => {
    const before = requestsSeen();
    await itemMenu(workbench, 'Morning', 'Open As Board');
    for (const [index, frame] of (await frames()).entries()) {
      await shows(frame, ['744 rows', '264 rows', '24 rows'][index] ?? '');
      assert.equal(await frame.locator('.chart-plot canvas').count(), index < 2 ? 1 : 0);
    }
    assert.equal(await groups(), 3);
    // Two months that touch.
    assert.equal(requestsSeen() - before, 1);
  });

  it('shows in all where the person points in one', async () => {
    const shown = await frames();
    await pointsAlike(shown, 'May');
    assert.equal(await shown[2]?.locator('.grid-row.pointed:visible').count(), 0);
  });

  it('runs all for another range that is chosen in one, as one plan', async () => {
    const before = requestsSeen();
    const opened = await frames();
    await opened[1]?.locator('[data-action=nextPeriod]').click();
    for (const frame of opened) await shows(frame, '264 rows');
    // Up to the last of May they are archived.
    assert.equal(requestsSeen() - before, 0);
    await opened[0]?.locator('[data-action=nextPeriod]').click();
    for (const frame of opened) await shows(frame, '1 Jun 2023 00:00 – 12 Jun 2023 00:00 UTC');
    assert.ok(requestsSeen() - before <= 1);
  });

  it('changes the zone of all, until it is unlinked', async () => {
    const [stress, index, hours] = await frames('● ');
    const shown = async (frame: Frame | undefined, zone: string): Promise<void> =>
      frame?.locator('header .parts', { hasText: zone }).waitFor();
    await chooseZone(hours, 'SAST');
    for (const frame of [stress, index, hours]) await shown(frame, 'SAST (UTC+2)');
    // The command has come to the panels when its sign in the editor's title goes, or comes.
    const link = workbench.page.locator('.editor-actions [aria-label^="Unlink Board"]').first();
    await workbench.runCommand('Grid Data: Unlink Board');
    await link.waitFor({ state: 'detached' });
    await chooseZone(hours, 'UTC');
    await shown(hours, '2023 00:00 UTC');
    await shown(stress, 'SAST (UTC+2)');
    await workbench.runCommand('Grid Data: Link Board');
    await link.waitFor();
    await chooseZone(hours, 'UTC');
    await chooseZone(stress, 'UTC');
    for (const frame of [stress, index, hours]) await shown(frame, '2023 00:00 UTC');
  });

  it('saves its layout, and comes back after a reload, linked, without a request', async () => {
    await workbench.runCommand('Grid Data: Save Board Layout');
    await workbench.notifications.waitFor("Saved the layout of 'Morning'.");
    assert.match(
      readFileSync(file, 'utf8'),
      /"board": \{\s+"orientation": 1,\s+"groups": \[\{ "size": 0\.5, "queries": \["\w+"\] \}/,
    );
    const before = requestsSeen();
    await workbench.reload();
    await until(
      'the tabs of the board',
      () => workbench.editorTabs(),
      tabs => tabs.join() === '● Stress,● Index,● Hours',
    );
    const back = await frames();
    for (const frame of back) await shows(frame, '1 Jun 2023 00:00 – 12 Jun 2023 00:00 UTC');
    assert.equal(await groups(), 3);
    await pointsAlike(back, 'Jun');
    assert.equal(requestsSeen() - before, 0);
  });

  it('makes a board for the note on last week, which compares it, after it has said what that costs', async () => {
    await workbench.runCommand('Grid Data: Add Board…');
    const { quickInput } = workbench;
    await quickInput.pick('Monday');
    await quickInput.waitItem('Workspace');
    await quickInput.pick('Personal');
    const { page } = workbench;
    await page.locator('.monaco-dialog-box', { hasText: 'This needs 2 requests.' }).waitFor();
    await page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Run' }).click();
    const summary = await workbench.resultFrame('Summary');
    await summary.locator('.statistics-summary [role=gridcell]', { hasText: 'Residual demand' }).first().waitFor();
    const days = await workbench.resultFrame('Days');
    await days.locator('footer', { hasText: '7 rows' }).waitFor();
    assert.match(await headerOf(summary), /compared with previous period/);
  });

  /** `mark`: of queries that are shown otherwise than they are saved. */
  async function frames(mark = ''): Promise<Frame[]> {
    return Promise.all(names.map(async name => workbench.resultFrame(`${mark}${name}`)));
  }

  async function shows(frame: Frame, rows: string): Promise<void> {
    await until(
      rows,
      () => headerOf(frame),
      header => header.includes(rows) && header.includes('request'),
    );
  }

  /** Rests the mouse on the second chart, and waits until the first one shows the same hour, of that month. */
  async function pointsAlike([stress, index]: readonly Frame[], month: string): Promise<void> {
    await index?.locator('.chart-area').hover();
    const time = await index?.locator('.chart-time', { hasText: month }).innerText();
    await stress?.locator('.chart-time', { hasText: time ?? assert.fail() }).waitFor();
  }

  async function groups(): Promise<number> {
    return workbench.page.locator('.part.editor .editor-group-container').count();
  }

  /** By the sandbox, of grid stress. */
  function requestsSeen(): number {
    return sandbox.usage.of(sandbox.key.slice(0, 'sb_test_0000'.length)).features.lastHour.accepted;
  }
});
