import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useSharedPages } from './useHarness.ts';
import { onChart } from './harness.ts';

const utc = { timeZone: 'UTC', label: 'UTC' };
const mix = { mode: 'mix' } as const;

describe('a generation mix with missing sources', () => {
  let page: Page;
  useSharedPages('chart', newPage => (page = newPage));

  const notice = () => page.locator('.chart-notice').innerText();
  const total = () => page.locator('.chart-total .chart-value').innerText();
  const readLegendValue = (name: string) =>
    page.locator('.chart-legend tr', { hasText: name }).locator('.chart-value').innerText();
  const stepTo = async (days: number, hours: number) => {
    await page.locator('.chart-plot').focus();
    const keys = ['Home', ...Array<string>(days).fill('PageDown'), ...Array<string>(hours).fill('ArrowRight')];
    for (const key of keys) await page.keyboard.press(key);
  };

  it('reports missing sources over the legend, in the summary and at the crosshair, with the same numbers', async () => {
    await onChart(page, 'show', { frame: 'incomplete', zone: utc, options: mix });
    assert.equal(await notice(), 'Generation is incomplete at 7 hours (marked): no value for PV, Wind.');
    const summaryItem = page.locator('.chart-summary li', { hasText: 'Generation is incomplete' });
    await summaryItem.waitFor({ state: 'attached' });
    assert.match(
      (await summaryItem.textContent()) ?? '',
      /at 7 hours: PV missing at 04 May 20:00 UTC; Wind missing at 7 hours/,
    );
    await stepTo(2, 1);
    assert.match(await total(), /^[\d,.]+$/);
    await stepTo(2, 2);
    assert.equal(await readLegendValue('Wind'), 'no value');
    assert.match(await readLegendValue('Thermal'), /^[\d,.]+$/);
    assert.match(await total(), /^[\d,.]+ \(incomplete\)$/);
  });

  it('draws the other sources under stripes that the saved image explains', async () => {
    await onChart(page, 'show', { frame: 'incomplete', zone: utc, options: mix });
    const svg = await onChart(page, 'svg');
    assert.match(svg, />Incomplete<\/text>/);
    assert.match(svg, /Wind missing at 7 hours/);
    await onChart(page, 'show', { frame: 'year', zone: utc, options: mix });
    assert.doesNotMatch(await onChart(page, 'svg'), />Incomplete<\/text>/);
    assert.equal(await notice(), '');
  });

  it('shows a complete generation mix once the missing sources are removed', async () => {
    await onChart(page, 'show', { frame: 'incomplete', zone: utc, options: mix });
    for (const name of ['Wind', 'PV']) await page.locator('.chart-series', { hasText: name }).click();
    assert.equal(await notice(), '');
    await stepTo(2, 2);
    assert.match(await total(), /^[\d,.]+$/);
  });
});
