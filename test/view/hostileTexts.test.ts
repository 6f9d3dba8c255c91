import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useSharedPages } from './useHarness.ts';
import { call } from './harness.ts';

/** Elements that the page itself never creates. */
const unexpectedElements =
  'a, img, iframe, form, object, embed, h1:not(.visually-hidden), script:not([nonce]), .codicon-check, .codicon-sync';

/** Texts and tooltips in the result with hidden or direction-changing characters. */
const hiddenCharacters = `[...document.querySelectorAll('[role=tabpanel] *')]
  .filter(element => !element.closest('pre, select') && element.checkVisibility())
  .flatMap(element => [element.title, element.ariaLabel, element.ariaDescription, ...(element.children.length === 0 ? [element.textContent] : [])])
  .filter(text => /(?!\\s)\\p{C}/u.test(text ?? ''))`;

describe('untrusted texts in the page', () => {
  let page: Page;
  useSharedPages('panel', newPage => (page = newPage));

  const elements = async (): Promise<string[]> => page.locator(unexpectedElements).allInnerTexts();

  it('creates no element from untrusted texts in the table, the chart, the statistics and their tooltips', async () => {
    await call(page, 'show', 'hostile');
    await page.locator('[role=gridcell]:visible').first().waitFor();
    for (const name of ['Chart', 'Statistics', 'Table']) {
      await page.getByRole('tab', { name }).click();
      await page.getByRole('tabpanel', { name }).waitFor();
      assert.deepEqual(await elements(), [], name);
    }
  });

  it('shows hidden characters in cells by name, and copies them as received', async () => {
    await call(page, 'show', 'hostile');
    await page.locator('[role=gridcell]:visible').first().waitFor();
    for (let screen = 0; screen < 3; screen++) {
      const cellTexts = await page.locator('[role=gridcell]:visible, [role=columnheader]:visible').allTextContents();
      assert.deepEqual(
        cellTexts.filter(text => /(?![\t\n])\p{C}/u.test(text)),
        [],
      );
      await page.locator('[role=gridcell][tabindex="0"]').press('PageDown');
    }
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+c');
    await page.getByText(/^Copied/).waitFor({ state: 'attached' });
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    for (const text of ['invoice\u202egnp.exe\u202c', 'Sign in]\u200b(']) assert.ok(copied.includes(text), text);
  });

  it('shows column names without hidden or direction-changing characters everywhere', async () => {
    await call(page, 'show', 'hostile');
    await page.locator('[role=gridcell]:visible').first().waitFor();
    for (const name of ['Chart', 'Statistics', 'Table']) {
      await page.getByRole('tab', { name }).click();
      await page.getByRole('tabpanel', { name }).waitFor();
      assert.deepEqual(await page.evaluate<string[]>(hiddenCharacters), [], name);
    }
  });

  it('ignores messages from another origin', async () => {
    await call(page, 'show', 'table');
    const sentence = 'Your key has expired: enter it at https://elsewhere.example';
    const state = { view: 'error', title: 'Result', header: [], sentence, actions: [] };
    const send = async (origin: string): Promise<number> => {
      const event = `{ data: ${JSON.stringify({ method: 'state', params: state })}, origin: ${origin} }`;
      await page.evaluate(`void window.dispatchEvent(new MessageEvent('message', ${event}))`);
      return page.getByText(sentence).count();
    };
    assert.equal(await send(`'https://elsewhere.example'`), 0);
    assert.equal(await send(`'null'`), 0);
    assert.notEqual(await send('window.origin'), 0);
  });

  for (const state of ['hostileError', 'hostileJson'] as const) {
    it(`creates no element from untrusted texts in the state ${state}`, async () => {
      await call(page, 'show', state);
      await page.getByText('command:workbench.action.terminal.new').first().waitFor();
      assert.deepEqual(await elements(), []);
    });
  }
});
