import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createHarness, useSharedPages } from './useHarness.ts';
import { axeOn, call, waitForFooter } from './harness.ts';
import { expectedValue } from './page/frames.ts';
import type { StateName } from './page/states.ts';
import { setTheme, themeNames } from './themes.ts';
import { menuItem } from './menus.ts';

/** The numeric columns of the frames in `states`. */
const thermal = 2;
const ocgt = 5;
const rows = [...Array(168).keys()];

/** The values of a column in the order of the rows, without its gaps. */
function listValues(column: number): number[] {
  const received = rows.map(row => (column === ocgt && row === 5 ? 0 : expectedValue(row, column)));
  return received.filter((_, row) => column !== ocgt || (row !== 3 && row !== 4));
}

async function open(page: Page, state: StateName = 'covered'): Promise<void> {
  await page.setViewportSize({ width: 1400, height: 700 });
  await call(page, 'show', state);
}

const histogram = (page: Page, label: string) => page.locator(`.grid-histogram[aria-label^="Histogram of ${label}:"]`);
const header = (page: Page, label: string) =>
  page.locator('[role=columnheader]:visible', { has: page.locator(`.grid-label:text-is("${label}")`) });

async function columnMenu(page: Page, label: string, item: string): Promise<void> {
  await header(page, label).click({ button: 'right', position: { x: 30, y: 10 } });
  await page.locator('.menu-item', { hasText: item }).click();
}

/** Reads the computed styles of the visible cells that match a selector, in row order. */
function readStyles(page: Page, selector: string, property: string): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('.grid-row:not([hidden])')]
    .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
    .flatMap(row => [...row.querySelectorAll(${JSON.stringify(`${selector}:not([hidden])`)})])
    .map(cell => getComputedStyle(cell)[${JSON.stringify(property)}])`);
}

async function readStyle(page: Page, selector: string, row: number, property: string): Promise<string> {
  return (await readStyles(page, selector, property))[row] ?? assert.fail();
}

/** The limits of the filter of a column, and the number of rows within them. */
async function filtered(page: Page, name: string, column: number) {
  const text = await page.locator(`#filter-${name}`).inputValue();
  const [, from = '', open, to = ''] = /^(.+)\.\.(<?)(.+)$/.exec(text) ?? [];
  const within = listValues(column).filter(
    value => value >= Number(from) && (open ? value < Number(to) : value <= Number(to)),
  );
  return { text, from: Number(from), to: Number(to), within: within.length };
}

describe('the summaries of columns', () => {
  let page: Page;
  useSharedPages('panel', newPage => (page = newPage));

  it('shows a histogram and the number of gaps of each visible column until summaries are turned off', async () => {
    await open(page);
    await histogram(page, 'Thermal').waitFor();
    await histogram(page, 'OCGT').waitFor();
    const top = async (): Promise<number> => (await page.locator('.grid-row:visible').first().boundingBox())?.y ?? NaN;
    const previousTop = await top();
    const gaps = header(page, 'OCGT').locator('.grid-gaps');
    assert.equal(await gaps.innerText(), '2 gaps');
    assert.equal(await header(page, 'Thermal').locator('.grid-gaps').innerText(), 'no gaps');
    assert.equal(await header(page, 'OCGT').getAttribute('aria-description'), '2 gaps');
    assert.equal(await header(page, 'OCGT').getAttribute('aria-label'), 'OCGT MW');
    // Columns that were never rendered have no summary.
    assert.ok((await page.locator('.grid-bars, .grid-histogram[aria-label]').count()) < 17);
    await page.locator('.more-button').click();
    const item = await menuItem(page, 'Show Column Summaries');
    assert.equal(await item.getAttribute('aria-checked'), 'true');
    await item.click();
    await page.locator('.grid:not(.summarized)').waitFor();
    assert.equal(await page.locator('.grid-histogram:visible, .grid-gaps:visible').count(), 0);
    assert.equal(previousTop - (await top()), 44);
  });

  it('shows summaries only with room for ten rows below them, also after a resize of the panel', async () => {
    await open(page);
    await histogram(page, 'Thermal').waitFor();
    await page.setViewportSize({ width: 1400, height: 320 });
    await page.locator('.grid:not(.summarized)').waitFor();
    assert.equal(await header(page, 'OCGT').getAttribute('aria-description'), null);
    await page.setViewportSize({ width: 1400, height: 700 });
    await histogram(page, 'OCGT').waitFor();
    assert.equal(await header(page, 'OCGT').getAttribute('aria-description'), '2 gaps');
  });

  it('filters a column to the bins of a drag, and updates the summary', async () => {
    await open(page);
    await histogram(page, 'Thermal').waitFor();
    const label = await histogram(page, 'Thermal').getAttribute('aria-label');
    const box = (await histogram(page, 'Thermal').boundingBox()) ?? assert.fail();
    await page.mouse.move(box.x + box.width * 0.3, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 10, { steps: 5 });
    const gapText = await header(page, 'Thermal').locator('.grid-gaps').innerText();
    await page.mouse.up();
    const { text, from, to, within } = await filtered(page, 'thermal_mw', thermal);
    assert.match(text, /^\d+\.\.<\d+$/);
    assert.ok(within > 10 && within < 158, text);
    const write = (value: number): string => value.toLocaleString('en', { minimumFractionDigits: 1 });
    assert.equal(gapText, `${write(from)} – ${write(to)} MW: ${within} rows`);
    await waitForFooter(page, `${within} of 168 rows`);
    // The summary now covers the filtered rows.
    await page.locator(`.grid-histogram[aria-label^="Histogram of Thermal: ${within} rows"]`).waitFor();
    assert.notEqual(await histogram(page, 'Thermal').getAttribute('aria-label'), label);
    await page.locator(`.grid-histogram[aria-label^="Histogram of Wind: ${within} rows"]`).waitFor();
    // The drag must not have moved the header.
    assert.deepEqual(await call(page, 'focused'), [-1, 3]);
    await page.locator('.filter button').click();
    await page.locator('.grid-histogram[aria-label^="Histogram of Wind: 168 rows"]').waitFor();
  });

  it('filters a column to a clicked bin, and includes the upper end of the last bin', async () => {
    await open(page);
    await histogram(page, 'OCGT').waitFor();
    const box = (await histogram(page, 'OCGT').boundingBox()) ?? assert.fail();
    await page.mouse.click(box.x + box.width - 2, box.y + 10);
    const { text, within } = await filtered(page, 'eskom_ocgt_mw', ocgt);
    assert.ok(within > 0 && !text.includes('<'), text);
    await waitForFooter(page, `${within} of 168 rows`);
  });

  it('brushes a summary by keyboard: arrows move and extend, Enter filters, Escape clears and leaves', async () => {
    await open(page);
    await histogram(page, 'Thermal').waitFor();
    await header(page, 'Thermal').click({ position: { x: 30, y: 10 } });
    await page.keyboard.press('Tab');
    const slider = page.getByRole('slider', { name: /^Histogram of Thermal: 168 rows in \d+ bins/ });
    assert.ok(
      (await slider.getAttribute('aria-label')) ===
        (await page.locator('.grid-histogram:focus').getAttribute('aria-label')),
    );
    const bins = Number(await slider.getAttribute('aria-valuemax')) + 1;
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /MW: 168 rows$/);
    await page.keyboard.press('End');
    assert.equal(await slider.getAttribute('aria-valuenow'), String(bins - 1));
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    assert.equal(await slider.getAttribute('aria-valuenow'), String(bins - 4));
    const text = (await slider.getAttribute('aria-valuetext')) ?? '';
    await page.keyboard.press('Escape');
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /MW: 168 rows$/);
    assert.equal(await page.locator('#filter-thermal_mw').count(), 0);
    for (const key of ['End', 'ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Enter'])
      await page.keyboard.press(key);
    const { within } = await filtered(page, 'thermal_mw', thermal);
    assert.ok(text.endsWith(`MW: ${within} rows`), text);
    await waitForFooter(page, `${within} of 168 rows`);
    await page.locator(`.grid-histogram:focus[aria-label^="Histogram of Thermal: ${within} rows"]`).waitFor();
    await page.keyboard.press('Escape');
    assert.deepEqual(await call(page, 'focused'), [-1, 3]);
    // It was a tab stop for its own header only.
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.locator('.grid-histogram[tabindex="0"]').count(), 1);
    await page.keyboard.press('Tab');
    await page.locator('.grid-histogram:focus[aria-label^="Histogram of Nuclear:"]').waitFor();
  });

  it('summarizes resampled rows as an image, because these cannot be filtered', async () => {
    await open(page);
    await histogram(page, 'Thermal').waitFor();
    await page.locator('[data-choice=resample]').click();
    await page.getByRole('menuitemcheckbox', { name: 'Days', exact: true }).click();
    await waitForFooter(page, '8 rows');
    const image = page.getByRole('img', { name: /^Histogram of Thermal: 8 rows/ }).first();
    await image.waitFor();
    await image.click();
    assert.equal(await page.locator('.filter').count(), 0);
  });

  it('computes summaries once all rows have arrived', async () => {
    await open(page, 'yearHead');
    await page.locator('.grid.summarized').waitFor();
    await call(page, 'show', 'year');
    await page.locator('.grid-histogram[aria-label^="Histogram of Thermal: 8,760 rows"]').waitFor();
  });
});

describe('the color scale of a column', () => {
  let page: Page;
  useSharedPages('panel', newPage => (page = newPage));
  const shaded = (label: string) => page.locator(`.grid-cell.shaded:visible[aria-colindex="${label}"]`);

  it('colors the cells with a value, is saved with its column, and is removed by Reset View', async () => {
    await page.setViewportSize({ width: 1400, height: 700 });
    await call(page, 'show', 'covered');
    await columnMenu(page, 'OCGT', 'Color Scale');
    const cells = page.locator('.grid-row:visible [aria-colindex="7"]:visible');
    const count = await cells.count();
    assert.ok(count > 10);
    // The two gaps have no color.
    assert.equal(await shaded('7').count(), count - 2);
    assert.equal(await page.locator('.shaded:visible').count(), count - 2);
    assert.equal(await page.locator('.shaded[data-gap]').count(), 0);
    // The range covers all rows, not only the visible ones; row 5 is 0.
    const values = [...Array(168).keys()].map(row => expectedValue(row, 5));
    const ends = `0 to ${Math.max(...values).toLocaleString('en', { maximumFractionDigits: 0 })} MW`;
    assert.equal(await header(page, 'OCGT').locator('.grid-unit').innerText(), ends);
    assert.match((await header(page, 'OCGT').getAttribute('aria-description')) ?? '', new RegExp(`Colors: ${ends}`));
    const fill = (row: number) => readStyle(page, '[aria-colindex="7"]', row, 'backgroundColor');
    assert.notEqual(await fill(0), await fill(5));
    await header(page, 'OCGT').click({ modifiers: ['Control'], position: { x: 30, y: 10 } });
    await page.keyboard.press('Alt+ArrowRight');
    assert.equal(await shaded('8').count(), count - 2);
    await columnMenu(page, 'OCGT', 'Color Scale');
    assert.equal(await page.locator('.shaded').count(), 0);
    await columnMenu(page, 'Wind', 'Color Scale');
    await page.locator('.more-button').click();
    await page.getByRole('menuitem', { name: 'Reset View' }).click();
    assert.equal(await page.locator('.shaded').count(), 0);
    await header(page, 'Hour (UTC)').click({ button: 'right' });
    await page.locator('[role=menu]').waitFor();
    assert.equal(await page.getByRole('menuitemcheckbox', { name: 'Color Scale' }).count(), 0);
    await page.keyboard.press('Escape');
  });

  it('hides the color scale under the selection and find matches', async () => {
    await page.setViewportSize({ width: 1400, height: 700 });
    await call(page, 'show', 'covered');
    await columnMenu(page, 'Thermal', 'Color Scale');
    const cell = page.locator('.grid-row:visible [aria-colindex="4"]:visible').nth(2);
    const readCellStyles = async () =>
      `${await readStyle(page, '[aria-colindex="4"]', 2, 'backgroundColor')} ${await readStyle(page, '[aria-colindex="4"]', 2, 'color')}`;
    const previousStyles = await readCellStyles();
    await cell.click();
    await page.keyboard.press('Shift+ArrowDown');
    assert.notEqual(await readCellStyles(), previousStyles);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowUp');
    assert.equal(await readCellStyles(), previousStyles);
  });
});

describe('summaries and color scales in each theme', () => {
  const harness = createHarness();

  it('passes axe-core in every theme, with sufficient contrast on every color', async () => {
    const page = await harness.acquire();
    await open(page);
    await histogram(page, 'Thermal').waitFor();
    for (const label of ['Residual demand', 'Thermal']) await columnMenu(page, label, 'Color Scale');
    await header(page, 'Thermal').click({ position: { x: 30, y: 10 } });
    for (const key of ['Tab', 'End', 'Shift+Home']) await page.keyboard.press(key);
    await page.locator('.grid-histogram.brushed').waitFor();
    assert.deepEqual(await axeOn(page), []);
    for (const theme of themeNames) {
      await setTheme(page, theme);
      const marks = await readStyles(page, '.shaded', 'backgroundImage');
      assert.ok(marks.length > 20);
      // High contrast uses a bar instead of a fill.
      for (const image of marks) assert.equal(image !== 'none', theme.startsWith('hc'), theme);
    }
    await call(page, 'show', 'stress');
    await page.locator('.grid-histogram[aria-label^="Histogram of Stress:"]').first().waitFor();
    await columnMenu(page, 'Stress', 'Color Scale');
    assert.deepEqual(await axeOn(page), []);
  });
});
