import assert from 'node:assert/strict';
import { harnessOf } from './freshPages.ts';
import { call, showing } from './harness.ts';

describe('the row of ranges', () => {
  const harness = harnessOf();

  it('has Run Query and the usual ranges, each one click', async () => {
    const page = await showing(harness, 'covered', undefined, { width: 1280, height: 720 });
    const row = page.getByRole('toolbar', { name: 'Range' });
    assert.deepEqual(
      (await row.getByRole('button').allInnerTexts()).map(text => text.trim()),
      [...['Run Query…', '24 h', '7 d', '30 d', 'month to date (UTC)', 'last month (UTC)', 'year to date (UTC)']],
    );
    assert.equal(await page.getByRole('button', { name: 'Run Query…' }).count(), 1);
    await row.getByRole('button', { name: 'last month (UTC)' }).click();
    await row.getByRole('button', { name: 'Run Query…' }).click();
    assert.deepEqual(await call(page, 'acts'), ['lastMonth', 'changeQuery']);
  });

  it('leaves its room to the rows where there is little: an icon runs a query, and the menu has the ranges', async () => {
    for (const viewport of [
      { width: 420, height: 720 },
      { width: 1280, height: 400 },
      { width: 560, height: 400 },
    ]) {
      const page = await showing(harness, 'covered', undefined, viewport);
      await page.locator('.toolbar').waitFor();
      assert.equal(await page.locator('.presets').isVisible(), false);
      await page.getByRole('button', { name: 'Run Query…' }).click();
      await page.getByRole('button', { name: 'More Actions' }).click();
      await page.getByRole('menuitem', { name: 'last month (UTC)' }).click();
      assert.deepEqual(await call(page, 'acts'), ['changeQuery', 'lastMonth']);
    }
  });
});
