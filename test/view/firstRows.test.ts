import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useFreshPages } from './useHarness.ts';
import { call } from './harness.ts';
import { untilTrue } from './untilTrue.ts';

describe('the first rows of a long table', () => {
  let page: Page;
  useFreshPages('panel', newPage => (page = newPage));

  const busy = async () => page.locator('[role=grid]').getAttribute('aria-busy');
  const cell = (row: number, column: number) =>
    page.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 1}"]:not([hidden])`);
  const clipboard = async () => page.evaluate<string>('navigator.clipboard.readText()');
  const showHead = async () => {
    await call(page, 'show', 'loading');
    await call(page, 'show', 'yearHead');
    await cell(3, 2).click();
  };
  const rowCount = async () => page.locator('[role=grid]').getAttribute('aria-rowcount');

  it('shows the first rows before the rest, and keeps the position in them', async () => {
    await call(page, 'show', 'loading');
    await call(page, 'show', 'yearHead');
    assert.deepEqual([await rowCount(), await busy()], ['-1', 'true']);
    assert.equal(await page.locator('footer').innerText(), 'The first 200 rows');
    assert.equal(await page.locator('vscode-progress-bar').count(), 1);
    await page.locator('[role=gridcell]:not([hidden])').nth(2).click();
    await page.keyboard.press('PageDown');
    const previousFocus = await call(page, 'focused');
    assert.ok(previousFocus && previousFocus[0] > 5);
    await call(page, 'show', 'year');
    assert.deepEqual([await rowCount(), await busy()], ['8761', null]);
    assert.deepEqual(await call(page, 'focused'), previousFocus);
    assert.equal(await page.locator('vscode-progress-bar').count(), 0);
  });

  it('keeps the first rows in place when the rest arrives', async () => {
    await call(page, 'show', 'loading');
    await call(page, 'show', 'coveredHead');
    const previousBox = await cell(0, 0).boundingBox();
    await call(page, 'show', 'covered');
    assert.equal(await page.locator('.coverage[role=slider]:visible').count(), 1);
    assert.deepEqual(await cell(0, 0).boundingBox(), previousBox);
  });

  it('stops the query while the rest of the rows is read', async () => {
    await showHead();
    assert.equal(await page.getByRole('button', { name: 'Cancel' }).count(), 1);
    await page.keyboard.press('Escape');
    assert.deepEqual(await call(page, 'acts'), ['cancel']);
  });

  for (const key of ['ControlOrMeta+End', 'ControlOrMeta+ArrowDown'])
    it(`defers ${key} and later keys until the last row arrives`, async () => {
      await showHead();
      await page.keyboard.press(key);
      await page.keyboard.press('ArrowUp');
      assert.deepEqual(await call(page, 'focused'), [3, 2]);
      await page.getByText('Available when all rows are loaded.').waitFor({ state: 'attached' });
      await call(page, 'show', 'year');
      assert.deepEqual(await call(page, 'focused'), [8758, key === 'ControlOrMeta+End' ? 16 : 2]);
    });

  it('discards deferred keys on Escape', async () => {
    await showHead();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('Escape');
    await call(page, 'show', 'year');
    assert.deepEqual(await call(page, 'focused'), [3, 2]);
  });

  it('selects all rows with Ctrl+A, and copies them once they arrive', async () => {
    await showHead();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+c');
    await call(page, 'show', 'year');
    await page.getByText(/^Copied/).waitFor({ state: 'attached' });
    assert.equal((await clipboard()).split('\n').filter(Boolean).length, 8760);
  });

  it('copies selected cells among the first rows at once', async () => {
    await showHead();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('ControlOrMeta+c');
    await page.getByText(/^Copied/).waitFor({ state: 'attached' });
    assert.equal((await clipboard()).split('\n').filter(Boolean).length, 2);
  });

  it('renders an invisible table in advance while the page waits', async () => {
    await page.evaluate(`{
      window.built = [];
      new MutationObserver(changes => {
        for (const { addedNodes } of changes)
          for (const stage of addedNodes) window.built.push([stage.className, stage.inert, stage.ariaHidden]);
      }).observe(document.body, { childList: true });
    }`);
    await call(page, 'show', 'loading');
    await untilTrue(page, 'window.built.length === 2');
    assert.deepEqual(await page.evaluate('window.built'), Array(2).fill(['prewarm', true, 'true']));
    assert.equal(await page.locator('.prewarm, [role=grid]').count(), 0);
    assert.equal(await page.evaluate("document.activeElement.closest('.prewarm')"), null);
  });

  it('renders nothing in advance once a table was shown', async () => {
    await call(page, 'show', 'year');
    await page.evaluate(`{
      window.built = 0;
      new MutationObserver(() => window.built++).observe(document.body, { childList: true });
    }`);
    await call(page, 'show', 'loading');
    await call(page, 'show', 'year');
    assert.equal(await page.evaluate('window.built'), 0);
  });

  it('does not replace a complete table by the first rows', async () => {
    await call(page, 'show', 'year');
    await call(page, 'show', 'yearHead');
    assert.equal(await rowCount(), '8761');
  });

  it('hides the first rows while another tab is shown', async () => {
    await call(page, 'show', 'year');
    await page.getByRole('tab', { name: 'Chart' }).click();
    // Another query keeps only the view and not the position.
    await call(page, 'show', 'table');
    await call(page, 'show', 'loading');
    await page.reload();
    await call(page, 'show', 'yearHead');
    assert.equal(await page.getByRole('tabpanel').count(), 0);
    await call(page, 'show', 'year');
    await page.getByRole('tabpanel', { name: 'Chart' }).waitFor();
  });
});
