import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useSharedPages, useOnePage } from './useHarness.ts';
import { call } from './harness.ts';
import { openTab } from '../support/openTab.ts';
import { resize, untilTrue } from './untilTrue.ts';
import { findStatisticsRow } from './tabContent.ts';

/** The size of the panel in a window of 640 × 400 pixels, which is 1280 × 800 at 200 % zoom. */
const viewport = { width: 592, height: 310 };

describe('a low panel', () => {
  let page: Page;
  useOnePage(
    async opened => {
      page = opened;
      await call(page, 'show', 'holes');
    },
    { context: { viewport, deviceScaleFactor: 2 } },
  );

  const getHeight = (selector: string) =>
    page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().height`);

  /** Waits until an element is at least `px` high. The chart gets its size shortly after it is shown. */
  const waitForHeight = async (selector: string, px: number): Promise<void> => {
    const reached = `document.querySelector('${selector}')?.getBoundingClientRect().height >= ${px}`;
    await untilTrue(page, reached);
  };

  it('keeps toolbar and header line in one row in every tab of a low panel', async () => {
    for (const tab of ['table', 'chart', 'split', 'statistics', 'forecast', 'events', 'raw'] as const) {
      await openTab(page, tab);
      assert.ok((await getHeight('.toolbar')) <= 32, `${tab}: ${await getHeight('.toolbar')} px`);
      assert.ok((await getHeight('header')) <= 46, `${tab}: ${await getHeight('header')} px`);
    }
    const isInside = await page.evaluate(
      "[...document.querySelectorAll('.toolbar *')].every(element => element.getBoundingClientRect().right <= innerWidth)",
    );
    assert.ok(isInside, 'the whole toolbar is inside the window');
    const overlapCount = await page.evaluate(`(() => {
      const boxes = [...document.querySelectorAll('.toolbar :is(button, vscode-toolbar-button)')]
        .map(button => button.getBoundingClientRect())
        .filter(({ width }) => width > 0)
        .sort((a, b) => a.left - b.left);
      return boxes.filter(({ left }, index) => index > 0 && boxes[index - 1].right > left).length;
    })()`);
    assert.equal(overlapCount, 0, 'no buttons overlap');
    const isWhole = await page.evaluate(`(() => {
      const warning = document.querySelector('.part.warning');
      const words = document.createRange();
      words.selectNodeContents(warning);
      return words.getBoundingClientRect().width <= warning.getBoundingClientRect().width;
    })()`);
    assert.ok(isWhole, 'the warning is not cut off');
    assert.match((await page.locator('.bar .parts').getAttribute('title')) ?? '', /1 missing · 1 request$/);
  });

  it('keeps the toolbar and the header line on one line each in a narrow panel', async () => {
    for (const width of [460, 410, 308]) {
      await resize(page, { width, height: viewport.height });
      await openTab(page, 'chart');
      assert.ok((await getHeight('header')) <= 58, `${width}: ${await getHeight('header')} px`);
      const outside =
        "[...document.querySelectorAll('.toolbar *')].filter(element => element.getBoundingClientRect().right > innerWidth)";
      assert.equal(await page.evaluate(`${outside}.length`), 0);
      await waitForHeight('.chart-plot', 120);
      // The axis labels below the plot stay visible above the buttons.
      const overlapScript =
        "document.querySelector('.chart-plot').getBoundingClientRect().bottom - document.querySelector('footer').getBoundingClientRect().top";
      assert.ok((await page.evaluate<number>(overlapScript)) <= 0, `${width}`);
    }
    await resize(page, viewport);
  });

  it('gives rows and plot the remaining height of a low panel', async () => {
    await openTab(page, 'table');
    await waitForHeight('[role=grid]', 220);
    await openTab(page, 'chart');
    await waitForHeight('.chart-plot', 190);
    // The plot takes all remaining height except one row of labels.
    await waitForHeight('.chart-area', 140);
  });

  it('moves the chart actions to a menu in a low panel, and back when there is room', async () => {
    const folded = page.getByRole('button', { name: 'Chart Actions' });
    assert.equal(await page.getByRole('button', { name: 'Zoom In' }).isVisible(), false);
    await folded.press('Enter');
    const items = await page.locator('[role^=menuitem]').allInnerTexts();
    assert.deepEqual(
      items.map(item => item.trim()),
      [
        ...['Show As Table', 'Zoom In', 'Zoom Out', 'Show Whole Range', 'Select Chart Range in Table'],
        ...['Title and Limit…', 'Copy As Picture', 'Save As PNG', 'Save As SVG'],
      ],
    );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.visually-hidden', { hasText: 'Shown: ' }).waitFor({ state: 'attached' });
    await resize(page, { width: 1100, height: 700 });
    await page.getByRole('button', { name: 'Zoom In' }).waitFor();
    assert.equal(await folded.isVisible(), false);
    await until(
      'two rows and a title again',
      async () => (await getHeight('.chart-plot')) - (await getHeight('.chart-area')),
      px => px >= 80,
    );
    await resize(page, viewport);
  });
});

describe('the header line', () => {
  let page: Page;
  const harness = useSharedPages('panel', newPage => (page = newPage));

  const readVisibleParts = () => page.locator('.item:not(.dropped) .part').allInnerTexts();

  const cutParts = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll('.item:not(.dropped) .part')]
      .filter(part => part.getBoundingClientRect().right > part.closest('.parts').getBoundingClientRect().right + 1)
      .map(part => part.textContent)`);

  it('cuts off no part when a wider font is loaded', async () => {
    await resize(page, { width: 700, height: 600 });
    await call(page, 'show', 'table');
    const count = (await readVisibleParts()).length;
    await page.evaluate("document.querySelector('.parts').style.letterSpacing = '3px'");
    await until('fewer parts', readVisibleParts, visibleParts => visibleParts.length < count);
    await until('parts that fit', cutParts, cut => cut.length === 0);
    await page.evaluate("document.querySelector('.parts').style.letterSpacing = ''");
  });

  it('drops the least useful parts of a narrow header line first, and expands them', async () => {
    await resize(page, { width: 1280, height: 600 });
    await call(page, 'show', 'table');
    const expandButton = page.locator('.more-parts');
    assert.equal(await expandButton.isVisible(), false);
    const warning = '167 of 168 hours, 1 missing';
    for (const [width, left] of [
      // A shorter part is shown if the next more useful one does not fit.
      [540, ['14 Nov 05:00 – 21 Nov 05:00 UTC', warning]],
      [420, ['Power Signals (prod)', warning]],
      [320, ['hourly', warning]],
    ] as const) {
      await resize(page, { width, height: 600 });
      await page.locator('.more-parts:visible', { hasText: `+${6 - left.length}` }).waitFor();
      // Two widths may hide the same parts, and the layout is final only after a frame.
      await until(
        left.join(' · '),
        async () => (await readVisibleParts()).map(text => text.trim()),
        now => now.join() === left.join(),
      );
      assert.deepEqual(await cutParts(), [], 'no part is cut off');
      assert.match(
        (await page.locator('.bar .parts').textContent()) ?? '',
        /System state/,
        'screen readers get all parts',
      );
    }
    const height = async () => (await page.locator('.bar').boundingBox())?.height ?? 0;
    const folded = await height();
    await expandButton.press('Enter');
    assert.equal((await readVisibleParts()).length, 6);
    assert.ok((await height()) > folded);
    const wrappedParts = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.part')].filter(part => part.getClientRects().length > 1).map(part => part.textContent)`,
    );
    assert.deepEqual(wrappedParts, [], 'no part continues on another line');
    const leadingDots = await page.evaluate<string[]>(`(() => {
      const { left } = document.querySelector('.parts').getBoundingClientRect();
      return [...document.querySelectorAll('.parts .dot')]
        .filter(dot => dot.getBoundingClientRect().left < left + 4)
        .map(dot => dot.parentElement.textContent);
    })()`);
    assert.deepEqual(leadingDots, [], 'no line begins with a dot');
    await expandButton.press('Enter');
    assert.equal(await height(), folded);
  });

  // Light and dark have the same layout; high contrast has additional borders.
  for (const theme of ['dark', 'hc-light'] as const)
    it(`keeps the header on one line at any width in ${theme}`, async () => {
      for (const width of [1280, 420, 320]) {
        const otherPage = await harness.open({ theme, context: { viewport: { width, height: 300 } } });
        await call(otherPage, 'show', 'table');
        assert.ok(((await otherPage.locator('.bar').boundingBox())?.height ?? 99) <= 30);
      }
    });
});

describe('the use of free space', () => {
  let page: Page;
  useOnePage(newPage => (page = newPage), { context: { viewport: { width: 1000, height: 700 } } });

  it('widens the filter box to the free space', async () => {
    await call(page, 'show', 'table');
    await page.locator('[role=columnheader]:visible').nth(1).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Filter' }).first().click();
    const width = async () => (await page.locator('.filters input').boundingBox())?.width ?? 0;
    assert.ok((await width()) > 240, `${await width()} px`);
    const example = await page.locator('.filters input').getAttribute('placeholder');
    assert.match(example ?? '', /^>100 .*\(both ends\)$/);
    await resize(page, { width: 420, height: 700 });
    assert.ok((await width()) > 180, `${await width()} px`);
    await resize(page, { width: 1000, height: 700 });
  });

  it('shows energy and mean of eight columns beside the side bar of a window of 1280 × 720', async () => {
    await resize(page, { width: 930, height: 610 });
    await call(page, 'show', 'covered');
    await openTab(page, 'statistics');
    const charts = page.locator('.statistics-below figure');
    await charts.nth(2).waitFor();
    const table = await page.locator('.statistics-summary').boundingBox();
    const mean = page.locator('.statistics-summary [role=columnheader]', { hasText: 'Mean' });
    const head = await mean.boundingBox();
    const lastRow = await findStatisticsRow(page, 'Wind').boundingBox();
    assert.ok(table && head && lastRow);
    assert.ok(head.x + head.width <= table.x + table.width && lastRow.y + lastRow.height <= table.y + table.height);
    const tops = await Promise.all((await charts.all()).map(async chart => (await chart.boundingBox())?.y));
    assert.ok(
      tops.every(top => top !== undefined && top === tops[0]),
      'all charts are in one row',
    );
    await resize(page, { width: 1000, height: 700 });
  });

  it('moves the compared time behind the first values when both times do not fit, and shows it in the tooltip', async () => {
    await call(page, 'show', 'compared');
    await openTab(page, 'table');
    const label = (columnIndex: number) =>
      page.locator(`[role=columnheader][aria-colindex="${columnIndex}"] .grid-label`);
    const second = async (text: string) => label(2).filter({ hasText: text }).waitFor();
    await second('Hour, previous period (UTC)');
    await resize(page, { width: 470, height: 700 });
    await second('Residual demand');
    assert.equal(await label(1).innerText(), 'Hour (UTC)');
    const hour = page.locator('[aria-rowindex="3"] [aria-colindex="1"]:visible');
    await hour.hover();
    assert.match((await hour.getAttribute('title')) ?? '', /\nHour, previous period: 12 Nov 2026 01:00 UTC$/);
    await resize(page, { width: 1000, height: 700 });
    await second('Hour, previous period (UTC)');
  });

  it('fills the free space under the statistics of few columns', async () => {
    await call(page, 'show', 'stress');
    await openTab(page, 'statistics');
    await page.getByText('Over all 48 rows').first().waitFor();
    const [table, below, footer] = await Promise.all(
      ['.statistics-summary', '.statistics-below', 'footer'].map(columnIndex =>
        page.locator(columnIndex).boundingBox(),
      ),
    );
    assert.ok(table && below && footer);
    assert.ok(Math.abs(table.y + table.height - below.y) <= 1 && Math.abs(below.y + below.height - footer.y) <= 2);
  });
});
