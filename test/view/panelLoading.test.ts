import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useFreshPages } from './useHarness.ts';
import { call } from './harness.ts';

describe('keyboard focus while a query runs', () => {
  let page: Page;
  useFreshPages('panel', newPage => (page = newPage));

  const acts = async () => call(page, 'acts');
  const waiting = () => page.locator('.waiting p:focus').waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  const waitForFocus = (action: string) => page.locator(`[data-action=${action}]:focus`).waitFor();

  it('ignores a second press of the same key while loading, and restores the focus', async () => {
    await call(page, 'show', 'holes');
    const buttons = { nextPeriod: 'Next Period', previousPeriod: 'Previous Period', refresh: 'Refresh' };
    for (const [action, name] of Object.entries(buttons)) {
      await press(name);
      await call(page, 'show', 'loading');
      await waiting();
      await page.keyboard.press('Enter');
      await page.keyboard.press(' ');
      await call(page, 'show', 'holes');
      await waitForFocus(action);
    }
    assert.deepEqual(await acts(), ['nextPeriod', 'previousPeriod', 'refresh']);
  });

  it('cancels the query with Escape', async () => {
    await call(page, 'show', 'holes');
    await press('Next Period');
    await call(page, 'show', 'loading');
    await waiting();
    await page.getByTitle('Cancel (Escape)').waitFor();
    await page.keyboard.press('Escape');
    assert.deepEqual(await acts(), ['nextPeriod', 'cancel']);
  });

  it('reaches Cancel with Tab, keeps it focused while rows arrive, and returns to the pressed button', async () => {
    await call(page, 'show', 'holes');
    await press('Next Period');
    await call(page, 'show', 'loading');
    await waiting();
    await page.keyboard.press('Tab');
    await waitForFocus('cancel');
    await call(page, 'show', 'filling');
    await waitForFocus('cancel');
    await call(page, 'show', 'holes');
    await waitForFocus('nextPeriod');
  });

  it('focuses the menu button while a menu action runs, and afterwards', async () => {
    await call(page, 'show', 'menu');
    await press('More Actions');
    await page.getByRole('menuitem', { name: 'Refresh, Ignoring Archive' }).press('Enter');
    await page.locator('.more-button:focus').waitFor();
    await call(page, 'show', 'loading');
    await waiting();
    await call(page, 'show', 'menu');
    await page.locator('.more-button:focus').waitFor();
    assert.deepEqual(await acts(), ['refreshAll']);
  });

  it('returns the focus to the table when the query was started elsewhere', async () => {
    await call(page, 'show', 'table');
    await page.locator('[aria-rowindex="4"] [aria-colindex="3"]:visible').click();
    await call(page, 'show', 'loading');
    await waiting();
    await call(page, 'show', 'table');
    await page.locator('[aria-rowindex="4"] [aria-colindex="3"]:focus').waitFor();
  });

  it('leaves Escape to a filter box while rows arrive', async () => {
    await call(page, 'show', 'table');
    await page.locator('[role=gridcell]:not([hidden])').nth(2).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Include Only This Value' }).click();
    await call(page, 'show', 'filling');
    await page.locator('.filter input').press('Escape');
    assert.equal(await page.locator('.filter input').count(), 0);
    assert.deepEqual(await acts(), []);
  });
});
