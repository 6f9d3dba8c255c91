import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createHarness } from './useHarness.ts';
import { showing } from './harness.ts';
import { expectedValue } from './page/frames.ts';
import type { StateName } from './page/states.ts';
import { until } from '../support/until.ts';
import { readCells, readFigures, findStatisticsRow } from './tabContent.ts';

/** Sums a column over rows of the frames in `states`, whose values are tenths. */
function sumColumn(column: number, rows: readonly number[]): number {
  return rows.reduce((sum, row) => sum + Math.round(expectedValue(row, column) * 10), 0) / 10;
}

function written(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 0 });
}

describe('the energy of a selection', () => {
  const harness = createHarness();

  const openPanel = (state: StateName) => showing(harness, state, undefined, { width: 1400, height: 600 });
  /** Selects from one cell to another. Indexes start at 0, and the time is column 0. */
  const select = async (page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> => {
    const cell = ([row, column]: readonly [number, number]) =>
      page.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 1}"]:visible`);
    await cell(from).click();
    await cell(to).click({ modifiers: ['Shift'] });
  };
  const status = (page: Page, text: string) => page.locator('footer [role=status]', { hasText: text });
  const waitForStatus = (page: Page, text: string) => status(page, text).waitFor();

  it("sums a selection's energy in MWh over the hours with a value", async () => {
    const page = await openPanel('covered');
    await select(page, [0, 1], [9, 1]);
    const rows = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    const values = rows.map(row => expectedValue(row, 0));
    const sum = sumColumn(0, rows);
    const extremes = `min ${written(Math.min(...values))} · max ${written(Math.max(...values))} MW`;
    await waitForStatus(
      page,
      `10 × 1 selected: count 10 · mean ${written(sum / 10)} · ${extremes} · energy ${written(sum)} MWh over 10 h`,
    );
    // OCGT has a null in row 3, and none in row 4.
    await select(page, [2, 6], [6, 6]);
    const ocgt = sumColumn(5, [2, 6]);
    await waitForStatus(page, `count 3 · missing 2 · mean ${written(ocgt / 3)}`);
    await waitForStatus(page, `MW · energy ${written(ocgt)} MWh over 3 h`);
  });

  it('sums the energy of several power columns, and only counts mixed units', async () => {
    const page = await openPanel('covered');
    await select(page, [0, 1], [3, 3]);
    const rows = [0, 1, 2, 3];
    const sum = sumColumn(0, rows) + sumColumn(1, rows) + sumColumn(2, rows);
    await waitForStatus(page, `MW · energy of 3 columns ${written(sum)} MWh over 4 h`);
    await page.locator('[role=grid]').press('ControlOrMeta+a');
    await waitForStatus(page, '168 × 17 selected: count 2,686 · missing 2');
    const status = await page.locator('footer [role=status]').innerText();
    assert.match(status, /missing 2$/);
  });

  it('shows the share of energy of a selected share column, as in Statistics', async () => {
    const page = await openPanel('covered');
    await select(page, [0, 14], [9, 14]);
    const rows = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    const totals = rows.map(row => expectedValue(row, 9) / expectedValue(row, 13));
    const energyShare = sumColumn(9, rows) / totals.reduce((sum, share) => sum + share, 0);
    const [text = ''] = /share of energies [\d.,]+/.exec(await status(page, 'share of energies').innerText()) ?? [];
    assert.ok(
      Math.abs(Number(text.replace(/[^\d.]/g, '')) - energyShare) < 0.001 * energyShare,
      `${text}, not ${energyShare}`,
    );
    await page.locator('#tab-statistics').click();
    const mean = page.locator('.statistics-summary [role=columnheader]', { hasText: 'Mean' });
    assert.match((await mean.getAttribute('title')) ?? '', /for a share, the share of the energies/);
  });

  it('counts 24 hours for a day in the energy of a selection', async () => {
    const page = await openPanel('dailyPower');
    await select(page, [0, 1], [9, 1]);
    const sum = sumColumn(0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const amount = sum * 24 < 100_000 ? `${written(sum * 24)} MWh` : assert.fail('larger');
    await waitForStatus(page, `MW · energy ${amount} over 240 h`);
    await page.locator('#tab-statistics').click();
    await page.getByRole('columnheader', { name: 'Energy' }).waitFor();
  });

  it('counts the present hours of days in a zone, and names the zone and the hours', async () => {
    const page = await openPanel('zoneDays');
    await page.locator('.grid-label', { hasText: /^Day \(Europe\/Berlin\)$/ }).waitFor();
    await select(page, [0, 3], [3, 3]);
    const rows = [...Array(95).keys()].filter(row => row < 50 || row > 52);
    await waitForStatus(page, `MW · energy ${written(sumColumn(0, rows))} MWh over 92 h`);
    const strip = page.locator('.coverage[role=slider]');
    assert.equal(await strip.getAttribute('aria-label'), '4 of 4 days, 1 with some of their hours: 26 Mar 20 of 23 h');
    assert.match((await strip.getAttribute('aria-valuetext')) ?? '', /^26 Mar Europe\/Berlin: 20 of 23 h$/);
    await page.locator('#tab-statistics').click();
    assert.equal((await readFigures(page, 'Residual demand'))['Hours'], '92');
  });

  it('weights rows by their length, and reports missing ones', async () => {
    const page = await openPanel('fileLengths');
    const strip = page.locator('.coverage[role=slider]');
    assert.equal(await strip.getAttribute('aria-label'), '118 of 120 rows, 2 missing: 30 Sep 05:00, 1 Oct 06:30');
    await select(page, [0, 1], [2, 1]);
    await waitForStatus(page, 'MW · energy 3,000 MWh over 3 h');
    await page.locator('[role=grid]').press('ControlOrMeta+a');
    await waitForStatus(page, `mean ${written((23 * 1_000 + 23.75 * 2_000) / 46.75)}`);
    await waitForStatus(page, 'MW · energy 70,500 MWh over 46.75 h');
    await page.locator('#tab-statistics').click();
    assert.equal((await readFigures(page, 'Wind'))['Hours'], '46.75');
    await page.locator('.statistics-below').waitFor();
    assert.equal(await page.getByText('Load-duration curve').count(), 0);
  });

  it("shows the number of hours of the service's days, and which have an unknown number", async () => {
    const page = await openPanel('serviceDays');
    await page.locator('.grid-label', { hasText: /^Day \(UTC\)$/ }).waitFor();
    const cellAt = (row: number, column: number) =>
      page.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 1}"]:visible`);
    const readColumn = async (column: number) => Promise.all([0, 1, 2, 3].map(row => cellAt(row, column).innerText()));
    assert.deepEqual(await readColumn(1), ['', '21', '24', '14']);
    assert.deepEqual(await readColumn(2), ['', '24', '24', '24']);
    await cellAt(0, 1).hover();
    const hint = await cellAt(0, 1).getAttribute('title');
    assert.equal(hint, 'unknown: the archive does not have the hours of this day');
    const strip = page.locator('.coverage[role=slider]');
    assert.match((await strip.getAttribute('aria-label')) ?? '', /2 with some of their hours/);
  });

  it('shows the heading of the compared days on two lines, and in the tooltip', async () => {
    const page = await openPanel('zoneDaysCompared');
    const name = 'Day, previous period (Europe/Berlin)';
    const heading = page.getByRole('columnheader', { name });
    const label = heading.locator('.grid-label');
    await label.waitFor();
    const [width, height, whole] = await label.evaluate(
      (element: Readonly<Record<`${'client' | 'scroll'}${'Width' | 'Height'}`, number>>) => [
        element.clientWidth >= element.scrollWidth,
        element.clientHeight,
        element.scrollHeight,
      ],
    );
    // Two lines of 18 pixels.
    assert.deepEqual([width, height, whole], [true, 36, 36]);
    assert.equal((await heading.getAttribute('title'))?.split('\n')[0], name);
  });

  it('explains why a difference of days with different hours has no energy', async () => {
    const page = await openPanel('zoneDaysCompared');
    await page.locator('#tab-statistics').click();
    const reason = 'No energy for the difference: the two periods have different hours.';
    await page
      .locator('.tab-sentence', { hasText: 'Means over different hours have no difference of energies' })
      .waitFor();
    const energies = page.locator('.statistics-detail p', { hasText: 'Energy: ' });
    assert.match(await energies.innerText(), new RegExp(` over 92 h · .* over 96 h · ${reason}$`));
    const figures = await readFigures(page, 'Residual demand');
    assert.deepEqual([figures['Energy, difference'], figures['Energy, change']], ['', '']);
  });

  for (const state of ['zoneDays', 'zoneDaysCompared'] as const)
    it(`starts at the value columns, and draws no hour counts: ${state}`, async () => {
      const page = await openPanel(state);
      await page.locator('#tab-statistics').click();
      await page.getByRole('heading', { level: 2, name: 'Residual demand, MW' }).waitFor();
      await findStatisticsRow(page, 'Residual demand').click();
      await page.keyboard.press('Control+End');
      await until(
        'the last line',
        () => readCells(page, 1),
        names => names.at(-1)?.startsWith('Hours in period') === true,
      );
      await page.locator('#tab-chart').click();
      await page.getByRole('button', { name: 'Columns' }).click();
      const offered = page.locator('.chart-columns label');
      await offered.first().waitFor();
      assert.match(await offered.first().innerText(), /^\s*Residual demand/);
      assert.equal(await offered.filter({ hasText: /hours/i }).count(), 0);
    });

  it('shows the energy of both periods of a comparison and their difference', async () => {
    const page = await openPanel('compared');
    await page.locator('#tab-statistics').click();
    const sentence = page.locator('.statistics-detail p span', { hasText: /^Energy: / });
    const parts = ['Residual demand', 'Residual demand, previous period', 'Residual demand, difference'];
    const currentSum = sumColumn(0, [...Array(48).keys()]);
    const text = await sentence.innerText();
    for (const part of parts) assert.match(text, new RegExp(`${part} -?[\\d.,]+ MWh over 48 h`));
    assert.ok(text.includes(`Residual demand ${written(currentSum)} MWh over 48 h`), text);
  });

  it('shows no energy when a comparison has an hour twice', async () => {
    const page = await openPanel('comparedTwice');
    const cell = (row: number, column: number) =>
      page.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 1}"]:visible`);
    const range = async (column: number): Promise<void> => {
      await cell(0, column).click();
      await cell(9, column).click({ modifiers: ['Shift'] });
    };
    // The columns are both times, the value, the compared value and the difference.
    await range(3);
    await waitForStatus(page, '10 × 1 selected: count 10');
    assert.doesNotMatch(await page.locator('footer [role=status]').innerText(), /energy/);
    await range(2);
    await waitForStatus(page, 'MWh over 10 h');
    await page.locator('#tab-statistics').click();
    await page.locator('.statistics-detail p span', { hasText: /^Energy [\d.,]+ MWh over 48 h$/ }).waitFor();
  });
});
