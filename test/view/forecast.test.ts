import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { addAxe } from './addAxe.ts';
import { createHarness } from './useHarness.ts';
import { allDigits, call, showing, waitForFooter } from './harness.ts';
import { expectedValue } from './page/frames.ts';
import type { StateName } from './page/states.ts';
import { readCells, findComboBox, waitForMethod, rowDate, rowTime, waitForSentence } from './tabContent.ts';

const rows = [...Array(168).keys()];
/** The residual demand of each row, and its difference from the residual forecast. */
const demand = rows.map(row => expectedValue(row, 0));
const errors = rows.map(row => expectedValue(row, 0) - expectedValue(row, 1));
const getHour = (row: number): number => rowDate(row).getUTCHours();

/** Computes the expected scores of a group of rows, in the order of the columns. */
function computeScores(rowGroup: readonly number[]): Record<'bias' | 'mae' | 'rmse' | 'mape', number> {
  const mean = (getValue: (row: number) => number): number =>
    rowGroup.reduce((sum, row) => sum + getValue(row), 0) / rowGroup.length;
  const getError = (row: number): number => errors[row] ?? NaN;
  // Row 0 has a demand of 0.
  const percents = rowGroup.filter(row => demand[row] !== 0).map(row => Math.abs(getError(row) / (demand[row] ?? NaN)));
  return {
    bias: mean(getError),
    mae: mean(row => Math.abs(getError(row))),
    rmse: Math.sqrt(mean(row => getError(row) ** 2)),
    mape: (100 * percents.reduce((sum, part) => sum + part, 0)) / percents.length,
  };
}

describe('the Forecast tab of the panel', () => {
  const harness = createHarness();

  const openPanel = (state: StateName = 'covered') =>
    showing(harness, state, 'forecast', { width: 1400, height: 900 }, allDigits);
  const groupBy = (page: Page, grouping: string) => findComboBox(page, 'By').selectOption(grouping);
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
          Math.abs((actual[row] ?? NaN) - computeScores(rowGroup)[figure]) < 0.001,
          `${figure} of row ${row}: ${actual[row]}`,
        );
    }
  };

  it('scores the residual forecast for all hours, by hour of day and by band of demand', async () => {
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

  it('scores any two columns of the same unit, and shows how many hours without both values it omits', async () => {
    const page = await openPanel();
    assert.ok(!(await findComboBox(page, 'Actual').locator('option').allInnerTexts()).includes('Renewable share'));
    await findComboBox(page, 'Actual').selectOption('eskom_ocgt_mw');
    await findComboBox(page, 'Forecast').selectOption('hydro_water_mw');
    await waitForSentence(page, '166 of 168 hours have both values; 2 omitted.');
    assert.ok(!(await findComboBox(page, 'Forecast').locator('option').allInnerTexts()).includes('OCGT'));
    await groupBy(page, 'Worst Hours');
    await waitForSentence(page, '166 of 168 hours have both values; 2 omitted.');
    await waitForMethod(page, 'The ten hours');
    // Row 5 has the value 0.
    const rowsWithBoth = rows.filter(row => row !== 3 && row !== 4);
    const sizes = rowsWithBoth.map(row => Math.abs((row === 5 ? 0 : expectedValue(row, 5)) - expectedValue(row, 6)));
    const largestErrors = sizes.sort((a, b) => b - a).slice(0, 10);
    const actual = await readNumbers(page, 4);
    assert.equal(actual.length, 10);
    for (const [index, size] of largestErrors.entries())
      assert.ok(Math.abs(Math.abs(actual[index] ?? NaN) - size) < 0.001, `${index}`);
  });

  it('scores only the filtered hours, and sends the selected options to the host', async () => {
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

  it('shows all hours in the chart, or the hours around a selected worst hour', async () => {
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

  it('shows the Forecast tab only for a result with two columns of the same unit', async () => {
    const page = await openPanel('dailyPower');
    assert.deepEqual(await findComboBox(page, 'By').locator('option').allInnerTexts(), [
      ...['All Hours', 'Weekday', 'Month', 'Season', 'Band of Demand', 'Worst Hours'],
    ]);
    await call(page, 'show', 'zoneDays');
    await page.locator('#tab-forecast').waitFor({ state: 'detached' });
    await page.locator('#tab-table[aria-selected=true]').waitFor();
    await call(page, 'show', 'daily');
    assert.equal(await page.locator('#tab-forecast').count(), 0);
    // The view still has the Forecast tab, so it is selected again for a result that offers it.
    await call(page, 'show', 'dailyPower');
    await page.locator('#tab-forecast[aria-selected=true]').waitFor();
  });
});
