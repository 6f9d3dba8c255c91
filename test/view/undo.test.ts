import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { emptiedPages } from './freshPages.ts';
import { call } from './harness.ts';

describe('undo in the panel', () => {
  let page: Page;
  emptiedPages('panel', async opened => {
    page = opened;
    await call(page, 'show', 'table');
  });

  const header = (label: string) => page.locator('[role=columnheader]:visible', { hasText: label }).first();
  const said = (text: string) =>
    page.locator('.visually-hidden[role=status]').getByText(text, { exact: true }).waitFor();
  const footer = (text: string | RegExp) => page.locator('footer [role=status]', { hasText: text }).waitFor();

  it('takes back the sort, the filter and the columns, and makes them again, from wherever the focus is', async () => {
    await header('Residual demand').click();
    await page.locator('[aria-sort=ascending]').waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    await page.keyboard.type('>300');
    await footer(/ of 168 rows/);
    await header('Wind').click({ modifiers: ['Control'] });
    await page.keyboard.press('Delete');
    await said('Wind hidden');
    await page.locator('#tab-statistics').click();
    await page.keyboard.press('Control+z');
    await said('Undone: columns');
    await page.locator('#tab-table').click();
    await header('Wind').waitFor();
    await page.keyboard.press('Control+Z');
    await said('Undone: filters');
    await page.locator('.filters input').waitFor({ state: 'detached' });
    await footer(/^168 rows/);
    await page.keyboard.press('Control+z');
    await said('Undone: sort');
    assert.equal(await page.locator('[aria-sort]').count(), 0);
    await page.keyboard.press('Control+z');
    await said('Nothing to undo');
    await page.keyboard.press('Control+y');
    await said('Redone: sort');
    await page.locator('[aria-sort=ascending]').waitFor();
    await page.keyboard.press('Control+Shift+z');
    await said('Redone: filters');
    await footer(/ of 168 rows/);
  });

  it('leaves the key to the field in which the person types', async () => {
    await header('Residual demand').click();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    await page.keyboard.type('>300');
    const text = page.locator('.filters input');
    await page.keyboard.press('Control+z');
    assert.notEqual(await text.inputValue(), '>300');
    await page.locator('[aria-sort=ascending]').waitFor();
  });

  it('has nothing to take back once other rows are asked for, or a saved view is shown', async () => {
    for (const forget of [
      async () => call(page, 'question', { dataset: 'systemState', range: 'yesterday' }),
      async () => call(page, 'view', { analysis: { sort: [{ column: 'wind_mw', descending: true }] } }),
    ]) {
      await header('Residual demand').click();
      await said('Sorted by Residual demand, ascending');
      await forget();
      await page.keyboard.press('Control+z');
      await said('Nothing to undo');
      await page.locator('[aria-sort]').waitFor();
      await page.keyboard.press('Control+y');
      await said('Nothing to redo');
      await call(page, 'view', {});
    }
  });
});
