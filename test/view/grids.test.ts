import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createHarness } from './useHarness.ts';
import { showing } from './harness.ts';

/** The ARIA description of the grid of the open tab. */
interface SeenGrid {
  readonly label: string;
  readonly rows: string;
  readonly columns: string;
  /** The sort directions of the rendered headers. */
  readonly headers: readonly string[];
  /** Rows and cells with a wrong parent, or without an index. */
  readonly stray: number;
  readonly stops: number;
  readonly sorted: readonly (readonly [column: string, direction: string])[];
}

const describeGrid = (page: Page) =>
  page.evaluate<SeenGrid>(`(() => {
    const grid = document.querySelector('[role=grid]');
    const findVisible = role => [...grid.querySelectorAll('[role=' + role + ']')].filter(element => element.checkVisibility());
    const [rows, headers, cells] = ['row', 'columnheader', 'gridcell'].map(findVisible);
    const isIn = (element, role) => element.parentElement.getAttribute('role') === role;
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
  const harness = createHarness();

  for (const [tab, label, rows, columns] of [
    ['table', 'Result table', 168, 17],
    ['chart', 'Numbers of the chart', 168, 3],
    ['split', 'Result table', 168, 17],
    ['statistics', 'Statistics', 21, 12],
    ['forecast', 'Forecast', 1, 12],
    ['events', 'Events', 7, 4],
  ] as const)
    it(`describes the grid and its sort order to screen readers: ${tab}`, async () => {
      const page = await showing(harness, 'covered', tab);
      if (tab === 'chart') await page.getByRole('button', { name: 'Show as Table' }).click();
      await page.getByRole('grid', { name: label, exact: true }).waitFor();
      const grid = await describeGrid(page);
      assert.deepEqual([grid.label, grid.rows, grid.columns], [label, String(rows + 1), String(columns)]);
      assert.equal(new Set(grid.headers).size, grid.headers.length);
      assert.deepEqual([grid.headers[0], grid.stray, grid.stops, grid.sorted], ['1', 0, 1, []]);
      await page.locator('[role=gridcell]:visible').first().click();
      for (const key of ['ControlOrMeta+Home', 'ArrowUp', 'ArrowRight', 'Enter', 'Enter'])
        await page.keyboard.press(key);
      await page.locator('[aria-sort=descending]').waitFor();
      const { stops, sorted } = await describeGrid(page);
      assert.deepEqual([stops, sorted], [2, [['2', 'descending']]], 'the tab stops are the header and its histogram');
    });
});
