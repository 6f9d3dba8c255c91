import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useSharedPages } from './useHarness.ts';
import { call } from './harness.ts';

describe('undo in the panel', () => {
  let page: Page;
  useSharedPages('panel', async opened => {
    page = opened;
    await call(page, 'show', 'table');
  });

  const header = (label: string) => page.locator('[role=columnheader]:visible', { hasText: label }).first();
  const waitForAnnouncement = (text: string) =>
    page.locator('.visually-hidden[role=status]').getByText(text, { exact: true }).waitFor();
  const footer = (text: string | RegExp) => page.locator('footer [role=status]', { hasText: text }).waitFor();

  it('undoes and redoes the sort, filter and columns, wherever the focus is', async () => {
    await header('Residual demand').click();
    await page.locator('[aria-sort=ascending]').waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    await page.keyboard.type('>300');
    await footer(/ of 168 rows/);
    await header('Wind').click({ modifiers: ['Control'] });
    await page.keyboard.press('Delete');
    await waitForAnnouncement('Wind hidden');
    await page.locator('#tab-statistics').click();
    await page.keyboard.press('Control+z');
    await waitForAnnouncement('Undone: columns');
    await page.locator('#tab-table').click();
    await header('Wind').waitFor();
    await page.keyboard.press('Control+Z');
    await waitForAnnouncement('Undone: filters');
    await page.locator('.filters input').waitFor({ state: 'detached' });
    await footer(/^168 rows/);
    await page.keyboard.press('Control+z');
    await waitForAnnouncement('Undone: sort');
    assert.equal(await page.locator('[aria-sort]').count(), 0);
    await page.keyboard.press('Control+z');
    await waitForAnnouncement('Nothing to undo');
    await page.keyboard.press('Control+y');
    await waitForAnnouncement('Redone: sort');
    await page.locator('[aria-sort=ascending]').waitFor();
    await page.keyboard.press('Control+Shift+z');
    await waitForAnnouncement('Redone: filters');
    await footer(/ of 168 rows/);
  });

  it('leaves the key to a focused text field', async () => {
    await header('Residual demand').click();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    await page.keyboard.type('>300');
    const text = page.locator('.filters input');
    await page.keyboard.press('Control+z');
    assert.notEqual(await text.inputValue(), '>300');
    await page.locator('[aria-sort=ascending]').waitFor();
  });

  it('clears the undo history after another query or a saved view', async () => {
    for (const forget of [
      async () => call(page, 'persistState', { dataset: 'systemState', range: 'yesterday' }),
      async () => call(page, 'view', { analysis: { sort: [{ column: 'wind_mw', descending: true }] } }),
    ]) {
      await header('Residual demand').click();
      await waitForAnnouncement('Sorted by Residual demand, ascending');
      await forget();
      await page.keyboard.press('Control+z');
      await waitForAnnouncement('Nothing to undo');
      await page.locator('[aria-sort]').waitFor();
      await page.keyboard.press('Control+y');
      await waitForAnnouncement('Nothing to redo');
      await call(page, 'view', {});
    }
  });
});
