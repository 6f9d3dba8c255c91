import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useSharedPages } from './useHarness.ts';
import { call } from './harness.ts';

const sentence = 'The response has more than 2,000 columns, so only its JSON is shown.';

describe('a response without a table', () => {
  let page: Page;
  useSharedPages('panel', newPage => (page = newPage));

  const selected = () => page.locator('[role=tab][aria-selected=true]').innerText();

  it('opens the Raw tab for a response without a table, under the reason', async () => {
    await call(page, 'show', 'longJson');
    assert.equal(await selected(), 'Raw');
    await page.locator('.raw-note', { hasText: sentence }).waitFor();
    // `innerText` lacks a block that has no layout yet.
    assert.match((await page.getByRole('region', { name: 'JSON' }).textContent()) ?? '', /"line 0"/);
  });

  for (const name of ['Table', 'Chart', 'Statistics'])
    it(`shows the same reason on the tab ${name}, and the text again on the Raw tab`, async () => {
      await call(page, 'show', 'longJson');
      await page.getByRole('tab', { name }).click();
      assert.equal(await selected(), name);
      assert.equal(await page.getByRole('tabpanel').innerText(), sentence);
      await page.getByRole('tab', { name: 'Raw' }).click();
      await page.getByRole('region', { name: 'JSON' }).waitFor();
    });

  it('opens the Raw tab for each response without a table, whichever tab was open before', async () => {
    await call(page, 'show', 'longJson');
    await page.getByRole('tab', { name: 'Chart' }).click();
    await call(page, 'show', 'json');
    assert.equal(await selected(), 'Raw');
  });

  it('returns to the tab of the table after a response without a table', async () => {
    await call(page, 'show', 'table');
    await page.getByRole('tab', { name: 'Statistics' }).click();
    await call(page, 'show', 'json');
    await page.getByRole('tab', { name: 'Chart' }).click();
    await call(page, 'show', 'month');
    assert.equal(await selected(), 'Statistics');
  });
});
