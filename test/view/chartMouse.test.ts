import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { call, ChartHarness } from './chartHarness.ts';
import { freshPages } from './freshPages.ts';

const utc = { timeZone: 'UTC', label: 'UTC' };

describe('the mouse in the chart', () => {
  let page: Page;
  freshPages(ChartHarness, async opened => {
    page = opened;
    await call(page, 'show', { frame: 'week', zone: utc });
  });

  const said = (count: number) =>
    page.evaluate<string[]>(`new Promise(resolve => {
      const look = () =>
        window.chart.announced().length >= ${count} ? resolve(window.chart.announced()) : requestAnimationFrame(look);
      look();
    })`);
  const drag = async (selector: string, from: number, to: number) => {
    const box = await page.locator(selector).boundingBox();
    assert.ok(box);
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * from, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * to, y, { steps: 8 });
    await page.mouse.up();
  };

  it('announces the range that a mouse gesture selects, once per gesture', async () => {
    await drag('.u-over', 0.25, 0.5);
    const [first = ''] = await said(1);
    assert.match(first, /^Shown: 02 May 1\d:\d\d UTC to 04 May 1\d:\d\d UTC\.$/);
    await page.keyboard.down('Shift');
    await drag('.u-over', 0.5, 0.4);
    await page.keyboard.up('Shift');
    const [, second = ''] = await said(2);
    assert.match(second, /^Shown: 02 May \d\d:\d\d UTC to 04 May \d\d:\d\d UTC\.$/);
    assert.notEqual(second, first);
    await drag('.chart-brush-window', 0.5, 0.9);
    await said(3);
    const box = await page.locator('.u-over').boundingBox();
    assert.ok(box);
    await page.mouse.dblclick(box.x + 40, box.y + 40);
    const all = await said(4);
    assert.equal(all.length, 4);
    assert.equal(all[3], 'Shown: 01 May 00:00 UTC to 07 May 23:00 UTC.');
  });

  it("clears the legend's values of a point out of sight, and restores them", async () => {
    const values = () => page.locator('.chart-value').allInnerTexts();
    const time = () => page.locator('.chart-time').innerText();
    await page.locator('.chart-plot').focus();
    await page.keyboard.press('Home');
    assert.equal(await time(), '01 May 00:00 UTC');
    assert.ok((await values()).some(text => text !== ''));
    await drag('.chart-brush-handle.start', 0, 30);
    assert.equal(await time(), 'UTC');
    assert.deepEqual(
      (await values()).filter(text => text !== ''),
      [],
    );
    await page.getByRole('button', { name: 'Show Whole Range' }).click();
    assert.equal(await time(), '01 May 00:00 UTC');
  });
});
