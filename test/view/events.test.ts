import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { addAxe } from './addAxe.ts';
import { createHarness } from './useHarness.ts';
import { allDigits, call, showing } from './harness.ts';
import { expectedValue } from './page/frames.ts';
import type { StateName } from './page/states.ts';
import { readCells, findComboBox, rowTime, waitForSentence } from './tabContent.ts';

const rows = [...Array(168).keys()];
const rounded = (value: number): number => Math.round(value * 1e3) / 1e3;
/** Residual demand by row. */
const demand = rows.map(row => expectedValue(row, 0));

describe('events in the panel', () => {
  const harness = createHarness();

  const openPanel = (state: StateName = 'covered') =>
    showing(harness, state, 'events', { width: 1400, height: 700 }, allDigits);
  const find = (page: Page, kind: string) => findComboBox(page, 'Find').selectOption(kind);

  it('lists the peaks of a column, and marks those next to missing hours as uncertain', async () => {
    const page = await openPanel();
    const peaks = rows.filter(row =>
      rows.every(
        other =>
          other === row ||
          Math.abs(other - row) > 12 ||
          (other < row
            ? (demand[other] ?? NaN) < (demand[row] ?? NaN)
            : (demand[other] ?? NaN) <= (demand[row] ?? NaN)),
      ),
    );
    await waitForSentence(
      page,
      `${peaks.length} events: hours with the highest Residual demand within 12 hours before`,
    );
    assert.deepEqual(await readCells(page, 1), peaks.map(rowTime));
    assert.deepEqual(
      await readCells(page, 2),
      peaks.map(row => rowTime(row + 1)),
    );
    assert.deepEqual(
      await readCells(page, 3),
      peaks.map(row => (demand[row] ?? NaN).toFixed(1)),
    );
    assert.deepEqual(
      await readCells(page, 4),
      peaks.map(row => (row < 12 || row >= 168 - 12 ? 'yes' : 'no')),
    );
    await page.locator('footer', { hasText: `${peaks.length} rows · 4 columns` }).waitFor();
    // axe-core comes last, because it violates the Content Security Policy of the page itself.
    await addAxe(page);
    assert.deepEqual(await call(page, 'axe'), []);
  });

  it('finds runs over a typed value among the filtered rows, and reports the search to the host', async () => {
    const page = await openPanel();
    await find(page, 'Over a Value');
    const value = page.getByRole('textbox', { name: 'Value' });
    await value.fill('200');
    const runs = rows.filter(row => (demand[row] ?? NaN) > 200 && !((demand[row - 1] ?? NaN) > 200));
    await waitForSentence(
      page,
      `${runs.length} events: runs of hours with Residual demand over 200 MW; up to 3 unknown hours`,
    );
    assert.deepEqual(await readCells(page, 1), runs.map(rowTime));
    assert.equal(await value.inputValue(), '200');

    await page.locator('#tab-table').click();
    await page
      .locator('[role=columnheader]:visible', { hasText: 'Residual demand' })
      .first()
      .click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    await page.locator('[data-filter=residual_demand_mw]').fill('>300');
    await page.locator('#tab-events').click();
    const runStarts = rows.filter(row => (demand[row] ?? NaN) > 300 && !((demand[row - 1] ?? NaN) > 300));
    await waitForSentence(page, `${runStarts.length} events`);
    await waitForSentence(page, 'bridged. Hours excluded by filters are not searched, and end a run');
    assert.deepEqual(await readCells(page, 1), runStarts.map(rowTime));
    const table = await call(page, 'readTable');
    assert.deepEqual(table?.analysis.find, {
      rule: { kind: 'condition', condition: 'residual_demand_mw > 200' },
      column: 'residual_demand_mw',
    });
    assert.deepEqual([Object.keys(table.analysis.where ?? {}), table.isChanged], [['residual_demand_mw'], true]);

    await value.fill('many');
    await page.getByRole('alert').getByText("'many' isn't a valid number.").waitFor();
    assert.equal(await value.getAttribute('aria-invalid'), 'true');
    assert.equal(await page.locator('[role=grid]').count(), 0);
    assert.equal(await call(page, 'readTable'), undefined);
  });

  it('finds runs in which a condition holds, and explains an invalid condition', async () => {
    const page = await openPanel();
    await find(page, 'Condition');
    const condition = page.getByRole('textbox', { name: 'Condition' });
    assert.match(await condition.inputValue(), /^residual_demand_mw > /);
    await condition.fill('residual_demand_mw > 200 and not (residual_demand_mw > 300)');
    const holds = (row: number) => (demand[row] ?? NaN) > 200 && !((demand[row] ?? NaN) > 300);
    const runs = rows.filter(row => holds(row) && !holds(row - 1));
    await waitForSentence(page, 'runs of hours in which residual_demand_mw > 200 and not (residual_demand_mw > 300)');
    assert.deepEqual(await readCells(page, 1), runs.map(rowTime));
    await condition.fill('residual_demand_mw +');
    await page.getByRole('alert').getByText('The formula is incomplete.').waitFor();
    assert.equal(await condition.getAttribute('aria-invalid'), 'true');
    await condition.fill('residual_demand_mw');
    await page.getByRole('alert').getByText('Enter a condition here, such as wind_mw > 100 MW.').waitFor();
  });

  it('shows an event with the hours around it in the chart, and its hours selected in the table', async () => {
    const page = await openPanel();
    await find(page, 'OCGT Runs');
    // Hours 3 and 4 have no value, and hour 5 is 0.
    await waitForSentence(page, '2 events: runs of hours with OCGT over 0 MW');
    assert.deepEqual(await readCells(page, 1), [rowTime(0), rowTime(6)]);
    assert.deepEqual(await readCells(page, 2), [rowTime(3), rowTime(168)]);
    assert.deepEqual(await readCells(page, 8), ['yes', 'yes']);
    const firstCell = page.getByRole('gridcell', { name: rowTime(0) }).first();
    await firstCell.click();
    // There are 12 hours on both sides, unless the range ends before.
    await waitForSentence(page, 'Chart and table show 14 Nov 05:00 to 14 Nov 20:00 UTC');
    const limit = page.getByRole('group', { name: 'Filters' });
    // The list must not move under a double-click.
    assert.equal(await limit.count(), 0);
    assert.equal(await page.evaluate("document.activeElement.getAttribute('role')"), 'gridcell');
    await page.locator('#tab-split').click();
    await page
      .locator('.chart-summary li', { hasText: `Shown: ${rowTime(0)} UTC to ${rowTime(15)} UTC` })
      .waitFor({ state: 'attached' });
    await page.locator('footer', { hasText: '15 of 168 rows' }).waitFor();
    // The chart shows its range itself.
    assert.equal(await limit.count(), 0);
    await page.locator('#tab-table').click();
    await page.locator('footer', { hasText: '15 of 168 rows' }).waitFor();
    await limit.getByText('Chart and table show 14 Nov 05:00 to 14 Nov 20:00 UTC').waitFor();
    await limit.getByRole('button', { name: 'Show Whole Range' }).click();
    await page.locator('footer', { hasText: /^168 rows/ }).waitFor();
    assert.equal(await limit.count(), 0);
    await page.locator('#tab-events').click();
    await page.getByRole('button', { name: 'Show in Table' }).click();
    await page.locator('#tab-table[aria-selected=true]').waitFor();
    await page.locator('footer', { hasText: '3 × 17 selected' }).waitFor();

    await page.locator('#tab-events').click();
    await find(page, 'Ramps');
    await findComboBox(page, 'Hours').selectOption('6');
    await page.getByRole('textbox', { name: 'Change of at Least' }).fill('400');
    const firstRow = rows.find(row => Math.abs((demand[row + 6] ?? NaN) - (demand[row] ?? NaN)) >= 400) ?? NaN;
    await waitForSentence(page, 'Residual demand rose or fell by at least 400 MW over 6 hours');
    assert.equal((await readCells(page, 1))[0], rowTime(firstRow));
    const ramp = page.locator('[role=rowgroup] [role=gridcell][aria-colindex="1"]:visible', {
      hasText: rowTime(firstRow),
    });
    await ramp.click();
    await page.keyboard.press('Enter');
    await page.locator('#tab-chart[aria-selected=true]').waitFor();
    await page
      .locator('.chart-summary li', { hasText: `Shown: ${rowTime(Math.max(0, firstRow - 12))} UTC to` })
      .waitFor({ state: 'attached' });
    assert.equal(await page.evaluate('document.activeElement.className'), 'chart-plot');
    await page.locator('#tab-table').click();
    await page.locator('footer', { hasText: ' of 168 rows' }).waitFor();
    await page.locator('#tab-events').click();
    await ramp.dblclick();
    await page.locator('#tab-chart[aria-selected=true]').waitFor();
  });

  it('offers only the kinds of events that the columns and intervals allow', async () => {
    const page = await openPanel('stress');
    const offered = (): Promise<string[]> => findComboBox(page, 'Find').locator('option').allInnerTexts();
    assert.deepEqual(await offered(), [
      'Peaks',
      'Ramps',
      'Over a Value',
      'Under a Value',
      'Stress Bands',
      'Condition',
      'Unusual',
    ]);
    await find(page, 'Stress Bands');
    await waitForSentence(page, '2 events: runs of hours with Stress high or above');
    await findComboBox(page, 'Minimum Band').selectOption('critical');
    await waitForSentence(page, 'runs of hours with Stress critical;');
    await page.getByRole('button', { name: 'Show in Chart' }).click();
    await page.locator('.chart-button[aria-pressed=true]', { hasText: 'Stress' }).waitFor();
    // Days have no bands, so the first available kind is selected.
    await call(page, 'show', 'dailyPower');
    await page.locator('#tab-events').click();
    assert.deepEqual(await offered(), ['Over a Value', 'Under a Value', 'OCGT Runs', 'Condition', 'Unusual']);
    await waitForSentence(page, 'runs of rows with Residual demand over');
    await call(page, 'show', 'zoneDays');
    await page.locator('#tab-events').waitFor({ state: 'detached' });
    await page.locator('#tab-table[aria-selected=true]').waitFor();
  });

  it('ranks the hours among those of earlier weeks, and offers to request earlier weeks', async () => {
    const page = await openPanel('withHistory');
    await find(page, 'Unusual');
    await waitForSentence(
      page,
      '168 hours of Residual demand, most unusual first; compared with the same time of the week',
    );
    await waitForSentence(page, 'Compared with rows of the result and the archive, from 12 Sep 2026');
    const firstRow = 8 * 168;
    const rankedRows = rows.map(row => {
      const value = expectedValue(firstRow + row, 0);
      const previousValues = [1, 2, 3, 4, 5, 6, 7, 8].map(weeks => expectedValue(firstRow + row - weeks * 168, 0));
      const sorted = previousValues.toSorted((a, b) => a - b);
      const median = ((sorted[3] ?? NaN) + (sorted[4] ?? NaN)) / 2;
      const beyond = rounded(Math.max(0, value - Math.max(...previousValues), Math.min(...previousValues) - value));
      return {
        row,
        value,
        usual: median,
        beyond,
        away: rounded(Math.abs(value - median)),
        rank: 1 + previousValues.filter(previous => previous > value).length,
      };
    });
    rankedRows.sort((a, b) => b.beyond - a.beyond || b.away - a.away || a.row - b.row);
    const top = rankedRows.slice(0, 10);
    const readNumbers = async (column: number): Promise<number[]> =>
      (await readCells(page, column)).slice(0, 10).map(Number);
    assert.deepEqual(
      await readNumbers(3),
      top.map(({ value }) => value),
    );
    assert.deepEqual(
      await readNumbers(7),
      top.map(({ rank }) => rank),
    );
    const [topHour] = rankedRows;
    const words = new RegExp(
      `^${(topHour?.value ?? NaN) > (topHour?.usual ?? NaN) ? 'Highest' : 'Lowest'} \\w+day \\d\\d:00 of 9: `,
    );
    assert.match((await readCells(page, 4))[0] ?? '', words);

    await findComboBox(page, 'By').selectOption('Days');
    await waitForSentence(page, '7 days of Residual demand');
    await waitForSentence(page, 'Omitted because of fewer than 4 values to compare with or too few hours: 1');
    await page.getByRole('button', { name: 'Request Previous Weeks' }).click();
    assert.deepEqual(await call(page, 'acts'), ['requestEarlier']);
    await find(page, 'Peaks');
    await page.getByRole('button', { name: 'Request Previous Weeks' }).waitFor({ state: 'detached' });
    await addAxe(page);
    assert.deepEqual(await call(page, 'axe'), []);
  });

  it('sorts and arranges the events independently of the table, in the display zone', async () => {
    const page = await openPanel('tableSast');
    await page.locator('[role=columnheader]:visible', { hasText: 'Start (SAST)' }).first().click();
    await page.keyboard.press('Enter');
    const starts = await readCells(page, 1);
    const peaks = starts.map(start => Number(/^\d+/.exec(start)?.[0]));
    assert.ok(peaks.length > 3);
    assert.deepEqual(
      peaks,
      peaks.toSorted((a, b) => b - a),
    );
    await page.locator('#tab-table').click();
    assert.equal((await readCells(page, 1))[0], '14 Nov 07:00');
    await page.locator('#tab-events').click();
    assert.deepEqual(await readCells(page, 1), starts);
  });
});
