import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { freshPages } from './freshPages.ts';
import { Harness, call } from './harness.ts';

describe('the keyboard while a query runs', () => {
  let page: Page;
  freshPages(Harness, opened => (page = opened));

  const acts = async () => (await call(page, 'posted')).flatMap(sent => (sent.type === 'act' ? [sent.action] : []));
  const waiting = () => page.locator('.waiting p:focus').waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  const at = (action: string) => page.locator(`[data-action=${action}]:focus`).waitFor();

  it('is where a second press of the same key stops nothing, and then where it was', async () => {
    await call(page, 'show', 'holes');
    const buttons = { nextPeriod: 'Next Period', previousPeriod: 'Previous Period', refresh: 'Refresh' };
    for (const [action, name] of Object.entries(buttons)) {
      await press(name);
      await call(page, 'show', 'loading');
      await waiting();
      await page.keyboard.press('Enter');
      await page.keyboard.press(' ');
      await call(page, 'show', 'holes');
      await at(action);
    }
    assert.deepEqual(await acts(), ['nextPeriod', 'previousPeriod', 'refresh']);
  });

  it('stops the query by Escape, and says so', async () => {
    await call(page, 'show', 'holes');
    await press('Next Period');
    await call(page, 'show', 'loading');
    await waiting();
    await page.getByTitle('Cancel (Escape)').waitFor();
    await page.keyboard.press('Escape');
    assert.deepEqual(await acts(), ['nextPeriod', 'cancel']);
  });

  it('comes to Cancel by Tab, stays there while rows come, and goes back to what was pressed', async () => {
    await call(page, 'show', 'holes');
    await press('Next Period');
    await call(page, 'show', 'loading');
    await waiting();
    await page.keyboard.press('Tab');
    await at('cancel');
    await call(page, 'show', 'filling');
    await at('cancel');
    await call(page, 'show', 'holes');
    await at('nextPeriod');
  });

  it('waits for what was chosen in the menu, and goes back to its button', async () => {
    await call(page, 'show', 'menu');
    await press('More Actions');
    await page.getByRole('menuitem', { name: 'Refresh, Ignoring Archive' }).press('Enter');
    await page.locator('.more-button:focus').waitFor();
    await call(page, 'show', 'loading');
    await waiting();
    await call(page, 'show', 'menu');
    await page.locator('.more-button:focus').waitFor();
    assert.deepEqual(await acts(), ['refreshAll']);
  });

  it('goes back to the table where the query was run from elsewhere', async () => {
    await call(page, 'show', 'table');
    await page.locator('[aria-rowindex="4"] [aria-colindex="3"]:visible').click();
    await call(page, 'show', 'loading');
    await waiting();
    await call(page, 'show', 'table');
    await page.locator('[aria-rowindex="4"] [aria-colindex="3"]:focus').waitFor();
  });

  it('leaves Escape to a filter that is typed while rows come', async () => {
    await call(page, 'show', 'table');
    await page.locator('[role=gridcell]:not([hidden])').nth(2).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Only This Value' }).click();
    await call(page, 'show', 'filling');
    await page.locator('.filter input').press('Escape');
    assert.equal(await page.locator('.filter input').count(), 0);
    assert.deepEqual(await acts(), []);
  });
});
