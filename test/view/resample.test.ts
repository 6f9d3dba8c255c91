import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { addAxe } from './addAxe.ts';
import { until } from '../support/until.ts';
import { createHarness } from './useHarness.ts';
import { allDigits, call, showing, waitForFooter } from './harness.ts';
import { expectedValue } from './page/frames.ts';
import type { StateName } from './page/states.ts';
import { resampleFrame } from '../../src/core/bins/resampleFrame.ts';
import { createFileResult } from '../../src/core/dataFile/fileResult.ts';
import type { Frame } from '../../src/shared/frame.ts';
import { daysInFile } from './page/zoneDays.ts';
import { menuItem } from './menus.ts';

const hourMs = 3_600_000;
/** Column names of the frames in `states`. */
const firstHour = Date.UTC(2026, 10, 14, 5);
const rows = [...Array(168).keys()];

/** Computes the mean of a column over rows, rounded to thousandths as in the table. */
function computeMean(column: number, of: readonly number[]): string {
  const sum = of.reduce((total, row) => total + Math.round(expectedValue(row, column) * 10), 0) / 10;
  return (sum / of.length).toLocaleString('en', { minimumFractionDigits: 3, maximumFractionDigits: 3 });
}

function getHour(row: number): number {
  return new Date(firstHour + row * hourMs).getUTCHours();
}

describe('resampling in the panel', () => {
  const harness = createHarness();

  const openPanel = (state: StateName = 'covered') =>
    showing(harness, state, undefined, { width: 1400, height: 700 }, allDigits);
  const choice = (page: Page) => page.locator('[data-choice=resample]');
  const resample = async (page: Page, by: string): Promise<void> => {
    await choice(page).click();
    await (await menuItem(page, by)).click();
  };
  const openColumnMenu = async (page: Page, column: string): Promise<void> => {
    await page.locator('[role=columnheader]:visible', { hasText: column }).first().click({ button: 'right' });
  };
  const cells = (page: Page, column: number): Promise<string[]> =>
    page
      .locator(`[role=row]:not([hidden]) > [aria-colindex="${column}"]:not([role=columnheader]):visible`)
      .allInnerTexts();

  it('shows days with their number of hours, marks an incomplete one, and returns to hours', async () => {
    const page = await openPanel();
    await resample(page, 'Days');
    await waitForFooter(page, '8 rows · 64 columns');
    assert.equal(await choice(page).innerText(), 'Days');
    assert.deepEqual(await cells(page, 1), [
      '14 Nov',
      '15 Nov',
      '16 Nov',
      '17 Nov',
      '18 Nov',
      '19 Nov',
      '20 Nov',
      '21 Nov',
    ]);
    assert.deepEqual(await cells(page, 2), ['19', '24', '24', '24', '24', '24', '24', '5']);
    const days = [rows.slice(0, 19), rows.slice(19, 43)];
    assert.deepEqual(
      (await cells(page, 4)).slice(0, 2),
      days.map(of => computeMean(0, of)),
    );
    const few = page.locator('[data-tone=few]');
    const titles: (string | undefined)[] = [];
    for (const cell of await few.all()) {
      await cell.hover();
      titles.push((await cell.getAttribute('title'))?.split('\n').at(-1));
    }
    // OCGT lacks two hours of the first day, but the day itself is not marked.
    assert.deepEqual(titles, ['17 of 24 hours have data: less than 75 %', '5 of 24 hours have data: less than 75 %']);
    assert.equal(await few.last().getAttribute('aria-label'), '5 few');
    const ends = await page.evaluate<number[]>(`
      [...document.querySelectorAll('.grid-row:not([hidden]) > [aria-colindex="2"]')].map(cell => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        return Math.round(text.getBoundingClientRect().right);
      })`);
    assert.equal(ends.length, 8);
    assert.equal(new Set(ends).size, 1, `the numbers end below one another: ${ends.join()}`);
    await page.locator('#tab-statistics').click();
    await page.locator('.tab-sentence', { hasText: '· 1 row has data for less than 75 % of its hours' }).waitFor();
    await page.locator('#tab-table').click();
    // The strip still shows hours.
    assert.ok(await page.locator('.coverage').isVisible());
    // The menu stays open for a choice of bins.
    await page.locator('[data-choice=resample]').click();
    await page.getByRole('menuitemcheckbox', { name: 'Energy' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Days', exact: true }).click();
    const readColumnNames = async () => (await call(page, 'readTable'))?.columns.map(column => column.name) ?? [];
    assert.deepEqual((await readColumnNames()).slice(0, 4), ['ts', 'hours', 'of_hours', 'residual_demand_mwh']);
    assert.ok((await readColumnNames()).slice(3).every(name => name.endsWith('_mwh')));
    assert.equal((await call(page, 'readTable'))?.analysis.figures, 'energy');
    await page.locator('[data-choice=resample]').click();
    await page.getByRole('menuitemcheckbox', { name: 'All Figures' }).click();
    await page.keyboard.press('Escape');
    await resample(page, 'As Received');
    await waitForFooter(page, '168 rows · 17 columns');
    // The columns are counted even while the table is hidden.
    await page.locator('#tab-chart').click();
    await resample(page, 'Days');
    await waitForFooter(page, '8 rows · 64 columns');
  });

  it('filters the hours before resampling', async () => {
    const page = await openPanel();
    await openColumnMenu(page, 'Hour (UTC)');
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    await page.locator('#filter-ts').fill('17:00-20:00');
    await waitForFooter(page, '21 of 168 rows');
    await resample(page, 'Days');
    await waitForFooter(page, '8 rows');
    // The last day is incomplete and lacks the evening hours.
    assert.deepEqual(await cells(page, 2), ['3', '3', '3', '3', '3', '3', '3', '0']);
    assert.deepEqual(await cells(page, 3), ['3', '3', '3', '3', '3', '3', '3', '3']);
    const evening = rows.filter(row => row < 19 && getHour(row) >= 17 && getHour(row) < 20);
    assert.equal((await cells(page, 4))[0], computeMean(0, evening));
    // The filter applies to hours, so it is shown here too; a figure cannot be filtered.
    await openColumnMenu(page, 'Hours in period');
    await page.locator('[role=menu]').waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'Filter…' }).count(), 0);
    await page.keyboard.press('Escape');
  });

  it('creates a row for each tariff period in SAST, whatever the display zone, and lists the periods in a note', async () => {
    const page = await openPanel();
    await resample(page, 'Tariff Periods');
    await waitForFooter(page, '3 rows');
    await page.locator('[role=columnheader]:visible', { hasText: 'Tariff period (SAST)' }).first().waitFor();
    assert.deepEqual(await cells(page, 1), ['Peak', 'Standard', 'Off-peak']);
    // Five weekdays have 5 and 11 hours, the Saturday 5 and 2 from 07:00 on, the Sunday 2.
    assert.deepEqual(await cells(page, 3), ['25', '64', '79']);
    await resample(page, 'As Received');
    await openColumnMenu(page, 'Hour (UTC)');
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    await page.locator('#filter-ts').fill('off-peak');
    await waitForFooter(page, '79 of 168 rows');
    assert.match(
      (await page.locator('#filter-ts').getAttribute('title')) ?? '',
      /Periods from 2025-04-01: Eskom Tariffs/,
    );
  });

  it('resamples to hours of the day in the display zone, and reports it to the host', async () => {
    const page = await openPanel();
    await resample(page, 'Hours of the Day');
    await waitForFooter(page, '24 rows');
    const hourMean = (hour: number): string =>
      computeMean(
        0,
        rows.filter(row => getHour(row) === hour),
      );
    assert.deepEqual((await cells(page, 4)).slice(0, 3), [0, 1, 2].map(hourMean));
    await page.locator('#tab-chart').click();
    await page.locator('.chart-summary li', { hasText: 'Shown: 00:00 to 23:00.' }).waitFor({ state: 'attached' });
    await page.locator('.chart-plot').focus();
    await page.keyboard.press('ArrowRight');
    await page
      .locator('.visually-hidden', { hasText: `00:00: Residual demand ${Number(hourMean(0)).toFixed(0)} MW` })
      .waitFor({ state: 'attached' });
    // axe-core comes last, because it violates the Content Security Policy of the page itself.
    await addAxe(page);
    assert.deepEqual(await call(page, 'axe'), []);
    await page.locator('#tab-statistics').click();
    await page.locator('.tab-sentence', { hasText: 'Over all 24 rows' }).waitFor();
    // The summaries of the other columns follow shortly after the first.
    const table = await until('the table of Statistics', () => call(page, 'readTable'));
    assert.equal(table?.analysis.resample, 'hourOfDay');
    assert.equal(table.isChanged, true);
  });

  it('resets the zoom when resampling to a cycle', async () => {
    const page = await openPanel();
    await page.locator('#tab-chart').click();
    await page.locator('.chart-plot').focus();
    for (const key of ['+', '+', '+']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Show Whole Range' }).and(page.locator(':enabled')).waitFor();
    await resample(page, 'Weekdays');
    await page.locator('.chart-summary li', { hasText: 'Shown: Monday to Sunday.' }).waitFor({ state: 'attached' });
    await resample(page, 'As Received');
    await page
      .locator('.chart-summary li', { hasText: 'Shown: 14 Nov 05:00 UTC to 21 Nov' })
      .waitFor({ state: 'attached' });
  });

  it('offers no bins without times, and only longer bins for days', async () => {
    const page = await openPanel('dailyPower');
    await choice(page).click();
    const items = page.locator('[role^=menuitem]');
    assert.deepEqual(await items.allInnerTexts(), [
      ...['As Received', 'Weeks', 'Months', 'Quarters', 'Years', 'Profiles'],
      ...['All Figures', 'Energy', 'Mean', 'Lowest and Highest'],
    ]);
    await page.keyboard.press('Escape');
    await call(page, 'show', 'zoneDays');
    await choice(page).click();
    assert.deepEqual(await items.allInnerTexts(), [
      ...['As Received', 'Weeks', 'Months', 'Quarters', 'Years', 'Profiles'],
      ...['All Figures', 'Energy', 'Mean', 'Lowest and Highest'],
    ]);
  });

  it('resamples SAST days of a file as core does, whatever the display zone', async () => {
    const page = await openPanel('fileDays');
    const { frame } = createFileResult(daysInFile(), 'days.csv').result;
    assert.ok(frame);
    const [time] = frame.columns;
    assert.ok(time?.kind === 'time');
    const span = { start: time.values[0] ?? NaN, end: (time.values.at(-1) ?? NaN) + 1, intervalMs: 24 * hourMs };
    const write = (value: number, decimals: number): string =>
      value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    for (const [by, label] of [
      ['month', 'Months'],
      ['week', 'Weeks'],
      ['weekday', 'Weekdays'],
    ] as const) {
      await resample(page, label);
      const zone = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
      const names = Array.from({ length: 7 }, () => '');
      const resampled: Frame = resampleFrame(frame, { by, ...zone, ...span, bins: time.bins, names });
      await waitForFooter(page, new RegExp(`^${resampled.rowCount} rows`));
      const readColumn = async (column: number): Promise<string[]> => (await cells(page, column)).slice(0, 7);
      for (const index of [1, 2]) {
        const column = resampled.columns[index];
        assert.ok(column?.kind === 'number');
        assert.deepEqual(
          await readColumn(index + 1),
          Array.from(column.values.slice(0, 7), value => write(value, 0)),
          label,
        );
      }
      const column = resampled.columns[3];
      assert.ok(column?.kind === 'number');
      assert.deepEqual(
        await readColumn(4),
        Array.from(column.values.slice(0, 7), value => write(value, 3)),
        label,
      );
    }
    await resample(page, 'Months');
    // January has no day of December or February.
    assert.deepEqual((await cells(page, 1)).slice(0, 3), ['Jan 2023', 'Feb 2023', 'Mar 2023']);
    assert.deepEqual((await cells(page, 3)).slice(0, 2), ['744', '672']);
  });
});
