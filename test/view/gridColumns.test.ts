import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useSharedPages } from './useHarness.ts';
import { onGrid } from './harness.ts';
import { resize } from './untilTrue.ts';

describe('the columns of the table', () => {
  let page: Page;
  useSharedPages('grid', async opened => {
    page = opened;
    await onGrid(page, 'show', { frame: 'month' });
  });

  const cell = (row: number, column: number) =>
    page.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 1}"]:not([hidden])`);
  const header = (column: number) => cell(-1, column);
  const text = (row: number, column: number) => onGrid(page, 'cellText', row, column);
  const firstColumns = async (count: number) => (await onGrid(page, 'columns')).slice(0, count);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const listCalls = async (name: string) =>
    (await onGrid(page, 'calls')).filter(([called]) => called === name).map(([, ...values]) => values);
  const getBox = async (column: number) => {
    const box = await header(column).boundingBox();
    assert.ok(box);
    return box;
  };
  const dragEdge = async (column: number, by: number) => {
    const { x, y, width } = await getBox(column);
    await page.mouse.move(x + width - 3, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + width - 3 + by / 2, y + 25);
    await page.mouse.move(x + width - 3 + by, y + 100);
  };

  it('resizes a column by dragging its edge, and reports it once', async () => {
    const previousWidth = await onGrid(page, 'width', 2);
    await dragEdge(2, 60);
    assert.equal(await onGrid(page, 'width', 2), previousWidth + 60);
    assert.deepEqual(await listCalls('arranged'), []);
    await page.mouse.up();
    assert.equal(await onGrid(page, 'width', 2), previousWidth + 60);
    assert.deepEqual(await listCalls('arranged'), [
      [{ order: [], hidden: [], widths: { residual_forecast_mw: previousWidth + 60 }, frozen: 1 }],
    ]);
    await dragEdge(2, -500);
    await press('Escape');
    await page.mouse.up();
    assert.equal(await onGrid(page, 'width', 2), previousWidth + 60);
    assert.deepEqual(await listCalls('arranged'), []);
  });

  it('fits a column to its contents on a double-click on the edge', async () => {
    await dragEdge(1, 300);
    await page.mouse.up();
    const { x, y, width } = await getBox(1);
    await page.mouse.dblclick(x + width - 3, y + 20);
    const fitted = await onGrid(page, 'width', 1);
    assert.ok(fitted > 60 && fitted < 200, `${fitted} px`);
    assert.equal((await onGrid(page, 'look', 0, 1)).clipped, false);
  });

  it('resizes, moves and hides columns by keyboard, and announces it', async () => {
    await header(1).click();
    const previousWidth = await onGrid(page, 'width', 1);
    await onGrid(page, 'calls');
    await press('Alt+Shift+ArrowRight', 'Alt+Shift+ArrowRight', 'Alt+Shift+ArrowLeft');
    assert.equal(await onGrid(page, 'width', 1), previousWidth + 10);
    assert.deepEqual((await listCalls('announce')).at(-1), [`Residual demand, ${previousWidth + 10} pixels wide`]);
    await press('Alt+ArrowRight');
    assert.deepEqual(await firstColumns(3), ['ts', 'residual_forecast_mw', 'residual_demand_mw']);
    assert.deepEqual(await onGrid(page, 'focused'), [-1, 2]);
    assert.deepEqual((await listCalls('announce')).at(-1), ['Residual demand, column 3 of 17']);
    await press('Delete');
    assert.deepEqual(await firstColumns(3), ['ts', 'residual_forecast_mw', 'thermal_mw']);
    assert.equal(await page.getByRole('grid').getAttribute('aria-colcount'), '16');
    assert.deepEqual((await listCalls('announce')).at(-1), ['Residual demand hidden']);
    // The key does nothing on a cell.
    await press('ArrowDown', 'Delete', 'Alt+ArrowRight');
    assert.deepEqual(await listCalls('arranged'), []);
  });

  it('moves a column to where its header is dropped', async () => {
    const from = await getBox(1);
    const to = await getBox(4);
    await page.mouse.move(from.x + 60, from.y + 30);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width - 20, to.y + 30, { steps: 5 });
    assert.equal(await page.locator('.grid-drop').isVisible(), true);
    await page.mouse.up();
    assert.equal(await page.locator('.grid-drop').isVisible(), false);
    assert.deepEqual(await firstColumns(5), [
      'ts',
      'residual_forecast_mw',
      'thermal_mw',
      'nuclear_mw',
      'residual_demand_mw',
    ]);
    assert.deepEqual(await onGrid(page, 'focused'), [-1, 4]);
  });

  it('freezes columns up to the selected one, as far as they fit', async () => {
    const frozen = { order: [], hidden: [], widths: {}, frozen: 3 };
    await onGrid(page, 'show', { frame: 'month', arrangement: frozen });
    await cell(0, 3).click();
    await press('End');
    const lefts = await Promise.all([0, 1, 2].map(async column => (await getBox(column)).x));
    assert.deepEqual(
      [...lefts].sort((a, b) => a - b),
      lefts,
    );
    assert.equal(lefts[0], 0);
    assert.equal(Math.round(lefts[2] ?? 0), (await onGrid(page, 'width', 0)) + (await onGrid(page, 'width', 1)));
    assert.equal(await text(0, 2), '1,200');
    await press('ArrowLeft', 'Home', 'ArrowRight', 'ArrowRight', 'ArrowRight');
    const fourth = await cell(0, 3).boundingBox();
    assert.ok(
      fourth && fourth.x >= (lefts[2] ?? 0) + (await onGrid(page, 'width', 2)) - 1,
      'the column is not under the frozen ones',
    );
    await resize(page, { width: 360, height: 400 });
    await until(
      'the third column to move again',
      () => onGrid(page, 'look', -1, 2),
      look => !look.still,
    );
    assert.equal((await onGrid(page, 'look', -1, 0)).still, true);
    assert.equal((await onGrid(page, 'arrangement')).frozen, 3);
  });

  it('shows in the header how columns are sorted and filtered', async () => {
    await onGrid(page, 'show', {
      frame: 'month',
      sort: [
        { column: 'residual_forecast_mw', descending: true },
        { column: 'ts', descending: false },
      ],
      filtered: ['thermal_mw'],
    });
    assert.equal(await header(2).getAttribute('aria-sort'), 'descending');
    assert.equal(await page.locator('[aria-sort]').count(), 1);
    assert.equal(await header(2).getAttribute('aria-description'), 'sort key 1 of 2, descending');
    assert.equal(await header(0).getAttribute('aria-description'), 'sort key 2 of 2, ascending');
    assert.equal(await header(3).getAttribute('aria-description'), 'filtered');
    assert.equal(await header(0).locator('.codicon-arrow-up').isVisible(), true);
    assert.equal(await header(2).locator('.codicon-arrow-down').isVisible(), true);
    assert.equal(await header(3).locator('.grid-filter').isVisible(), true);
    assert.equal(await header(4).locator('.grid-filter').isVisible(), false);
    assert.equal(await text(-1, 2), 'Residual forecastMW');
  });

  it('shows the icons of a header on hover, and highlights the menu icon', async () => {
    await page.evaluate(
      `document.documentElement.style.setProperty('--vscode-toolbar-hoverBackground', 'rgb(1, 2, 3)')`,
    );
    const background = () =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector(':hover > .grid-menu, .grid-menu:hover')).backgroundImage`,
      );
    const icon = (name: string) => header(2).locator(`.grid-${name}`);
    await header(2).hover({ position: { x: 40, y: 10 } });
    for (const name of ['sort', 'menu']) assert.equal(await icon(name).isVisible(), true, name);
    assert.equal(await background(), 'none');
    await icon('menu').hover();
    assert.match(await background(), /rgb\(1, 2, 3\)/);
  });

  it('sorts a column by Enter, and by a click on any part of its header', async () => {
    await header(2).click();
    await header(2).hover();
    await header(2).locator('.grid-sort').click();
    await header(3).click({ modifiers: ['Shift'] });
    await press('ArrowLeft', 'Enter', 'Shift+Enter');
    // Screen readers click without pointer events.
    await header(3).dispatchEvent('click');
    assert.deepEqual(await listCalls('sort'), [
      ['residual_forecast_mw', false],
      ['residual_forecast_mw', false],
      ['thermal_mw', true],
      ['residual_forecast_mw', false],
      ['residual_forecast_mw', true],
      ['thermal_mw', false],
    ]);
  });

  it('selects whole columns by Ctrl+click on their headers, without sorting', async () => {
    await header(2).click({ modifiers: ['Control'] });
    const columns = async () => (await onGrid(page, 'range'))?.columns;
    assert.deepEqual(await columns(), [2, 2]);
    await header(4).click({ modifiers: ['Control', 'Shift'] });
    assert.deepEqual(await columns(), [2, 4]);
    assert.deepEqual(await listCalls('sort'), []);
  });

  it('hides whole parts of a narrow header, the unit before any word', async () => {
    const isShown = (column: number, part: string): Promise<boolean> =>
      header(column)
        .locator(part)
        .evaluate((element: { getBoundingClientRect(): DOMRect; closest(selector: string): typeof element | null }) => {
          const [elementBox, headerBox] = [element, element.closest('.grid-words')].map(one =>
            one?.getBoundingClientRect(),
          );
          return elementBox !== undefined && headerBox !== undefined && elementBox.bottom <= headerBox.bottom;
        });
    assert.equal(await isShown(2, '.grid-unit'), true);
    const label = header(2).locator('.grid-label');
    const lineHeight = (await label.boundingBox())?.height ?? 0;
    await header(2).click({ modifiers: ['Control'] });
    for (let step = 0; step < 6; step++) await press('Alt+Shift+ArrowLeft');
    assert.equal((await label.boundingBox())?.height, 2 * lineHeight, 'the label has both lines');
    assert.equal(await isShown(2, '.grid-unit'), false);
  });

  it('opens the column menu by mouse and by four keys', async () => {
    const menu = page.getByRole('menu', { name: 'residual_demand_mw' });
    await header(1).hover();
    await header(1).locator('.grid-menu').click();
    await menu.waitFor();
    await press('Escape');
    for (const key of ['F10', 'Shift+F10', 'Alt+ArrowDown', 'ContextMenu']) {
      assert.deepEqual(await onGrid(page, 'focused'), [-1, 1], key);
      await press(key);
      await menu.waitFor();
      await press('Escape');
      assert.equal(await menu.count(), 0);
    }
    await header(1).click({ button: 'right' });
    await menu.waitFor();
    const focusedItem = () => page.locator('[role^=menuitem]:focus .menu-label').textContent();
    const walk: readonly (readonly [key: string, label: string])[] = [
      ['ArrowDown', 'Sort Descending'],
      ['End', 'Hide Column'],
      ['ArrowDown', 'Sort Ascending'],
      ['ArrowUp', 'Hide Column'],
      ['Home', 'Sort Ascending'],
      ['f', 'Freeze up to Here'],
    ];
    for (const [key, label] of walk) {
      await press(key);
      assert.equal(await focusedItem(), label, key);
    }
    await press('Escape', 'F10');
    // Dispatched in one task, because letters that arrive late start another search on a busy machine.
    await page.evaluate(`for (const key of 'fi')
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`);
    assert.equal(await focusedItem(), 'Fit to Content');
    assert.equal(
      await page.getByRole('menuitemcheckbox', { name: 'Sort Ascending' }).getAttribute('aria-checked'),
      'true',
    );
    await page.getByRole('menuitem', { name: 'Show in Chart' }).click({ force: true });
    assert.equal(await menu.count(), 1, 'a disabled item does nothing');
    await press('End', 'Enter');
    assert.equal(await menu.count(), 0);
    assert.deepEqual(await firstColumns(2), ['ts', 'residual_forecast_mw']);
    assert.deepEqual(await listCalls('run'), []);
    await press('F10');
    await page.mouse.click(500, 400);
    assert.equal(await page.getByRole('menu').count(), 0);
  });

  it('keeps the column menu inside a small view', async () => {
    await resize(page, { width: 260, height: 160 });
    await header(0).click({ button: 'right' });
    const box = await page.getByRole('menu').boundingBox();
    assert.ok(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 260 && box.y + box.height <= 160);
  });

  it('hides all columns that do not match a search, and returns the focus to the table', async () => {
    await cell(3, 1).click();
    await onGrid(page, 'openPicker');
    const showOnlyFound = page.getByRole('button', { name: 'Show Only Matches' });
    assert.equal(await showOnlyFound.isVisible(), false);
    await page.keyboard.type('open-cycle');
    await press('Tab', 'Tab', 'Enter');
    assert.deepEqual(await onGrid(page, 'columns'), ['eskom_ocgt_mw']);
    assert.equal(await page.getByRole('status').textContent(), '1 found · 1 of 17 columns shown');
    // The first column, with the times, stays visible.
    await press('Tab', 'Enter');
    assert.deepEqual(await onGrid(page, 'columns'), ['ts']);
    await press('Escape');
    assert.deepEqual(await onGrid(page, 'focused'), [3, 0]);
  });

  it('finds, hides and shows columns in the picker by keyboard alone', async () => {
    await cell(3, 1).click();
    await onGrid(page, 'openPicker');
    await page.getByRole('dialog', { name: 'Columns' }).waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 17);
    await page.keyboard.type('open-cycle');
    assert.deepEqual(await page.locator('.picker-line:visible .picker-label').allTextContents(), ['OCGT']);
    await press('ArrowDown', 'Space');
    assert.ok(!(await onGrid(page, 'columns')).includes('eskom_ocgt_mw'));
    assert.equal(await page.getByRole('status').textContent(), '1 found · 16 of 17 columns shown');
    await press('Space');
    assert.ok((await onGrid(page, 'columns')).includes('eskom_ocgt_mw'));
    assert.deepEqual(await listCalls('announce'), [['OCGT hidden'], ['OCGT shown']]);
    await press(
      'ArrowUp',
      'ControlOrMeta+a',
      'Backspace',
      'ArrowDown',
      'End',
      'Space',
      'ArrowUp',
      'Space',
      'Home',
      'Space',
    );
    assert.equal((await onGrid(page, 'columns')).length, 14);
    // The first press moves past Hide All.
    await press('Tab', 'Tab', 'Enter');
    assert.equal((await onGrid(page, 'columns')).length, 17);
    await press('Tab');
    assert.equal(await page.locator('[type=search]:focus').count(), 1);
    await press('Escape');
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.deepEqual(await onGrid(page, 'focused'), [3, 1]);
  });

  it('keeps the last visible column', async () => {
    await onGrid(page, 'show', { frame: 'daily' });
    await header(0).click();
    await press('Delete');
    await onGrid(page, 'openPicker');
    await press('ArrowDown', 'Space');
    assert.equal(await page.getByRole('checkbox').isChecked(), true);
    assert.deepEqual(await onGrid(page, 'columns'), ['ts']);
  });
});
