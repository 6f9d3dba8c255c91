import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { askedOf, gridRecords } from './gridHours.ts';
import { pictureFailures } from './harness/failures.ts';
import { until } from './harness/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { acceptFile } from './savedSupport.ts';
import { addConnection, enterRange, runSystemState, sharedWorkbench, tableOf } from './support.ts';

const week = '2023-05-01..2023-05-07';
const titleOf = (interval: string): string => `System state · ${week} · ${interval}`;
const pictured = `System state - ${week} - hourly`;
const whole = 'Shown: 01 May 00:00 UTC to 08 May 00:00 UTC.';

describe('the chart of a result', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;

  before(async () => {
    service = await startCannedService(({ path, query }, response) => {
      const records = gridRecords(askedOf(query));
      const isStress = path.includes('grid-stress');
      const levels = [0.2, 0.4, 0.7, 0.9];
      sendJson(response, 200, {
        data: isStress ? records.map(({ ts }, row) => ({ ts, value: levels[row % 4], version: 'v1' })) : records,
      });
    });
    workbench = await sharedWorkbench('Chart');
    await addConnection(workbench, service.baseUrl, 'sb_test_chart', 'Chart');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, week);
    page = new ResultPage(await tableOf(workbench, titleOf('hourly')));
    await page.tab('chart');
    await page.chartWords(whole);
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
  });

  const button = (name: string): Locator => page.frame.locator('.chart').getByRole('button', { name, exact: true });
  const plot = (): Locator => page.frame.locator('.chart-plot');
  const box = async (element: Locator) => {
    const found = await element.boundingBox();
    assert.ok(found);
    return found;
  };
  /** Drags over a part of the plot, given as shares of its width. */
  const drag = async (element: Locator, from: number, to: number): Promise<void> => {
    const { x, y, width, height } = await box(element);
    const { mouse } = page.frame.page();
    await mouse.move(x + width * from, y + height / 2);
    await mouse.down();
    await mouse.move(x + width * to, y + height / 2, { steps: 5 });
    await mouse.up();
  };
  const reset = async (): Promise<void> => {
    await button('Show Whole Range').click();
    await page.chartWords(whole);
  };
  /** Waits until the chart shows another stretch than the one given; returns its first sentence. */
  const shownAfter = async (before: string): Promise<string> => {
    const words = await until(
      'another stretch',
      async () => (await page.chartWords('Shown:')).split('\n')[0] ?? '',
      now => now !== before,
    );
    return words;
  };
  const mode = async (name: string): Promise<void> => {
    await button(name).click();
    await page.frame.locator('.chart-tools [aria-pressed=true]', { hasText: name }).waitFor();
  };
  const column = async (label: string): Promise<void> => {
    const name = page.frame.getByText(label, { exact: true });
    await page.frame.locator('.chart-columns label').filter({ has: name }).locator('input').click();
  };

  it('zooms and pans the chart by mouse, and resets it', async () => {
    const over = page.frame.locator('.chart-area');
    await drag(over, 0.25, 0.5);
    const zoomed = await shownAfter(whole);
    assert.match(zoomed, /Shown: 0[23] May .* to 04 May/);
    await page.frame.page().keyboard.down('Shift');
    await drag(over, 0.6, 0.3);
    await page.frame.page().keyboard.up('Shift');
    const moved = await shownAfter(zoomed);
    await page.frame.page().keyboard.down('Control');
    await page.frame.page().mouse.wheel(0, -300);
    await page.frame.page().keyboard.up('Control');
    await shownAfter(moved);
    await over.dblclick();
    await page.chartWords(whole);
  });

  it('reads, zooms, pans and resets the chart by keyboard', async () => {
    await plot().focus();
    await page.press('Home', 'ArrowRight');
    await page.said('01 May 01:00 UTC: Residual demand 20,100');
    await page.press('PageDown');
    await page.said('02 May 01:00 UTC');
    await page.press('+');
    const zoomed = await shownAfter(whole);
    await page.press('Control+ArrowRight');
    await shownAfter(zoomed);
    const crosshair = page.frame.locator('.chart-crosshair');
    await crosshair.waitFor();
    await page.press(...Array.from({ length: 9 }, () => 'Control+ArrowRight'));
    // It stands where it was, out of sight: not on the edge of what is shown.
    await crosshair.waitFor({ state: 'hidden' });
    await page.press('0');
    await page.chartWords(whole);
    await crosshair.waitFor();
    await page.press('Escape');
    await crosshair.waitFor({ state: 'hidden' });
  });

  it('shows time and values at the pointer, and toggles a series in the legend', async () => {
    const { x, y, width, height } = await box(page.frame.locator('.chart-area'));
    const { mouse } = page.frame.page();
    const time = page.frame.locator('.chart-time');
    await until(
      'the time',
      async () => {
        // A chart that is drawn anew has lost the mouse.
        await mouse.move(x + width / 2 - 1, y + height / 2);
        await mouse.move(x + width / 2, y + height / 2);
        return time.innerText();
      },
      now => /^0\d May \d\d:00 UTC$/.test(now),
    );
    assert.match(await page.frame.locator('.chart-value').first().innerText(), /^2\d,\d00/);
    const forecast = page.frame.locator('.chart-series', { hasText: 'Residual forecast' });
    await forecast.click();
    await page.frame.locator('.chart-series[aria-pressed=false]', { hasText: 'Residual forecast' }).waitFor();
    await until(
      'one series less',
      () => page.chartWords('Residual demand'),
      words => !words.includes('Residual forecast'),
    );
    await forecast.click();
    await page.chartWords('Residual forecast');
  });

  it('gives the chart one axis per unit, two at most, and counts its gaps', async () => {
    await button('Columns').click();
    await column('Renewable share');
    await column('OCGT');
    await page.chartWords(/OCGT, MW: .* 16 gaps\./);
    await page.chartWords('Renewable share, %: first 10.00');
    await column('price');
    await page.frame.getByText('Not drawn: price. A chart has at most two units.').waitFor();
    for (const label of ['price', 'OCGT', 'Renewable share']) await column(label);
    await page.press('Escape');
  });

  it('moves and resizes the chart window in the strip below', async () => {
    const strip = page.frame.locator('.chart-brush-window');
    const text = (): Promise<string | null> => strip.getAttribute('aria-valuetext');
    assert.equal(await text(), '01 May 00:00 UTC to 08 May 00:00 UTC');
    await strip.focus();
    await page.press('Shift+ArrowLeft', 'Shift+ArrowLeft', 'ArrowRight');
    const keyed = await until('a window of its own', text, now => now?.startsWith('01 May 13') === true);
    await drag(page.frame.locator('.chart-brush-handle.start'), 0.5, 30);
    await until('a later start', text, now => now !== keyed);
  });

  it('limits the table to the range of the chart, and selects it in the table', async () => {
    await button('Zoom In').click();
    await button('Select Chart Range in Table').click();
    const footer = await page.footer('selected');
    const rows = Number(/ (\d+) × 12 selected/.exec(footer)?.[1]);
    assert.ok(rows > 10 && rows < 160, footer);
    await page.tab('chart');
    await page.chartWords(new RegExp(`Selected in the table: .*, ${rows} hours`));
    await page.tab('table');
    await page.more('Limit to Chart Range');
    await page.footer(`${rows} of 168 rows`);
    await page.more('Limit to Chart Range');
    await page.footer('168 rows');
    await page.tab('chart');
    await reset();
  });

  it('draws the generation mix with its total, and ramps by direction', async () => {
    await mode('Generation Mix');
    await plot().focus();
    await page.press('Home', 'ArrowRight');
    await page.said('01 May 01:00 UTC: Thermal 18,000');
    await page.said(/(Total generation and net import|Sum of the values shown) 2\d,\d+(\.\d+)? MW/);
    assert.match(await page.frame.locator('.chart-total').innerText(), /2\d,\d+/);
    await page.chartWords('Generation is incomplete at 16 hours');
    await mode('OCGT Ramps');
    await plot().focus();
    await page.press('Home', 'ArrowRight');
    await page.said(/OCGT ramp 100 MW, up/);
    await mode('Lines');
  });

  it('saves the chart as PNG and SVG, and copies it as an image', async () => {
    for (const [name, file] of [
      ['Save as PNG', `${pictured}.png`],
      ['Save as SVG', `${pictured}.svg`],
    ] as const) {
      await button(name).click();
      await until(
        'the name of the file',
        () => workbench.quickInput.valueNow(),
        value => value.endsWith(`/${file}`),
      );
      await acceptFile(workbench);
      await workbench.notifications.waitFor(`Saved ${file}.`);
    }
    const [png, svg] = await Promise.all(
      [`${pictured}.png`, `${pictured}.svg`].map(name => readFile(join(workbench.folder, name))),
    );
    assert.equal(png?.subarray(1, 4).toString('latin1'), 'PNG');
    assert.match(svg?.toString() ?? '', /^<svg[^]*Residual demand[^]*<\/svg>\s*$/);
    await button('Copy as Picture').click();
    await page.said('Copied the chart as a picture.');
    const types = await workbench.page.evaluate<string[]>(
      'navigator.clipboard.read().then(items => items.flatMap(({ types }) => types))',
    );
    assert.deepEqual(types, ['image/png']);
  });

  it('shows the statistics of the charted rows, and which rows they cover', async () => {
    await page.tab('table');
    await page.columnMenu('Residual demand', 'Show Statistics');
    const statistics = page.frame.locator('.statistics');
    await statistics.getByText('Over all 168 rows · 01 May 00:00 – 08 May 00:00 UTC').waitFor();
    const row = (label: string): Promise<string[]> =>
      statistics.locator('.statistics-table tr', { hasText: label }).first().locator('td').allInnerTexts();
    /** The figures of one column after the other are there. */
    const figures = (label: string): Promise<string[]> =>
      until(
        `the figures of ${label}`,
        async () => (await row(label)).map(plain),
        ([count]) => count !== undefined && count !== '',
      );
    const demand = await figures('Residual demand');
    assert.deepEqual(demand.slice(0, 3), ['21,150', '20,000', '22,300']);
    assert.deepEqual(demand.slice(4, 6), ['168', '0']);
    assert.equal(demand[7], '21,150');
    assert.equal(demand[10], '01 May 00:00 ×7');
    assert.deepEqual((await figures('OCGT')).slice(4, 6), ['152', '16 null']);
    for (const words of [
      /^Histogram of Residual demand: 168 rows in \d+ bins/,
      /^Daily profile of Residual demand, mean by hour of day in UTC: least 20,000 MW at 00:00, most 22,300 MW at 23:00/,
      /^Load-duration curve of Residual demand: at most 22,300 MW/,
    ])
      await statistics.getByRole('img', { name: words }).last().waitFor();
    await page.tab('table');
    await page.columnMenu('Residual demand', 'Filter…');
    await page.frame.locator('input[data-filter=residual_demand_mw]').fill('<20500');
    await page.tab('statistics');
    await statistics.getByText('Over 35 of 168 rows (1 filter)').waitFor();
  });

  it('draws daily values as steps up to the end of the last, as UTC days in every time zone', async () => {
    await runSystemState(workbench, week, '1d');
    page = new ResultPage(await tableOf(workbench, titleOf('daily (UTC)')));
    await page.frame.locator('[data-zone="Africa/Johannesburg"]').click();
    await page.tab('chart');
    await page.chartWords('Shown: 01 May UTC to 08 May UTC.');
  });

  it('names the band of a stress value in the chart', async () => {
    const { quickInput } = workbench;
    await enterRange(workbench, week, 'Grid Data: Query Grid Stress…');
    await quickInput.pick('1h');
    page = new ResultPage(await tableOf(workbench, `Grid stress · ${week} · hourly`));
    assert.equal(await (await page.cellUnder('Stress', 3)).getAttribute('data-badge'), 'critical');
    const marks = await page.frame.evaluate<string[]>(
      `['low', 'moderate', 'high', 'critical'].map(tone =>
        getComputedStyle(document.querySelector('[data-tone=' + tone + ']'), '::after').borderLeftColor)`,
    );
    assert.equal(new Set(marks).size, 4, marks.join());
    await page.tab('chart');
    await page.chartWords('Stress');
    await plot().focus();
    for (const [key, band] of [
      ['Home', '0.2, low'],
      ['ArrowRight', '0.4, moderate'],
      ['ArrowRight', '0.7, high'],
      ['ArrowRight', '0.9, critical'],
    ] as const) {
      await page.press(key);
      await page.said(`Stress ${band}`);
    }
  });

  function plain(text: string): string {
    return text.replaceAll(/\s+/g, ' ').trim();
  }
});
