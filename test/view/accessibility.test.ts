import assert from 'node:assert/strict';
import { addAxe } from './addAxe.ts';
import { Harness, call } from './harness.ts';
import type { StateName } from './page/states.ts';
import { themes } from './themes.ts';
import type { ThemeName } from './themes.ts';

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
  let harness: Harness;
  before(async () => {
    harness = await Harness.start();
  });
  after(() => harness.stop());

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`passes axe-core in every state in ${theme}`, async () => {
      const page = await harness.open({ theme });
      await addAxe(page);
      for (const state of shown) {
        await call(page, 'show', state);
        assert.deepEqual(await call(page, 'axe'), [], state);
      }
      await call(page, 'show', 'table');
      await call(page, 'refuse', 'This is refused.');
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByText('This is refused.').waitFor();
      assert.deepEqual(await call(page, 'axe'), [], 'notice');
      await harness.close(page);
    });
  }
});
