import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { chooseFromItemMenu } from './savedSupport.ts';
import {
  addConnection,
  chooseZone,
  getEmptyWorkbench,
  readHeader,
  startSandboxWithKey,
  waitForTable,
} from './support.ts';

const chart = { tab: 'chart', chart: { mode: 'lines' } };
const names = ['Stress', 'Index', 'Hours'] as const;

describe('a folder as a board', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };
  let file: string;

  before(async () => {
    sandbox = await startSandboxWithKey();
    workbench = await getEmptyWorkbench('Grid');
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
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await workbench.closeEditors();
  });
  disposeAfter(() => [workbench, sandbox]);

  it('opens its queries side by side, with one request for all their hours', async () => {
    const previousCount = countRequests();
    await chooseFromItemMenu(workbench, 'Morning', 'Open As Board');
    for (const [index, frame] of (await boardFrames()).entries()) {
      await waitForHeader(frame, ['744 rows', '264 rows', '24 rows'][index] ?? '');
      assert.equal(await frame.locator('.chart-plot canvas').count(), index < 2 ? 1 : 0);
    }
    assert.equal(await countGroups(), 3);
    // The three ranges are adjacent, so one request covers them.
    assert.equal(countRequests() - previousCount, 1);
  });

  it('links the crosshair of all charts', async () => {
    const frames = await boardFrames();
    await assertLinkedCrosshair(frames, 'May');
    assert.equal(await frames[2]?.locator('.grid-row.pointed:visible').count(), 0);
  });

  it('applies a range selected in one panel to all panels, as one plan', async () => {
    const previousCount = countRequests();
    const frames = await boardFrames();
    await frames[1]?.locator('[data-action=nextPeriod]').click();
    for (const frame of frames) await waitForHeader(frame, '264 rows');
    // All hours of May are archived.
    assert.equal(countRequests() - previousCount, 0);
    await frames[0]?.locator('[data-action=nextPeriod]').click();
    for (const frame of frames) await waitForHeader(frame, '1 Jun 2023 00:00 – 12 Jun 2023 00:00 UTC');
    assert.ok(countRequests() - previousCount <= 1);
  });

  it('changes the time zone of all panels, until the board is unlinked', async () => {
    const [stress, index, hours] = await boardFrames('● ');
    const waitForZone = async (frame: Frame | undefined, zone: string): Promise<void> =>
      frame?.locator('header .parts', { hasText: zone }).waitFor();
    await chooseZone(hours, 'SAST');
    for (const frame of [stress, index, hours]) await waitForZone(frame, 'SAST (UTC+2)');
    // The button in the editor's title changes once the command has reached the panels.
    const link = workbench.page.locator('.editor-actions [aria-label^="Unlink Board"]').first();
    await workbench.runCommand('Grid Data: Unlink Board');
    await link.waitFor({ state: 'detached' });
    await chooseZone(hours, 'UTC');
    await waitForZone(hours, '2023 00:00 UTC');
    await waitForZone(stress, 'SAST (UTC+2)');
    await workbench.runCommand('Grid Data: Link Board');
    await link.waitFor();
    await chooseZone(hours, 'UTC');
    await chooseZone(stress, 'UTC');
    for (const frame of [stress, index, hours]) await waitForZone(frame, '2023 00:00 UTC');
  });

  it('saves its layout, and is restored and linked after a reload without a request', async () => {
    await workbench.runCommand('Grid Data: Save Board Layout');
    await workbench.notifications.waitFor("Saved the layout of 'Morning'.");
    assert.match(
      readFileSync(file, 'utf8'),
      /"board": \{\s+"orientation": 1,\s+"groups": \[\{ "size": 0\.5, "queries": \["\w+"\] \}/,
    );
    const previousCount = countRequests();
    await workbench.reload();
    await until(
      'the tabs of the board',
      () => workbench.editorTabs(),
      tabs => tabs.join() === '● Stress,● Index,● Hours',
    );
    const restored = await boardFrames();
    for (const frame of restored) await waitForHeader(frame, '1 Jun 2023 00:00 – 12 Jun 2023 00:00 UTC');
    assert.equal(await countGroups(), 3);
    await assertLinkedCrosshair(restored, 'Jun');
    assert.equal(countRequests() - previousCount, 0);
  });

  it('confirms the requests of a new board, then compares last week with the period before', async () => {
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
    assert.match(await readHeader(summary), /compared with previous period/);
  });

  /** The pages of the board's panels. `mark` is the prefix of tabs with unsaved changes. */
  async function boardFrames(mark = ''): Promise<Frame[]> {
    return Promise.all(names.map(async name => workbench.resultFrame(`${mark}${name}`)));
  }

  async function waitForHeader(frame: Frame, rows: string): Promise<void> {
    await until(
      rows,
      () => readHeader(frame),
      header => header.includes(rows) && header.includes('request'),
    );
  }

  /** Moves the mouse over the second chart, and waits until the first one shows the same hour of the given month. */
  async function assertLinkedCrosshair([stress, index]: readonly Frame[], month: string): Promise<void> {
    await index?.locator('.chart-area').hover();
    const time = await index?.locator('.chart-time', { hasText: month }).innerText();
    await stress?.locator('.chart-time', { hasText: time ?? assert.fail() }).waitFor();
  }

  async function countGroups(): Promise<number> {
    return workbench.page.locator('.part.editor .editor-group-container').count();
  }

  /** The grid stress requests that the sandbox has accepted. */
  function countRequests(): number {
    return sandbox.usage.getUsage(sandbox.key.slice(0, 'sb_test_0000'.length)).features.lastHour.accepted;
  }
});
