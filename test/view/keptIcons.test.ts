import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { keepIcons } from '../../scripts/build/keepIcons.mjs';
import { root } from '../../scripts/paths.ts';
import { sharedBrowser } from '../host/sharedBrowser.ts';

const codicons = join(root, 'node_modules', '@vscode', 'codicons', 'dist');
const css = readFileSync(join(codicons, 'codicon.css'), 'utf8');
const font = readFileSync(join(codicons, 'codicon.ttf'));
/** Named alone, behind a prefix, in a list of names, and by its character. */
const code = `icon: "close", class="codicon codicon-json", 'codicon-loading codicon-modifier-spin', content: '\\eab2'`;
const characters = { close: '\uea76', json: '\ueb0f', loading: '\ueb19', check: '\ueab2', add: '\uea60' };

describe('the icons of a package', () => {
  const kept = keepIcons(css, font, code);
  let context: BrowserContext;
  let page: Page;
  before(async () => {
    context = await (await sharedBrowser()).newContext();
    page = await context.newPage();
    for (const [name, bytes] of Object.entries({ whole: font, kept: kept.font }))
      await page.evaluate(`new FontFace('${name}', 'url(data:font/ttf;base64,${bytes.toString('base64')})').load().then(
        face => void document.fonts.add(face))`);
  });
  after(async () => context.close());

  /** The pixels of a character, as an address. */
  const drawn = async (family: string, character: string): Promise<string> =>
    page.evaluate<string>(`(() => {
      const canvas = new OffscreenCanvas(40, 40);
      const pen = canvas.getContext('2d');
      pen.font = '32px ${family}';
      pen.fillText('${character}', 4, 36);
      return pen.getImageData(0, 0, 40, 40).data.join();
    })()`);

  it('have the rules of the icons that the code names, and all other rules', () => {
    const named = [...kept.css.matchAll(/^\.codicon-([\w-]+):before/gm)].map(([, name]) => name);
    assert.deepEqual(named.sort(), ['close', 'json', 'loading']);
    assert.match(kept.css, /@font-face/);
    assert.match(kept.css, /codicon-modifier-spin/);
  });

  it('look as in the whole font, in a fraction of its size', async () => {
    const { add, ...used } = characters;
    const blank = await drawn('kept', ' ');
    for (const [name, character] of Object.entries(used)) {
      const looks = await drawn('kept', character);
      assert.notEqual(looks, blank, name);
      assert.equal(looks, await drawn('whole', character), name);
    }
    assert.equal(await drawn('kept', add), blank);
    assert.notEqual(await drawn('whole', add), blank);
    assert.ok(kept.font.length < font.length / 4, `${kept.font.length} bytes`);
  });
});
