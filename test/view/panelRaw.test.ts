import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { freshPages } from './freshPages.ts';
import { Harness, call } from './harness.ts';

describe('the raw text of a result', () => {
  let page: Page;
  freshPages(Harness, opened => (page = opened));

  const note = () => page.getByText('This is the last response');
  const openRaw = async (state: 'halfKept' | 'table') => {
    await call(page, 'show', state);
    await page.locator('#tab-raw').click();
    await page.evaluate("window.postMessage({ type: 'raw', text: '{}', requests: [] }, '*')");
    await page.locator('.json').waitFor();
  };

  it('says how much of the result is not in it', async () => {
    await openRaw('halfKept');
    assert.equal(await note().innerText(), 'This is the last response; 84 hours came from the archive.');
  });

  it('says nothing where it holds all of it', async () => {
    await openRaw('table');
    assert.equal(await note().count(), 0);
  });
});
