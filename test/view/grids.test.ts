import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { harnessOf } from './freshPages.ts';
import { showing } from './harness.ts';

/** What the grid of the open tab says of itself. */
interface SeenGrid {
  readonly label: string;
  readonly rows: string;
  readonly columns: string;
  /** Of the headers, as far as they are drawn. */
  readonly headers: readonly string[];
  /** Rows and cells that are no part of what they should be, or do not say where they stand. */
  readonly stray: number;
  readonly stops: number;
  readonly sorted: readonly (readonly [column: string, direction: string])[];
}

const seen = (page: Page) =>
  page.evaluate<SeenGrid>(`(() => {
    const grid = document.querySelector('[role=grid]');
    const all = role => [...grid.querySelectorAll('[role=' + role + ']')].filter(one => one.checkVisibility());
    const [rows, headers, cells] = ['row', 'columnheader', 'gridcell'].map(all);
    const isIn = (one, role) => one.parentElement.getAttribute('role') === role;
    const stray = [
      ...rows.filter(row => !isIn(row, 'rowgroup') || !(row.ariaRowIndex <= Number(grid.ariaRowCount))),
      ...[...headers, ...cells].filter(cell => !isIn(cell, 'row') || !(cell.ariaColIndex <= Number(grid.ariaColCount))),
    ];
    return {
      label: grid.ariaLabel,
      rows: grid.ariaRowCount,
      columns: grid.ariaColCount,
      headers: headers.map(header => header.ariaColIndex),
      stray: stray.length,
      stops: grid.querySelectorAll('[tabindex="0"]').length,
      sorted: headers.flatMap(({ ariaColIndex, ariaSort }) => (ariaSort ? [[ariaColIndex, ariaSort]] : [])),
    };
  })()`);

describe('the grids of a result', () => {
  const harness = harnessOf();

  for (const [tab, label, rows, columns] of [
    ['table', 'Result table', 168, 17],
    ['chart', 'Numbers of the chart', 168, 3],
    ['split', 'Result table', 168, 17],
    ['statistics', 'Statistics', 21, 12],
    ['forecast', 'Forecast', 1, 12],
    ['events', 'Events', 7, 4],
  ] as const)
    it(`say to a screen reader what they are and how they are sorted: ${tab}`, async () => {
      const page = await showing(harness, 'covered', tab);
      if (tab === 'chart') await page.getByRole('button', { name: 'Show as Table' }).click();
      await page.getByRole('grid', { name: label, exact: true }).waitFor();
      const grid = await seen(page);
      assert.deepEqual([grid.label, grid.rows, grid.columns], [label, String(rows + 1), String(columns)]);
      assert.equal(new Set(grid.headers).size, grid.headers.length);
      assert.deepEqual([grid.headers[0], grid.stray, grid.stops, grid.sorted], ['1', 0, 1, []]);
      await page.locator('[role=gridcell]:visible').first().click();
      for (const key of ['ControlOrMeta+Home', 'ArrowUp', 'ArrowRight', 'Enter', 'Enter'])
        await page.keyboard.press(key);
      await page.locator('[aria-sort=descending]').waitFor();
      const { stops, sorted } = await seen(page);
      assert.deepEqual([stops, sorted], [2, [['2', 'descending']]], 'the header and its histogram');
    });
});
