import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createHarness, useOnePage } from './useHarness.ts';
import { call, showing } from './harness.ts';
import { openTab } from '../support/openTab.ts';
import { until } from '../support/until.ts';
import { resize } from './untilTrue.ts';

/** Sizes of a panel; the first is 1280 × 720 at 200 % zoom. */
const sizes = [
  { width: 640, height: 360, deviceScaleFactor: 2 },
  { width: 420, height: 400 },
  { width: 900, height: 250 },
  { width: 1100, height: 600 },
] as const;
const minPlotHeight = 120;

/** Records the texts drawn on canvases, and those that exceed the left or right edge. */
const recordTextsScript = `
  window.texts = [];
  window.outside = [];
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const { a, e } = this.getTransform();
    const width = this.measureText(text).width * a;
    const alignment = { center: 0.5, right: 1, end: 1 }[this.textAlign] ?? 0;
    const left = x * a + e - alignment * width;
    texts.push(text);
    if (left < 0 || left + width > this.canvas.width) outside.push(text);
    return write.call(this, text, x, y);
  };
`;

describe('the layout of the chart', () => {
  const harness = createHarness();

  const getHeight = (page: Page, selector: string) =>
    page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().height`);

  for (const { width, height, ...more } of sizes)
    it(`gives the plot the largest part of ${width} × ${height} pixels, and keeps every series reachable`, async () => {
      const page = await harness.acquire({ context: { viewport: { width, height }, ...more } });
      await call(page, 'show', 'year');
      await openTab(page, 'chart');
      await page.getByRole('button', { name: 'Generation Mix' }).click();
      const tab = await getHeight(page, '.chart');
      const plot = await getHeight(page, '.chart-plot');
      assert.ok(plot >= Math.max(minPlotHeight, 0.6 * tab - 1), `${plot} of ${tab} px`);
      assert.ok((await getHeight(page, '.chart-canvas canvas')) <= plot + 1, 'the axes are inside the plot');
      const overflow = await page.evaluate(
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.chart-body'))",
      );
      assert.equal(overflow, 0);
      const cut =
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.chart-side'))";
      assert.equal(await page.evaluate(cut), 0, 'no figure of the legend is cut off');
      const series = page.locator('.chart-series');
      const first = series.first();
      const last = series.last();
      await first.focus();
      await last.focus();
      const isVisible = await last.evaluate(button => {
        const { top, bottom, left, right } = button.getBoundingClientRect();
        return [top, bottom - 1].every(y => button.contains(document.elementFromPoint((left + right) / 2, y)));
      });
      assert.ok(isVisible, 'the legend is scrolled to the last series');
    });

  for (const theme of ['light', 'hc-light'] as const)
    it(`shows the chart strip whole or not at all in ${theme}, in the sizes of the panels of a board`, async () => {
      const page = await harness.acquire({ theme, context: { viewport: { width: 780, height: 600 } } });
      // This chart has a notice above the plot.
      await call(page, 'show', 'covered');
      await openTab(page, 'chart');
      await page.getByRole('button', { name: 'Generation Mix' }).click();
      const below = `(() => {
        const bottom = selector => document.querySelector(selector).getBoundingClientRect().bottom;
        return document.querySelector('.chart-brush').checkVisibility() ? bottom('.chart-strip') - bottom('.chart') : 0;
      })()`;
      const brushVisibility: boolean[] = [];
      for (const width of [420, 620, 780])
        for (let height = 400; height <= 600; height += 20) {
          await resize(page, { width, height });
          const overflow = await page.evaluate<number>(below);
          assert.ok(overflow <= 1, `${width} × ${height} px: ${overflow}`);
          brushVisibility.push(await page.locator('.chart-brush').isVisible());
        }
      assert.ok(brushVisibility.includes(true) && brushVisibility.includes(false), brushVisibility.join());
    });

  it('uses at most 96 pixels above rows and plot in every tab, without wrapping the header line', async () => {
    const page = await harness.acquire({ context: { viewport: { width: 1280, height: 720 } } });
    await call(page, 'show', 'covered');
    // The raw response has not arrived yet.
    for (const tab of await page.locator('[role=tab]').filter({ hasNotText: 'Raw' }).all()) {
      await tab.click();
      const name = await tab.innerText();
      if (name === 'Chart') await page.getByRole('button', { name: 'Generation Mix' }).click();
      const content = page.locator('.chart-plot, [role=grid]').filter({ visible: true });
      await content.first().waitFor();
      const top = Math.min(
        ...(await content.evaluateAll(elements => elements.map(element => element.getBoundingClientRect().top))),
      );
      assert.ok(top <= 96, `${name}: ${top} px`);
    }
    await openTab(page, 'chart');
    assert.ok((await getHeight(page, '.chart-plot')) >= 0.6 * 720);
  });

  it('hides the chart strip in a low panel, and shows it again', async () => {
    const page = await showing(harness, 'year', 'chart', { width: 900, height: 250 });
    assert.equal(await page.locator('.chart-brush').isVisible(), false);
    await resize(page, { width: 900, height: 600 });
    await page.locator('.chart-brush').waitFor();
    const isDrawn = async () =>
      page.evaluate<boolean>(`(() => {
        const canvas = document.querySelector('.chart-brush canvas');
        return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(byte => byte > 0);
      })()`);
    await until('the strip drawn', isDrawn, drawn => drawn);
  });
});

describe('the labels of the chart', () => {
  let page: Page;
  useOnePage(async opened => {
    page = opened;
    await page.evaluate(recordTextsScript);
  });

  for (const width of [420, 640, 1280, 3440])
    it(`cuts off no chart label, ${width} pixels wide`, async () => {
      await resize(page, { width, height: 600 });
      const heights = [600, 250];
      for (const state of ['stress', 'table', 'tableSast', 'year', 'compared'] as const) {
        await call(page, 'show', state);
        for (const height of heights) {
          await page.evaluate('texts.length = outside.length = 0');
          if (height === heights[0]) await openTab(page, 'chart');
          else await resize(page, { width, height });
          await until(
            `${state} drawn`,
            () => page.evaluate<string[]>('texts'),
            drawn => drawn.length > 4,
          );
          assert.deepEqual(await page.evaluate('outside'), [], `${state}, ${height} pixels high`);
        }
        await openTab(page, 'table');
        // The next chart opens at the height that this one was resized to.
        heights.reverse();
      }
    });
});
