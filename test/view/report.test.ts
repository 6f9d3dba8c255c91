import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { formatHtmlReport } from '../../src/core/report/htmlReport.ts';
import { splitWideTable } from '../../src/core/report/report.ts';
import { sharedBrowser } from '../host/sharedBrowser.ts';
import { hostileTexts } from '../hostile/texts.ts';
import { maxReportColumns, maxReportRows, type ReportSection } from '../../src/shared/report.ts';
import { createHarness } from './useHarness.ts';
import { call, showing } from './harness.ts';
import { expectedValue } from './page/frames.ts';
import type { StateName } from './page/states.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const rows = [...Array(168).keys()];
/** Returns the residual demand of a row of the frames in `states`. */
const demand = rows.map(row => expectedValue(row, 0));
/** Formats power as the report does. */
const rounded = (value: number): number => Math.sign(value) * Math.round(Math.abs(value));

const facts: ReportSection['facts'] = [
  ['Connection', 'Power Signals'],
  ['Coverage', '164 of 168 hours, 4 missing'],
];

describe('the report of a panel', () => {
  const harness = createHarness();

  const openPanel = (state: StateName = 'covered') => showing(harness, state, undefined, { width: 1400, height: 700 });
  const readSection = async (page: Page): Promise<ReportSection> => {
    const read = await call(page, 'readReport');
    assert.ok(read);
    return read;
  };
  const findTable = ({ tables }: ReportSection, title: string) => {
    const table = tables.find(candidate => candidate.title === title);
    assert.ok(table, tables.map(candidate => candidate.title).join());
    for (const cells of table.rows) assert.equal(cells.length, table.columns.length);
    return table;
  };

  it('contains the rows, their statistics and the chart, whichever tab is open', async () => {
    const page = await openPanel();
    await call(page, 'view', { display: { figures: ['mean', 'extremes', 'quantiles'] } });
    const section = await readSection(page);
    assert.deepEqual(
      section.tables.map(({ title }) => title),
      ['Statistics', 'Rows'],
    );
    const rowsTable = findTable(section, 'Rows');
    assert.deepEqual(rowsTable.columns.slice(0, 2), [
      { label: 'Hour (UTC)', isNumber: false },
      { label: 'Residual demand (MW)', isNumber: true },
    ]);
    assert.equal(rowsTable.caption, '168 rows · 17 columns · The first 31 of 168 rows.');
    assert.deepEqual(
      rowsTable.rows.map(([, value]) => Number(value?.replaceAll(',', ''))),
      demand.slice(0, maxReportRows).map(rounded),
    );
    assert.equal(rowsTable.rows[0]?.[0], '14 Nov 05:00');
    const ocgt = rowsTable.columns.findIndex(({ label }) => label.startsWith('OCGT') && label.endsWith('(MW)'));
    // Null and absent values are labeled and are not zeros.
    assert.deepEqual(
      rowsTable.rows.slice(3, 6).map(cells => cells[ocgt]),
      ['null', 'absent', '0'],
    );
    const statistics = findTable(section, 'Statistics');
    const findColumn = (label: string): number => statistics.columns.findIndex(column => column.label === label);
    const [first] = statistics.rows;
    const number = (label: string): number => Number(first?.[findColumn(label)]?.replaceAll(',', ''));
    const mean = demand.reduce((sum, value) => sum + value, 0) / demand.length;
    const variance = demand.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (demand.length - 1);
    assert.ok(first);
    assert.deepEqual(first.slice(0, 2), ['Residual demand', 'MW']);
    assert.ok(Math.abs(number('Mean') - mean) <= 0.5, first.join());
    assert.ok(Math.abs(number('σ (n − 1)') - Math.sqrt(variance)) <= 0.5, first.join());
    assert.deepEqual(
      [number('Lowest'), number('Highest'), number('Values')],
      [rounded(Math.min(...demand)), rounded(Math.max(...demand)), 168],
    );
    assert.ok(section.methods.some(method => method.includes('type 7 of Hyndman and Fan')));
    assert.ok(section.methods.some(method => method.startsWith('Mean: ')));

    const { svg = '', summary = '' } = section.chart ?? {};
    assert.match(svg, /^<svg [^>]*>\s*<title>/);
    // The report has a white background even in a dark theme.
    assert.match(svg, /<rect width="1080" height="\d+" fill="#ffffff"\/>/);
    assert.match(summary, /Residual demand, MW: first 0 at 14 Nov 05:00 UTC/);
    for (const tab of ['chart', 'statistics', 'raw', 'split']) {
      await page.locator(`#tab-${tab}`).click();
      assert.deepEqual(await readSection(page), section, tab);
    }
  });

  it('contains the filtered rows, sorted and arranged as on screen, and describes the filters', async () => {
    const page = await openPanel();
    await page
      .locator('[role=columnheader]:visible', { hasText: 'Residual demand' })
      .first()
      .click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    await page.locator('[data-filter=residual_demand_mw]').fill('>300');
    const filteredDemand = demand.filter(value => value > 300);
    await page.locator('footer', { hasText: `${filteredDemand.length} of 168 rows` }).waitFor();
    await page
      .locator('[role=columnheader]:visible', { hasText: 'Residual demand' })
      .first()
      .click({ button: 'right' });
    await page.getByRole('menuitemcheckbox', { name: 'Sort Ascending' }).click();
    const section = await readSection(page);
    assert.deepEqual(section.facts, [['Filters', 'Residual demand: >300']]);
    const rowsTable = findTable(section, 'Rows');
    assert.match(
      rowsTable.caption,
      new RegExp(`^${filteredDemand.length} of 168 rows · 17 columns( · The first 31 of |$)`),
    );
    assert.deepEqual(
      rowsTable.rows.map(([, value]) => Number(value?.replaceAll(',', ''))),
      [...filteredDemand]
        .sort((a, b) => a - b)
        .slice(0, maxReportRows)
        .map(rounded),
    );
    assert.match(
      findTable(section, 'Statistics').caption,
      new RegExp(`^Over ${filteredDemand.length} of 168 rows \\(1 filter\\)`),
    );
  });

  it('contains resampled rows and derived columns, and explains them', async () => {
    const page = await openPanel();
    await call(page, 'view', {
      analysis: { derive: [{ name: 'both', formula: 'wind_mw + pv_mw' }], resample: 'day' },
    });
    const section = await readSection(page);
    assert.match(section.title, /^System state · last 7 days · Days of UTC\b/);
    assert.doesNotMatch(section.chart?.svg ?? '', /hourly/);
    assert.match((await page.locator('.printed').textContent()) ?? '', /^System state · last 7 days · Days of UTC · /);
    assert.deepEqual(section.facts, [
      ['Derived columns', 'both = wind_mw + pv_mw'],
      ['Interval', 'hourly, resampled: Days · UTC'],
    ]);
    assert.equal(findTable(section, 'Rows').rows.length, 8);
    assert.ok(
      section.methods.some(method => method.startsWith('Resampled rows are calculated from the rows received')),
    );
  });

  it('contains the figures of the open tab and their options', async () => {
    const page = await openPanel();
    await page.locator('#tab-events').click();
    const events = await readSection(page);
    assert.match(findTable(events, 'Events').caption, /^\d+ events: hours with the highest Residual demand/);
    await page.locator('#tab-forecast').click();
    const scored = await readSection(page);
    assert.match(findTable(scored, 'Forecast').caption, /^168 of 168 hours have both values/);
    assert.ok(scored.methods.some(method => method.includes('RMSE the root mean square error')));
  });

  it('shortens long content, with a notice', async () => {
    const page = await openPanel('year');
    const long = findTable(await readSection(page), 'Rows');
    assert.equal(long.rows.length, maxReportRows);
    assert.match(long.caption, /The first 31 of 8,760 rows\.$/);
    await call(page, 'show', 'huge');
    const section = await readSection(page);
    const wide = findTable(section, 'Rows');
    assert.equal(wide.columns.length, maxReportColumns);
    assert.match(wide.caption, /The first 31 of 500 rows\. · The first 40 of 2,000 columns\.$/);
    assert.equal(findTable(section, 'Statistics').rows.length, maxReportRows);
    assert.ok(JSON.stringify(section.tables).length < 300_000);
  });

  it('opens from a file in a browser without scripts and network: chart, tables and figures', async () => {
    const page = await openPanel();
    const section = await readSection(page);
    const hostile: ReportSection = {
      title: '',
      facts: [],
      ...(section.chart && { chart: section.chart }),
      tables: [],
      methods: hostileTexts.map(({ text }) => text.slice(0, 500)),
    };
    const html = formatHtmlReport({
      title: 'Morning',
      note: '',
      language: 'en',
      words: { contents: 'Contents', methods: 'Methods' },
      parts: [section, hostile].map((content, index) => ({
        title: `Part ${index}`,
        facts,
        note: '',
        mark: 'SAMPLE DATA',
        content,
      })),
    });
    const file = join(createTemporaryFolder(), 'report.html');
    writeFileSync(file, html);
    const browser = await sharedBrowser();
    const context = await browser.newContext({
      javaScriptEnabled: false,
      offline: true,
      viewport: { width: 1280, height: 800 },
    });
    try {
      const paper = await context.newPage();
      const requestedUrls: string[] = [];
      paper.on('request', request => requestedUrls.push(request.url()));
      paper.on('dialog', dialog => requestedUrls.push(dialog.message()));
      await paper.goto(pathToFileURL(file).href);
      const address = pathToFileURL(file).href;
      assert.deepEqual(
        requestedUrls.filter(url => url !== address && !url.startsWith('data:image/svg+xml')),
        [],
      );
      const tableRows = await paper.evaluate<string[][][]>(
        `[...document.querySelectorAll('table')].map(table =>
          [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent)))`,
      );
      assert.deepEqual(
        tableRows,
        section.tables.flatMap(splitWideTable).map(table => table.rows),
      );
      const widths = await paper.evaluate('[...document.images].map(({ naturalWidth }) => naturalWidth)');
      assert.deepEqual(widths, [1080, 1080]);
      assert.equal(await paper.locator('script, link, iframe, object, embed, form, [onerror], [onload]').count(), 0);
      assert.equal(await paper.locator('section:nth-of-type(2) li').count(), hostileTexts.length);
      assert.equal(await paper.locator('section:nth-of-type(2) li *').count(), 0);
      // The report is no wider than the window or the paper.
      assert.equal(await paper.evaluate('document.documentElement.scrollWidth'), 1280);
      // The contents and each section start a page, and no page ends with a table header.
      await paper.emulateMedia({ media: 'print' });
      const breaks = await paper.evaluate(
        `['main', '#part-1', '#part-2', 'tbody tr'].map(part => getComputedStyle(document.querySelector(part)).breakBefore)`,
      );
      assert.deepEqual(breaks, ['page', 'auto', 'page', 'avoid']);
    } finally {
      await context.close();
    }
  });
});
