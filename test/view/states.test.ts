import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useSharedPages } from './useHarness.ts';
import { Harness, call } from './harness.ts';
import { untilTrue } from './untilTrue.ts';

describe('the page', () => {
  let page: Page;
  const harness = useSharedPages('panel', newPage => (page = newPage));

  const readActions = async () => call(page, 'acts');

  it('shows the current state when it is loaded, and again after a reload', async () => {
    await call(page, 'show', 'table');
    await page.getByText('168 rows · 17 columns').waitFor();
    await page.reload();
    await page.getByText('168 rows · 17 columns').waitFor();
  });

  it('does not report the harmless error of a ResizeObserver', async () => {
    await call(page, 'show', 'table');
    const message = 'ResizeObserver loop completed with undelivered notifications.';
    await page.evaluate(`window.dispatchEvent(new ErrorEvent('error', ${JSON.stringify({ message })}))`);
    await call(page, 'frames');
    assert.deepEqual(await call(page, 'errors'), []);
  });

  it('keeps the toolbar in the same position when a message replaces the table', async () => {
    const getLeft = async () => {
      const box = await page.locator('.toolbar [data-action=refresh]').boundingBox();
      assert.ok(box, 'the toolbar has no Refresh button');
      return box.x;
    };
    await call(page, 'show', 'table');
    const position = await getLeft();
    for (const state of ['empty', 'error', 'json'] as const) {
      await call(page, 'show', state);
      assert.equal(await getLeft(), position, state);
    }
  });

  it('prints the source and the dates of the data, and marks sample data', async () => {
    for (const [state, line] of [
      ['table', 'System state · last 7 days · hourly · Power Signals · 14–21 Nov 2026 UTC'],
      ['sample', 'SAMPLE DATA · System state · last 7 days · hourly · Sample Data · 14–21 Nov 2026 UTC'],
    ] as const) {
      await call(page, 'show', state);
      const printed = page.getByText(line, { exact: true });
      assert.equal(await printed.isVisible(), false);
      await page.emulateMedia({ media: 'print' });
      await printed.waitFor();
      assert.equal(await page.getByRole('toolbar').first().isVisible(), false);
      await page.emulateMedia({ media: 'screen' });
    }
  });

  it('restores the scroll position after a reload, but not for another query', async () => {
    await call(page, 'show', 'long');
    await page.locator('[role=gridcell]:not([hidden])').nth(2).click();
    await call(page, 'scrollTo', 0.25);
    await untilTrue(page, '/"topRow":[1-9]/.test(sessionStorage.getItem(\'fake-saved-state\'))');
    const previousRows = await call(page, 'rowsInView');
    await page.reload();
    await page.getByText('100,000 rows').waitFor();
    assert.deepEqual(await call(page, 'rowsInView'), previousRows);
    assert.equal(await page.locator('[tabindex="0"][aria-colindex="3"]').count(), 1);
    await call(page, 'show', 'month');
    assert.equal((await call(page, 'rowsInView'))[0], 0);
  });

  it('keeps the previous rows, dimmed and inert, while a new result loads', async () => {
    await call(page, 'show', 'table');
    await page.locator('[role=gridcell]:not([hidden])').nth(2).click();
    await call(page, 'show', 'loading');
    assert.equal(await page.locator('[inert] [role=grid]').count(), 1);
    assert.equal(await call(page, 'cellText', 0, 0), '14 Nov 05:00');
    await page.locator('header').getByText('Waiting 12 s').waitFor();
    await page.getByRole('progressbar').waitFor();
    await page.locator('.waiting p:focus').waitFor();
    await page.keyboard.press('Escape');
    assert.deepEqual(await readActions(), ['cancel']);
    await call(page, 'show', 'table');
    assert.deepEqual(await call(page, 'focused'), [0, 2]);
    assert.equal(await page.getByRole('progressbar').count(), 0);
  });

  it('keeps received rows interactive while further rows load', async () => {
    await call(page, 'show', 'table');
    await call(page, 'show', 'filling');
    assert.equal(await page.locator('main [inert]').count(), 0);
    await page.locator('header').getByText('3 of 9 parts').waitFor();
    await page.locator('[role=gridcell]:not([hidden])').nth(2).click();
    assert.deepEqual(await call(page, 'focused'), [0, 2]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(await readActions(), ['cancel']);
  });

  it('returns the focus to the Refresh button after the new result is loaded', async () => {
    await call(page, 'show', 'table');
    await page.getByRole('button', { name: 'Refresh' }).press('Enter');
    await call(page, 'show', 'loading');
    await page.locator('.waiting p:focus').waitFor();
    await call(page, 'show', 'table');
    await page.locator('[data-action=refresh]:focus').waitFor();
  });

  it('shows a message and a Cancel button while the first result loads', async () => {
    await call(page, 'show', 'loading');
    await page.locator('main').getByText('Waiting 12 s').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(await readActions(), ['cancel']);
  });

  it('posts an action only once if its button is clicked again before the reply', async () => {
    await call(page, 'show', 'table');
    await call(page, 'keepSilent');
    const refresh = page.getByRole('button', { name: 'Refresh' });
    await refresh.click();
    await refresh.click();
    await page.getByRole('button', { name: 'Open in Editor' }).press('Enter');
    assert.deepEqual(await readActions(), ['refresh', 'openInEditor']);
  });

  it('opens or toggles import options from the header and from the menu', async () => {
    await call(page, 'show', 'importedFile');
    for (const label of ['times assumed in UTC', 'first line is data', 'hours 1 to 24'])
      await page.locator('header').getByRole('button', { name: label }).click();
    await page.locator('.more-button').click();
    await page.getByRole('menuitem', { name: 'Import Options…' }).click();
    assert.deepEqual(await readActions(), ['importOptions', 'toggleHeading', 'toggleHourEnd', 'importOptions']);
  });

  it('shows why an action was rejected until the message is dismissed', async () => {
    await call(page, 'show', 'table');
    await call(page, 'refuse', 'The log cannot be opened.');
    await page.locator('[data-action=refresh]').click();
    await page.getByRole('alert').filter({ hasText: 'The log cannot be opened.' }).waitFor();
    assert.equal(await page.getByRole('grid').count(), 1);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  it('announces an error, and offers actions that fix it', async () => {
    await call(page, 'show', 'table');
    await call(page, 'show', 'error');
    await page.getByRole('alert').filter({ hasText: 'The service rejected this key' }).waitFor();
    assert.equal(await page.getByRole('grid').count(), 0);
    await page.getByRole('button', { name: 'Enter Key…' }).click();
    await page.getByRole('button', { name: 'Open Dashboard' }).press(' ');
    assert.deepEqual(await readActions(), ['enterKey', 'openDashboard']);
  });

  it('shows an empty result as a status, not as an alert', async () => {
    await call(page, 'show', 'empty');
    await page.getByRole('status').filter({ hasText: 'Nothing published yet' }).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  for (const state of ['empty', 'error', 'json'] as const)
    it(`offers other periods, ranges and intervals in the state '${state}'`, async () => {
      await call(page, 'show', state);
      const tools = page.getByRole('group', { name: 'Query' });
      for (const action of ['previousPeriod', 'nextPeriod', 'chooseInterval', 'chooseRange'])
        await tools.locator(`[data-action=${action}]`).click();
      await page.getByRole('menuitem', { name: 'Other Range…' }).click();
      assert.deepEqual(await readActions(), ['previousPeriod', 'nextPeriod', 'chooseInterval', 'chooseRange']);
      assert.equal(await tools.locator('[data-action=chooseRange]').innerText(), 'last 7 days');
      await call(page, 'show', 'loading');
      assert.equal(await page.locator('.toolbar [data-action=previousPeriod]').count(), 1);
      // JSON of the previous query stays on the page, so the toolbar is inert. Otherwise the toolbar can be used while the result loads.
      assert.equal(await page.locator('header [inert] .toolbar').count(), state === 'json' ? 1 : 0);
      // For JSON, the other tabs explain why they have no content.
      assert.equal(await page.getByRole('tab').count(), state === 'json' ? 4 : 0);
    });

  it('shows a filled star for a saved query, an empty star for an unsaved one, and a Save button for a changed one', async () => {
    await call(page, 'show', 'saved');
    const star = page.locator('[data-action=save]');
    const readStar = async () => [await star.getAttribute('icon'), await star.getAttribute('label')];
    assert.deepEqual(await readStar(), ['star-full', "Saved as 'Morning'. Save again…"]);
    const named = { range: 'last 7 days', interval: 'hourly' };
    await call(page, 'rename', 'System state', named);
    assert.deepEqual(await readStar(), ['star-empty', 'Save Query…']);
    await call(page, 'show', 'loading');
    await call(page, 'rename', 'System state', { ...named, savedAs: '<b>$(trash)' });
    assert.deepEqual(await readStar(), ['star-full', "Saved as '<b>$(trash)'. Save again…"]);
    await call(page, 'rename', 'Morning', { ...named, savedAs: 'Morning', isChanged: false });
    assert.deepEqual(await readStar(), ['star-full', "Saved as 'Morning'"]);
    await call(page, 'rename', 'Morning', { ...named, savedAs: 'Morning', isChanged: true });
    assert.deepEqual(await readStar(), ['save', "Save Changes to 'Morning'"]);
  });

  it('offers Save Query As in the panel of a saved query, whether it is changed or not', async () => {
    const readSaveItems = async (isChanged: boolean | undefined) => {
      await call(page, 'show', 'saved');
      const named = { range: 'last 7 days', interval: 'hourly', savedAs: 'Morning', isChanged };
      await call(page, 'rename', 'Morning', named);
      await page.locator('.more-button').click();
      const items = await page.locator('[role=menuitem]').allTextContents();
      await page.keyboard.press('Escape');
      return items.filter(item => /Save Query As/.test(item)).map(item => item.trim());
    };
    assert.deepEqual(await readSaveItems(undefined), []);
    assert.deepEqual(await readSaveItems(false), ['Save Query As…']);
    assert.deepEqual(await readSaveItems(true), ['Save Query As…']);
  });

  it('shows the new name of the query without moving the focus', async () => {
    await call(page, 'show', 'table');
    await page.locator('[role=gridcell]:not([hidden])').nth(2).click();
    const title = 'System state · last 7 days · hourly · Prod';
    await call(page, 'rename', title, { range: '14 Nov – 21 Nov UTC', interval: 'hourly' });
    await page.locator('[data-action=chooseRange]', { hasText: '14 Nov – 21 Nov UTC' }).waitFor();
    assert.equal(await page.locator('h1').textContent(), title);
    assert.deepEqual(await call(page, 'focused'), [0, 2]);
  });

  it('shows the statistics of a column from its menu, computed over the filtered rows', async () => {
    await call(page, 'show', 'table');
    const choose = async (column: string, item: string): Promise<void> => {
      await page.locator('[role=columnheader]:visible', { hasText: column }).first().click({ button: 'right' });
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Residual demand', 'Filter…');
    await page.locator('.filter input').fill('<100');
    await page.locator('footer [role=status]', { hasText: ' of 168 rows' }).waitFor();
    const [rowCount] = /^\d+/.exec(await page.locator('footer [role=status]').innerText()) ?? [];
    await choose('Residual forecast', 'Show Statistics');
    await page.locator('#tab-statistics[aria-selected=true]').waitFor();
    await page.getByText(`Over ${rowCount} of 168 rows (1 filter)`).first().waitFor();
    await page.locator('.statistics').getByRole('heading', { name: 'Residual forecast, MW' }).waitFor();
  });

  it('shows JSON as text, and only the start of very long JSON', async () => {
    await call(page, 'show', 'json');
    const region = page.getByRole('region', { name: 'JSON' });
    assert.match(await region.innerText(), /"<b>text<\/b>",\n\s+null/);
    await call(page, 'show', 'longJson');
    await page.getByText('Too long to show in full.').waitFor({ state: 'attached' });
    await region.press('ControlOrMeta+End');
    await page.getByText('Too long to show in full.').waitFor();
  });

  it('shows a table again after JSON', async () => {
    await call(page, 'show', 'table');
    await call(page, 'show', 'json');
    await call(page, 'show', 'month');
    assert.equal(await call(page, 'cellText', 743, 0), null);
    assert.equal(await call(page, 'cellText', 1, 0), '14 Nov 06:00');
  });

  it('formats numbers in the locale, and shows translated texts', async () => {
    const german = await harness.open({
      locale: 'de',
      strings: { '{0} rows': '{0} Zeilen', '{0} columns': '{0} Spalten' },
    });
    await call(german, 'show', 'long');
    await german.getByText('100.000 Zeilen · 17 Spalten').waitFor();
    assert.equal(await call(german, 'cellText', 0, 2), '1.200');
  });

  it('resizes columns when the font changes', async () => {
    await call(page, 'show', 'table');
    const readWidth = () => page.evaluate<number>("document.querySelector('.grid-cell.frozen').offsetWidth");
    const previousWidth = await readWidth();
    await page.evaluate("document.documentElement.style.setProperty('--vscode-font-size', '20px')");
    await until('a wider column', readWidth, currentWidth => currentWidth > previousWidth * 1.3);
  });
});

describe('a page with an invalid state', () => {
  it('shows an error for an invalid state, and sends the reason to the log', async () => {
    const harness = new Harness();
    const page = await harness.acquire();
    await call(page, 'sendBroken');
    await page.getByText('Cannot show this result. See the log for details.').waitFor();
    await page.evaluate("setTimeout(() => { throw new Error('late'); })");
    await untilTrue(page, 'window.mounted.errors().length === 2');
    const [first, second] = await call(page, 'errors');
    assert.match(first ?? '', /TypeError/);
    assert.match(second ?? '', /late/);
    await harness.stop();
  });
});
