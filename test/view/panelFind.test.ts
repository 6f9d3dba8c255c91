import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Harness, call } from './harness.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const apart = (one: Box, other: Box): boolean =>
  one.x + one.width <= other.x ||
  other.x + other.width <= one.x ||
  one.y + one.height <= other.y ||
  other.y + other.height <= one.y;

describe('the find box', () => {
  let harness: Harness;
  before(async () => {
    harness = await Harness.start();
  });
  after(() => harness.stop());

  const boxOf = async (page: Page, selector: string): Promise<Box> => {
    const box = await page.locator(selector).first().boundingBox();
    assert.ok(box, selector);
    return box;
  };

  for (const width of [1100, 420])
    it(`covers neither a header nor a hit, ${width} pixels wide`, async () => {
      const page = await harness.open({ context: { viewport: { width, height: 420 } } });
      await call(page, 'show', 'table');
      await page.keyboard.press('Control+f');
      await page.locator('.find-text').fill('14 Nov 06:00');
      const find = await boxOf(page, '.find');
      const grid = await boxOf(page, '[role=grid]');
      assert.equal(apart(find, grid), true, JSON.stringify({ find, grid }));
      assert.equal(grid.y + grid.height <= 420, true);
      await page.keyboard.press('Enter');
      const hit = await boxOf(page, '[role=gridcell][tabindex="0"]');
      assert.equal(apart(find, hit), true, JSON.stringify({ find, hit }));
      await page.locator('.find-text').fill('20 Nov 23:00');
      await page.keyboard.press('Enter');
      await page.locator('[role=gridcell][tabindex="0"]', { hasText: '20 Nov 23:00' }).waitFor();
      const last = await boxOf(page, '[role=gridcell][tabindex="0"]');
      assert.equal(last.y >= grid.y && last.y + last.height <= grid.y + grid.height, true, JSON.stringify(last));
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('.find').count(), 0);
      assert.equal((await boxOf(page, '[role=grid]')).y < grid.y, true);
      assert.deepEqual(await call(page, 'troubles'), []);
      await page.context().close();
    });

  it('counts anew when other rows are shown, and when it is opened again', async () => {
    const page = await harness.open();
    const says = async (text: string) => page.locator('.find [role=status]', { hasText: text }).waitFor();
    await call(page, 'show', 'table');
    await page.keyboard.press('Control+f');
    await page.locator('.find-text').fill('14 Nov 05:00');
    await says('1 found');
    await call(page, 'show', 'tableSast');
    await says('No results');
    await page.keyboard.press('Escape');
    await call(page, 'show', 'table');
    await page.keyboard.press('Control+f');
    await says('1 found');
    await page.locator('.find-text').fill('06:00');
    await says('7 found');
    await call(page, 'show', 'month');
    await says('31 found');
    assert.deepEqual(await call(page, 'troubles'), []);
    await page.context().close();
  });
});
