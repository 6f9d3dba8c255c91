import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { addAxe } from './addAxe.ts';
import { createHarness } from './useHarness.ts';
import { allDigits, call, showing, waitForFooter } from './harness.ts';
import { expectedValue } from './page/frames.ts';
import type { StateName } from './page/states.ts';
import { findStatisticsRow } from './tabContent.ts';

/** The columns of the frames in `states`. */
const wind = 7;
const pv = 8;

/** Formats a value to tenths, as the table does. */
function tenths(value: number): string {
  return value.toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

function sumAt(row: number): number {
  return Math.round((expectedValue(row, wind) + expectedValue(row, pv)) * 10) / 10;
}

describe('derived columns in the panel', () => {
  const harness = createHarness();

  const openPanel = (state: StateName = 'covered') =>
    showing(harness, state, undefined, { width: 1400, height: 700 }, allDigits);
  /** Shows a table without column summaries, which would take longer than the derived column. */
  const openedMillion = async (): Promise<Page> => {
    const page = await harness.acquire({ context: { viewport: { width: 1400, height: 700 } } });
    await call(page, 'view', { display: { summaries: false, numbers: 'digits' } });
    await call(page, 'show', 'million');
    await waitForFooter(page, '1,000,000 rows · 20 columns');
    return page;
  };
  const formula = (page: Page) => page.getByRole('combobox', { name: 'Formula' });
  const name = (page: Page) => page.getByRole('textbox', { name: 'Name of the column' });
  const sentence = (page: Page, text: string) => page.locator('#derived-text', { hasText: text }).waitFor();
  const addColumn = async (page: Page): Promise<void> => {
    await page.locator('.more-button').click();
    await page.getByRole('menuitem', { name: 'Add Column…' }).click();
  };
  const add = async (page: Page, column: string, text: string): Promise<void> => {
    await addColumn(page);
    await name(page).fill(column);
    await formula(page).fill(text);
    await page.keyboard.press('Enter');
    await page.locator('.derived').waitFor({ state: 'detached' });
    // The table focuses the column once it is computed.
    await page.locator('[role=columnheader]:visible', { hasText: column }).first().waitFor();
  };
  const columnMenu = async (page: Page, column: string, item: string): Promise<void> => {
    await page.locator('[role=columnheader]:visible', { hasText: column }).first().click({ button: 'right' });
    await page.locator('.menu-item', { hasText: item }).click();
  };
  const cells = (page: Page, column: number): Promise<string[]> =>
    page
      .locator(`[role=row]:not([hidden]) > [aria-colindex="${column}"]:not([role=columnheader]):visible`)
      .allInnerTexts();

  const focused = async (page: Page): Promise<string> => {
    const cell = page.locator('[role=gridcell]:focus');
    const row = await cell.locator('..').getAttribute('aria-rowindex');
    return `row ${row}, column ${await cell.getAttribute('aria-colindex')}`;
  };

  it('adds a derived column by keyboard, with completion, and focuses it', async () => {
    const page = await openPanel();
    await addColumn(page);
    await page.locator('#derived-name:focus').waitFor();
    await page.keyboard.type('renewables');
    await page.keyboard.press('Tab');
    await page.keyboard.type('wi');
    const entries = page.getByRole('option');
    assert.deepEqual(await entries.allInnerTexts(), ['wind_mw\nWind\nMW']);
    assert.equal(await formula(page).getAttribute('aria-activedescendant'), await entries.first().getAttribute('id'));
    assert.equal(await entries.first().getAttribute('aria-selected'), 'true');
    await page.keyboard.press('Tab');
    assert.equal(await formula(page).inputValue(), 'wind_mw');
    await page.keyboard.type(' + ');
    await page.keyboard.press('Control+Space');
    assert.ok((await entries.count()) > 20);
    await page.keyboard.type('pv');
    await entries.first().click();
    assert.equal(await formula(page).inputValue(), 'wind_mw + pv_mw');
    await sentence(page, 'Unit: MW');
    await page.keyboard.press('Enter');
    await waitForFooter(page, '168 rows · 18 columns');
    assert.deepEqual(
      (await cells(page, 18)).slice(0, 4),
      [0, 1, 2, 3].map(row => tenths(sumAt(row))),
    );
    const header = page.locator('[role=columnheader]:visible', { hasText: 'renewables' });
    await header.hover();
    assert.equal(await header.getAttribute('title'), 'Derived · MW\nwind_mw + pv_mw');
    assert.equal(await focused(page), 'row 2, column 18');
  });

  it('accepts the first completion with Enter or Tab, until Enter applies a complete formula', async () => {
    const page = await openPanel();
    await addColumn(page);
    await name(page).fill('part');
    await formula(page).focus();
    await page.keyboard.type('hig');
    await page.keyboard.press('Enter');
    assert.equal(await formula(page).inputValue(), 'highest(');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('max(wind_mw, 24h)');
    await sentence(page, 'Use highest(x, 24h).');
    await page.keyboard.press('Control+a');
    // 'total' is total generation; the list has total_re_mw.
    await page.keyboard.type('wind_mw / total');
    await page.getByRole('option').first().waitFor();
    assert.equal(await formula(page).getAttribute('aria-activedescendant'), null);
    assert.equal(await page.locator('.derived-entry[aria-selected=true]').count(), 0);
    await page.keyboard.press('Enter');
    await waitForFooter(page, '168 rows · 18 columns');
    assert.deepEqual((await call(page, 'readTable'))?.analysis.derive, [{ name: 'part', formula: 'wind_mw / total' }]);
  });

  it('explains an error while typing, and selects it on Apply', async () => {
    const page = await openPanel();
    await addColumn(page);
    await sentence(page, 'Ctrl+Space lists them.');
    for (const [typed, message] of [
      ['wind_mw +', 'The formula is incomplete.'],
      ['wind_mw + 2 * (wnd_mw)', "Unknown column 'wnd_mw'. Did you mean 'wind_mw'?"],
      ['wind_mw + renewable_share_pct', "MW and % can't be combined. Use values of the same unit."],
      ['wind_mw > 1000 and pv_mw > 0', 'A condition: true or false'],
      ['wind_mw / pv_mw', 'No unit'],
    ] as const) {
      await formula(page).fill(typed);
      await sentence(page, message);
      assert.equal(await formula(page).getAttribute('aria-invalid'), String(/known|can't/.test(message)));
    }
    await page.keyboard.press('Enter');
    await sentence(page, 'Enter a name of at most 100 characters.');
    assert.equal(await name(page).getAttribute('aria-invalid'), 'true');
    await page.keyboard.type('wind_mw');
    await page.keyboard.press('Enter');
    await sentence(page, "There is already a column 'wind_mw'.");
    await name(page).fill('mine');
    await formula(page).fill('pv_mw + 2 * (wnd_mw)');
    await page.getByRole('button', { name: 'Apply' }).click();
    // The unknown name is selected.
    await page.keyboard.type('wind_mw');
    assert.equal(await formula(page).inputValue(), 'pv_mw + 2 * (wind_mw)');
    // The first Escape closes the list, the second one the editor.
    await formula(page).fill('wi');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await formula(page).getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('Escape');
    await page.locator('.derived').waitFor({ state: 'detached' });
    await waitForFooter(page, '168 rows · 17 columns');
  });

  it('describes the editor to screen readers, with the list open', async () => {
    const page = await openPanel();
    await addColumn(page);
    await formula(page).fill('wind_mw + ');
    await page.keyboard.press('Control+Space');
    await page.getByRole('option').first().waitFor();
    await addAxe(page);
    assert.deepEqual(await call(page, 'axe'), []);
  });

  it('filters, sorts, summarizes and resamples derived columns, and reports them to the host', async () => {
    const page = await openPanel();
    await add(page, 'renewables', 'wind_mw + pv_mw');
    await add(page, 'day', 'mean(renewables, 24h)');
    await columnMenu(page, 'renewables', 'Filter…');
    await page.locator('#filter-renewables').fill('>20000');
    const matchingRows = [...Array(168).keys()].filter(row => sumAt(row) > 20_000);
    await waitForFooter(page, `${matchingRows.length} of 168 rows`);
    await columnMenu(page, 'renewables', 'Sort Descending');
    const highest = Math.max(...matchingRows.map(sumAt));
    assert.equal((await cells(page, 18))[0], tenths(highest));
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
    // Power has an energy, and a rolling mean only extremes.
    const columns = (await call(page, 'readTable'))?.columns.map(column => column.name) ?? [];
    assert.deepEqual(
      columns.filter(column => /^(?:renewables|day)/.test(column)),
      ['renewables', 'renewables_mwh', 'renewables_min', 'day_min', 'renewables_max', 'day_max'],
    );
  });

  it('filters rows by a derived condition', async () => {
    const page = await openPanel();
    await add(page, 'sunny', 'pv_mw > 10000 and not (wind_mw < 5000)');
    await columnMenu(page, 'sunny', 'Filter…');
    await page.locator('#filter-sunny').fill('true');
    const matchingRows = [...Array(168).keys()].filter(
      row => expectedValue(row, pv) > 10_000 && expectedValue(row, wind) >= 5000,
    );
    await waitForFooter(page, `${matchingRows.length} of 168 rows`);
    const table = await call(page, 'readTable');
    assert.deepEqual(table?.analysis.where, { sunny: 'true' });
  });

  it('shows the hours of a rolling mean, and that a formula has no values', async () => {
    const page = await openPanel();
    await add(page, 'gas_day', 'mean(eskom_ocgt_mw, 3h)');
    await add(page, 'twice', '2 * eskom_ocgt_mw');
    const cell = (row: number, column: number) =>
      page.locator(`[role=row][aria-rowindex="${row + 2}"] > [aria-colindex="${column}"]:visible`);
    // The third hour is null, the fourth absent.
    await cell(4, 18).hover();
    assert.match((await cell(4, 18).getAttribute('title')) ?? '', /over 1 h$/);
    await cell(3, 19).hover();
    assert.equal(await cell(3, 19).getAttribute('title'), 'no value: it cannot be computed for this row');
  });

  it('applies derived columns and resampling of a saved query that is opened before or after the rows', async () => {
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

  it('edits and removes a derived column with its filter from its menu', async () => {
    const page = await openPanel();
    await add(page, 'mine', 'wind_mw + pv_mw');
    await columnMenu(page, 'mine', 'Filter…');
    await page.locator('#filter-mine').fill('>0');
    await columnMenu(page, 'mine', 'Edit Formula…');
    await page.locator('#derived-formula:focus').waitFor();
    await formula(page).fill('wind_mw');
    await page.keyboard.press('Enter');
    await page.locator('.derived').waitFor({ state: 'detached' });
    await page
      .locator('[role=row][aria-rowindex="2"] > [aria-colindex="18"]:visible', {
        hasText: tenths(expectedValue(0, wind)),
      })
      .waitFor();
    await columnMenu(page, 'mine', 'Remove Column');
    await waitForFooter(page, '168 rows · 17 columns');
    await page.locator('#filter-mine').waitFor({ state: 'detached' });
    assert.equal((await call(page, 'readTable'))?.analysis.derive, undefined);
  });

  it('keeps derived columns after a reload, and lists those that do not fit a result in a notice', async () => {
    const page = await openPanel();
    await add(page, 'mine', 'wind_mw + pv_mw');
    await add(page, 'plain', '1 + 1');
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
    assert.equal(await formula(page).inputValue(), 'wind_mw + pv_mw');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await call(page, 'show', 'covered');
    await waitForFooter(page, '168 rows · 19 columns');
    assert.equal(await notice.count(), 0);
  });

  it('computes derived columns of a million rows while the previous rows stay', async () => {
    const page = await openedMillion();
    await add(page, 'day', 'wind_mw - mean(wind_mw, 24h)');
    await waitForFooter(page, '1,000,000 rows · 21 columns');
    assert.equal((await cells(page, 21))[0], '0.000');
    assert.equal(await focused(page), 'row 2, column 21');
  });

  it('does not focus a derived column if the user has moved on while it was computed', async () => {
    const page = await openedMillion();
    await addColumn(page);
    await name(page).fill('day');
    await formula(page).fill('wind_mw - mean(wind_mw, 24h)');
    // Both keys are dispatched in one task, so that no computation comes between them.
    await page.evaluate(`
      for (const key of ['Enter', 'ArrowDown'])
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`);
    await waitForFooter(page, '1,000,000 rows · 21 columns');
    assert.equal(await focused(page), 'row 3, column 1');
  });
});
