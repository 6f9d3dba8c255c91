import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { addAxe } from './addAxe.ts';
import { createHarness } from './useHarness.ts';
import { allDigits, call, showing, waitForFooter } from './harness.ts';
import { expectedValue } from './page/frames.ts';
import type { StateName } from './page/states.ts';
import { findStatisticsRow } from './tabContent.ts';

/** The indexes of columns in the frames of `states`. */
const windColumn = 7;
const pvColumn = 8;

/** Formats a value with one decimal, as the table does. */
function formatTenths(value: number): string {
  return value.toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** Computes wind plus PV of a row. */
function computeRenewables(row: number): number {
  return Math.round((expectedValue(row, windColumn) + expectedValue(row, pvColumn)) * 10) / 10;
}

describe('derived columns in the panel', () => {
  const harness = createHarness();

  const openPanel = (state: StateName = 'covered') =>
    showing(harness, state, undefined, { width: 1400, height: 700 }, allDigits);
  /** Shows a million rows without column summaries, because computing these would take longer than the derived column. */
  const openMillionRows = async (): Promise<Page> => {
    const page = await harness.acquire({ context: { viewport: { width: 1400, height: 700 } } });
    await call(page, 'view', { display: { summaries: false, numbers: 'digits' } });
    await call(page, 'show', 'million');
    await waitForFooter(page, '1,000,000 rows · 20 columns');
    return page;
  };
  const formulaInput = (page: Page) => page.getByRole('combobox', { name: 'Formula' });
  const nameInput = (page: Page) => page.getByRole('textbox', { name: 'Name of the column' });
  const waitForSentence = (page: Page, text: string) => page.locator('#derived-text', { hasText: text }).waitFor();
  const openFormulaEditor = async (page: Page): Promise<void> => {
    await page.locator('.more-button').click();
    await page.getByRole('menuitem', { name: 'Add Column…' }).click();
  };
  const addDerivedColumn = async (page: Page, column: string, text: string): Promise<void> => {
    await openFormulaEditor(page);
    await nameInput(page).fill(column);
    await formulaInput(page).fill(text);
    await page.keyboard.press('Enter');
    await page.locator('.derived').waitFor({ state: 'detached' });
    // The new column appears once its values are computed.
    await page.locator('[role=columnheader]:visible', { hasText: column }).first().waitFor();
  };
  const runColumnCommand = async (page: Page, column: string, item: string): Promise<void> => {
    await page.locator('[role=columnheader]:visible', { hasText: column }).first().click({ button: 'right' });
    await page.locator('.menu-item', { hasText: item }).click();
  };
  const readColumn = (page: Page, column: number): Promise<string[]> =>
    page
      .locator(`[role=row]:not([hidden]) > [aria-colindex="${column}"]:not([role=columnheader]):visible`)
      .allInnerTexts();

  const describeFocusedCell = async (page: Page): Promise<string> => {
    const cell = page.locator('[role=gridcell]:focus');
    const row = await cell.locator('..').getAttribute('aria-rowindex');
    return `row ${row}, column ${await cell.getAttribute('aria-colindex')}`;
  };

  it('adds a derived column with the keyboard and completions, and focuses the column', async () => {
    const page = await openPanel();
    await openFormulaEditor(page);
    await page.locator('#derived-name:focus').waitFor();
    await page.keyboard.type('renewables');
    await page.keyboard.press('Tab');
    await page.keyboard.type('wi');
    const entries = page.getByRole('option');
    assert.deepEqual(await entries.allInnerTexts(), ['wind_mw\nWind\nMW']);
    assert.equal(
      await formulaInput(page).getAttribute('aria-activedescendant'),
      await entries.first().getAttribute('id'),
    );
    assert.equal(await entries.first().getAttribute('aria-selected'), 'true');
    await page.keyboard.press('Tab');
    assert.equal(await formulaInput(page).inputValue(), 'wind_mw');
    await page.keyboard.type(' + ');
    await page.keyboard.press('Control+Space');
    assert.ok((await entries.count()) > 20);
    await page.keyboard.type('pv');
    await entries.first().click();
    assert.equal(await formulaInput(page).inputValue(), 'wind_mw + pv_mw');
    await waitForSentence(page, 'Unit: MW');
    await page.keyboard.press('Enter');
    await waitForFooter(page, '168 rows · 18 columns');
    assert.deepEqual(
      (await readColumn(page, 2)).slice(0, 4),
      [0, 1, 2, 3].map(row => formatTenths(computeRenewables(row))),
    );
    const header = page.locator('[role=columnheader]:visible', { hasText: 'renewables' });
    await header.hover();
    assert.equal(await header.getAttribute('title'), 'Derived · MW\nwind_mw + pv_mw');
    assert.equal(await describeFocusedCell(page), 'row 2, column 2');
  });

  it('accepts a completion with Enter, but applies a formula that is already complete', async () => {
    const page = await openPanel();
    await openFormulaEditor(page);
    await nameInput(page).fill('part');
    await formulaInput(page).focus();
    await page.keyboard.type('hig');
    await page.keyboard.press('Enter');
    assert.equal(await formulaInput(page).inputValue(), 'highest(');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('max(wind_mw, 24h)');
    await waitForSentence(page, 'Use highest(x, 24h).');
    await page.keyboard.press('Control+a');
    // 'total' is a complete name, so the list selects no completion such as total_re_mw.
    await page.keyboard.type('wind_mw / total');
    await page.getByRole('option').first().waitFor();
    assert.equal(await formulaInput(page).getAttribute('aria-activedescendant'), null);
    assert.equal(await page.locator('.derived-entry[aria-selected=true]').count(), 0);
    await page.keyboard.press('Enter');
    await waitForFooter(page, '168 rows · 18 columns');
    assert.deepEqual((await call(page, 'readTable'))?.analysis.derive, [{ name: 'part', formula: 'wind_mw / total' }]);
  });

  it('explains errors while the user types, and selects the error on Apply', async () => {
    const page = await openPanel();
    await openFormulaEditor(page);
    await waitForSentence(page, 'Ctrl+Space lists them.');
    for (const [typed, message] of [
      ['wind_mw +', 'The formula is incomplete.'],
      ['wind_mw + 2 * (wnd_mw)', "Unknown column 'wnd_mw'. Did you mean 'wind_mw'?"],
      ['wind_mw + renewable_share_pct', "MW and % can't be combined. Use values of the same unit."],
      ['wind_mw > 1000 and pv_mw > 0', 'A condition: true or false'],
      ['wind_mw / pv_mw', 'No unit'],
    ] as const) {
      await formulaInput(page).fill(typed);
      await waitForSentence(page, message);
      assert.equal(await formulaInput(page).getAttribute('aria-invalid'), String(/known|can't/.test(message)));
    }
    await page.keyboard.press('Enter');
    await waitForSentence(page, 'Enter a name of at most 100 characters.');
    assert.equal(await nameInput(page).getAttribute('aria-invalid'), 'true');
    await page.keyboard.type('wind_mw');
    await page.keyboard.press('Enter');
    await waitForSentence(page, "There is already a column 'wind_mw'.");
    await nameInput(page).fill('mine');
    await formulaInput(page).fill('pv_mw + 2 * (wnd_mw)');
    await page.getByRole('button', { name: 'Apply' }).click();
    // The unknown name is selected.
    await page.keyboard.type('wind_mw');
    assert.equal(await formulaInput(page).inputValue(), 'pv_mw + 2 * (wind_mw)');
    // The first Escape closes the list, the second one the editor.
    await formulaInput(page).fill('wi');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await formulaInput(page).getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('Escape');
    await page.locator('.derived').waitFor({ state: 'detached' });
    await waitForFooter(page, '168 rows · 17 columns');
  });

  it('is accessible while the list of completions is open', async () => {
    const page = await openPanel();
    await openFormulaEditor(page);
    await formulaInput(page).fill('wind_mw + ');
    await page.keyboard.press('Control+Space');
    await page.getByRole('option').first().waitFor();
    await addAxe(page);
    assert.deepEqual(await call(page, 'axe'), []);
  });

  it('filters, sorts, summarizes and resamples derived columns, and sends their formulas to the host', async () => {
    const page = await openPanel();
    await addDerivedColumn(page, 'renewables', 'wind_mw + pv_mw');
    await addDerivedColumn(page, 'day', 'mean(renewables, 24h)');
    await runColumnCommand(page, 'renewables', 'Filter…');
    await page.locator('#filter-renewables').fill('>20000');
    const matchingRows = [...Array(168).keys()].filter(row => computeRenewables(row) > 20_000);
    await waitForFooter(page, `${matchingRows.length} of 168 rows`);
    await runColumnCommand(page, 'renewables', 'Sort Descending');
    const highest = Math.max(...matchingRows.map(computeRenewables));
    assert.equal((await readColumn(page, 2))[0], formatTenths(highest));
    const table = await call(page, 'readTable');
    assert.equal(table?.isChanged, true);
    assert.deepEqual(table.analysis.where, { renewables: '>20000' });
    assert.deepEqual(table.analysis.derive, [
      { name: 'renewables', formula: 'wind_mw + pv_mw' },
      { name: 'day', formula: 'mean(renewables, 24h)' },
    ]);
    await page.locator('#tab-statistics').click();
    await page.locator('.tab-sentence', { hasText: `Over ${matchingRows.length} of 168 rows` }).waitFor();
    await findStatisticsRow(page, 'Residual demand').click();
    await page.keyboard.press('Control+End');
    await findStatisticsRow(page, 'renewables').waitFor();
    await page.locator('#tab-table').click();
    await page.locator('[data-choice=resample]').click();
    await page.getByRole('menuitemcheckbox', { name: 'Days', exact: true }).click();
    await waitForFooter(page, '8 rows');
    // Power also has its energy in MWh, but a rolling mean has only minimum and maximum.
    const columns = (await call(page, 'readTable'))?.columns.map(column => column.name) ?? [];
    assert.deepEqual(
      columns.filter(column => /^(?:renewables|day)/.test(column)),
      ['renewables', 'renewables_mwh', 'renewables_min', 'day_min', 'renewables_max', 'day_max'],
    );
  });

  it('filters rows by a derived column of true and false', async () => {
    const page = await openPanel();
    await addDerivedColumn(page, 'sunny', 'pv_mw > 10000 and not (wind_mw < 5000)');
    await runColumnCommand(page, 'sunny', 'Filter…');
    await page.locator('#filter-sunny').fill('true');
    const matchingRows = [...Array(168).keys()].filter(
      row => expectedValue(row, pvColumn) > 10_000 && expectedValue(row, windColumn) >= 5000,
    );
    await waitForFooter(page, `${matchingRows.length} of 168 rows`);
    const table = await call(page, 'readTable');
    assert.deepEqual(table?.analysis.where, { sunny: 'true' });
  });

  it('explains in tooltips how many hours a mean covers, and why a value is missing', async () => {
    const page = await openPanel();
    await addDerivedColumn(page, 'gas_day', 'mean(eskom_ocgt_mw, 3h)');
    await addDerivedColumn(page, 'twice', '2 * eskom_ocgt_mw');
    const cell = (row: number, column: number) =>
      page.locator(`[role=row][aria-rowindex="${row + 2}"] > [aria-colindex="${column}"]:visible`);
    // The third hour is null, and the fourth is missing.
    await cell(4, 2).hover();
    assert.match((await cell(4, 2).getAttribute('title')) ?? '', /over 1 h$/);
    await cell(3, 3).hover();
    assert.equal(await cell(3, 3).getAttribute('title'), 'no value: it cannot be computed for this row');
  });

  it('applies the derived columns and resampling of a saved query before or after its rows are shown', async () => {
    const page = await harness.acquire({ context: { viewport: { width: 1400, height: 700 } } });
    const analysis = { derive: [{ name: 'renewables', formula: 'wind_mw + pv_mw' }], resample: 'day' } as const;
    const readAnalysis = async () => (await call(page, 'shownViews')).at(-1)?.analysis;
    await call(page, 'view', { analysis });
    await call(page, 'show', 'covered');
    await waitForFooter(page, '8 rows');
    assert.deepEqual((await call(page, 'readTable'))?.analysis.derive, analysis.derive);
    assert.deepEqual(await readAnalysis(), analysis);
    await call(page, 'view', {});
    await waitForFooter(page, '168 rows · 17 columns');
    assert.deepEqual(await readAnalysis(), {});
    await call(page, 'view', { analysis: { derive: analysis.derive } });
    await waitForFooter(page, '168 rows · 18 columns');
  });

  it('edits a derived column from its menu, and removes it together with its filter', async () => {
    const page = await openPanel();
    await addDerivedColumn(page, 'mine', 'wind_mw + pv_mw');
    await runColumnCommand(page, 'mine', 'Filter…');
    await page.locator('#filter-mine').fill('>0');
    await runColumnCommand(page, 'mine', 'Edit Formula…');
    await page.locator('#derived-formula:focus').waitFor();
    await formulaInput(page).fill('wind_mw');
    await page.keyboard.press('Enter');
    await page.locator('.derived').waitFor({ state: 'detached' });
    await page
      .locator('[role=row][aria-rowindex="2"] > [aria-colindex="2"]:visible', {
        hasText: formatTenths(expectedValue(0, windColumn)),
      })
      .waitFor();
    await runColumnCommand(page, 'mine', 'Remove Column');
    await waitForFooter(page, '168 rows · 17 columns');
    await page.locator('#filter-mine').waitFor({ state: 'detached' });
    assert.equal((await call(page, 'readTable'))?.analysis.derive, undefined);
  });

  it('keeps derived columns after a reload, and names those that do not fit another result', async () => {
    const page = await openPanel();
    await addDerivedColumn(page, 'mine', 'wind_mw + pv_mw');
    await addDerivedColumn(page, 'plain', '1 + 1');
    await page.reload();
    await waitForFooter(page, '168 rows · 19 columns');
    await call(page, 'show', 'stress');
    await waitForFooter(page, '48 rows · 5 columns');
    const notice = page.locator('.derived-problems');
    assert.equal(
      (await notice.innerText()).replace(/\s+/g, ' '),
      "Derived columns that don't fit this result: mine: Unknown column 'wind_mw'.",
    );
    await notice.getByRole('button', { name: 'mine' }).click();
    assert.equal(await formulaInput(page).inputValue(), 'wind_mw + pv_mw');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await call(page, 'show', 'covered');
    await waitForFooter(page, '168 rows · 19 columns');
    assert.equal(await notice.count(), 0);
  });

  it('computes a derived column of a million rows, and focuses it', async () => {
    const page = await openMillionRows();
    await addDerivedColumn(page, 'day', 'wind_mw - mean(wind_mw, 24h)');
    await waitForFooter(page, '1,000,000 rows · 21 columns');
    assert.equal((await readColumn(page, 2))[0], '0.000');
    assert.equal(await describeFocusedCell(page), 'row 2, column 2');
  });

  it('does not move the focus to a derived column if the user moved it during the computation', async () => {
    const page = await openMillionRows();
    await openFormulaEditor(page);
    await nameInput(page).fill('day');
    await formulaInput(page).fill('wind_mw - mean(wind_mw, 24h)');
    // Dispatches both keys in one task, so that the column cannot be computed between them.
    await page.evaluate(`
      for (const key of ['Enter', 'ArrowDown'])
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`);
    await waitForFooter(page, '1,000,000 rows · 21 columns');
    assert.equal(await describeFocusedCell(page), 'row 3, column 1');
  });
});
