import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ResultTab } from '../../src/shared/view.ts';
import { useSharedPages, createHarness } from './useHarness.ts';
import { call, showing } from './harness.ts';
import { openTab } from '../support/openTab.ts';
import type { StateName } from './page/states.ts';
import { resize } from './untilTrue.ts';

/** Returns the accessible name of the focused element, or its class. */
const describeFocus = (page: Page) =>
  page.evaluate<string>(`(() => {
    const host = document.activeElement;
    const element = host.shadowRoot?.activeElement ?? host;
    if (host === document.body) return '';
    if (element.closest('[role=grid]')) return 'grid';
    return element.ariaLabel || element.innerText.trim() || element.labels?.[0]?.innerText.trim() || element.className;
  })()`);
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
/** Moves the focus to the start of the page. */
const goToStart = async (page: Page) => {
  await call(page, 'frames');
  await page.evaluate(`{
    const app = document.getElementById('app');
    app.tabIndex = -1;
    app.focus();
    app.blur();
    app.removeAttribute('tabindex');
  }`);
};
/** Lists the tab stops from the start of the page up to the first one inside the element. */
async function listTabStops(page: Page, selector: string): Promise<string[]> {
  await goToStart(page);
  const stops: string[] = [];
  while (stops.length < 30 && !(await page.locator(selector).evaluate(end => end.contains(document.activeElement)))) {
    await press(page, 'Tab');
    stops.push(await describeFocus(page));
  }
  return stops;
}

describe('the tab stops of a result', () => {
  const harness = createHarness();

  const cases: readonly [tab: ResultTab, content: string, most: number, state?: StateName][] = [
    ['table', '[role=grid]', 4],
    ['chart', '.chart-plot', 7],
    ['split', '[role=grid]', 10],
    ['statistics', '[role=grid]', 6],
    ['forecast', '[role=grid]', 9],
    ['events', '[role=grid]', 8],
    ['raw', '.json', 5],
    ['table', '[role=grid]', 4, 'revised'],
    ['chart', '.chart-plot', 7, 'compared'],
  ];
  for (const [tab, content, maxStops, state = 'covered'] of cases)
    it(`has at most ${maxStops} tab stops before the content of the tab ${tab}: ${state}`, async () => {
      const page = await showing(harness, state, tab);
      if (tab === 'raw') await call(page, 'respond', { text: '{}', requests: [], requestsSpent: 0 });
      await page.locator(content).waitFor();
      const stops = await listTabStops(page, content);
      assert.ok(stops.length <= maxStops, stops.join(', '));
      assert.equal(new Set(stops).size, stops.length, stops.join(', '));
    });
});

describe('keys of the page', () => {
  let page: Page;
  useSharedPages('panel', newPage => (page = newPage));

  it('moves through the toolbar with the arrow keys, Home and End, skips the tabs, and returns to the last button', async () => {
    await call(page, 'show', 'holes');
    await goToStart(page);
    await press(page, 'Tab');
    const firstFocus = await describeFocus(page);
    assert.equal(firstFocus, 'Refresh');
    await press(page, 'ArrowRight');
    assert.equal(await describeFocus(page), 'Previous Period');
    await press(page, 'Tab');
    assert.equal(await describeFocus(page), 'Table');
    await press(page, 'Shift+Tab');
    assert.equal(await describeFocus(page), 'Previous Period');
    const visited = [await describeFocus(page)];
    do {
      await press(page, 'ArrowRight');
      visited.push(await describeFocus(page));
    } while (visited.at(-1) !== firstFocus && visited.length < 30);
    assert.ok(visited.includes('UTC') && visited.at(-2) === 'More Actions', visited.join(', '));
    assert.ok(!visited.includes('Chart'));
    await press(page, 'ArrowLeft');
    assert.equal(await describeFocus(page), 'More Actions');
    await press(page, 'Home');
    assert.equal(await describeFocus(page), firstFocus);
    await press(page, 'End', 'Enter');
    await page.getByRole('menu').waitFor();
  });

  it('moves through the buttons of the header line', async () => {
    await call(page, 'show', 'revised');
    await page.getByRole('button', { name: 'days of SAST' }).focus();
    await press(page, 'ArrowRight');
    assert.equal(await describeFocus(page), '3 hours revised');
    await press(page, 'Enter');
    assert.deepEqual(await call(page, 'acts'), ['showRevisions']);
    await resize(page, { width: 300, height: 600 });
    await page.locator('.more-parts').focus();
    await press(page, 'Home');
    assert.equal(await page.evaluate('document.activeElement.closest(".dropped")'), null);
  });

  it('moves through the legend with the arrow keys', async () => {
    await call(page, 'show', 'holes');
    await openTab(page, 'chart');
    await page.getByRole('button', { name: 'Generation Mix' }).click();
    await page.locator('.chart-series').first().focus();
    await press(page, 'ArrowRight', 'Space');
    assert.equal(await page.locator('.chart-series').nth(1).getAttribute('aria-pressed'), 'false');
    await press(page, 'Tab', 'Shift+Tab');
    assert.equal(
      await page
        .locator('.chart-series')
        .nth(1)
        .evaluate(element => element === document.activeElement),
      true,
    );
  });

  it('keeps a tab stop in a toolbar after its focused button was hidden', async () => {
    await call(page, 'show', 'saved');
    await page.locator('[data-action=openInEditor] button').focus();
    await press(page, 'Shift+Tab');
    assert.equal(await describeFocus(page), 'Table');
    await resize(page, { width: 700, height: 600 });
    await press(page, 'Tab');
    assert.equal(await describeFocus(page), "Saved as 'Morning'. Save again…");
    assert.equal(await page.locator('[data-action=openInEditor]').isVisible(), false);
  });

  it('keeps the focus in the chart toolbar when a button becomes disabled', async () => {
    await call(page, 'show', 'holes');
    await openTab(page, 'chart');
    await page.getByRole('button', { name: 'Zoom In' }).focus();
    await press(page, 'Enter', 'ArrowRight', 'ArrowRight');
    assert.equal(await describeFocus(page), 'Show Whole Range');
    await press(page, 'Enter');
    assert.equal(await describeFocus(page), 'Zoom In');
    await press(page, 'ArrowRight');
    assert.equal(await describeFocus(page), 'Select Chart Range in Table');
  });

  it('leaves the arrow keys to text fields', async () => {
    await call(page, 'show', 'holes');
    await press(page, 'ControlOrMeta+f');
    await page.keyboard.type('14');
    await press(page, 'ArrowLeft');
    await page.keyboard.type('x');
    assert.equal(await page.locator('.find-text').inputValue(), '1x4');
    await press(page, 'Tab', 'End', 'Enter');
    await page.locator('.find').waitFor({ state: 'detached' });
  });

  it('moves between the parts with F6 and Shift+F6, and leaves other keys to VS Code', async () => {
    await page.evaluate('window.seen = 0; addEventListener("keydown", ({ key }) => (window.seen += key === "F6"))');
    const walk = async (key: string) => {
      const parts = [await describeFocus(page)];
      for (;;) {
        const previousCount = await page.evaluate<number>('window.seen');
        await press(page, key);
        if ((await page.evaluate<number>('window.seen')) > previousCount || parts.length > 12) return parts;
        parts.push(await describeFocus(page));
      }
    };
    const plot = 'Chart. Use arrow keys to read values, Page Up and Page Down to move further, plus and minus to zoom.';
    const content: Readonly<Partial<Record<ResultTab, readonly string[]>>> = {
      table: ['grid'],
      chart: [plot, 'Residual demand'],
      split: [plot, 'grid', 'Residual demand'],
      statistics: ['grid'],
      events: ['grid'],
    };
    await call(page, 'show', 'covered');
    for (const [tab, expected] of Object.entries(content) as [ResultTab, readonly string[]][]) {
      await openTab(page, tab);
      await goToStart(page);
      await press(page, 'F6');
      const parts = await walk('F6');
      assert.equal(parts.at(0), 'Refresh');
      assert.match(parts.at(1) ?? '', /^\d+ of \d+ hours/);
      assert.deepEqual(parts.slice(2), expected, tab);
      assert.deepEqual(await walk('Shift+F6'), parts.toReversed());
    }
  });

  it('opens the tabs with Ctrl+Shift and their number, and focuses their content', async () => {
    await call(page, 'show', 'covered');
    const tabs = await page.getByRole('tab').all();
    assert.equal(tabs.length, 7);
    await press(page, 'Control+Shift+Digit2');
    await page.locator('.chart-plot:focus').waitFor();
    await press(page, 'Control+Shift+Digit4');
    await page.locator('.statistics-summary [role=gridcell]:focus').waitFor();
    await press(page, 'Control+Shift+Digit7');
    await page.locator('#tab-raw[aria-selected=true]:focus').waitFor();
    await press(page, 'Control+Shift+Digit1');
    await page.locator('#result-table [role=gridcell]:focus').waitFor();
    for (const [index, tab] of tabs.entries()) {
      assert.equal(await tab.getAttribute('aria-keyshortcuts'), `Control+Shift+${index + 1}`);
      assert.match((await tab.getAttribute('title')) ?? '', new RegExp(`\\(Ctrl\\+Shift\\+${index + 1}\\)$`));
    }
  });
});
