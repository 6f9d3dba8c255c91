import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { createHarness } from './useHarness.ts';
import { showing } from './harness.ts';
import { expectedValue } from './page/frames.ts';
import { readCells, findComboBox, readFigures, waitForSentence } from './tabContent.ts';

/** The 48 hours from 12 November 2026, 00:00 UTC, which the state compares with. */
const compared = [...Array(48).keys()].map(row => ({
  value: expectedValue(row, 0),
  at: new Date(Date.UTC(2026, 10, 12, row)),
}));
const formatTime = (time: Date): string => `${time.getUTCDate()} Nov ${time.toISOString().slice(11, 16)}`;

/** Reads both times of each visible selected row. */
async function selectedTimes(page: Page): Promise<string[]> {
  const rows = page.locator('#result-table [role=row]', { has: page.locator('[role=gridcell][aria-selected=true]') });
  const texts = await rows.allInnerTexts();
  return texts.map(text => text.split('\n').slice(0, 2).join('\n')).toSorted();
}

describe('a comparison in the panel', () => {
  const harness = createHarness();

  const openPanel = (tab: 'table' | 'chart' | 'events' | 'statistics' | 'split' | 'forecast') =>
    showing(harness, 'compared', tab, { width: 1600, height: 800 });

  it('shows the date of the other maximum in the other period in Statistics, and compares the energies', async () => {
    const page = await showing(harness, 'compared', 'statistics', { width: 3600, height: 800 });
    const maxHour = compared.reduce((best, hour) => (hour.value > best.value ? hour : best));
    const figures = await readFigures(page, 'Residual demand');
    assert.equal(figures['Highest at, previous period (UTC)'], formatTime(maxHour.at));
    assert.equal(Number(figures['Highest, previous period']), maxHour.value);
    // Both have the same values: no energy changed.
    assert.match(figures['Energy, change'] ?? '', /^0(?:\.0+)?$/);
  });

  it('draws a line and shows columns for each of several periods, named by their dates', async () => {
    const page = await showing(harness, 'comparedTwoPeriods', 'chart', { width: 5000, height: 800 });
    const legend = page.locator('.chart-legend');
    await legend.filter({ hasText: 'Residual demand · 14 Nov – 15 Nov' }).waitFor();
    await legend.filter({ hasText: 'Residual demand · 12 Nov – 13 Nov' }).waitFor();
    await legend.filter({ hasText: 'Residual demand · 10 Nov – 11 Nov' }).waitFor();
    await page.locator('#tab-statistics').click();
    const figures = await readFigures(page, 'Residual demand');
    const findMaximum = (hours: readonly (typeof compared)[number][]): Date =>
      hours.reduce((best, hour) => (hour.value > best.value ? hour : best)).at;
    const earliest = compared.map((_, row) => {
      return { value: expectedValue(row + 6, 0), at: new Date(Date.UTC(2026, 10, 10, row)) };
    });
    assert.equal(figures['Highest at, 10–11 Nov 2026 UTC (UTC)'], formatTime(findMaximum(earliest)));
    assert.equal(figures['Highest at, 12–13 Nov 2026 UTC (UTC)'], formatTime(findMaximum(compared)));
    assert.equal(figures['Energy, 12–13 Nov 2026 UTC'], figures['Energy']);
    assert.notEqual(figures['Energy, 10–11 Nov 2026 UTC'], figures['Energy']);
    assert.equal(figures['Energy, difference, 10–11 Nov 2026 UTC'], undefined);
  });

  it('shows the dates of events in the other period, and shows one next to the compared hours', async () => {
    const page = await openPanel('events');
    await findComboBox(page, 'Find').selectOption('Over a Value');
    const column = findComboBox(page, 'Column');
    await column.selectOption('Residual demand, previous period');
    await page.getByRole('textbox', { name: 'Value' }).fill('200');
    const isOver = (row: number): boolean => (compared[row]?.value ?? NaN) > 200;
    const runs = [...compared.keys()].filter(row => isOver(row) && !isOver(row - 1));
    await waitForSentence(page, `${runs.length} events`);
    const starts = runs.map(row => formatTime(compared[row]?.at ?? new Date(NaN)));
    assert.deepEqual(await readCells(page, 1), starts);
    await page.getByRole('button', { name: 'Show in Table' }).click();
    // Shows the event of the focused row, next to the hour it is compared with.
    const expectedTimes = runs.map(
      row => `${formatTime(new Date(Date.UTC(2026, 10, 14, row)))}\n${formatTime(compared[row]?.at ?? new Date(NaN))}`,
    );
    await until(
      'the hours of an event',
      () => selectedTimes(page),
      ([first]) => first !== undefined && expectedTimes.includes(first),
    );
  });
});
