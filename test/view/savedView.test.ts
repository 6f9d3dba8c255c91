import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { parseView, isSameView, type SerializedView } from '../../src/shared/view.ts';
import { createHarness } from './useHarness.ts';
import { call } from './harness.ts';
import { untilTrue } from './untilTrue.ts';

const derive = [{ name: 'renewables', formula: 'wind_mw + pv_mw' }];

/** Parts of a saved view, and selectors of the elements that display each. */
const parts: readonly [part: string, view: SerializedView, ...selectors: string[]][] = [
  ['the tab Chart', { display: { tab: 'chart' } }, '#tab-chart[aria-selected=true]', '.tab canvas'],
  [
    'the tab Split, and its share',
    { display: { tab: 'split', split: 0.3 } },
    '#tab-split[aria-selected=true]',
    '.tab canvas',
  ],
  [
    'the chart',
    {
      display: {
        tab: 'chart',
        chart: { mode: 'heatmap', columns: [], hidden: [], picked: { 'heatmap.column': 'wind_mw' } },
      },
    },
    '.tab canvas',
  ],
  [
    'the statistics of a column',
    { display: { tab: 'statistics', selectedColumn: 'wind_mw' } },
    '#tab-statistics[aria-selected=true]',
  ],
  [
    'the events',
    { display: { tab: 'events', events: { kind: 'ramp', hours: 2, band: 'high' } } },
    '#tab-events[aria-selected=true]',
  ],
  ['the score', { display: { tab: 'forecast', forecast: { by: 'hourOfDay' } } }, '#tab-forecast[aria-selected=true]'],
  [
    'a sort',
    { analysis: { sort: [{ column: 'wind_mw', descending: true }] } },
    '[role=columnheader][aria-sort=descending]',
  ],
  ['filters', { analysis: { where: { wind_mw: '>2000' } } }, '#filter-wind_mw'],
  [
    'columns in their order, with a color scale',
    {
      display: {
        arrangement: {
          order: ['ts', 'wind_mw'],
          hidden: ['pv_mw'],
          widths: { wind_mw: 222 },
          frozen: 1,
          scaled: ['wind_mw'],
        },
      },
    },
    '[role=columnheader][aria-colindex="2"]:has-text("Wind")',
  ],
  ['derived columns', { analysis: { derive } }, 'footer:has-text("18 columns")'],
  ['the resampling', { analysis: { resample: 'day' } }, '[data-choice=resample]:has-text("Days")'],
  ['no summaries of columns', { display: { summaries: false } }, '.grid:not(.summarized)'],
];

describe('a saved view in the panel', () => {
  const harness = createHarness();

  const openPanel = async (view: SerializedView): Promise<Page> => {
    const page = await harness.acquire({ context: { viewport: { width: 1400, height: 700 } } });
    await call(page, 'view', view);
    await call(page, 'show', 'covered');
    return page;
  };
  const readReportedView = async (page: Page) => parseView((await call(page, 'shownViews')).at(-1));

  for (const [part, view, ...selectors] of parts)
    it(`applies ${part}, and reports it unchanged`, async () => {
      const page = await openPanel(view);
      for (const selector of selectors) await page.locator(selector).filter({ visible: true }).first().waitFor();
      const reportedView = await readReportedView(page);
      assert.ok(isSameView(reportedView, parseView(view)), JSON.stringify(reportedView));
    });

  it('applies hidden columns and column widths', async () => {
    const page = await openPanel(parts.find(([part]) => part.startsWith('columns'))?.[1] ?? {});
    const header = (label: string) => page.locator('[role=columnheader]:visible', { hasText: label });
    await header('Wind').first().waitFor();
    assert.equal(await header('PV').count(), 0);
    assert.equal((await header('Wind').first().boundingBox())?.width, 222);
  });

  it('reports a changed view when the user opens another tab, but not when the user zooms the chart', async () => {
    const page = await openPanel({ display: { tab: 'chart' } });
    const plot = page.locator('.chart-plot');
    await plot.focus();
    const count = (await call(page, 'shownViews')).length;
    await page.keyboard.press('+');
    await untilTrue(page, `window.mounted.shownViews().length > ${count}`);
    const zoomedView = await readReportedView(page);
    assert.ok(isSameView(zoomedView, parseView({ display: { tab: 'chart' } })), JSON.stringify(zoomedView));
    await page.locator('#tab-table').click();
    const selectedView = await readReportedView(page);
    assert.ok(!isSameView(selectedView, parseView({ display: { tab: 'chart' } })));
  });

  it('replaces the previous view of the panel completely', async () => {
    const page = await openPanel({
      analysis: { where: { wind_mw: '>2000' }, resample: 'day' },
      display: { tab: 'chart' },
    });
    await page.locator('#filter-wind_mw').waitFor();
    await call(page, 'view', { analysis: { sort: [{ column: 'wind_mw', descending: false }] } });
    await page.locator('[role=columnheader][aria-sort=ascending]').waitFor();
    assert.equal(await page.locator('#filter-wind_mw').count(), 0);
    assert.equal(await page.locator('[data-choice=resample]').innerText(), 'Resample');
  });

  it('displays the view of a hostile file as inert text, and ignores its invalid parts', async () => {
    const hostileText = '<img src=x onerror=alert(1)>'.repeat(20);
    const page = await openPanel({
      analysis: {
        where: { [hostileText]: hostileText, wind_mw: hostileText, ts: '(((((' },
        sort: [{ column: hostileText, descending: true }],
        derive: [
          { name: hostileText.slice(0, 99), formula: hostileText },
          { name: 'x', formula: '('.repeat(900) },
        ],
      },
      display: {
        tab: hostileText,
        numbers: [hostileText],
        split: 9e99,
        hints: hostileText,
        window: { start: hostileText },
        chart: { mode: hostileText, columns: [hostileText], picked: { [hostileText]: hostileText } },
        arrangement: {
          order: [hostileText],
          hidden: [hostileText],
          widths: { ts: -1e308, [hostileText]: 1 },
          frozen: 1e9,
        },
        selectedColumn: hostileText,
        ['__proto__']: { tab: 'raw' },
        events: { kind: hostileText, hours: 1e9, value: hostileText },
        forecast: { by: hostileText, actual: hostileText },
        tables: { chart: { sort: hostileText } },
      },
    });
    for (const tab of ['table', 'chart', 'statistics', 'forecast', 'events']) await page.locator(`#tab-${tab}`).click();
    await page.locator('#tab-events[aria-selected=true]').waitFor();
    assert.equal(await page.locator('img').count(), 0);
  });
});
