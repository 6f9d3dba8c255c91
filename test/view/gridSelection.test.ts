import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useSharedPages } from './useHarness.ts';
import { axeOn, onGrid } from './harness.ts';

type Range = readonly [firstRow: number, lastRow: number, firstColumn: number, lastColumn: number];

describe('the selection of the table', () => {
  let page: Page;
  useSharedPages('grid', async opened => {
    page = opened;
    await onGrid(page, 'show', { frame: 'month' });
  });

  const cell = (row: number, column: number) =>
    page.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 1}"]:not([hidden])`);
  const range = async () => {
    const currentRange = await onGrid(page, 'range');
    return currentRange && [...currentRange.rows, ...currentRange.columns];
  };
  const press = (...keys: string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
  const center = async (row: number, column: number) => {
    const box = await cell(row, column).boundingBox();
    assert.ok(box);
    return [box.x + box.width / 2, box.y + box.height / 2] as const;
  };
  const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
    await page.mouse.move(...(await center(...from)));
    await page.mouse.down();
    await page.mouse.move(...(await center(...to)), { steps: 4 });
    await page.mouse.up();
  };

  it('starts the selection with one cell, which is not announced as selected', async () => {
    await cell(2, 3).click();
    assert.deepEqual(await range(), [2, 2, 3, 3]);
    assert.deepEqual(await onGrid(page, 'selectedCells'), []);
    assert.equal(await cell(2, 3).getAttribute('aria-selected'), 'false');
    assert.equal(await page.getByRole('grid').getAttribute('aria-multiselectable'), 'true');
  });

  it('extends the selection by dragging in every direction', async () => {
    await drag([6, 4], [4, 2]);
    assert.deepEqual(await range(), [4, 6, 2, 4]);
    assert.deepEqual(await onGrid(page, 'focused'), [4, 2]);
    const expected = [4, 5, 6].flatMap(row => [2, 3, 4].map(column => `${row},${column}`));
    assert.deepEqual(await onGrid(page, 'selectedCells'), expected);
    await drag([3, 0], [5, 1]);
    assert.deepEqual(await range(), [3, 5, 0, 1]);
    await cell(8, 5).click({ modifiers: ['Shift'] });
    assert.deepEqual(await range(), [3, 8, 0, 5]);
    await cell(1, 1).click();
    assert.deepEqual(await range(), [1, 1, 1, 1]);
    assert.deepEqual(await onGrid(page, 'selectedCells'), []);
  });

  it('scrolls while the pointer is held below or to the right of the grid', async () => {
    await page.mouse.move(...(await center(3, 3)));
    await page.mouse.down();
    // Far outside the grid, it scrolls at maximum speed.
    await page.mouse.move(1090, 1100);
    await until('a range beyond row 60', range, currentRange => (currentRange?.[1] ?? 0) > 60);
    await page.mouse.move(1600, 300);
    await until('a range up to the last column', range, currentRange => currentRange?.[3] === 16);
    await page.mouse.up();
    const [first, , left] = (await range()) ?? [];
    assert.deepEqual([first, left], [3, 3]);
    const [, last] = await onGrid(page, 'rowsInView');
    assert.ok(last > 60, `last row in view is ${last}`);
  });

  it('selects cells by keyboard alone', async () => {
    await cell(5, 2).click();
    const keyPresses: readonly (readonly [keys: string, range: Range, focus: readonly [number, number]])[] = [
      ['Shift+ArrowDown', [5, 6, 2, 2], [6, 2]],
      ['Shift+ArrowRight', [5, 6, 2, 3], [6, 3]],
      ['Shift+Home', [5, 6, 0, 2], [6, 0]],
      ['Shift+End', [5, 6, 2, 16], [6, 16]],
      ['ControlOrMeta+Shift+ArrowDown', [5, 743, 2, 16], [743, 16]],
      ['ControlOrMeta+Shift+Home', [0, 5, 0, 2], [0, 0]],
      ['Shift+ArrowUp', [0, 5, 0, 2], [0, 0]],
      ['ArrowDown', [1, 1, 0, 0], [1, 0]],
      ['Shift+ArrowRight', [1, 1, 0, 1], [1, 1]],
      ['Escape', [1, 1, 1, 1], [1, 1]],
      ['Shift+Space', [1, 1, 0, 16], [1, 1]],
      ['Shift+ArrowDown', [1, 2, 0, 16], [2, 1]],
      ['Escape', [2, 2, 1, 1], [2, 1]],
      ['ControlOrMeta+Space', [0, 743, 1, 1], [2, 1]],
      ['Shift+ArrowRight', [0, 743, 1, 2], [2, 2]],
      ['ControlOrMeta+a', [0, 743, 0, 16], [2, 2]],
      ['Shift+ArrowDown', [2, 3, 2, 2], [3, 2]],
    ];
    for (const [keys, expected, focus] of keyPresses) {
      await press(keys);
      assert.deepEqual(await range(), expected, keys);
      assert.deepEqual(await onGrid(page, 'focused'), focus, keys);
    }
    await press('ControlOrMeta+Home', 'Shift+PageDown');
    const paged = await range();
    assert.ok(paged && (paged[1] ?? 0) > 10);
    await press('Shift+PageUp', 'Shift+PageUp');
    assert.deepEqual(await range(), [0, 0, 0, 0]);
  });

  it('selects whole columns from the header', async () => {
    await cell(-1, 3).click();
    assert.deepEqual(await onGrid(page, 'focused'), [-1, 3]);
    assert.equal(await range(), null);
    await press('ControlOrMeta+Space');
    assert.deepEqual(await range(), [0, 743, 3, 3]);
    await press('Shift+ArrowRight', 'Shift+ArrowRight');
    assert.deepEqual(await range(), [0, 743, 3, 5]);
    assert.deepEqual(await onGrid(page, 'focused'), [-1, 5]);
    await press('ArrowLeft');
    assert.equal(await range(), null);
    await press('Shift+ArrowLeft');
    assert.deepEqual(await range(), [0, 743, 3, 4]);
  });

  it('reports each change of the selection once, and which cells to copy', async () => {
    await cell(2, 1).click();
    await onGrid(page, 'calls');
    await press('ControlOrMeta+c', 'Shift+ArrowDown', 'ArrowUp', 'ArrowUp');
    await press('ControlOrMeta+Shift+c', 'Home', 'ArrowUp', 'ArrowUp', 'ControlOrMeta+c');
    const singleCell = (row: number, column: number) => ({ rows: [row, row], columns: [column, column] });
    const calls = await onGrid(page, 'calls');
    assert.deepEqual(calls.slice(0, 2), [
      ['copy', '159.1', singleCell(2, 1), false],
      ['selectionChanged', { rows: [2, 3], columns: [1, 1] }],
    ]);
    assert.deepEqual(calls.slice(2), [
      ['selectionChanged', singleCell(2, 1)],
      ['selectionChanged', singleCell(1, 1)],
      ['copy', '82.3', singleCell(1, 1), true],
      ['selectionChanged', singleCell(1, 0)],
      ['selectionChanged', singleCell(0, 0)],
      ['selectionChanged', null],
      ['copy', 'ts', null, false],
    ]);
  });

  it('opens the cell menu by mouse and by key, and keeps the selection', async () => {
    await drag([2, 1], [4, 3]);
    await cell(3, 2).click({ button: 'right' });
    await page.getByRole('menu', { name: 'Cells' }).waitFor();
    assert.deepEqual(await range(), [2, 4, 1, 3]);
    await press('Escape');
    assert.equal(await page.getByRole('menu').count(), 0);
    assert.deepEqual(await onGrid(page, 'focused'), [4, 3]);
    await press('Shift+F10', 'Enter');
    assert.deepEqual((await onGrid(page, 'calls')).slice(-2), [
      ['cellMenu', { row: 4, column: 3 }],
      ['run', 'copy'],
    ]);
    await cell(9, 1).click({ button: 'right' });
    assert.deepEqual(await range(), [9, 9, 1, 1]);
  });

  it('keeps the selection on its cells when they scroll away, and on the next data', async () => {
    await onGrid(page, 'show', { frame: 'million' });
    await cell(2, 1).click();
    await press('ControlOrMeta+Shift+End');
    assert.deepEqual(await range(), [2, 999_999, 1, 19]);
    assert.ok((await onGrid(page, 'gridElements')) < 1500);
    const [first, last] = await onGrid(page, 'rowsInView');
    assert.equal(last, 999_999);
    assert.ok((await onGrid(page, 'selectedCells')).includes(`${first},19`));
    await onGrid(page, 'show', { frame: 'million', stay: true });
    assert.deepEqual(await range(), [2, 999_999, 1, 19]);
    await onGrid(page, 'show', { frame: 'month' });
    assert.deepEqual(await range(), [0, 0, 0, 0]);
  });

  it('counts visible rows and columns in the selection, as assistive technology does', async () => {
    await onGrid(page, 'show', {
      frame: 'month',
      order: [700, 5, 9],
      arrangement: { order: [], hidden: ['thermal_mw', 'wind_mw'], widths: {}, frozen: 1 },
    });
    const grid = page.getByRole('grid');
    assert.equal(await grid.getAttribute('aria-rowcount'), '4');
    assert.equal(await grid.getAttribute('aria-colcount'), '15');
    await cell(0, 0).click();
    await press('ControlOrMeta+a');
    assert.deepEqual(await range(), [0, 2, 0, 14]);
    assert.equal(await onGrid(page, 'cellText', 1, 0), '14 Nov 10:00');
  });

  it('passes axe-core with a selection in every theme', async () => {
    await onGrid(page, 'show', {
      frame: 'stress',
      hints: true,
      note: true,
      sort: [
        { column: 'ts', descending: true },
        { column: 'value', descending: false },
      ],
      filtered: ['value'],
    });
    await page.locator('[role=gridcell]').first().click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    assert.deepEqual(await axeOn(page), [], 'table');
    await page.keyboard.press('Shift+F10');
    assert.deepEqual(await axeOn(page), [], 'menu of the cells');
    await page.keyboard.press('Escape');
    await page.locator('[role=columnheader]').nth(1).click({ button: 'right' });
    assert.deepEqual(await axeOn(page), [], 'menu of a column');
    await page.keyboard.press('Escape');
    await onGrid(page, 'openPicker');
    assert.deepEqual(await axeOn(page), [], 'picker');
  });
});
