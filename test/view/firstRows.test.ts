import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { freshPages } from './freshPages.ts';
import { Harness, call } from './harness.ts';

describe('the first rows of a long table', () => {
  let page: Page;
  freshPages(Harness, opened => (page = opened));

  const rowCount = async () => page.locator('[role=grid]').getAttribute('aria-rowcount');

  it('are there before the rest, which takes nothing from the place in them', async () => {
    await call(page, 'show', 'loading');
    await call(page, 'show', 'yearHead');
    assert.equal(await rowCount(), '201');
    await page.locator('[role=gridcell]:not([hidden])').nth(2).click();
    await page.keyboard.press('PageDown');
    const before = await call(page, 'focused');
    assert.ok(before && before[0] > 5);
    await call(page, 'show', 'year');
    assert.equal(await rowCount(), '8761');
    assert.deepEqual(await call(page, 'focused'), before);
  });

  it('take the place of nothing that is there already', async () => {
    await call(page, 'show', 'year');
    await call(page, 'show', 'yearHead');
    assert.equal(await rowCount(), '8761');
  });

  it('are not shown where something else is looked at', async () => {
    await call(page, 'show', 'year');
    await page.getByRole('tab', { name: 'Chart' }).click();
    // Another question, so that no place is kept: only the way of looking.
    await call(page, 'show', 'table');
    await call(page, 'show', 'loading');
    await page.reload();
    await call(page, 'show', 'yearHead');
    assert.equal(await page.getByRole('tabpanel').count(), 0);
    await call(page, 'show', 'year');
    await page.getByRole('tabpanel', { name: 'Chart' }).waitFor();
  });
});
