import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useFreshPages } from './useHarness.ts';
import { call } from './harness.ts';
import { untilTrue } from './untilTrue.ts';

describe('keyboard focus in the panel', () => {
  let page: Page;
  useFreshPages('panel', newPage => (page = newPage));

  const cell = (row: number, column: number) =>
    page.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 1}"]:focus`).waitFor({ state: 'attached' });
  const isNothingFocused = () => page.evaluate<boolean>('document.activeElement === document.body');
  /** Simulates the user leaving the page and returning. */
  const comeBack = () =>
    page.evaluate("window.dispatchEvent(new Event('focus')); new Promise(resolve => setTimeout(resolve))");
  const blur = () => page.evaluate('document.activeElement.blur()');

  it('focuses the first cell of the first result', async () => {
    await call(page, 'show', 'loading');
    await page.locator('.message p:focus').waitFor();
    await call(page, 'show', 'table');
    await cell(0, 0);
    await page.keyboard.press('ArrowDown');
    await cell(1, 0);
  });

  it('restores the focused cell after a reload', async () => {
    await call(page, 'show', 'table');
    await page.locator('[aria-rowindex="4"] [aria-colindex="3"]:visible').click();
    await untilTrue(page, `JSON.parse(sessionStorage.getItem('fake-saved-state') ?? 'null')?.place?.row === 2`);
    await page.reload();
    await cell(2, 2);
  });

  it('focuses the first action when the panel shows only a message', async () => {
    await call(page, 'show', 'error');
    await page.locator('[data-action=enterKey]:focus').waitFor();
    await blur();
    await call(page, 'show', 'empty');
    await comeBack();
    await page.locator('.message [data-action=refresh]:focus').waitFor();
  });

  it('leaves only the Command Palette keys to VS Code while a menu is open', async () => {
    await call(page, 'show', 'table');
    await page.locator('.more-button').click();
    await page.locator('[role=menu]').waitFor();
    // VS Code listens on the window too.
    await page.evaluate(
      "window.heard = []; window.addEventListener('keydown', ({ key, code }) => window.heard.push(`${key} ${code}`))",
    );
    for (const key of ['F1', 'a', 'ArrowDown', 'Control+Shift+P', 'Control+s', 'Escape'])
      await page.keyboard.press(key);
    assert.deepEqual(await page.evaluate('window.heard'), ['F1 F1', 'P KeyP']);
  });

  it('focuses the content of the open tab', async () => {
    await call(page, 'show', 'table');
    const targets = [
      ['chart', '.chart-plot:focus'],
      ['statistics', '.statistics-summary [role=gridcell]:focus'],
    ] as const;
    for (const [tab, selector] of targets) {
      await page.locator(`#tab-${tab}`).click();
      await page.reload();
      await page.locator(selector).waitFor();
    }
    await page.locator('#tab-raw').click();
    await page.reload();
    await page.locator('#result-raw').waitFor();
    assert.equal(await isNothingFocused(), true);
    await call(page, 'respond', { text: '{}', requests: [], requestsSpent: 0 });
    await page.locator('.json:focus').waitFor();
  });

  it('focuses the row of a column before its statistics are computed', async () => {
    await call(page, 'show', 'million');
    await page.locator('#tab-statistics').click();
    await page.reload();
    await page.locator('.statistics-summary [role=gridcell]:focus').waitFor();
  });

  it('restores the focused cell when the panel regains focus, and keeps the scroll position', async () => {
    await call(page, 'show', 'long');
    await cell(0, 0);
    await call(page, 'scrollTo', 0.5);
    const previousRows = await call(page, 'rowsInView');
    await blur();
    await comeBack();
    await cell(0, 0);
    assert.deepEqual(await call(page, 'rowsInView'), previousRows);
  });

  it('keeps the focus in an open find box', async () => {
    await call(page, 'show', 'table');
    await page.keyboard.press('ControlOrMeta+f');
    await comeBack();
    await page.locator('.find-text:focus').waitFor();
    await call(page, 'show', 'month');
    await page.getByText('744 rows').waitFor();
    assert.equal(await page.locator('.find-text:focus').count(), 1);
  });

  it('takes no focus from another editor', async () => {
    await page.evaluate('document.hasFocus = () => false');
    await call(page, 'show', 'table');
    await call(page, 'show', 'error');
    await call(page, 'show', 'table');
    assert.equal(await isNothingFocused(), true);
    await page.evaluate('delete document.hasFocus');
    await comeBack();
    await cell(0, 0);
  });

  it('restores the focus after loading to an element that was removed meanwhile', async () => {
    await call(page, 'show', 'table');
    await page.locator('#tab-chart').click();
    await page.locator('.chart-plot').focus();
    await call(page, 'show', 'loading');
    await call(page, 'show', 'table');
    await page.locator('.chart-plot:focus').waitFor();
  });
});
