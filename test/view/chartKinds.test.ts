import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useSharedPages } from './useHarness.ts';
import { axeOn, onChart } from './harness.ts';
import { resize } from './untilTrue.ts';

describe('the further charts', () => {
  let page: Page;
  useSharedPages('chart', newPage => (page = newPage));

  const columns = ['residual_demand_mw', 'residual_forecast_mw'];
  const choose = async (button: string, item: string): Promise<void> => {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: item, exact: true }).click();
  };
  const caption = (text: string) => page.locator('.info', { hasText: text }).waitFor({ state: 'attached' });
  /** Checks that the chart can be saved as SVG and PNG, and that the SVG contains the texts. */
  const checkSavedImages = async (...texts: readonly string[]): Promise<void> => {
    assert.ok(await onChart(page, 'svgIsSound'));
    const svg = await onChart(page, 'svg');
    for (const text of texts) assert.ok(svg.includes(text), text);
    // A series is a line, and none of its coordinates is NaN.
    assert.ok(
      [...svg.matchAll(/<path[^>]* d="([^"]*)"/g)].some(([, path = '']) => (path.match(/L/g) ?? []).length > 50),
    );
    assert.ok(!svg.includes('NaN'));
    const normalSize = await onChart(page, 'png', 1);
    const doubleSize = await onChart(page, 'png', 2);
    assert.deepEqual(doubleSize, { width: normalSize.width * 2, height: normalSize.height * 2 });
  };

  it('selects charts from a menu, with their own options, and saved as images', async () => {
    await onChart(page, 'show', { frame: 'month', options: { columns } });
    await choose('More Charts', 'Heatmap');
    await caption('Hatched cells have no value.');
    assert.ok((await onChart(page, 'svg')).includes('url(#hatch'));
    await choose('Across: Days', 'Weekdays');
    await choose('Column: Residual demand, MW', 'Wind, MW');
    await page.locator('.chart-series', { hasText: 'Wind' }).waitFor();
    await choose('Heatmap', 'Overlay');
    await choose('Period: Days', 'Weeks');
    await page.locator('.chart-label', { hasText: 'Mean of 6' }).waitFor();
    await checkSavedImages('Mean of 6', 'Tuesday');
    await choose('Overlay', 'Scatter');
    await caption('least squares over');
    assert.ok((await onChart(page, 'svg')).includes('least squares over'));
    await choose('Scatter', 'Duration Curves');
    await caption('a tenth of the time');
    await checkSavedImages(
      'Residual forecast, MW',
      'Share of the time with this value or more, %',
      'a tenth of the time',
    );
    await choose('Duration Curves', 'Forecast Error');
    await caption('Error is Residual demand minus Residual forecast.');
  });

  it('marks the incomplete cells of a heatmap on screen and in images, with their number of hours', async () => {
    const options = { mode: 'heatmap', columns, picked: { 'heatmap.across': 'monthOfYear' } };
    await onChart(page, 'show', { frame: 'thin', options });
    await caption('Cells with a mark have data for less than 75 % of their hours.');
    await page.locator('.chart-legend', { hasText: 'Few hours' }).waitFor();
    assert.match(await onChart(page, 'svg'), />Few hours</);
    await page.locator('.chart-plot').focus();
    await page.keyboard.press('Home');
    for (let month = 1; month < 6; month++) await page.keyboard.press('ArrowRight');
    await page.locator('.chart-time', { hasText: /^June, 12:00, 14 of 30 hours$/ }).waitFor();
    await onChart(page, 'show', { frame: 'year', options });
    await page.locator('.chart-legend', { hasText: 'Few hours' }).waitFor({ state: 'detached' });
  });

  it('announces each cell of a heatmap by keyboard', async () => {
    await onChart(page, 'show', { frame: 'month', options: { mode: 'heatmap', columns } });
    await page.locator('.chart-plot').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    await page.locator('.chart-time', { hasText: '02 May SAST, 13:00' }).waitFor();
    const value = await page.locator('.chart-value').first().innerText();
    await page.keyboard.press('ArrowDown');
    await page.locator('.chart-time', { hasText: '02 May SAST, 12:00' }).waitFor();
    assert.notEqual(await page.locator('.chart-value').first().innerText(), value);
  });

  it('resets the zoom of another axis, and keeps the position of the table', async () => {
    await onChart(page, 'show', { frame: 'month', options: { columns } });
    await page.locator('.chart-plot').focus();
    await page.keyboard.press('+');
    await choose('More Charts', 'Duration Curves');
    const zoom = async () => (await onChart(page, 'options')).at(-1)?.zoom;
    assert.equal(await zoom(), undefined);
    assert.equal(await page.getByRole('button', { name: 'Select Chart Range in Table' }).count(), 0);
  });

  it('isolates a series on a double-click, and shows all on the next', async () => {
    await onChart(page, 'show', { frame: 'week', options: { mode: 'mix' } });
    const hidden = () => page.locator('.chart-series[aria-pressed=false]').count();
    await page.locator('.chart-series', { hasText: 'Wind' }).dblclick();
    assert.equal(await hidden(), 7);
    await page.locator('.chart-series', { hasText: 'Wind' }).dblclick();
    assert.equal(await hidden(), 0);
  });

  it('draws on a logarithmic axis, on a separate axis, and as percent of the total', async () => {
    await onChart(page, 'show', { frame: 'week', options: { columns: [...columns, 'wind_mw'] } });
    await choose('Axis', 'Logarithmic');
    await caption("Values of zero or less can't be shown");
    await choose('Axis', 'Right Axis: Wind');
    assert.equal((await onChart(page, 'options')).at(-1)?.picked['lines.right'], 'wind_mw');
    await page.locator('.chart-button', { hasText: 'Generation Mix' }).click();
    const headings = await page.locator('.chart-legend thead th').allInnerTexts();
    assert.deepEqual(headings, ['MW', 'GWh', '%']);
    const figures = page.locator('.chart-legend tbody tr', { hasText: 'Thermal' }).locator('td');
    const [value, energy, share] = await figures.allInnerTexts();
    assert.equal(value, '', 'there is no crosshair');
    assert.match(energy ?? '', /^[\d,.]+$/);
    assert.match(share ?? '', /^\d\d\.\d$/);
    assert.match(
      (await page.locator('.chart-series', { hasText: 'Thermal' }).getAttribute('title')) ?? '',
      /Energy .* GWh · Share .* · Peak .* · Load factor 0\.\d\d/,
    );
    await choose('Axis', 'Percent of the Total');
    await page.locator('.chart-legend thead th', { hasText: '%' }).first().waitFor();
    assert.equal(await page.locator('.chart-legend thead th').first().innerText(), '%');
  });

  for (const width of [1280, 420])
    it(`passes the accessibility checks with further charts in every theme, ${width} pixels wide`, async () => {
      await resize(page, { width, height: 640 });
      for (const mode of ['heatmap', 'overlay', 'scatter', 'duration', 'error']) {
        await onChart(page, 'show', { frame: 'month', options: { mode, columns } });
        assert.deepEqual(await axeOn(page), [], mode);
      }
    });
});
