import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useFreshPages } from './useHarness.ts';
import { call } from './harness.ts';

describe('keyboard focus after a mouse click', () => {
  let page: Page;
  useFreshPages('panel', newPage => (page = newPage));

  const acts = async () => call(page, 'acts');
  const isNothingFocused = () => page.evaluate<boolean>('document.activeElement === document.body');
  const waitForFrame = () => page.evaluate('new Promise(resolve => setTimeout(() => requestAnimationFrame(resolve)))');
  const waiting = () => page.locator('.waiting p:focus').waitFor();

  it('removes the focus while a clicked action runs, and returns it to the clicked button', async () => {
    await call(page, 'show', 'holes');
    for (const state of ['loading', 'filling'] as const) {
      await page.locator('[data-action=nextPeriod]').click();
      await call(page, 'show', state);
      await waitForFrame();
      assert.equal(await isNothingFocused(), true);
      await call(page, 'show', 'holes');
      await page.locator('[data-action=nextPeriod]:focus').waitFor();
    }
  });

  it('cancels a clicked action with Escape, and reaches Cancel with Tab', async () => {
    await call(page, 'show', 'holes');
    await page.locator('[data-action=nextPeriod]').click();
    await call(page, 'show', 'filling');
    await page.keyboard.press('Tab');
    await page.locator('[data-action=cancel]:focus').waitFor();
    await page.locator('[data-action=cancel]').evaluate('document.activeElement.blur()');
    await page.keyboard.press('Escape');
    assert.deepEqual(await acts(), ['nextPeriod', 'cancel']);
  });

  it('focuses the loading message when the keyboard was used last, here or in the Command Palette', async () => {
    await call(page, 'show', 'holes');
    await page.locator('[data-action=nextPeriod]').click();
    await page.evaluate("window.dispatchEvent(new Event('blur'))");
    await call(page, 'show', 'filling');
    await waiting();
    await call(page, 'show', 'holes');
    await page.locator('[data-action=nextPeriod]:focus').waitFor();
    await page.keyboard.press('Enter');
    await call(page, 'show', 'filling');
    await waiting();
  });
});
