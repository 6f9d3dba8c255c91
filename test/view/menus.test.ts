import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useSharedPages, createHarness } from './useHarness.ts';
import { axeOn, call, showing } from './harness.ts';
import { menuItem } from './menus.ts';
import { resize } from './untilTrue.ts';

const maxEntries = 12;

describe('the menus of a result', () => {
  let page: Page;
  useSharedPages('panel', newPage => (page = newPage));

  const lines = () => page.locator('[role^=menuitem]');
  const labels = (): Promise<string[]> => page.locator('.menu-label').allInnerTexts();
  const openers = () => page.locator('[role=menuitem][aria-haspopup]');

  /** Reads the labels of the open menu and of its submenus, opening one at a time. */
  async function entries(): Promise<{ readonly top: string[]; readonly below: Readonly<Record<string, string[]>> }> {
    await lines().first().waitFor();
    const top = await labels();
    const below: Record<string, string[]> = {};
    for (const opener of await openers().all()) {
      const name = (await opener.innerText()).trim();
      await opener.press('ArrowRight');
      below[name] = await page.getByRole('menu', { name, exact: true }).locator('.menu-label').allInnerTexts();
      await page.keyboard.press('ArrowLeft');
    }
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('menu').count(), 0);
    for (const [name, menu] of [['', top], ...Object.entries(below)] as const)
      assert.ok(menu.length > 0 && menu.length <= maxEntries, `${name}: ${menu.join(', ')}`);
    return { top, below };
  }

  async function openTab(tab: string): Promise<void> {
    await page.locator(`#tab-${tab}`).click();
    await page.locator(`#result-${tab}`).waitFor();
  }

  async function openMoreActions() {
    await page.locator('.more-button').click();
    return entries();
  }

  async function columnMenu(index: number) {
    await page.locator('[role=columnheader]:visible').nth(index).click({ button: 'right' });
    return entries();
  }

  for (const [tab, hasTable, view] of [
    [
      'table',
      true,
      [
        'Show Missing Intervals',
        'Show Interval End',
        'Show Cell Hints',
        'Show Column Summaries',
        'Limit to Chart Range',
      ],
    ],
    ['split', true, ['Show Missing Intervals', 'Show Interval End', 'Show Cell Hints', 'Show Column Summaries']],
    ['statistics', true, undefined],
    ['forecast', true, undefined],
    ['events', true, undefined],
    ['chart', false, undefined],
    ['raw', false, undefined],
  ] as const)
    it(`offers the actions for the open tab in More Actions, ${tab}`, async () => {
      await call(page, 'show', 'everyAction');
      await openTab(tab);
      const { top, below } = await openMoreActions();
      for (const label of ['Find…', 'Choose Columns…', 'Numbers']) assert.equal(top.includes(label), hasTable, label);
      assert.equal(top.includes('Add Column…'), tab !== 'raw');
      assert.equal(top.includes('Reset View'), tab !== 'raw');
      assert.deepEqual(below['View'], view);
      assert.equal(top.includes('Limit to Chart Range'), ['statistics', 'forecast', 'events'].includes(tab));
      assert.deepEqual(below['Numbers']?.length, hasTable ? 4 : undefined);
      assert.ok(below['Copy and Export']?.includes('Copy As…'), JSON.stringify(below));
    });

  it('offers columns and number formats for the table of a chart', async () => {
    await call(page, 'show', 'everyAction');
    await openTab('chart');
    await page.getByRole('button', { name: 'Show As Table' }).click();
    await page.locator('[role=grid]:visible').waitFor();
    const { top } = await openMoreActions();
    assert.deepEqual(
      top.filter(label => ['Find…', 'Choose Columns…', 'View', 'Numbers'].includes(label)),
      ['Find…', 'Choose Columns…', 'Numbers'],
    );
  });

  it('shows at most twelve entries when the buttons of a result do not fit', async () => {
    await call(page, 'show', 'everyAction');
    await resize(page, { width: 500, height: 600 });
    const { top, below } = await openMoreActions();
    assert.equal(top.length, maxEntries, top.join(', '));
    assert.ok(top.includes('Save Query…'), top.join(', '));
    assert.ok(below['Copy and Export']?.includes('Open in Editor'), JSON.stringify(below));
  });

  it('offers only the actions that apply to a column', async () => {
    await call(page, 'show', 'table');
    const times = await columnMenu(0);
    assert.deepEqual(times.top, ['Sort Ascending', 'Sort Descending', 'Filter…', 'Hide Column', 'Columns']);
    await page.locator('.more-button').click();
    await (await menuItem(page, 'Add Column…')).click();
    await page.getByRole('textbox', { name: 'Name of the column' }).fill('mine');
    await page.getByRole('combobox', { name: 'Formula' }).fill('wind_mw + 1');
    await page.keyboard.press('Enter');
    await page.locator('[role=columnheader]:visible', { hasText: 'mine' }).click({ button: 'right' });
    await page.getByRole('menuitemcheckbox', { name: 'Sort Ascending' }).click();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    await page.locator('#filter-mine').fill('>0');
    await page.locator('[role=columnheader]:visible', { hasText: 'mine' }).click({ button: 'right' });
    const { top } = await entries();
    assert.equal(top.length, maxEntries, top.join(', '));
    for (const label of ['Remove From Sort', 'Edit Filter…', 'Remove Filter', 'Edit Formula…', 'Remove Column'])
      assert.ok(top.includes(label), label);
    const { top: other } = await columnMenu(2);
    assert.ok(other.includes('Add to Sort'), other.join(', '));
  });

  for (const tab of ['statistics', 'forecast', 'events'])
    it(`offers no filter and no chart for the computed rows, ${tab}`, async () => {
      await call(page, 'show', 'everyAction');
      await openTab(tab);
      const { top } = await columnMenu(0);
      for (const label of ['Filter…', 'Show in Chart']) assert.equal(top.includes(label), false, label);
      await page.locator('[role=gridcell]:visible').first().click();
      await page.keyboard.press('Shift+F10');
      const cells = await entries();
      for (const label of ['Zoom Chart to Selection', 'Include Only This Value'])
        assert.equal(cells.top.includes(label), false, label);
    });

  it('opens a submenu with ArrowRight and Enter, and closes it with ArrowLeft and Escape, which focus its item again', async () => {
    await call(page, 'show', 'table');
    await page.locator('.more-button').click();
    const opener = page.getByRole('menuitem', { name: 'Numbers' });
    const submenu = page.getByRole('menu', { name: 'Numbers' });
    for (const [opens, closes] of [
      ['ArrowRight', 'ArrowLeft'],
      ['Enter', 'Escape'],
    ] as const) {
      assert.equal(await opener.getAttribute('aria-expanded'), 'false');
      await opener.press(opens);
      await submenu.locator('[role=menuitemradio]:focus').waitFor();
      assert.equal(await opener.getAttribute('aria-expanded'), 'true');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press(closes);
      await submenu.waitFor({ state: 'detached' });
      assert.equal(await opener.evaluate(line => line === document.activeElement), true, opens);
    }
    await opener.press('ArrowRight');
    await page.getByRole('menuitemradio', { name: 'As Received' }).press('Enter');
    assert.equal(await page.getByRole('menu').count(), 0);
    await page.locator('.more-button:focus').waitFor();
  });

  it('passes axe-core in every theme with a submenu open', async () => {
    await call(page, 'show', 'everyAction');
    await page.locator('.more-button').click();
    await page.getByRole('menuitem', { name: 'Copy and Export' }).press('ArrowRight');
    assert.deepEqual(await axeOn(page), []);
  });

  it('opens a submenu on hover, inside the page, and closes it on hover over another item', async () => {
    await resize(page, { width: 420, height: 600 });
    await call(page, 'show', 'table');
    await page.locator('.more-button').click();
    await page.getByRole('menuitem', { name: 'Numbers' }).hover();
    const submenu = page.getByRole('menu', { name: 'Numbers' });
    await submenu.waitFor();
    const box = await submenu.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 420 && box.y + box.height <= 600, JSON.stringify(box));
    await page.getByRole('menuitemradio', { name: 'As Received' }).hover();
    await page.getByRole('menuitem', { name: 'View', exact: true }).hover();
    await submenu.waitFor({ state: 'detached' });
    await page.getByRole('menu', { name: 'View' }).waitFor();
    await page.mouse.click(5, 590);
    assert.equal(await page.getByRole('menu').count(), 0);
  });
});

describe('the button of the export', () => {
  const harness = createHarness();

  it('shows a label beside the export icon until it is used', async () => {
    const page = await harness.acquire({ namesExport: true, context: { viewport: { width: 1200, height: 700 } } });
    await call(page, 'show', 'everyAction');
    const button = page.locator('.toolbar [data-action=export]');
    assert.equal(await button.innerText(), 'Export');
    await button.click();
    await button.locator('.button-text').waitFor({ state: 'detached' });
    await call(page, 'show', 'table');
    assert.equal(await page.locator('.button-text').count(), 0);
  });

  it('shows no label for users who have exported before', async () => {
    const page = await showing(harness, 'everyAction', undefined, { width: 1200, height: 700 });
    await page.locator('.toolbar [data-action=export]').waitFor();
    assert.equal(await page.locator('.button-text').count(), 0);
  });
});
