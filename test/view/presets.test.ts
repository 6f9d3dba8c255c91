import assert from 'node:assert/strict';
import { createHarness } from './useHarness.ts';
import { call, showing } from './harness.ts';

describe('the menu of the range', () => {
  const harness = createHarness();

  it('lists the common ranges with the current one checked, Other Range and Change Query', async () => {
    for (const viewport of [
      { width: 1280, height: 720 },
      { width: 420, height: 400 },
    ]) {
      const page = await showing(harness, 'covered', undefined, viewport);
      page.setDefaultTimeout(4000);
      const range = page.locator('.toolbar [data-action=chooseRange]');
      await range.click();
      const menu = page.getByRole('menu', { name: 'Range' });
      const texts = await menu.locator('[role^=menuitem]').allInnerTexts();
      assert.deepEqual(
        texts.map(text => text.trim()),
        [
          ...['last 24 hours', 'last 7 days', 'last 30 days', 'yesterday', 'week to date', 'last week'],
          ...['month to date', 'last month', 'year to date', 'Other Range…', 'Run Query…'],
        ],
      );
      assert.deepEqual(
        (await menu.locator('[aria-checked=true]').allInnerTexts()).map(text => text.trim()),
        ['last 7 days'],
      );
      await menu.getByText('last week').click();
      for (const label of ['Other Range…', 'Run Query…']) {
        await range.press('Enter');
        await menu.getByText(label).click();
      }
      assert.deepEqual(await call(page, 'acts'), ['lastWeek', 'chooseRange', 'changeQuery']);
    }
  });

  it('names the zone of the days if it differs from the display zone', async () => {
    const page = await showing(harness, 'zoneDays');
    await page.locator('.toolbar [data-action=chooseRange]').click();
    const menu = page.getByRole('menu', { name: 'Range' });
    assert.equal(await menu.getByText(' (Europe/Berlin)').count(), 9);
  });
});
