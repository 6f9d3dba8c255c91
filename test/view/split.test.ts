import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createHarness } from './useHarness.ts';
import { axeOn, call, showing, waitForFooter } from './harness.ts';
import { openTab } from '../support/openTab.ts';
import { expectedValue } from './page/frames.ts';
import type { StateName } from './page/states.ts';
import { menuItem } from './menus.ts';

/** The column of residual demand in the frames of `states`, which the chart draws too. */
const demand = 0;
const write = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 });

describe('chart and table in one view', () => {
  const harness = createHarness();

  const openPanel = async (state: StateName = 'covered', width = 1280, height = 720) => {
    const page = await harness.acquire({ context: { viewport: { width, height } } });
    return openedIn(page, state);
  };
  const openedIn = async (page: Page, state: StateName) => {
    await call(page, 'show', state);
    await openTab(page, 'split');
    await page.locator('#result-split .chart-plot canvas').waitFor();
    await page.locator('.chart-summary li').first().waitFor({ state: 'attached' });
    return page;
  };
  const cell = (page: Page, row: number, column = 1) =>
    page.locator(`[aria-rowindex="${row + 2}"] > [aria-colindex="${column + 1}"]:visible`);
  const pointed = (page: Page, row: number) => page.locator(`.grid-row.pointed[aria-rowindex="${row + 2}"]:visible`);
  const time = (page: Page, text: string) => page.locator('.chart-time', { hasText: text }).waitFor();
  const value = (page: Page) => page.locator('.chart-value').first().innerText();
  const summary = (page: Page, text: string) =>
    page.locator('.chart-summary li', { hasText: text }).waitFor({ state: 'attached' });
  const press = async (page: Page, ...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const sash = (page: Page) => page.getByRole('separator', { name: 'Resize chart and table' });
  const focusPlot = (page: Page) => page.locator('.chart-plot').focus();
  /** Returns the x position of a row in the plot of 168 hours, which has 167 distances. */
  const overRow = async (page: Page, row: number, rows = 168) => {
    const area = await page.locator('.chart-area').boundingBox();
    assert.ok(area);
    return { x: area.x + (row / (rows - 1)) * area.width, y: area.y + area.height / 2 };
  };
  const resample = async (page: Page, by: string): Promise<void> => {
    await page.locator('[data-choice=resample]').click();
    await (await menuItem(page, by)).click();
  };

  it('moves the crosshair to the focused row, and to the one under the mouse', async () => {
    const page = await openPanel('table');
    assert.equal(await page.locator('.chart-crosshair').isVisible(), false);
    await cell(page, 4).click();
    await press(page, 'ArrowDown');
    await time(page, '14 Nov 10:00 UTC');
    assert.equal(await value(page), write(expectedValue(5, demand)));
    await pointed(page, 5).waitFor();
    await cell(page, 9).hover();
    await time(page, '14 Nov 14:00 UTC');
    await pointed(page, 9).waitFor();
    await page.locator('.chart-toolbar').hover();
    await time(page, '14 Nov 10:00 UTC');
    await pointed(page, 5).waitFor();
  });

  it('marks the row under the crosshair, scrolls to it on a click or a key, and announces it once', async () => {
    const page = await openPanel('table');
    const position = await overRow(page, 120);
    await page.mouse.move(position.x, position.y);
    await time(page, '19 Nov 05:00 UTC');
    // The mouse alone does not scroll.
    assert.equal(await pointed(page, 120).count(), 0);
    assert.equal((await call(page, 'rowsInView'))[0], 0);
    await page.mouse.down();
    await page.mouse.up();
    await pointed(page, 120).waitFor();
    assert.equal(await cell(page, 120, 0).getAttribute('tabindex'), '0');
    await focusPlot(page);
    const previousFooter = await page.locator('footer').innerText();
    await press(page, 'ArrowRight', 'ArrowRight');
    await pointed(page, 122).waitFor();
    assert.equal(await cell(page, 122, 0).getAttribute('tabindex'), '0');
    const announcement = page.locator('.visually-hidden[role=status]', {
      hasText: '19 Nov 07:00 UTC: Residual demand',
    });
    await announcement.waitFor({ state: 'attached' });
    assert.equal(await page.locator('footer').innerText(), previousFooter);
    assert.equal(await page.locator('.chart-plot:focus').count(), 1);
  });

  it('keeps the selection while the crosshair moves', async () => {
    const page = await openPanel('table');
    await cell(page, 2).click();
    await press(page, 'Shift+ArrowDown', 'Shift+ArrowDown');
    await summary(page, 'Selected in the table: 14 Nov 07:00 UTC to 14 Nov 10:00 UTC, 3 hours.');
    await focusPlot(page);
    await press(page, 'End');
    await pointed(page, 167).waitFor();
    await waitForFooter(page, '3 × 1 selected');
    await press(page, 'Escape');
    // The crosshair returns to the focused row.
    await time(page, '14 Nov 09:00 UTC');
  });

  it('limits the rows to the zoom of the chart, and zooms to the selected rows', async () => {
    const page = await openPanel('covered');
    await cell(page, 12).click();
    await page.locator('.grid-scroller').hover();
    await press(page, 'Shift+PageDown');
    await waitForFooter(page, / × 1 selected/);
    const [count] = (await page.locator('footer').innerText()).match(/\d+(?= × 1)/) ?? [];
    await cell(page, 12).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Zoom Chart to Selection' }).click();
    await waitForFooter(page, `${count} of 168 rows`);
    await summary(page, 'Shown: 14 Nov 17:00 UTC');
    assert.equal(await cell(page, 0, 0).innerText(), '14 Nov 17:00');
    await focusPlot(page);
    await press(page, '0');
    await waitForFooter(page, /^168 rows/);
    await press(page, '+');
    await waitForFooter(page, '84 of 168 rows');
    await page.locator('.more-button').click();
    await page.getByRole('menuitem', { name: 'View', exact: true }).click();
    assert.equal(await page.getByRole('menuitemcheckbox', { name: 'Limit to Chart Range' }).count(), 0);
    await press(page, 'Escape', 'Escape');
    await page.locator('.chart-brush-window').focus();
    await press(page, 'Home');
    await summary(page, 'Shown: 14 Nov 05:00 UTC');
    await waitForFooter(page, /^8\d of 168 rows/);
    await press(page, 'F6', 'Control+Home');
    await time(page, '14 Nov 05:00 UTC');
    // Outside the split tab, the table shows all rows again.
    await page.locator('#tab-table').click();
    await waitForFooter(page, /^168 rows/);
  });

  it('resets the zoom for an hour of the coverage strip outside it', async () => {
    const page = await openPanel('covered');
    await focusPlot(page);
    await press(page, '+');
    await waitForFooter(page, '84 of 168 rows');
    const strip = await page.locator('.coverage').boundingBox();
    assert.ok(strip);
    await page.mouse.click(strip.x + strip.width / 2, strip.y + strip.height / 2);
    await time(page, '17 Nov 17:00 UTC');
    await waitForFooter(page, '84 of 168 rows');
    await page.mouse.click(strip.x + 1, strip.y + strip.height / 2);
    await time(page, '14 Nov 05:00 UTC');
    await waitForFooter(page, /^168 rows/);
    await summary(page, 'Shown: 14 Nov 05:00 UTC to 21 Nov');
  });

  it('filters chart and table, and sorts only the table', async () => {
    const page = await openPanel('table');
    const evening = [...Array(168).keys()].filter(row => [17, 18, 19].includes((5 + row) % 24));
    await page.locator('[role=columnheader]:visible', { hasText: 'Hour (UTC)' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    await page.locator('#filter-ts').fill('17:00-20:00');
    await waitForFooter(page, `${evening.length} of 168 rows`);
    await focusPlot(page);
    await press(page, 'Home', 'ArrowRight', 'ArrowRight', 'ArrowRight');
    // The table shows a range without other hours in between.
    await time(page, '15 Nov 17:00 UTC');
    assert.equal(await value(page), write(expectedValue(evening[3] ?? NaN, demand)));
    await pointed(page, 3).waitFor();
    await page.locator('[role=columnheader]:visible', { hasText: 'Residual demand' }).first().click();
    const sorted = evening.toSorted((a, b) => expectedValue(a, demand) - expectedValue(b, demand));
    await page.locator('[aria-sort=ascending]:focus').waitFor();
    await time(page, '15 Nov 17:00 UTC');
    await cell(page, 0).click();
    await page.locator('.chart-value', { hasText: write(expectedValue(sorted[0] ?? NaN, demand)) }).waitFor();
    await focusPlot(page);
    await press(page, '+');
    // The zoom limits the table, and not the filtered hours that the chart draws.
    await waitForFooter(page, /^1\d of 168 rows/);
    await press(page, 'Home');
    await time(page, '14 Nov 17:00 UTC');
  });

  it('links the bins of a cycle, which have no times', async () => {
    const page = await openPanel('covered');
    await resample(page, 'Hours of the Day');
    await waitForFooter(page, '24 rows');
    await cell(page, 17).click();
    await time(page, '17:00');
    await press(page, 'Shift+ArrowDown');
    await summary(page, 'Selected in the table: 17:00 to 18:00, 2 rows.');
    await focusPlot(page);
    await press(page, 'Home', 'ArrowRight');
    await pointed(page, 1).waitFor();
    await press(page, '+');
    await waitForFooter(page, /^1[0-3] of 24 rows/);
  });

  it('highlights the heatmap cell of a row, and the row of a cell', async () => {
    const page = await openPanel('table');
    await page.getByRole('button', { name: 'More Charts' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Heatmap' }).click();
    await cell(page, 20).click();
    await time(page, '15 Nov UTC, 01:00');
    await page.locator('.chart-value', { hasText: write(expectedValue(20, demand)) }).waitFor();
    await focusPlot(page);
    await press(page, 'ArrowUp');
    await pointed(page, 21).waitFor();
  });

  it('limits the rows of a newer result to its zoom', async () => {
    const page = await openPanel('month');
    await focusPlot(page);
    await press(page, '+', '+', 'Control+ArrowRight', 'Control+ArrowRight', 'Control+ArrowRight', 'Control+ArrowRight');
    await waitForFooter(page, /^18\d of 744 rows/);
    // This result lasts a week and ends before the earlier range.
    await call(page, 'show', 'table');
    await waitForFooter(page, /^168 rows/);
    await press(page, '+');
    await waitForFooter(page, /^8\d of 168 rows/);
  });

  it('does not link a chart without a time axis', async () => {
    const page = await openPanel('table');
    await focusPlot(page);
    await press(page, '+');
    await waitForFooter(page, '84 of 168 rows');
    await page.getByRole('button', { name: 'More Charts' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Duration Curve' }).click();
    await page.locator('.chart-summary li', { hasText: '% of the time' }).first().waitFor({ state: 'attached' });
    await waitForFooter(page, /^168 rows/);
    await focusPlot(page);
    await press(page, 'ArrowRight', '+');
    await page.getByRole('button', { name: 'Chart Actions' }).click();
    await page.getByRole('menuitem', { name: 'Show Whole Range', disabled: false }).waitFor();
    await press(page, 'Escape');
    assert.equal(await page.locator('.grid-row.pointed').count(), 0);
    await waitForFooter(page, /^168 rows/);
  });

  it('links a comparison, and rows that stand for missing hours', async () => {
    const page = await openPanel('compared');
    await cell(page, 7).click();
    await time(page, '14 Nov 07:00 UTC (compared: 12 Nov 07:00)');
    await call(page, 'show', 'gaps');
    await page.locator('.more-button').click();
    await (await menuItem(page, 'Show Missing Intervals')).click();
    await waitForFooter(page, '4 hours without a row');
    await focusPlot(page);
    await press(page, 'End');
    // The last hour is missing, and so are three before it.
    await pointed(page, 166).waitFor();
    await press(page, 'F6', 'ArrowDown');
    await page.locator('.chart-crosshair').waitFor({ state: 'hidden' });
  });

  it('moves the focus between chart and table with F6, Tab and Shift', async () => {
    const page = await openPanel('table');
    await page.locator('.chart-toolbar button').first().focus();
    await press(page, 'F6');
    await page.locator('.chart-plot:focus').waitFor();
    await press(page, 'F6');
    await page.locator('[role=gridcell]:focus').waitFor();
    await press(page, 'Shift+F6');
    await page.locator('.chart-plot:focus').waitFor();
    // The tab stops are the chart, the sash and the table.
    await sash(page).focus();
    await press(page, 'Tab');
    await page.locator('[role=gridcell]:focus').waitFor();
    await press(page, 'Shift+Tab', 'Shift+Tab');
    await page.locator('.chart-series:focus').waitFor();
  });

  it('resizes both parts by keys, drag and double-click, and saves the share', async () => {
    const page = await openPanel('table', 900, 800);
    const share = async () => {
      const chart = await page.locator('#split-chart').boundingBox();
      const view = await page.locator('.split').boundingBox();
      return Math.round(((chart?.height ?? NaN) / (view?.height ?? NaN)) * 100);
    };
    const checkShare = async (expectedShare: number) =>
      assert.ok(Math.abs((await share()) - expectedShare) <= 1, `${await share()} %`);
    assert.equal(await sash(page).getAttribute('aria-orientation'), 'horizontal');
    await checkShare(50);
    await sash(page).focus();
    await press(page, 'ArrowUp', 'ArrowUp');
    assert.equal(await sash(page).getAttribute('aria-valuenow'), '40');
    await checkShare(40);
    await press(page, 'End', 'ArrowDown');
    await checkShare(80);
    await press(page, 'Enter');
    await checkShare(50);
    const box = await sash(page).boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 100, box.y + 3);
    await page.mouse.down();
    await page.mouse.move(box.x + 100, box.y - 97);
    await page.mouse.up();
    const dragged = await share();
    assert.ok(dragged > 25 && dragged < 45, `${dragged} %`);
    await page.reload();
    await page.locator('#result-split').waitFor();
    assert.equal(await share(), dragged);
    await sash(page).dblclick();
    await checkShare(50);
    await page.setViewportSize({ width: 1400, height: 800 });
    await page.locator('.sash[aria-orientation=vertical]').waitFor();
    await press(page, 'Home');
    assert.equal(await sash(page).getAttribute('aria-valuenow'), '20');
  });

  it('cannot be opened for rows without times, and explains why', async () => {
    const page = await showing(harness, 'timeless');
    const tab = page.getByRole('tab', { name: 'Split' });
    assert.equal(await tab.getAttribute('aria-disabled'), 'true');
    assert.match((await tab.getAttribute('title')) ?? '', /^This result has no times/);
    await tab.click({ force: true });
    assert.equal(await page.locator('#result-table').count(), 1);
  });

  it('does not draw the chart while the Table tab is open', async () => {
    const page = await openedIn(await harness.open({ context: { viewport: { width: 1280, height: 720 } } }), 'table');
    await page.locator('#tab-table').click();
    await page.locator('#result-table').waitFor();
    assert.equal(await page.locator('canvas').count(), 0);
    await page.evaluate(`{
      window.drawn = 0;
      const { stroke } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.stroke = function (...path) { window.drawn++; return stroke.apply(this, path); };
    }`);
    await cell(page, 3).click();
    await press(page, 'Shift+ArrowDown');
    await waitForFooter(page, '2 × 1 selected');
    await cell(page, 9).hover();
    assert.equal(await page.locator('.grid-row.pointed').count(), 0);
    assert.equal(await page.evaluate('window.drawn'), 0);
  });

  // A low window is enough, because all rows look alike; it still has room for the strip of the chart.
  for (const [width, hasStrip] of [
    [420, false],
    [1280, true],
    [3440, true],
  ] as const)
    it(`passes axe-core in every theme, ${width} pixels wide`, async () => {
      const page = await openPanel('covered', width, 500);
      assert.equal(await page.locator('.chart-brush').isVisible(), hasStrip);
      await cell(page, 3).click();
      await press(page, 'Shift+ArrowDown', 'Shift+ArrowDown');
      await summary(page, 'Selected in the table');
      assert.deepEqual(await axeOn(page), []);
    });
});
