import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { freshPages } from './freshPages.ts';
import { Harness, call } from './harness.ts';

const sentence = 'The response has more than 2,000 columns, so only its JSON is shown.';

describe('a response without a table', () => {
  let page: Page;
  freshPages(Harness, opened => (page = opened));

  const selected = () => page.locator('[role=tab][aria-selected=true]').innerText();

  it('opens on the raw tab, under the sentence that says why', async () => {
    await call(page, 'show', 'longJson');
    assert.equal(await selected(), 'Raw');
    await page.locator('.raw-note', { hasText: sentence }).waitFor();
    assert.match(await page.getByRole('region', { name: 'JSON' }).innerText(), /"line 0"/);
  });

  for (const name of ['Table', 'Chart', 'Statistics'])
    it(`says the same on the tab ${name}, and shows the text again on its own`, async () => {
      await call(page, 'show', 'longJson');
      await page.getByRole('tab', { name }).click();
      assert.equal(await selected(), name);
      assert.equal(await page.getByRole('tabpanel').innerText(), sentence);
      await page.getByRole('tab', { name: 'Raw' }).click();
      await page.getByRole('region', { name: 'JSON' }).waitFor();
    });

  it('begins with its text also after another one was left on another tab', async () => {
    await call(page, 'show', 'longJson');
    await page.getByRole('tab', { name: 'Chart' }).click();
    await call(page, 'show', 'json');
    assert.equal(await selected(), 'Raw');
  });

  it('leaves the tab of a table where it was', async () => {
    await call(page, 'show', 'table');
    await page.getByRole('tab', { name: 'Statistics' }).click();
    await call(page, 'show', 'json');
    await page.getByRole('tab', { name: 'Chart' }).click();
    await call(page, 'show', 'month');
    assert.equal(await selected(), 'Statistics');
  });
});
