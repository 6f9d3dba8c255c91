import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useSharedPages, useOnePage } from './useHarness.ts';
import { allDigits, call, waitForFooter } from './harness.ts';
import type { StateName } from './page/states.ts';
import { resize, untilCopied, untilTrue } from './untilTrue.ts';
import { menuItem } from './menus.ts';

interface Size {
  readonly state: StateName;
  readonly rows: number;
  readonly columns: number;
}

const sizes: readonly Size[] = [
  { state: 'month', rows: 744, columns: 17 },
  { state: 'long', rows: 100_000, columns: 17 },
  { state: 'million', rows: 1_000_000, columns: 20 },
];

const readCell = (page: Page, row: number, column: number) => call(page, 'cellText', row, column);
const readNumber = async (page: Page, row: number, column: number) =>
  Number((await readCell(page, row, column))?.replaceAll(',', ''));
const focusFirstCell = (page: Page) => page.locator('[role=gridcell]:not([hidden])').first().click();

for (const { state, rows, columns } of sizes)
  describe(`the grid with ${rows} rows and ${columns} columns`, () => {
    const lastRow = rows - 1;
    /** The page of all tests, each of which leaves the table at its start. */
    let page: Page;
    useOnePage(async opened => {
      page = opened;
      await call(page, 'view', allDigits);
      await call(page, 'show', state);
    });

    it('exposes its size and cell positions to assistive technology', async () => {
      const grid = page.getByRole('grid');
      assert.equal(await grid.getAttribute('aria-rowcount'), String(rows + 1));
      assert.equal(await grid.getAttribute('aria-colcount'), String(columns));
      assert.equal(await readCell(page, -1, 0), 'Hour (UTC)');
      assert.equal(await readCell(page, -1, 1), 'Residual demandMW');
      assert.equal(await readNumber(page, 0, 1), await call(page, 'expectedValue', 0, 0));
    });

    it('reaches the last cell by Ctrl+End and the first by Ctrl+Home', async () => {
      await focusFirstCell(page);
      await page.keyboard.press('ControlOrMeta+End');
      assert.deepEqual(await call(page, 'focused'), [lastRow, columns - 1]);
      assert.equal(
        await readNumber(page, lastRow, columns - 1),
        await call(page, 'expectedValue', lastRow, columns - 2),
      );
      assert.equal((await call(page, 'rowsInView'))[1], lastRow);
      await page.keyboard.press('ControlOrMeta+Home');
      assert.deepEqual(await call(page, 'focused'), [0, 0]);
      assert.equal((await call(page, 'rowsInView'))[0], 0);
      // The first column is frozen, so only the second one shows that the view is back at the left.
      await page.keyboard.press('ArrowRight');
    });

    it('reaches the last row by the scrollbar, with the correct contents', async () => {
      await call(page, 'scrollTo', 1);
      assert.equal((await call(page, 'rowsInView'))[1], lastRow);
      assert.equal(await readNumber(page, lastRow, 2), await call(page, 'expectedValue', lastRow, 1));
      await call(page, 'scrollTo', 0.5);
      const [middle] = await call(page, 'rowsInView');
      assert.ok(Math.abs(middle - rows / 2) < rows * 0.02 + 20, `middle is ${middle}`);
      assert.equal(await readNumber(page, middle + 1, 2), await call(page, 'expectedValue', middle + 1, 1));
      await call(page, 'scrollTo', 0);
    });

    it('scrolls by whole wheel steps, even when the scrollbar is too coarse', async () => {
      assert.equal((await call(page, 'rowsInView'))[0], 0);
      await page.getByRole('grid').hover();
      await page.mouse.wheel(0, 220);
      await until(
        'row 10 on top',
        () => call(page, 'rowsInView'),
        ([first]) => first === 10,
      );
      await call(page, 'scrollTo', 0);
    });
  });

describe('the grid', () => {
  let page: Page;
  useSharedPages('panel', newPage => (page = newPage));

  const focusFirst = () => focusFirstCell(page);
  const text = (row: number, column: number) => readCell(page, row, column);
  const numberAt = (row: number, column: number) => readNumber(page, row, column);

  it('keeps few elements in the page for any number of rows and columns', async () => {
    await call(page, 'view', allDigits);
    await call(page, 'show', 'wide');
    assert.ok((await call(page, 'gridElements')) < 1500);
    await focusFirst();
    await page.keyboard.press('End');
    assert.deepEqual(await call(page, 'focused'), [0, 499]);
    assert.equal(await numberAt(0, 499), await call(page, 'expectedValue', 0, 498));
    assert.equal(await text(-1, 499), 'feeder_498_kv');
    assert.ok((await call(page, 'gridElements')) < 1500);
  });

  it('moves the focus with arrow and page keys, into the header and to the edges', async () => {
    await call(page, 'show', 'month');
    await page.keyboard.press('Tab');
    while ((await call(page, 'focused')) === null) await page.keyboard.press('Tab');
    const walk: readonly (readonly [key: string, row: number, column: number])[] = [
      ['ArrowDown', 1, 0],
      ['ArrowRight', 1, 1],
      ['ArrowUp', 0, 1],
      ['ArrowUp', -1, 1],
      ['ArrowUp', -1, 1],
      ['ArrowLeft', -1, 0],
      ['ArrowLeft', -1, 0],
      ['End', -1, 16],
      ['Home', -1, 0],
      ['ControlOrMeta+End', 743, 16],
      ['ArrowDown', 743, 16],
      ['ArrowRight', 743, 16],
      ['ControlOrMeta+Home', 0, 0],
    ];
    for (const [key, row, column] of walk) {
      await page.keyboard.press(key);
      assert.deepEqual(await call(page, 'focused'), [row, column], key);
    }
    await page.keyboard.press('PageDown');
    const [paged] = (await call(page, 'focused')) ?? [0];
    assert.ok(paged > 10 && paged < 40);
    await page.keyboard.press('PageUp');
    assert.deepEqual(await call(page, 'focused'), [0, 0]);
    assert.equal(await page.locator('[role=grid] [tabindex="0"]').count(), 1);
  });

  it('keeps the focus on its cell when it is scrolled out of sight', async () => {
    await call(page, 'show', 'long');
    await page.locator('[role=gridcell]:not([hidden])').nth(3).click();
    const previousFocus = await call(page, 'focused');
    await call(page, 'scrollTo', 0.7);
    // Once the position is saved, the page has handled the end of scrolling.
    await untilTrue(page, '/"topRow":[1-9]/.test(sessionStorage.getItem(\'fake-saved-state\'))');
    assert.deepEqual(await call(page, 'focused'), previousFocus);
    await page.keyboard.press('ArrowDown');
    assert.deepEqual(await call(page, 'focused'), [1, previousFocus?.[1]]);
    assert.equal((await call(page, 'rowsInView'))[0], 1);
  });

  it('distinguishes null, absent and zero', async () => {
    await call(page, 'show', 'table');
    assert.equal(await text(3, 6), '');
    assert.equal(await text(4, 6), '');
    assert.equal(await text(5, 6), '0');
    assert.equal(await page.getByRole('gridcell', { name: 'null', exact: true }).count(), 1);
    assert.equal(await page.getByRole('gridcell', { name: 'absent', exact: true }).count(), 1);
    const cell = page.getByRole('gridcell', { name: 'null', exact: true });
    await cell.hover();
    assert.equal(await cell.getAttribute('title'), 'null: the service sent no value');
  });

  it('writes numbers in each of the formats of the menu', async () => {
    await call(page, 'show', 'digits');
    const choose = async (style: string): Promise<void> => {
      await page.locator('.more-button').click();
      await (await menuItem(page, style)).click();
    };
    const readFirstRow = () => Promise.all([1, 3, 4].map(column => text(0, column)));
    assert.deepEqual(await readFirstRow(), ['8.6', '-0.00', '0.500']);
    await page.locator('[aria-rowindex="2"] [aria-colindex="2"]:visible').hover();
    await page.locator('[aria-rowindex="2"] [aria-colindex="2"][title="8.6134"]:visible').waitFor();
    await choose('As Received');
    assert.deepEqual(await readFirstRow(), ['8.6134', '-0', '0.5']);
    await choose('All Digits');
    assert.deepEqual(await readFirstRow(), ['8.6134', '-0.000', '0.500000']);
    await call(page, 'show', 'table');
    assert.equal(await text(0, 2), '1,200.0');
    await choose('All Digits, Decimal Point');
    assert.equal(await text(0, 2), '1200.0');
    await page.locator('.more-button').click();
    await page.getByRole('menuitem', { name: 'Numbers' }).press('ArrowRight');
    const checkedItem = page.getByRole('menuitemradio', { checked: true });
    assert.deepEqual(await checkedItem.allInnerTexts(), ['All Digits, Decimal Point']);
    await page.getByRole('menuitemradio', { name: 'Rounded' }).press('Enter');
    assert.equal(await text(0, 2), '1,200');
  });

  it('hides cell hints when they are turned off in the menu', async () => {
    await call(page, 'show', 'table');
    const cell = page.getByRole('gridcell', { name: 'null', exact: true });
    assert.equal(await cell.getAttribute('data-gap'), 'null');
    await page.locator('.more-button').click();
    await (await menuItem(page, 'Show Cell Hints')).click();
    await page.locator('[role=gridcell][data-gap]').waitFor({ state: 'detached' });
    assert.equal(await cell.count(), 1, 'screen readers still get the hint');
    await page.locator('.more-button').click();
    assert.equal(await (await menuItem(page, 'Show Cell Hints')).getAttribute('aria-checked'), 'false');
  });

  it("shows only the rows with a cell's value, or all but these, from the menu of the cells", async () => {
    await call(page, 'show', 'stress');
    const choose = async (column: number, item: string): Promise<void> => {
      await page.locator(`[aria-rowindex="2"] [aria-colindex="${column + 1}"]:visible`).click();
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menuitem', { name: item }).click();
    };
    // The values repeat after twenty hours.
    await choose(1, 'Include Only This Value');
    await waitForFooter(page, '3 of 48 rows');
    assert.equal(await text(1, 0), '15 Nov 01:00');
    await choose(0, 'Exclude This Value');
    await waitForFooter(page, '2 of 48 rows');
    assert.equal(await text(0, 0), '15 Nov 01:00');
  });

  it('copies the exact value of the focused cell', async () => {
    await call(page, 'show', 'odd');
    await focusFirst();
    await page.keyboard.press('ControlOrMeta+c');
    await untilCopied(page, '2026-11-14T05:00:00Z');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ControlOrMeta+c');
    await untilCopied(page, String(1 / 3));
    assert.equal(await page.locator('[role=gridcell]:focus').getAttribute('title'), String(1 / 3));
    await page.getByText(`Copied ${1 / 3}`).waitFor({ state: 'attached' });
  });

  it('labels copied Sample Data, and adds nothing beside its numbers', async () => {
    const copied = async () => page.evaluate<string>('navigator.clipboard.readText()');
    await call(page, 'show', 'sample');
    await focusFirst();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ControlOrMeta+c');
    const copiedValue = String(await call(page, 'expectedValue', 0, 0));
    await untilCopied(page, copiedValue);
    await page.getByText(`Copied ${copiedValue}, Sample Data`).waitFor({ state: 'attached' });
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('ControlOrMeta+c');
    await page.getByText('Copied 2 × 1 cells, Sample Data').waitFor({ state: 'attached' });
    assert.equal((await copied()).trim().split(/\r?\n/).length, 2);
    await page.keyboard.press('ControlOrMeta+Shift+c');
    await until('the heading SAMPLE DATA in the copy', copied, text => text.includes('SAMPLE DATA'));
  });

  it('shows times in the selected time zone, and the received text in the tooltip', async () => {
    await call(page, 'show', 'tableSast');
    assert.equal(await text(-1, 0), 'Hour (SAST)');
    assert.equal(await text(0, 0), '14 Nov 07:00');
    const cell = page.locator('[role=gridcell]:not([hidden])').first();
    await cell.hover();
    assert.equal(
      await cell.getAttribute('title'),
      'Received: 2026-11-14T05:00:00Z\nFrom 14 Nov 2026 07:00 SAST (UTC+2)\nUntil 14 Nov 2026 08:00 SAST (UTC+2)',
    );
    await call(page, 'show', 'daily');
    assert.equal(await text(-1, 0), 'Day (UTC)');
    assert.equal(await text(0, 0), '14 Nov');
  });

  it('shows names and values of any kind as plain text', async () => {
    await resize(page, { width: 4000, height: 600 });
    await call(page, 'show', 'odd');
    const headings = await page.locator('[role=columnheader]:not([hidden]) .grid-label').allTextContents();
    assert.deepEqual(headings.slice(0, 4), [
      'Hour (UTC)',
      '__proto__',
      'constructor',
      '<img src=x onerror="window.broken=1">',
    ]);
    assert.ok(headings.includes('(no name)'));
    assert.ok(headings.includes('⚡️ load 🏭'));
    assert.equal(await text(0, 1), '<b>bold</b>');
    assert.equal(await page.locator('.grid img, .grid b').count(), 0);
    assert.equal(await page.evaluate('window.broken'), undefined);
    assert.equal(await text(0, 9), 'true');
    assert.equal(await text(1, 10), '{"a":null}');
    assert.equal(await text(0, 11), '~0.000');
    assert.equal(await text(1, 11), '0.000');
  });

  it('reads arrays that share a buffer', async () => {
    await call(page, 'show', 'shared');
    assert.deepEqual(
      [await text(0, 0), await text(2, 0), await text(0, 1), await text(2, 1)],
      ['10', '30', '1.25', '3.75'],
    );
  });

  it('shows the header of a table without rows', async () => {
    await call(page, 'show', 'noRows');
    assert.equal(await text(-1, 1), 'Residual demandMW');
    await page.getByText('0 rows · 17 columns').waitFor();
  });
});
