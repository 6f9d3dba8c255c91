import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createHarness } from './useHarness.ts';
import { call, waitForFooter } from './harness.ts';
import { menuItem } from './menus.ts';

const hourMs = 3_600_000;
/** The start of the first row of the frames in `states`. */
const start = Date.UTC(2026, 10, 14, 5);

describe('a panel that is linked with others', () => {
  const harness = createHarness();

  const openPanel = async (tab: 'table' | 'chart' | 'split', isLinked = true): Promise<Page> => {
    const page = await harness.open({ context: { viewport: { width: 1280, height: 720 } } });
    await call(page, 'link', isLinked);
    await call(page, 'show', 'covered');
    await page.locator(`#tab-${tab}`).click();
    if (tab !== 'table') await page.locator('.chart-plot canvas').waitFor();
    return page;
  };
  const time = (page: Page, text: string) => page.locator('.chart-time', { hasText: text }).waitFor();
  const marked = (page: Page, row: number) => page.locator(`.grid-row.pointed[aria-rowindex="${row + 2}"]:visible`);
  const nowhere = (page: Page) =>
    page.locator('.chart-crosshair:visible, .grid-row.pointed:visible').first().waitFor({ state: 'hidden' });

  it('reports the instant of the crosshair at most once a frame, and nothing after unlinking', async () => {
    const page = await openPanel('chart');
    assert.deepEqual(await call(page, 'sweep'), [start + 167 * hourMs]);
    await page.locator('.chart-plot').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await call(page, 'frames');
    assert.equal((await call(page, 'instants')).at(-1), start + hourMs);
    await page.keyboard.press('Escape');
    await call(page, 'frames');
    assert.equal((await call(page, 'instants')).at(-1), null);
    await call(page, 'link', false);
    const previousCount = (await call(page, 'instants')).length;
    await page.keyboard.press('Home');
    await call(page, 'frames');
    assert.equal((await call(page, 'instants')).length, previousCount);
  });

  it('reports the focused row of the table', async () => {
    const page = await openPanel('table');
    await page.locator('[aria-rowindex="6"] > [aria-colindex="2"]').click();
    await page.keyboard.press('ArrowDown');
    await call(page, 'frames');
    assert.equal((await call(page, 'instants')).at(-1), start + 5 * hourMs);
  });

  for (const tab of ['chart', 'split', 'table'] as const)
    it(`shows the instant of another panel in the tab ${tab}, without reporting it back`, async () => {
      const page = await openPanel(tab);
      // A table reports its focused row once it has rows.
      if (tab !== 'chart') await page.locator('.grid-row:visible').first().waitFor();
      await call(page, 'frames');
      const previousCount = (await call(page, 'instants')).length;
      await call(page, 'point', start + 5 * hourMs + 20 * 60_000);
      if (tab !== 'table') await time(page, '14 Nov 10:00 UTC');
      if (tab !== 'chart') await marked(page, 5).waitFor();
      // The other panel has a longer range, or the pointer leaves it.
      await call(page, 'point', start - 5 * hourMs);
      await nowhere(page);
      await call(page, 'point', start + 7 * hourMs);
      if (tab !== 'chart') await marked(page, 7).waitFor();
      await call(page, 'point', null);
      await nowhere(page);
      await call(page, 'frames');
      assert.deepEqual((await call(page, 'instants')).slice(previousCount), []);
    });

  it('neither reports nor shows instants when rows are the bins of a cycle', async () => {
    const page = await openPanel('chart');
    await page.locator('[data-choice=resample]').click();
    await (await menuItem(page, 'Hours of the Day')).click();
    await waitForFooter(page, '24 rows');
    await page.locator('.chart-area').hover();
    await page.locator('.chart-crosshair').waitFor();
    await call(page, 'frames');
    assert.deepEqual(
      (await call(page, 'instants')).filter(instant => instant !== null),
      [],
    );
  });
});
