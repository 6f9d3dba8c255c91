import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Harness, call } from './harness.ts';
import type { StateName } from './page/states.ts';
import { themes } from './themes.ts';
import type { ThemeName } from './themes.ts';

const folder = fileURLToPath(new URL('../../out/screenshots/view/', import.meta.url));
const pictured: readonly StateName[] = ['table', 'loading', 'json', 'empty', 'error', 'odd'];

describe('pictures of every state', () => {
  let harness: Harness;
  before(async () => {
    mkdirSync(folder, { recursive: true });
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
        const picture = await page.screenshot({ path: `${folder}${state}-${theme}.png` });
        assert.ok(picture.length > 5000);
      }
      assert.deepEqual(await call(page, 'troubles'), []);
      await page.context().close();
    });
  }

  it('are drawn narrow, at 200 % zoom', async () => {
    const page = await harness.open({ context: { viewport: { width: 360, height: 400 }, deviceScaleFactor: 2 } });
    await call(page, 'show', 'table');
    await page.screenshot({ path: `${folder}table-narrow.png` });
    await call(page, 'show', 'error');
    await page.screenshot({ path: `${folder}error-narrow.png` });
    const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    assert.equal(overflow, 0);
    await page.context().close();
  });
});
