import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useSharedPages } from './useHarness.ts';
import { allDigits, call } from './harness.ts';
import { menuItem } from './menus.ts';
import { readFigures, findStatisticsRow } from './tabContent.ts';
import { untilCopied } from './untilTrue.ts';

describe('the digits of numbers in the panel', () => {
  let page: Page;
  useSharedPages('panel', async opened => {
    page = opened;
    await call(page, 'view', allDigits);
    await call(page, 'show', 'digits');
  });

  const column = (columnIndex: number) => Promise.all([0, 1, 2].map(row => call(page, 'cellText', row, columnIndex)));
  const select = async (columnIndex: number): Promise<void> => {
    const cell = (row: number) =>
      page.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${columnIndex + 1}"]:visible`);
    await cell(0).click();
    await cell(2).click({ modifiers: ['Shift'] });
  };

  it('shows every received digit in the table: of a share, of a signed zero, of a number near zero', async () => {
    assert.deepEqual(await column(1), ['8.6134', '12.0000', '9.2500']);
    assert.deepEqual(await column(2), ['-0', '0', '5']);
    assert.deepEqual(await column(3), ['-0.000', '1.500', '-0.004']);
  });

  it('copies every received digit, and shows all in the figures of a selection', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await select(1);
    await page.locator('footer [role=status]', { hasText: 'min 8.6134 · max 12 %' }).waitFor();
    const choose = async (style: string): Promise<void> => {
      await page.locator('.more-button').click();
      await (await menuItem(page, style)).click();
    };
    await choose('Rounded');
    await page.locator('footer [role=status]', { hasText: 'min 8.6 · max 12 %' }).waitFor();
    await choose('All Digits');
    await select(2);
    await page.locator('footer [role=status]', { hasText: 'min -0 · max 5 MW' }).waitFor();
    await page.keyboard.press('ControlOrMeta+c');
    await untilCopied(page, '-0\n0\n5');
  });

  it('shows every received digit in statistics, without exponents', async () => {
    await page.locator('#tab-statistics').click();
    assert.equal((await readFigures(page, 'Renewable share'))['Lowest'], '8.6134');
    await findStatisticsRow(page, 'Hydro').click();
    await page.getByText('Daily profile as a table').click();
    await page.locator('.statistics-detail td', { hasText: '0.187097' }).first().waitFor();
    assert.doesNotMatch(await page.locator('.statistics').innerText(), /\de[-+]?\d/);
  });

  it('rounds in the readout of the chart', async () => {
    await page.locator('#tab-chart').click();
    await page.locator('.chart-plot').focus();
    await page.keyboard.press('Home');
    await page.getByText('05:00 UTC: Renewable share 8.6 %').waitFor({ state: 'attached' });
  });
});
