import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useSharedPages } from './useHarness.ts';
import { call, waitForFooter, zoomIn } from './harness.ts';
import { untilTrue } from './untilTrue.ts';
import { menuItem } from './menus.ts';

describe('the table selection when other rows are shown', () => {
  let page: Page;
  useSharedPages('panel', newPage => (page = newPage));

  const footer = (text: string | RegExp) => waitForFooter(page, text);
  const openTab = async (tab: string) => {
    await page.locator(`#tab-${tab}`).click();
    await page.locator(`#result-${tab}`).waitFor();
  };
  const zoomToTheMiddle = async () => {
    await openTab('chart');
    // Zooms to a sixteenth of the week; the other tabs are updated after a pause.
    await zoomIn(page, 7);
    await untilTrue(
      page,
      `(({ start, end } = {}) => end - start < 12 * 3_600_000)(
        JSON.parse(sessionStorage.getItem('fake-saved-state'))?.view?.display?.window)`,
    );
  };
  const follow = async () => {
    await page.getByRole('button', { name: 'More Actions' }).press('Enter');
    await (await menuItem(page, 'Limit to Chart Range')).press('Enter');
  };

  it('stores the focused cell at once, in case the tab is closed', async () => {
    await call(page, 'show', 'table');
    await page.locator('[role=gridcell]:visible').first().click();
    const row = await page.evaluate(`(() => {
      const press = new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(press);
      return JSON.parse(sessionStorage.getItem('fake-saved-state')).place.row;
    })()`);
    assert.equal(row, 1);
  });

  it('keeps the selection on its rows when other rows are shown', async () => {
    await call(page, 'show', 'table');
    await zoomToTheMiddle();
    await page.getByRole('button', { name: 'Select Chart Range in Table' }).click();
    await footer(/1[01] × 17 selected/);
    const focused = () => page.locator('[role=gridcell][tabindex="0"], [role=rowheader][tabindex="0"]').innerText();
    const firstFocus = await focused();
    await follow();
    await footer(/^1[01] of 168 rows/);
    await footer(/1[01] × 17 selected/);
    assert.equal(await focused(), firstFocus);
    await follow();
    await footer(/^168 rows/);
    await footer(/1[01] × 17 selected/);
    assert.equal(await focused(), firstFocus);
  });

  it('keeps the selection on its columns when other columns are inserted between them', async () => {
    await call(page, 'show', 'zoneDays');
    await page.locator('[aria-rowindex="3"] [aria-colindex="5"]:visible').click();
    await page.keyboard.press('Shift+ArrowDown');
    await footer('2 × 1 selected');
    await call(page, 'show', 'zoneDaysCompared');
    await page.locator('[role=columnheader]', { hasText: 'previous period' }).first().waitFor({ state: 'attached' });
    assert.equal(await page.locator('[role=gridcell][aria-selected=true]').count(), 2);
  });

  it('clears the selection when its rows are hidden, and shows a notice until the next selection', async () => {
    await call(page, 'show', 'table');
    await zoomToTheMiddle();
    await openTab('table');
    await page.locator('[aria-rowindex="3"] [aria-colindex="2"]:visible').click();
    await page.keyboard.press('Shift+ArrowDown');
    await footer('2 × 1 selected');
    await follow();
    await footer('Selection cleared: its rows are no longer adjacent.');
    await page.locator('[aria-rowindex="3"] [aria-colindex="2"]:visible').click();
    await page.locator('footer', { hasText: 'Selection cleared' }).waitFor({ state: 'detached' });
  });
});
