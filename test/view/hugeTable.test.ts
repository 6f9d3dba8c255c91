import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useOnePage } from './useHarness.ts';
import { call } from './harness.ts';

describe('the largest supported table', () => {
  let page: Page;
  useOnePage(async opened => {
    page = opened;
    await call(page, 'show', 'huge');
  });

  for (const tab of ['table', 'chart'])
    it(`renders only the visible part of a huge table: ${tab}`, async () => {
      await page.locator(`#tab-${tab}`).click();
      const elements = await page.locator(`#result-${tab} *`).count();
      assert.ok(elements > 0 && elements < 2_000, `${elements} elements`);
      assert.ok(Number(await page.evaluate('document.body.textContent.length')) < 100_000);
    });

  it('computes statistics of each column of a huge table, without its texts', async () => {
    await page.locator('#tab-statistics').click();
    await page.locator('footer', { hasText: /2,00\d rows/ }).waitFor();
    assert.ok(Number(await page.evaluate('document.body.textContent.length')) < 1_000_000);
  });
});
