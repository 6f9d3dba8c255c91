import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createHarness } from './useHarness.ts';
import { call, showing } from './harness.ts';
import { setTheme, themeNames } from './themes.ts';

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
  const harness = createHarness();

  const getBox = async (page: Page, selector: string): Promise<Box> => {
    const box = await page.locator(selector).first().boundingBox();
    assert.ok(box, selector);
    return box;
  };

  for (const width of [1100, 420])
    it(`keeps headers and matches uncovered by the find box, ${width} pixels wide`, async () => {
      const page = await showing(harness, 'table', undefined, { width, height: 420 });
      await page.keyboard.press('ControlOrMeta+f');
      await page.locator('.find-text').fill('14 Nov 06:00');
      const findBox = await getBox(page, '.find');
      const grid = await getBox(page, '[role=grid]');
      assert.equal(apart(findBox, grid), true, JSON.stringify({ find: findBox, grid }));
      assert.equal(grid.y + grid.height <= 420, true);
      await page.keyboard.press('Enter');
      await page.locator('[role=gridcell][tabindex="0"]', { hasText: '14 Nov 06:00' }).waitFor();
      const matchBox = await getBox(page, '[role=gridcell][tabindex="0"]');
      assert.equal(apart(findBox, matchBox), true, JSON.stringify({ find: findBox, hit: matchBox }));
      await page.locator('.find-text').fill('20 Nov 23:00');
      await page.keyboard.press('Enter');
      await page.locator('[role=gridcell][tabindex="0"]', { hasText: '20 Nov 23:00' }).waitFor();
      const lastBox = await getBox(page, '[role=gridcell][tabindex="0"]');
      assert.equal(
        lastBox.y >= grid.y && lastBox.y + lastBox.height <= grid.y + grid.height,
        true,
        JSON.stringify(lastBox),
      );
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('.find').count(), 0);
      assert.equal((await getBox(page, '[role=grid]')).y < grid.y, true);
    });

  it('opens the find box from the menu', async () => {
    const page = await showing(harness, 'table');
    await page.getByRole('button', { name: 'More Actions' }).click();
    await page.getByRole('menuitem', { name: 'Find…' }).click();
    await page.locator('.find-text:focus').waitFor();
  });

  const waitForAnnouncement = async (page: Page, text: string) =>
    page.locator('.find [role=status]').getByText(text, { exact: true }).waitFor();
  /** Reads the texts of the highlighted visible cells, and of the outlined one. */
  const readMarked = (page: Page) => page.locator('.grid-cell.found:visible').allInnerTexts();
  const readOutlinedCell = (page: Page) => page.locator('.grid-cell.found[tabindex="0"]').innerText();
  const findBox = async (page: Page, text: string) => {
    await page.keyboard.press('ControlOrMeta+f');
    await page.locator('.find-text').fill(text);
  };

  it('opens the find box even while Caps Lock is on', async () => {
    const page = await showing(harness, 'table');
    await page.evaluate(
      "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'F', ctrlKey: true, cancelable: true }))",
    );
    await page.locator('.find-text').waitFor();
  });

  it('marks every visible match, outlines the current one, and announces its number and time', async () => {
    const page = await showing(harness, 'table');
    await findBox(page, '06:00');
    await waitForAnnouncement(page, '1 of 7, 14 Nov 06:00');
    assert.deepEqual(await readMarked(page), ['14 Nov 06:00']);
    assert.equal(await readOutlinedCell(page), '14 Nov 06:00');
    await page.keyboard.press('Enter');
    await waitForAnnouncement(page, '2 of 7, 15 Nov 06:00');
    assert.equal(await readOutlinedCell(page), '15 Nov 06:00');
    await page.keyboard.press('Shift+Enter');
    await waitForAnnouncement(page, '1 of 7, 14 Nov 06:00');
    await page.keyboard.press('Shift+Enter');
    await waitForAnnouncement(page, '7 of 7, 20 Nov 06:00');
    // The key works wherever the focus is.
    await page.locator('#tab-table').focus();
    await page.keyboard.press('F3');
    await waitForAnnouncement(page, '1 of 7, 14 Nov 06:00');
    await page.keyboard.press('Shift+F3');
    await waitForAnnouncement(page, '7 of 7, 20 Nov 06:00');
    await page.locator('.find-text').fill('Nov 0');
    await page.locator('.grid-cell.found', { hasText: '20 Nov 05:00' }).waitFor();
    assert.ok((await readMarked(page)).length > 5);
    // Focusing another match by hand makes it the current one.
    await page.locator('.find-text').fill('20 Nov 1');
    await waitForAnnouncement(page, '1 of 10, 20 Nov 10:00');
    await page.keyboard.press('Enter');
    await waitForAnnouncement(page, '2 of 10, 20 Nov 11:00');
    await page.locator('.grid-cell.found', { hasText: '20 Nov 10:00' }).click();
    await waitForAnnouncement(page, '1 of 10, 20 Nov 10:00');
    await page.keyboard.press('ArrowRight');
    await waitForAnnouncement(page, '10 found');
    await page.locator('.find-text').press('Escape');
    assert.deepEqual(await readMarked(page), []);
  });

  it('finds digits that rounding hides', async () => {
    const page = await showing(harness, 'table');
    await findBox(page, '1682.3');
    await waitForAnnouncement(page, '1 of 1, 16 Nov 01:00');
    assert.deepEqual([await readMarked(page), await readOutlinedCell(page)], [['1,682'], '1,682']);
  });

  it('searches rows and columns as shown, and states that it skips hidden ones', async () => {
    const page = await showing(harness, 'table');
    const menu = async (item: string) => {
      await page.locator('[role=columnheader]:visible').first().click({ button: 'right' });
      await page.locator('[role^=menuitem]').filter({ hasText: item }).first().click();
    };
    await menu('Sort Descending');
    await findBox(page, '06:00');
    await waitForAnnouncement(page, '1 of 7, 20 Nov 06:00');
    await menu('Filter');
    await page.locator('.filters input').fill('2026-11-15');
    await page.locator('.find-text').focus();
    await page.keyboard.press('F3');
    await waitForAnnouncement(page, '1 of 1, 15 Nov 06:00');
    await page.locator('.find-text').fill('16 Nov');
    await waitForAnnouncement(page, 'No results in the rows and columns shown');
  });

  it('searches a million rows without blocking the page', async () => {
    const page = await harness.acquire();
    // Summaries of so many rows take longer than the search.
    await call(page, 'view', { display: { summaries: false } });
    await call(page, 'show', 'million');
    await page.locator('[role=gridcell]:visible').first().waitFor();
    await findBox(page, 'no such text');
    // The search is still running; another one replaces it at once.
    await page.locator('.find-text').fill('06:00');
    await page.locator('.find [role=status]', { hasText: /^1 of 1,000 or more, / }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.find [role=status]', { hasText: /^2 of 1,000 or more, / }).waitFor();
    assert.ok((await readMarked(page)).length > 0);
    await page.locator('.find-text').fill('no such text');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.find').count(), 0);
  });

  for (const width of [1280, 420])
    it(`shows find matches in every theme, ${width} pixels wide`, async () => {
      const page = await showing(harness, 'table', undefined, { width, height: 500 });
      await findBox(page, '-');
      await page.locator('.find [role=status]', { hasText: /^1 of \d+, / }).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.find [role=status]', { hasText: /^2 of \d+, / }).waitFor();
      for (const theme of themeNames) {
        await setTheme(page, theme);
        const outlines = await page.evaluate<string[]>(`[...document.querySelectorAll('.grid-cell.found')].map(cell => {
          const { backgroundImage, outlineStyle } = getComputedStyle(cell);
          return cell.tabIndex === 0 ? outlineStyle : backgroundImage + outlineStyle;
        })`);
        assert.ok(outlines.includes('solid'), `a ring in ${theme}`);
        const tinted = theme.startsWith('hc') ? /dashed$/ : /rgba\(234, 92, 0/;
        assert.ok(
          outlines.length > 1 && outlines.every(look => look === 'solid' || tinted.test(look)),
          outlines.join('\n'),
        );
      }
    });

  it('counts matches again when other rows are shown, and when the find box is opened again', async () => {
    const page = await showing(harness, 'table');
    await page.keyboard.press('ControlOrMeta+f');
    await page.locator('.find-text').fill('14 Nov 05:00');
    await waitForAnnouncement(page, '1 of 1, 14 Nov 05:00');
    await call(page, 'show', 'tableSast');
    await waitForAnnouncement(page, 'No results');
    await page.keyboard.press('Escape');
    await call(page, 'show', 'table');
    await page.keyboard.press('ControlOrMeta+f');
    await waitForAnnouncement(page, '1 of 1, 14 Nov 05:00');
    await page.locator('.find-text').fill('06:00');
    await waitForAnnouncement(page, '1 of 7, 14 Nov 06:00');
    await call(page, 'show', 'month');
    await page.locator('.find [role=status]', { hasText: /^\d+ of 31, 14 Nov 06:00$/ }).waitFor();
  });
});
