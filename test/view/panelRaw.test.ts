import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { computeContrast, blendWithBackground, parseColor } from '../../src/presentation/chart/palette.ts';
import { useSharedPages } from './useHarness.ts';
import { call } from './harness.ts';
import { setTheme, themeNames } from './themes.ts';
import { resize, untilCopied } from './untilTrue.ts';

describe('the raw response', () => {
  let page: Page;
  useSharedPages('panel', newPage => (page = newPage));

  const note = () => page.getByText('This is the last response');
  const openRaw = async (state: 'halfKept' | 'table', text = '{}') => {
    await call(page, 'show', state);
    await page.locator('#tab-raw').click();
    await call(page, 'respond', { text, requests: [], requestsSpent: 0 });
    await page.locator('.json').waitFor();
  };
  const measureOverflow = () =>
    page.evaluate("(element => element.scrollWidth - element.clientWidth)(document.querySelector('.json'))");
  const records = Array.from({ length: 5000 }, (_, hour) => ({ hour, note: 'a b '.repeat(40) }));

  it('shows how much of the result the raw response lacks', async () => {
    await openRaw('halfKept');
    assert.equal(await note().innerText(), 'This is the last response; 84 hours came from the archive.');
  });

  it('shows no note when the raw response is complete', async () => {
    await openRaw('table');
    assert.equal(await note().count(), 0);
  });

  it('formats the raw response, and wraps lines that are wider than the panel', async () => {
    await openRaw('table', JSON.stringify(records));
    // `innerText` lacks a block that has no layout yet.
    assert.match(
      (await page.locator('.json pre').first().textContent()) ?? '',
      /^\[\n {2}\{\n {4}"hour": 0,\n {4}"note": "a b a b/,
    );
    for (const width of [1100, 420]) {
      await resize(page, { width, height: 600 });
      assert.equal(await measureOverflow(), 0);
    }
  });

  it('wraps a single word as long as the raw response', async () => {
    await openRaw('table', JSON.stringify('ش'.repeat(1_000_000)));
    assert.equal(await measureOverflow(), 0);
    await page.getByText('Too long to show in full.').waitFor();
  });

  it('shows hidden characters by name, without changing text direction, and copies them as received', async () => {
    const text = JSON.stringify({ note: 'left\u202eright', zero: 'a\u200bb' }, null, 2);
    await openRaw('table', text);
    const names = await page.evaluate(
      "[...document.querySelectorAll('.hidden-character')].map(mark => getComputedStyle(mark, '::before').content)",
    );
    assert.deepEqual(names, ['"[U+202E]"', '"[U+200B]"']);
    // With a changed text direction, the last letter would be first.
    const lefts = await page.evaluate<number[]>(`(() => {
      const walker = document.createTreeWalker(document.querySelector('.json'), NodeFilter.SHOW_TEXT);
      while (!walker.nextNode().data.startsWith('right'));
      return [...'right'].map((_, index) => {
        const range = document.createRange();
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + 1);
        return range.getBoundingClientRect().x;
      });
    })()`);
    assert.deepEqual(
      lefts,
      [...lefts].sort((a, b) => a - b),
    );
    await page.locator('.json').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+c');
    await untilCopied(page, text);
  });

  it('shows any number of hidden characters in the raw response', async () => {
    await openRaw('table', JSON.stringify(new Array(100_000).fill('a\u202eb')));
    assert.equal(await page.locator('.json .hidden-character').count(), 2_000);
    assert.match(await page.locator('.json pre').last().innerText(), /"a\[U\+202E\]b"/);
  });

  for (const focus of ['#tab-raw', '.json'])
    it(`selects and copies only the raw response by keyboard at ${focus}`, async () => {
      await openRaw('table', JSON.stringify(records));
      await page.locator(focus).focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('ControlOrMeta+c');
      await untilCopied(page, JSON.stringify(records, null, 2));
      assert.equal(
        await page.evaluate("document.getSelection().containsNode(document.querySelector('.bar'), true)"),
        false,
      );
    });

  it('keeps selected text of the raw response readable in every theme', async () => {
    await call(page, 'show', 'json');
    for (const theme of themeNames) {
      await setTheme(page, theme);
      const selectionStyles = await page.evaluate<readonly string[]>(`(() => {
        const { backgroundColor, color } = getComputedStyle(document.querySelector('.json pre'), '::selection');
        return [backgroundColor, color, getComputedStyle(document.body).backgroundColor];
      })()`);
      const [selected, text, ground] = selectionStyles.map(color => parseColor(color) ?? assert.fail(color));
      assert.ok(selected && text && ground);
      assert.ok((selected.alpha ?? 1) > 0, 'the color is that of the theme, with and without focus');
      assert.ok(
        computeContrast(text, blendWithBackground(selected, ground)) >= 4.5,
        `${theme}: ${selectionStyles.join(' on ')}`,
      );
    }
  });

  it('focuses the raw response by keyboard, and announces what it is', async () => {
    await openRaw('table');
    await page.locator('.link-button').focus();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.className'), 'json');
    await page.getByRole('region', { name: 'JSON' }).waitFor();
  });
});
