import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useSharedPages } from './useHarness.ts';
import { call } from './harness.ts';

describe('the repeated hour when the clocks go back', () => {
  let page: Page;
  useSharedPages('panel', async opened => {
    page = opened;
    await call(page, 'show', 'clockChange');
  });

  it('distinguishes the two occurrences of a repeated hour in the table and in the coverage strip', async () => {
    const hours = await Promise.all([0, 1, 2, 3].map(row => call(page, 'cellText', row, 0)));
    assert.deepEqual(hours, ['25 Oct 00:00', '25 Oct 01:00', '25 Oct 02:00 CET', '25 Oct 03:00']);
    const strip = page.getByRole('slider', { name: '5 of 6 hours, 1 missing: 25 Oct 02:00 CEST', exact: true });
    await strip.focus();
    const expectedText = '25 Oct 02:00 CEST Europe/Berlin: missing';
    assert.equal(await strip.getAttribute('aria-valuetext'), expectedText);
    assert.equal(await page.locator('.coverage-tooltip').innerText(), expectedText);
  });

  it('distinguishes the two occurrences of a repeated hour at the minimum in statistics', async () => {
    await page.locator('#tab-statistics').click();
    await page.locator('.statistics-summary [role=gridcell]', { hasText: '25 Oct 02:00 CET' }).first().waitFor();
  });

  it('distinguishes the two occurrences of a repeated hour in the chart', async () => {
    await page.locator('#tab-chart').click();
    const plot = page.locator('.chart-plot');
    await plot.focus();
    for (const key of ['Home', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await page.getByText('25 Oct 02:00 CET Europe/Berlin: Residual demand 1 MW').waitFor({ state: 'attached' });
  });
});
