import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createHarness } from './useHarness.ts';
import { showing, zoomIn } from './harness.ts';
import { openTab } from '../support/openTab.ts';
import { setTheme, themeNames } from './themes.ts';
import { drawnTwice } from './untilTrue.ts';

describe('selected rows in table and chart', () => {
  const harness = createHarness();

  const openPanel = (width = 1100) => showing(harness, 'table', undefined, { width, height: 600 });
  const selectRows = async (page: Page, firstRow: number, rowsBelow: number): Promise<void> => {
    await page.locator(`[aria-rowindex="${firstRow + 2}"] [aria-colindex="1"]:visible`).click();
    for (let row = 0; row < rowsBelow; row++) await page.keyboard.press('Shift+ArrowDown');
  };
  const selectionSummary = (page: Page) => page.locator('.chart-summary li', { hasText: 'Selected in the table' });

  it('marks several selected rows in the chart and describes them, but not a single row', async () => {
    const page = await openPanel();
    await openTab(page, 'chart');
    await page.locator('.chart-summary li').first().waitFor();
    assert.equal(await selectionSummary(page).count(), 0);
    const drawImage = async () => {
      // The plot is drawn a second time when its size is known.
      await drawnTwice(page);
      return page.evaluate<string>("document.querySelector('.chart-plot canvas').toDataURL()");
    };
    const imageWithoutSelection = await drawImage();
    await openTab(page, 'table');
    await selectRows(page, 1, 3);
    await openTab(page, 'chart');
    assert.equal(
      await selectionSummary(page).innerText(),
      'Selected in the table: 14 Nov 06:00 UTC to 14 Nov 10:00 UTC, 4 hours.',
    );
    assert.notEqual(await drawImage(), imageWithoutSelection);
    await openTab(page, 'table');
    await selectRows(page, 1, 0);
    await openTab(page, 'chart');
    await selectionSummary(page).waitFor({ state: 'detached' });
    assert.equal(await drawImage(), imageWithoutSelection);
  });

  it('synchronizes the focused row of the table with the crosshair of the chart', async () => {
    const page = await openPanel();
    await openTab(page, 'chart');
    await page.locator('.chart-plot').focus();
    for (const key of ['Home', 'ArrowRight', 'PageDown']) await page.keyboard.press(key);
    await openTab(page, 'table');
    const row = page.locator('[role=row]:has([tabindex="0"][role=gridcell], [tabindex="0"][role=rowheader])');
    assert.match(await row.innerText(), /^15 Nov 06:00/);
    await row.locator('[tabindex="0"]').press('ArrowUp');
    await openTab(page, 'chart');
    await page.locator('.chart-time', { hasText: '15 Nov 05:00 UTC' }).waitFor();
  });

  it('selects the rows in the range of the chart, and removes the sort order', async () => {
    const page = await openPanel();
    await page.locator('[role=columnheader]:visible', { hasText: 'Residual demand' }).first().click();
    await openTab(page, 'chart');
    await zoomIn(page, 7);
    // The chart announces its range after a pause, which replaces the announcement of the table.
    await page
      .locator('.visually-hidden[role=status]', { hasText: /Shown: 17 Nov 1\d:\d\d UTC to 17 Nov 2/ })
      .waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Select Chart Range in Table' }).click();
    await page.locator('#result-table').waitFor();
    // A sixteenth of 167 hours, around the middle.
    await page.locator('footer', { hasText: /1[01] × 17 selected/ }).waitFor();
    await page.locator('.visually-hidden', { hasText: 'Sorting removed' }).waitFor();
    assert.equal(await page.locator('[role=gridcell]:focus').count(), 1);
    await openTab(page, 'chart');
    assert.match(await selectionSummary(page).innerText(), /: 17 Nov 1\d:00 UTC to 17 Nov 2\d:00 UTC, 1[01] hours\.$/);
  });

  for (const width of [1100, 420])
    it(`shows the selected rows in the chart in every theme at a width of ${width} pixels`, async () => {
      const page = await openPanel(width);
      await selectRows(page, 4, 10);
      await openTab(page, 'chart');
      await selectionSummary(page).waitFor({ state: 'attached' });
      for (const theme of themeNames) {
        await setTheme(page, theme);
      }
    });
});
