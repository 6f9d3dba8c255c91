import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { TimeWindow } from '../../src/presentation/chart/chartModel.ts';
import { until } from '../support/until.ts';
import { useSharedPages } from './useHarness.ts';
import { onChart } from './harness.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 4, 1);
const utc = { timeZone: 'UTC', label: 'UTC' };
const lines = ['residual_demand_mw', 'residual_forecast_mw', 'wind_mw', 'pv_mw', 'renewable_share_pct'];

describe('the chart', () => {
  let page: Page;
  useSharedPages('chart', newPage => (page = newPage));

  const plot = () => page.locator('.chart-plot');
  const time = () => page.locator('.chart-time').innerText();
  const legend = (name: string) => page.locator('.chart-series', { hasText: name });
  /** Waits for the summary of the chart, which is written, and reported to the host, once the chart is idle. */
  const waitForSummary = (description: string, accept: (text: string) => boolean) =>
    until(description, () => page.locator('.chart-summary').innerText(), accept);
  const waitForAnnouncement = (pattern: RegExp) =>
    until(
      `the announcement ${pattern}`,
      () => onChart(page, 'announced'),
      messages => pattern.test(messages.at(-1) ?? ''),
    );
  const waitForZoom = (description: string, accept: (zoom: TimeWindow) => boolean) =>
    until(
      description,
      async () => (await onChart(page, 'zooms')).at(-1),
      zoom => Boolean(zoom && accept(zoom)),
    );
  const waitForWholeRange = () =>
    until(
      'the whole range',
      async () => (await onChart(page, 'zooms')).at(-1),
      zoom => zoom === null,
    );
  const countHours = ({ start, end }: TimeWindow) => (end - start) / hourMs;
  const isFocused = async (selector: string) => (await page.locator(`${selector}:focus`).count()) === 1;
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** Presses a key on the plot many times in one task, so that the chart does not become idle in between. */
  const pressAtOnce = (key: string, times: number, ctrlKey = false) =>
    page.evaluate(`for (let press = 0; press < ${times}; press++) {
      const event = new KeyboardEvent('keydown', { key: '${key}', ctrlKey: ${ctrlKey}, bubbles: true, cancelable: true });
      document.querySelector('.chart-plot').dispatchEvent(event);
    }`);

  it("reads the chart's points by keyboard, with times in the selected time zone", async () => {
    await onChart(page, 'show', { frame: 'week' });
    await page.keyboard.press('Tab');
    while (!(await isFocused('.chart-plot'))) await page.keyboard.press('Tab');
    await press('ArrowRight');
    assert.equal(await time(), "01 May 02:00 SAST, Workers' Day");
    await press('ArrowRight', 'ArrowRight', 'ArrowLeft');
    assert.equal(await time(), "01 May 03:00 SAST, Workers' Day");
    await press('PageDown');
    assert.equal(await time(), '02 May 03:00 SAST');
    await press('End');
    assert.equal(await time(), '08 May 01:00 SAST');
    await press('Home');
    assert.equal(await time(), "01 May 02:00 SAST, Workers' Day");
    await waitForAnnouncement(
      /^01 May 02:00 SAST, Workers' Day: Residual demand [\d,.]+ MW, Residual forecast [\d,.]+ MW$/,
    );
    await press('Escape');
    assert.equal(await time(), 'SAST (UTC+2)');
  });

  it('announces only the last of many keyboard steps', async () => {
    await onChart(page, 'show', { frame: 'week' });
    await plot().focus();
    await press('Home');
    await waitForAnnouncement(/^01 May 02:00 SAST/);
    const previousCount = (await onChart(page, 'announced')).length;
    await pressAtOnce('ArrowRight', 12);
    const announcements = await waitForAnnouncement(/^01 May 14:00 SAST/);
    assert.equal(announcements.length, previousCount + 1);
  });

  it('skips missing hours, and announces points without a value', async () => {
    await onChart(page, 'show', { frame: 'week', zone: utc });
    await plot().focus();
    await press('Home');
    for (let day = 0; day < 4; day++) await press('PageDown');
    assert.equal(await time(), '05 May 00:00 UTC');
    for (let hour = 0; hour < 4; hour++) await press('ArrowRight');
    assert.equal(await time(), '05 May 11:00 UTC', 'hours 100 to 106 are skipped');
    await press('PageUp', 'PageUp', 'PageUp', ...Array.from({ length: 6 }, () => 'ArrowRight'));
    assert.equal(await time(), '02 May 17:00 UTC');
    assert.match(await page.locator('.chart-legend').innerText(), /no value/);
    await waitForSummary('two gaps', text => /Residual demand, MW: first .* 2 gaps\./.test(text));
  });

  it('zooms, pans and resets the chart by keyboard, and reports the range to the host after a pause', async () => {
    await onChart(page, 'show', { frame: 'week', zone: utc });
    await plot().focus();
    await press('+');
    const zoom = await waitForZoom('half of the range', range => countHours(range) === 83.5);
    assert.deepEqual((await onChart(page, 'options')).at(-1)?.zoom, zoom);
    await pressAtOnce('ArrowRight', 2, true);
    await waitForZoom('later hours', range => range.start > (zoom?.start ?? Infinity));
    await press('0');
    await waitForWholeRange();
    assert.equal(
      (await onChart(page, 'zooms')).length,
      4,
      'one report of the whole range, one of each zoom, and a single report of two presses at once',
    );
    assert.equal((await onChart(page, 'options')).at(-1)?.zoom, undefined);
  });

  it('hides the crosshair while its point is outside the window, and restores it', async () => {
    await onChart(page, 'show', { frame: 'week', zone: utc });
    const crosshair = page.locator('.chart-crosshair');
    await plot().focus();
    await press('Home', 'PageDown', '+');
    await waitForZoom('half of the range', range => countHours(range) === 83.5);
    assert.equal(await crosshair.isVisible(), true);
    await pressAtOnce('ArrowRight', 10, true);
    // The crosshair must not be at the edge of the visible range.
    await crosshair.waitFor({ state: 'hidden' });
    await press('0');
    await crosshair.waitFor();
    assert.equal(await time(), '02 May 00:00 UTC');
    await press('Escape');
    await crosshair.waitFor({ state: 'hidden' });
  });

  it('zooms by dragging, pans with Shift, resets by double-click and by button', async () => {
    await onChart(page, 'show', { frame: 'week', zone: utc });
    const box = await page.locator('.chart-area').boundingBox();
    assert.ok(box);
    const drag = async (from: number, to: number) => {
      await page.mouse.move(box.x + box.width * from, box.y + 80);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * to, box.y + 90, { steps: 6 });
      await page.mouse.up();
    };
    const isNear = (time: number, hour: number) => Math.abs(time - start - hour * hourMs) < hourMs;
    await drag(0.25, 0.75);
    const zoom = await waitForZoom('the middle half', range => isNear(range.start, 41.75) && isNear(range.end, 125.25));
    await page.keyboard.down('Shift');
    await drag(0.6, 0.5);
    await page.keyboard.up('Shift');
    await waitForZoom('a tenth later', range => Math.abs(range.start - (zoom?.start ?? NaN) - 8.35 * hourMs) < hourMs);
    await page.mouse.dblclick(box.x + 100, box.y + 100);
    await waitForWholeRange();
    await page.mouse.move(box.x + box.width / 2, box.y + 50);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -400);
    await page.keyboard.up('Control');
    await waitForZoom('fewer hours by the wheel', range => countHours(range) < 120);
    await page.getByRole('button', { name: 'Show Whole Range' }).click();
    await waitForWholeRange();
  });

  it('shows every value at the pointer, snapped to a point', async () => {
    await onChart(page, 'show', { frame: 'week', zone: utc, options: { columns: lines } });
    const box = await page.locator('.chart-area').boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width * 0.5 + 1, box.y + 60);
    assert.equal(await time(), '04 May 12:00 UTC');
    const values = await page.locator('.chart-value').allInnerTexts();
    assert.equal(values.length, lines.length);
    // Power is shown in whole MW, and a share to tenths.
    assert.match(values.join(' | '), /^([\d,]+ \| ){4}\d+\.\d$/);
    await page.mouse.move(5, 5);
    assert.equal(await time(), 'UTC');
  });

  it('toggles series by their buttons', async () => {
    await onChart(page, 'show', { frame: 'week' });
    const button = legend('Residual forecast');
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    await button.focus();
    await press('Enter');
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
    assert.ok(await isFocused('[data-column=residual_forecast_mw]'));
    assert.deepEqual((await onChart(page, 'options')).at(-1)?.hidden, ['residual_forecast_mw']);
    await waitForSummary('one series', text => /Residual demand/.test(text) && !text.includes('Residual forecast'));
    await press('Space');
    assert.deepEqual((await onChart(page, 'options')).at(-1)?.hidden, []);
  });

  it('selects chart columns, and rejects a third unit with a message', async () => {
    await onChart(page, 'show', { frame: 'threeUnits' });
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: /Renewable share/ }).check();
    assert.equal(await page.locator('.chart-notice').innerText(), '');
    await page.getByRole('checkbox', { name: /Voltage/ }).check();
    const sentence = await page.locator('.chart-notice').innerText();
    assert.equal(sentence, 'Not drawn: Voltage. A chart has at most two units.');
    await press('Escape');
    assert.equal(await page.getByRole('checkbox').count(), 0);
    assert.ok(await isFocused('.chart-picker button'));
  });

  it('offers only the chart modes that the result has columns for', async () => {
    await onChart(page, 'show', { frame: 'week' });
    const names = () => page.getByRole('group', { name: 'Kind of chart' }).getByRole('button').allInnerTexts();
    assert.deepEqual(await names(), ['Lines', 'Generation Mix', 'OCGT Ramps', 'More Charts']);
    await page.getByRole('button', { name: 'Generation Mix' }).click();
    assert.equal((await onChart(page, 'options')).at(-1)?.mode, 'mix');
    assert.equal(await page.locator('.chart-series').count(), 8);
    await onChart(page, 'show', { frame: 'stress' });
    assert.deepEqual(await names(), ['Lines', 'Stress', 'More Charts']);
  });

  it('moves and resizes the window of the chart strip by keyboard and mouse', async () => {
    await onChart(page, 'show', { frame: 'week', zone: utc });
    const strip = page.getByRole('slider');
    await strip.focus();
    await press('Shift+ArrowLeft', 'Shift+ArrowLeft');
    assert.equal(await strip.getAttribute('aria-valuetext'), '01 May 00:00 UTC to 06 May 15:16 UTC');
    await press('End');
    assert.match((await strip.getAttribute('aria-valuetext')) ?? '', /to 07 May 23:00 UTC$/);
    await press('0');
    assert.equal(await strip.getAttribute('aria-valuetext'), '01 May 00:00 UTC to 07 May 23:00 UTC');
    const box = await page.locator('.chart-brush').boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width - 4, box.y + 15);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 15, { steps: 5 });
    await page.mouse.up();
    await waitForZoom('half of the range', range => Math.abs(countHours(range) - 83.5) < 2);
    await page.mouse.move(box.x + box.width / 4, box.y + 15);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 15, { steps: 5 });
    await page.mouse.up();
    await waitForZoom('a quarter later', range => Math.abs(range.start - start - 41.75 * hourMs) < 2 * hourMs);
  });

  it("changes the chart's time zone at once, and keeps daily values in UTC days", async () => {
    await onChart(page, 'show', { frame: 'autumn', zone: utc });
    await onChart(page, 'setZone', { timeZone: 'Europe/Berlin', label: 'Europe/Berlin' });
    assert.equal(await time(), 'Europe/Berlin');
    assert.match(await onChart(page, 'svg'), /Hour beginning, Europe\/Berlin/);
    await onChart(page, 'show', { frame: 'daily' });
    assert.match(await onChart(page, 'svg'), /Days of UTC/);
    await waitForSummary('all days up to the end of the last', text =>
      text.startsWith('Shown: 01 May UTC to 30 Jun UTC.'),
    );
    await plot().focus();
    await press('ArrowRight');
    assert.equal(await time(), "01 May UTC, Workers' Day");
  });

  it('explains why there is no chart', async () => {
    const sentences = { none: 'No rows to chart.', untimed: /no times/, texts: /no numbers/ } as const;
    for (const [frame, sentence] of Object.entries(sentences)) {
      await onChart(page, 'show', { frame: frame as keyof typeof sentences });
      assert.match(await page.locator('.chart-message').innerText(), new RegExp(sentence), frame);
      assert.ok(!(await plot().isVisible()));
    }
    await onChart(page, 'show', { frame: 'single' });
    assert.ok(await plot().isVisible());
    assert.ok((await onChart(page, 'colors')) > 5);
  });
});
