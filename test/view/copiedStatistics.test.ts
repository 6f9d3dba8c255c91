import assert from 'node:assert/strict';
import { until } from '../support/until.ts';
import { createHarness } from './useHarness.ts';
import { call } from './harness.ts';
import { expectedValue } from './page/frames.ts';
import { findStatisticsRow } from './tabContent.ts';

describe('copying statistics', () => {
  const harness = createHarness();

  it('copies the figures in the displayed order, and exports the same order with As on Screen', async () => {
    const page = await harness.acquire({
      context: { viewport: { width: 1400, height: 700 }, permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await call(page, 'show', 'covered');
    await page.locator('#tab-statistics').click();
    const highest = page.locator('.statistics-summary [role=columnheader]', { hasText: 'Highest' }).first();
    await highest.click();
    await page.keyboard.press('Enter');
    await findStatisticsRow(page, 'Wind').click();
    await page.keyboard.press('Control+A');
    await page.evaluate("navigator.clipboard.writeText('')");
    await page.keyboard.press('Control+Shift+C');
    const read = () => page.evaluate<string>('navigator.clipboard.readText()');
    const lines = (await until('a copy', read, text => text !== '')).split(/\r?\n/).map(line => line.split('\t'));
    const [headers = [], ...rows] = lines;
    const readColumn = (head: string): string[] => rows.map(row => row[headers.indexOf(head)] ?? '');
    // Rows without a maximum are last.
    const maxima = readColumn('max').map(text => (text === '' ? -Infinity : Number(text)));
    assert.deepEqual(
      maxima,
      maxima.toSorted((a, b) => b - a),
    );
    const demand = [...Array(168).keys()].map(row => expectedValue(row, 0));
    const row = readColumn('field').indexOf('residual_demand_mw');
    assert.equal(maxima[row], Math.max(...demand));
    assert.equal(readColumn('unit')[row], 'MW');
    const maximumTime = Date.UTC(2026, 10, 14, 5 + demand.indexOf(Math.max(...demand)));
    assert.equal(Date.parse(readColumn('max_at (UTC)')[row] ?? ''), maximumTime);
    const onScreen = await call(page, 'readTable');
    assert.deepEqual(onScreen?.analysis, {
      summarize: ['energy', 'mean', 'extremes'],
      sort: [{ column: 'max', descending: true }],
    });
    assert.equal(onScreen.chart, 'statistics');
  });
});
