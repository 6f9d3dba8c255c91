import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { addAxe } from './addAxe.ts';
import { createHarness } from './useHarness.ts';
import { allDigits, call, showing, waitForFooter } from './harness.ts';
import { expectedValue } from './page/frames.ts';
import type { StateName } from './page/states.ts';
import { readCells, findComboBox, waitForMethod, rowDate, rowTime, waitForSentence } from './tabContent.ts';

const rows = [...Array(168).keys()];
/** Residual demand by row, and its difference from the residual forecast. */
const demand = rows.map(row => expectedValue(row, 0));
const errors = rows.map(row => expectedValue(row, 0) - expectedValue(row, 1));
const getHour = (row: number): number => rowDate(row).getUTCHours();

/** The scores in the order of the columns from Bias on. */
function figures(rowGroup: readonly number[]): Record<'bias' | 'mae' | 'rmse' | 'mape', number> {
  const mean = (of: (row: number) => number): number =>
    rowGroup.reduce((sum, row) => sum + of(row), 0) / rowGroup.length;
  const error = (row: number): number => errors[row] ?? NaN;
  // Row 0 has a demand of 0.
  const percents = rowGroup.filter(row => demand[row] !== 0).map(row => Math.abs(error(row) / (demand[row] ?? NaN)));
  return {
    bias: mean(error),
    mae: mean(row => Math.abs(error(row))),
    rmse: Math.sqrt(mean(row => error(row) ** 2)),
    mape: (100 * percents.reduce((sum, part) => sum + part, 0)) / percents.length,
  };
}

describe('the score of a forecast in the panel', () => {
  const harness = createHarness();

  const openPanel = (state: StateName = 'covered') =>
    showing(harness, state, 'forecast', { width: 1400, height: 900 }, allDigits);
  const groupBy = (page: Page, way: string) => findComboBox(page, 'By').selectOption(way);
  const readNumbers = async (page: Page, column: number): Promise<number[]> =>
    (await readCells(page, column)).map(cell => Number(cell.replaceAll(',', '').replace('−', '-')));
  const assertShows = async (page: Page, groups: readonly (readonly number[])[]): Promise<void> => {
    assert.deepEqual(
      await readNumbers(page, 2),
      groups.map(rowGroup => rowGroup.length),
    );
    for (const [index, figure] of (['bias', 'mae', 'rmse', 'mape'] as const).entries()) {
      const actual = await readNumbers(page, 4 + index);
      for (const [row, rowGroup] of groups.entries())
        assert.ok(
          Math.abs((actual[row] ?? NaN) - figures(rowGroup)[figure]) < 0.001,
          `${figure} of row ${row}: ${actual[row]}`,
        );
    }
  };

  it('scores residual forecast against residual demand, in all hours and by hour of day', async () => {
    const page = await openPanel();
    assert.deepEqual(await page.getByRole('tab').allInnerTexts(), [
      ...['Table', 'Chart', 'Split', 'Statistics', 'Forecast', 'Events', 'Raw'],
    ]);
    await waitForSentence(page, '168 of 168 hours have both values.');
    await waitForMethod(page, 'Error = actual − forecast: positive where');
    await assertShows(page, [rows]);
    await groupBy(page, 'Hour of Day');
    await waitForFooter(page, '25 rows · 12 columns');
    await assertShows(page, [rows, ...[...Array(24).keys()].map(hour => rows.filter(row => getHour(row) === hour))]);
    assert.equal((await readCells(page, 1))[1], '00:00');
    await groupBy(page, 'Band of Demand');
    await waitForMethod(page, 'Five bands with equally many hours each.');
    assert.equal(
      (await readNumbers(page, 2)).slice(1).reduce((sum, count) => sum + count, 0),
      168,
    );
    // axe-core comes last, because it violates the Content Security Policy of the page itself.
    await addAxe(page);
    assert.deepEqual(await call(page, 'axe'), []);
  });

  it('counts and omits the hours without both values, for any two columns of a unit', async () => {
    const page = await openPanel();
    assert.ok(!(await findComboBox(page, 'Actual').locator('option').allInnerTexts()).includes('Renewable share'));
    await findComboBox(page, 'Actual').selectOption('eskom_ocgt_mw');
    await findComboBox(page, 'Forecast').selectOption('hydro_water_mw');
    await waitForSentence(page, '166 of 168 hours have both values; 2 omitted.');
    assert.ok(!(await findComboBox(page, 'Forecast').locator('option').allInnerTexts()).includes('OCGT'));
    await groupBy(page, 'Worst Hours');
    await waitForSentence(page, '166 of 168 hours have both values; 2 omitted.');
    await waitForMethod(page, 'The ten hours');
    // Row 5 is a received 0.
    const rowsWithBoth = rows.filter(row => row !== 3 && row !== 4);
    const sizes = rowsWithBoth.map(row => Math.abs((row === 5 ? 0 : expectedValue(row, 5)) - expectedValue(row, 6)));
    const largestErrors = sizes.sort((a, b) => b - a).slice(0, 10);
    const actual = await readNumbers(page, 4);
    assert.equal(actual.length, 10);
    for (const [index, size] of largestErrors.entries())
      assert.ok(Math.abs(Math.abs(actual[index] ?? NaN) - size) < 0.001, `${index}`);
  });

  it('scores the filtered hours, and reports the choice to the host', async () => {
    const page = await openPanel();
    await page.locator('#tab-table').click();
    await page
      .locator('[role=columnheader]:visible', { hasText: 'Residual demand' })
      .first()
      .click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    await page.locator('[data-filter=residual_demand_mw]').fill('>300');
    await page.locator('#tab-forecast').click();
    const above = rows.filter(row => (demand[row] ?? NaN) > 300);
    await waitForSentence(page, `${above.length} of ${above.length} hours have both values.`);
    await groupBy(page, 'Weekday');
    const days = [1, 2, 3, 4, 5, 6, 0].map(day => above.filter(row => rowDate(row).getUTCDay() === day));
    const groups = [above, ...days.filter(({ length }) => length > 0)];
    await waitForFooter(page, `${groups.length} rows`);
    await assertShows(page, groups);
    const table = await call(page, 'readTable');
    assert.deepEqual(table?.analysis.score, {
      actual: 'residual_demand_mw',
      forecast: 'residual_forecast_mw',
      by: 'weekday',
    });
    assert.equal(Object.keys(table.analysis.where ?? {}).length, 1);
    assert.equal(table.isChanged, true);
  });

  it('shows the error of all hours, or around one of the largest, in the chart', async () => {
    const page = await openPanel();
    await findComboBox(page, 'Actual').selectOption('wind_mw');
    await page.getByRole('button', { name: 'Show in Chart' }).click();
    await page.locator('.chart-button', { hasText: 'Actual: Wind' }).waitFor();
    await page.locator('.chart-button', { hasText: 'Forecast: Residual forecast' }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.className'), 'chart-plot');
    await page.locator('#tab-forecast').click();
    await findComboBox(page, 'Actual').selectOption('residual_demand_mw');
    await groupBy(page, 'Worst Hours');
    await waitForMethod(page, 'The ten hours with the largest errors.');
    await waitForFooter(page, '10 rows');
    const rowsByError = rows.toSorted((a, b) => Math.abs(errors[b] ?? NaN) - Math.abs(errors[a] ?? NaN) || a - b);
    const third = rowTime(rowsByError[2] ?? NaN);
    assert.equal((await readCells(page, 1))[2], third);
    await page.locator('[role=gridcell][aria-colindex="1"]:visible', { hasText: third }).click();
    await page.keyboard.press('Enter');
    await page.locator('#tab-chart[aria-selected=true]').waitFor();
    await page
      .locator('.chart-summary li', { hasText: `Shown: ${rowTime((rowsByError[2] ?? NaN) - 12)} UTC to` })
      .waitFor({ state: 'attached' });
  });

  it('offers the score only with two columns of the same unit', async () => {
    const page = await openPanel('dailyPower');
    assert.deepEqual(await findComboBox(page, 'By').locator('option').allInnerTexts(), [
      ...['All Hours', 'Weekday', 'Month', 'Season', 'Band of Demand', 'Worst Hours'],
    ]);
    await call(page, 'show', 'zoneDays');
    await page.locator('#tab-forecast').waitFor({ state: 'detached' });
    await page.locator('#tab-table[aria-selected=true]').waitFor();
    await call(page, 'show', 'daily');
    assert.equal(await page.locator('#tab-forecast').count(), 0);
    // The tab stays selected in the view, for a later result that has it again.
    await call(page, 'show', 'dailyPower');
    await page.locator('#tab-forecast[aria-selected=true]').waitFor();
  });
});
