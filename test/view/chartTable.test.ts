import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { createHarness } from './useHarness.ts';
import { axeOn, call, waitForFooter, showing } from './harness.ts';
import { expectedValue } from './page/frames.ts';
import type { StateName } from './page/states.ts';

const hourMs = 3_600_000;
/** Column names of the frames in `states`. */
const firstHour = Date.UTC(2026, 10, 14, 5);
const rows = [...Array(168).keys()];

describe('the numbers of the chart as a table', () => {
  const harness = createHarness();

  const openPanel = (state: StateName = 'covered', width = 1400, height = 700) =>
    showing(harness, state, 'chart', { width, height });
  const tool = (page: Page) => page.getByRole('button', { name: 'Show As Table' });
  const grid = (page: Page) => page.getByRole('grid', { name: 'Numbers of the chart' });
  const choose = async (page: Page, button: string, item: string): Promise<void> => {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: item, exact: true }).click();
  };
  const headers = async (page: Page): Promise<string[]> =>
    (await grid(page).locator('[role=columnheader]:visible').allInnerTexts()).map(text =>
      text.replace(/\s+/g, ' ').trim(),
    );
  const copied = async (page: Page): Promise<string[]> => {
    await page.evaluate("navigator.clipboard.writeText('')");
    await grid(page).locator('[role=gridcell]:visible').first().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+Shift+C');
    const read = () => page.evaluate<string>('navigator.clipboard.readText()');
    return (await until('a copy', read, text => text !== '')).split(/\r?\n/);
  };

  it('replaces the plot by a table that follows its window, series and mode, and copies all digits', async () => {
    const page = await openPanel();
    await tool(page).click();
    assert.equal(await tool(page).getAttribute('aria-pressed'), 'true');
    assert.equal(await page.locator('.chart-plot').isVisible(), false);
    await waitForFooter(page, '168 rows · 3 columns');
    assert.deepEqual(await headers(page), ['Time (UTC)', 'Residual demand MW', 'Residual forecast MW']);
    const lines = await copied(page);
    assert.equal(lines[0], 'ts (UTC)\tresidual_demand_mw\tresidual_forecast_mw');
    const iso = (row: number): string => new Date(firstHour + row * hourMs).toISOString().slice(0, 19);
    assert.deepEqual(
      lines.slice(1),
      rows.map(row => [`${iso(row)}Z`, expectedValue(row, 0), expectedValue(row, 1)].join('\t')),
    );

    await page.locator('.chart-series', { hasText: 'Residual forecast' }).click();
    await waitForFooter(page, '168 rows · 2 columns');
    await page.getByRole('button', { name: 'Zoom In' }).click();
    await waitForFooter(page, '85 rows · 2 columns');
    await page.getByRole('button', { name: 'Show Whole Range' }).click();
    await waitForFooter(page, '168 rows · 2 columns');

    await choose(page, 'More Charts', 'Heatmap');
    await waitForFooter(page, '8 rows · 25 columns');
    const table = await call(page, 'readTable');
    assert.deepEqual([table?.rowCount, table?.columns.length, table?.chart], [8, 25, 'heatmap']);
    const [names = '', first = ''] = await copied(page);
    assert.equal(names.split('\t').at(-1), 'residual_demand_mw 23:00');
    // The range begins at 05:00.
    assert.deepEqual(first.split('\t').slice(1, 8), [
      '',
      '',
      '',
      '',
      '',
      ...[0, 1].map(row => String(expectedValue(row, 0))),
    ]);
  });

  it('searches and sorts the numbers by keyboard, and returns to the plot at the row on Enter', async () => {
    const page = await openPanel();
    await tool(page).click();
    const demand = rows.map(row => expectedValue(row, 0));
    const maxRow = demand.indexOf(Math.max(...demand));
    await grid(page).locator('[role=gridcell]:visible').first().click();
    await page.keyboard.press('Control+F');
    await page.locator('.chart-table .find-text').fill('14 Nov');
    await page.locator('.chart-table', { hasText: 'of 19' }).waitFor();
    await page.keyboard.press('Escape');
    const header = grid(page).locator('[role=columnheader]:visible', { hasText: 'Residual demand' });
    await header.click({ button: 'right' });
    await page.getByRole('menuitemcheckbox', { name: 'Sort Descending' }).click();
    const top = page.getByRole('gridcell', { name: Math.max(...demand).toFixed(0) }).first();
    await top.click();
    await page.keyboard.press('Enter');
    await page.locator('.chart-plot:focus').waitFor();
    assert.equal(await grid(page).count(), 0);
    const date = new Date(firstHour + maxRow * hourMs);
    const time = `${date.getUTCDate()} Nov ${String(date.getUTCHours()).padStart(2, '0')}:00 UTC`;
    await page.locator('.chart-time', { hasText: time }).waitFor();
    await page.locator('#tab-table').click();
    await page.locator('#tab-chart').click();
    assert.equal(await page.locator('.chart-plot').isVisible(), true);
  });

  it('marks the incomplete days that the plot marks', async () => {
    const page = await openPanel();
    await page.locator('[data-choice=resample]').click();
    await page.getByRole('menuitemcheckbox', { name: 'Days', exact: true }).click();
    await page.locator('.chart-notice', { hasText: '1 day: data for less than 75 % of the hours (marked).' }).waitFor();
    await page.locator('.chart-legend tr', { hasText: 'Few hours' }).waitFor();
    await tool(page).click();
    await waitForFooter(page, '8 rows · 4 columns');
    assert.deepEqual(
      (await copied(page)).map(line => line.split('\t').at(-1)),
      ['few_hours', ...Array<string>(7).fill('false'), 'true'],
    );
  });

  it('renders only the visible rows of any number of rows', async () => {
    const page = await openPanel('million');
    await tool(page).click();
    await page.locator('footer', { hasText: /^1,000,000 rows/ }).waitFor();
    assert.ok((await page.locator('#result-chart *').count()) < 2_000);
  });

  for (const width of [1280, 420])
    it(`passes the accessibility checks in every theme, ${width} pixels wide`, async () => {
      // A low window is enough, because all rows look alike.
      const page = await openPanel('covered', width, 400);
      if (await tool(page).isVisible()) await tool(page).click();
      else await choose(page, 'Chart Actions', 'Show As Table');
      await grid(page).getByRole('gridcell').first().waitFor();
      assert.deepEqual(await axeOn(page), []);
    });
});
