import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mostReportRows } from '../../src/shared/report.ts';
import { sharedBrowser } from '../host/sharedBrowser.ts';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { askedOf, gridRecords } from './gridHours.ts';
import { pictureFailures } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { chooseFile, itemMenu } from './savedSupport.ts';
import { addConnection, emptiedWorkbench, runSystemState, tableOf } from './support.ts';

const key = 'sb_test_reports_0001';
const folder = {
  folder: 'Morning',
  queries: [
    { name: 'Ministers & <b>load</b>', dataset: 'systemState', range: '2023-05-01..2023-05-03' },
    {
      name: 'By hour of day',
      dataset: 'systemState',
      range: '2023-05-02..2023-05-03',
      view: { resample: 'hourOfDay' },
    },
    { name: 'Nothing yet', dataset: 'gridStress', range: '2023-05-01' },
  ],
};
const daily = {
  folder: 'Daily',
  queries: [
    {
      name: 'Day before',
      dataset: 'systemState',
      range: 'yesterday',
      view: { tab: 'chart', chart: { mode: 'lines' }, derived: [{ name: 'both_mw', formula: 'wind_mw + thermal_mw' }] },
    },
  ],
};
const dayMs = 86_400_000;
const files = ['first.html', 'later.html', 'morning.html', 'again.html', 'view.html', 'notes.md', 'notes'];

describe('exporting a report', () => {
  let workbench: Workbench;
  let service: CannedService;
  /** By the service, which tells the window the time: noon, so that no day ends meanwhile. */
  let offset = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2 - Date.now();
  const now = (): number => Date.now() + offset;

  before(async () => {
    service = await startCannedService(({ query, path }, response) =>
      sendJson(
        response,
        200,
        { data: path.includes('stress') ? [] : gridRecords(askedOf(query)) },
        { Date: new Date(now()).toUTCString() },
      ),
    );
    workbench = await emptiedWorkbench('Reports');
    mkdirSync(pathOf('.vscode'));
    writeFileSync(join(pathOf('.vscode'), 'grid-queries.json'), JSON.stringify({ queries: [folder, daily] }));
    await addConnection(workbench, service.baseUrl, key, 'Reports');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await workbench.closeEditors();
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
    for (const name of files) rmSync(pathOf(name), { recursive: true, force: true, maxRetries: 5 });
  });

  const pathOf = (name: string): string => join(workbench.folder, name);
  const written = async (name: string): Promise<string> => {
    await until(
      `the file ${name}`,
      () => Promise.resolve(existsSync(pathOf(name))),
      is => is,
    );
    return readFileSync(pathOf(name), 'utf8');
  };
  const exportFolder = async (name: string, line = 'Morning'): Promise<void> => {
    await itemMenu(workbench, line, 'Export Report…');
    await workbench.quickInput.pick('HTML');
    await chooseFile(workbench, pathOf(name));
    await workbench.notifications.waitFor(`Exported the report to ${name}.`);
    await workbench.clearNotifications();
  };
  /** What a browser without scripts and network shows of a file. */
  const readIn = async <T>(name: string, expression: string): Promise<T> => {
    const browser = await sharedBrowser();
    const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
    try {
      const page = await context.newPage();
      await page.goto(pathToFileURL(pathOf(name)).href);
      return await page.evaluate<T>(expression);
    } finally {
      await context.close();
    }
  };

  it('exports a folder with a section for each saved query, from one plan', async () => {
    await exportFolder('morning.html');
    const headings = await readIn<string[]>(
      'morning.html',
      `[...document.querySelectorAll('h2')].map(h => h.textContent)`,
    );
    assert.deepEqual(headings, ['Contents', ...folder.queries.map(({ name }) => name)]);
    const images = await readIn<number[]>('morning.html', '[...document.images].map(image => image.naturalWidth)');
    assert.deepEqual(images, [1080, 1080]);
    const tables = await readIn<[string, number][]>(
      'morning.html',
      `[...document.querySelectorAll('section')].map(section => [...section.querySelectorAll('caption')].at(-1)?.textContent)`,
    );
    assert.match(String(tables[0]), /^72 rows · /);
    assert.match(String(tables[1]), /^24 rows · /);
    const html = await written('morning.html');
    for (const text of ['72 of 72 hours', 'Hours of the Day · UTC', 'The service has no rows for', '1 May 2023 00:00'])
      assert.ok(html.includes(text), text);
    assert.ok(!html.includes(key));
  });

  it('exports the same folder again from the archive without a request, with the same text', async () => {
    const asked = service.seen.length;
    await exportFolder('again.html');
    assert.equal(service.seen.length, asked);
    assert.equal(await written('again.html'), await written('morning.html'));
    await workbench.closeEditors();
  });

  it('has the same shape of the new period when its folder is exported a day later', async () => {
    const shapeOf = (name: string): Promise<unknown> =>
      readIn(
        name,
        `[...document.querySelectorAll('h1, h2, h3, dt, th[scope=col], section li, figure img')]
          .map(({ tagName, textContent, naturalWidth }) => [tagName, textContent, naturalWidth])`,
      );
    const daysOf = (name: string): Promise<string[]> =>
      readIn(
        name,
        `[...[...document.querySelectorAll('table')].at(-1).tBodies[0].rows].map(row => row.cells[0].textContent.slice(0, 6))`,
      );
    const day = (ms: number): string => {
      const [, number = '', month = ''] = new Date(ms).toUTCString().split(' ');
      return `${number} ${month}`;
    };
    const yesterday = now() - dayMs;
    await exportFolder('first.html', 'Daily');
    offset += dayMs;
    // What is requested next brings the time along, and the one after it confirms that.
    for (const range of ['2023-06-01', '2023-06-02']) {
      await runSystemState(workbench, range);
      await tableOf(workbench, `System state · ${range} · hourly`);
    }
    await exportFolder('later.html', 'Daily');
    assert.deepEqual(await shapeOf('later.html'), await shapeOf('first.html'));
    assert.deepEqual(await daysOf('first.html'), Array<string>(24).fill(day(yesterday)));
    assert.deepEqual(await daysOf('later.html'), Array<string>(24).fill(day(yesterday + dayMs)));
    await workbench.closeEditors();
  });

  it('exports the panel in sight from its menu, as Markdown with its chart beside it', async () => {
    await workbench.treeRow('Morning').click();
    await itemMenu(workbench, 'Ministers & <b>load</b>', 'Run Saved Query');
    await workbench.waitTab('Ministers & <b>load</b>');
    const page = new ResultPage(await workbench.resultFrame('Ministers & <b>load</b>'));
    await page.footer('72 rows');
    await page.more('Export Report…');
    await workbench.quickInput.pick('Markdown');
    await chooseFile(workbench, pathOf('notes.md'));
    await workbench.notifications.waitFor('Exported the report to notes.md.');
    const text = await written('notes.md');
    assert.match(text, /!\[Shown: 01 May 00:00 UTC [^\]]*\]\(notes\/chart-1\.svg\)/);
    const sent = gridRecords({ start: Date.UTC(2023, 4, 1), end: Date.UTC(2023, 4, 4), stepMs: 3_600_000 });
    const rows = text.split('\n').filter(line => /^\| 0[123] May \d\d:00 \|/.test(line));
    // The first rows, once for each part of a wide table.
    const count = rows.length / mostReportRows;
    assert.ok(Number.isInteger(count) && count > 0, String(rows.length));
    const write = new Intl.NumberFormat('en', { minimumFractionDigits: 0 });
    for (const [at, record] of sent.slice(0, mostReportRows).entries())
      assert.equal(rows[at]?.split('|')[2]?.trim(), write.format(Number(record['residual_demand_mw'])));
    assert.match(readFileSync(pathOf('notes/chart-1.svg'), 'utf8'), /^<svg /);
  });
});
