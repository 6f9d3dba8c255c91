import assert from 'node:assert/strict';
import { harnessOf } from './freshPages.ts';
import { axeOn, call } from './harness.ts';
import type { StateName } from './page/states.ts';

const shown: readonly StateName[] = [
  'loading',
  'table',
  'loading',
  'odd',
  'noRows',
  'wide',
  'json',
  'empty',
  'error',
  'hostile',
  'hostileError',
  'hostileJson',
];

describe('accessibility of the page', () => {
  const harness = harnessOf();

  it('passes axe-core in every state and every theme', async () => {
    // Low, as a row of the table is like the next ones.
    const page = await harness.emptied({ context: { viewport: { width: 1100, height: 360 } } });
    for (const state of shown) {
      await call(page, 'show', state);
      assert.deepEqual(await axeOn(page), [], state);
    }
    await call(page, 'show', 'table');
    await call(page, 'refuse', 'This is refused.');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('This is refused.').waitFor();
    assert.deepEqual(await axeOn(page), [], 'notice');
  });
});
