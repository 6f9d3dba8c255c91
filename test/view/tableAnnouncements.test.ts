import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useSharedPages } from './useHarness.ts';
import { call } from './harness.ts';
import { menuItem } from './menus.ts';
import { resize } from './untilTrue.ts';

describe('announcements of the table', () => {
  let page: Page;
  useSharedPages('panel', async newPage => {
    page = newPage;
    await call(page, 'show', 'table');
  });

  const header = (label: string) => page.locator('[role=columnheader]:visible', { hasText: label }).first();
  const chooseFromColumnMenu = async (label: string, item: string): Promise<void> => {
    await header(label).click({ button: 'right' });
    await (await menuItem(page, item)).click();
  };
  const waitForAnnouncement = (text: string) =>
    page.locator('.visually-hidden[role=status]').getByText(text, { exact: true }).waitFor();
  const waitForFooter = (text: string) => page.locator('footer [role=status]', { hasText: text }).waitFor();

  it('announces the sort columns in order, and that the sorting was removed', async () => {
    await header('Residual demand').click();
    await waitForAnnouncement('Sorted by Residual demand, ascending');
    await page.keyboard.press('Enter');
    await waitForAnnouncement('Sorted by Residual demand, descending');
    await chooseFromColumnMenu('OCGT', 'Add to Sort');
    await waitForAnnouncement('Sorted by Residual demand, descending, then by OCGT, ascending');
    await chooseFromColumnMenu('OCGT', 'Remove From Sort');
    await waitForAnnouncement('Sorted by Residual demand, descending');
    await header('Residual demand').click();
    await waitForAnnouncement('Sorting removed');
  });

  it('announces the problem of an invalid filter, and the number of rows after filtering and clearing', async () => {
    await chooseFromColumnMenu('Residual demand', 'Filter…');
    await page.keyboard.type('>x');
    await page.locator('.filter [role=alert]', { hasText: "'x' isn't a valid number" }).waitFor();
    await page.locator('.filter input').fill('>999999');
    await waitForFooter('0 of 168 rows');
    assert.equal(await page.locator('.filter [role=alert]:visible').count(), 0);
    await page.keyboard.press('Escape');
    await waitForFooter('168 rows');
    assert.doesNotMatch(await page.locator('footer').innerText(), /of 168/);
  });

  it('announces the frozen columns, and how many are frozen if the panel is too narrow', async () => {
    const fourth = await page.locator('[role=columnheader][aria-colindex="4"] .grid-label').innerText();
    await resize(page, { width: 420, height: 600 });
    await chooseFromColumnMenu(fourth, 'Freeze Up to Here');
    await waitForFooter('of 4 columns are frozen: the panel is too narrow.');
    const frozen = page.locator('[role=columnheader].frozen:visible');
    // After a resize, the table updates its columns, and then the footer updates its count.
    const [visibleCount] = await until(
      'the footer to count the frozen columns',
      async () => [await frozen.count(), await page.locator('footer').innerText()] as const,
      ([count, text]) => text.includes(`Only ${count} of 4 columns are frozen`),
    );
    assert.equal(visibleCount < 4, true);
    await resize(page, { width: 1400, height: 600 });
    await page.locator('footer [role=status]').filter({ hasNotText: 'frozen' }).waitFor();
    assert.equal(await frozen.count(), 4);
    await chooseFromColumnMenu(fourth, 'Unfreeze Columns');
    await waitForAnnouncement('No frozen columns');
    assert.equal(await frozen.count(), 0);
    await chooseFromColumnMenu('Residual demand', 'Freeze Up to Here');
    await waitForAnnouncement('Columns frozen up to Residual demand');
    assert.equal(await frozen.count(), 2);
  });

  it('fits all columns to their contents, even with tab characters, and announces it', async () => {
    await call(page, 'show', 'tabbed');
    const readTruncatedCells = () =>
      page.evaluate<string[]>(`[...document.querySelectorAll('[role=gridcell]:not([hidden])')]
        .filter(cell => cell.scrollWidth > cell.clientWidth)
        .map(cell => cell.textContent)`);
    // Reduces the columns to their minimum width.
    for (const label of ['Residual demand', 'outlook']) {
      await header(label).click();
      for (let press = 0; press < 15; press++) await page.keyboard.press('Alt+Shift+ArrowLeft');
    }
    assert.notDeepEqual(await readTruncatedCells(), []);
    await chooseFromColumnMenu('outlook', 'Fit All Columns');
    await waitForAnnouncement('All columns fit their contents');
    assert.deepEqual(await readTruncatedCells(), []);
  });
});
