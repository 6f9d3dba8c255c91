import assert from 'node:assert/strict';
import { Harness, call } from './harness.ts';
import type { StateName } from './page/states.ts';
import { picturePath } from './picturePath.ts';
import { themes } from './themes.ts';
import type { ThemeName } from './themes.ts';

const pictured: readonly StateName[] = ['table', 'loading', 'json', 'empty', 'error', 'odd'];

describe('pictures of every state', () => {
  let harness: Harness;
  before(async () => {
    harness = await Harness.start();
  });
  after(() => harness.stop());

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`are drawn in ${theme}, with no breach of the policy`, async () => {
      const page = await harness.open({ theme });
      for (const state of pictured) {
        await call(page, 'show', state);
        if (state === 'table') await page.locator('[role=gridcell]').nth(30).click();
        await page.waitForTimeout(150);
        const picture = await page.screenshot({ path: picturePath(`${state}-${theme}`) });
        assert.ok(picture.length > 5000);
      }
      assert.deepEqual(await call(page, 'troubles'), []);
      await page.context().close();
    });
  }

  it('are drawn narrow, at 200 % zoom', async () => {
    const page = await harness.open({ context: { viewport: { width: 360, height: 400 }, deviceScaleFactor: 2 } });
    await call(page, 'show', 'table');
    await page.screenshot({ path: picturePath('table-narrow') });
    await call(page, 'show', 'error');
    await page.screenshot({ path: picturePath('error-narrow') });
    const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    assert.equal(overflow, 0);
    await page.context().close();
  });
});
