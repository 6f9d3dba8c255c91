import assert from 'node:assert/strict';
import { createHarness } from './useHarness.ts';
import { showing } from './harness.ts';

describe('filters without matching rows', () => {
  const harness = createHarness();

  it('shows in the middle of the table that no row matches the filter', async () => {
    const page = await showing(harness, 'table', undefined, { width: 600, height: 600 });
    await page.locator('[role=columnheader]').nth(1).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    await page.keyboard.type('>999999999');
    const note = await page.getByText('No rows match the filters.').boundingBox();
    const grid = await page.getByRole('grid').boundingBox();
    assert.ok(note && grid);
    const middle = grid.y + grid.height / 2;
    assert.ok(Math.abs(note.y + note.height / 2 - middle) < 40, JSON.stringify({ note, grid }));
  });
});
