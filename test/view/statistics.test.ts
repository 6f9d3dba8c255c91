import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../support/waiting.ts';
import { addAxe, axeInEachTheme } from './addAxe.ts';
import { expectedValue } from './page/frames.ts';
import type { StatisticsShown } from './page/statisticsPart.ts';
import { emptiedPages } from './freshPages.ts';
import { onStatistics } from './harness.ts';
import { resize } from './untilTrue.ts';

const hourMs = 3_600_000;
const utc = { timeZone: 'UTC', label: 'UTC' };

/** Shows a frame and waits for all of its columns. */
async function show(page: Page, shown: StatisticsShown): Promise<void> {
  await onStatistics(page, 'show', shown);
  await computed(page);
}

/** Waits for all columns of what is shown. */
async function computed(page: Page): Promise<void> {
  await page.locator('.statistics-table table[aria-busy=false]').waitFor();
  await page.getByText('Computing…').waitFor({ state: 'hidden' });
}

function cellsOf(page: Page, label: string): Promise<string[]> {
  const row = page.locator('.statistics-table tr', { has: page.getByRole('radio', { name: label, exact: true }) });
  return row.locator('td').allInnerTexts();
}

describe('statistics view', () => {
  let page: Page;
  emptiedPages('statistics', opened => (page = opened), { width: 1280, height: 720 });

  it('shows the statistics that a person computes by hand', async () => {
    await show(page, { frame: 'week' });
    const values = Array.from({ length: 168 }, (_, row) => expectedValue(row, 0));
    const least = Math.min(...values);
    const cells = await cellsOf(page, 'Residual demand MW');
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const most = Math.max(...values);
    assert.deepEqual(cells.slice(0, 5), [mean, least, most].map(value => value.toFixed(1)).concat('168', '0'));
    // Row 0 is 05:00 UTC of 14 November, 07:00 SAST.
    const at = new Date(Date.UTC(2026, 10, 14, 7) + values.indexOf(least) * 3_600_000).toISOString();
    assert.equal(cells[9], `${at.slice(8, 10)} Nov ${at.slice(11, 16)}`);
    assert.deepEqual(await page.getByRole('columnheader').allInnerTexts(), [
      ...['Column', 'Mean', 'Min', 'Max', 'Values', 'Missing', 'p5', 'Median', 'p95', 'σ (n − 1)'],
      ...['Min at (SAST)', 'Max at (SAST)', 'Histogram'],
    ]);
    // How quantiles and σ are made is part of the table's name.
    await page
      .getByRole('table', { name: /p5, median, p95: interpolated linearly \(type 7 .*σ: of the sample/ })
      .waitFor();
    assert.deepEqual((await cellsOf(page, 'OCGT MW')).slice(3, 5), ['166', '1 null, 1 absent']);
  });

  it('sums the energy of power over the hours with a value, and of no other unit', async () => {
    await show(page, { frame: 'week', step: hourMs });
    const values = Array.from({ length: 168 }, (_, row) => Math.round(expectedValue(row, 0) * 10));
    const tenths = values.reduce((sum, value) => sum + value, 0);
    const energy = `${(tenths / 10).toLocaleString('en')} MWh`;
    assert.ok(tenths > 0 && tenths < 1_000_000);
    // In the unit of the others of the column, with as many decimals.
    assert.equal((await cellsOf(page, 'Residual demand MW'))[3], `${(tenths / 10_000).toFixed(3)} GWh 168 h`);
    // Row 3 is null, row 4 lacks the field.
    assert.match((await cellsOf(page, 'OCGT MW'))[3] ?? '', /^[\d,]+\.\d{3} GWh 166 h$/);
    assert.match((await cellsOf(page, 'Forecast error MW'))[3] ?? '', /^[\d,]+\.\d{3} GWh 168 h$/);
    for (const label of ['OCGT ramp MW', 'Renewable share %']) assert.equal((await cellsOf(page, label))[3], '');
    await page.getByText(`Energy ${energy} over 168 h`, { exact: true }).waitFor();
    await page.getByText(`Load-duration curve: area ${energy} over 168 h`, { exact: true }).waitFor();
    // All hours of the day have seven rows.
    const day = `${(tenths / 70).toLocaleString('en', { maximumFractionDigits: 3 })} MWh`;
    await page.getByText(`Daily profile: mean, p5 to p95; area ${day} a day`, { exact: true }).waitFor();
    await page.getByRole('radio', { name: 'OCGT ramp MW' }).check();
    await page.getByText('Load-duration curve', { exact: true }).waitFor();
    assert.equal(await page.getByText(/^Energy .* over/).count(), 0);
  });

  it('counts 24 hours a day, and hides the Energy column when no column has energy', async () => {
    await show(page, { frame: 'daily', zone: utc, step: 24 * hourMs });
    const tenths = Array.from({ length: 30 }, (_, row) => Math.round(expectedValue(row, 2) * 10));
    const gwh = (tenths.reduce((sum, value) => sum + value, 0) * 24) / 10_000;
    assert.equal(
      (await cellsOf(page, 'Thermal MW'))[3],
      `${gwh.toLocaleString('en', { minimumFractionDigits: 3, maximumFractionDigits: 3 })} GWh 720 h`,
    );
    const heading = page.getByRole('columnheader', { name: 'Energy' });
    assert.equal(await heading.count(), 1);
    // Hours that are called days, rows without times, and an interval of unknown length.
    for (const shown of [
      { frame: 'week', step: 24 * hourMs },
      { frame: 'untimed', step: hourMs },
      { frame: 'week' },
    ] as const) {
      await show(page, shown);
      await heading.waitFor({ state: 'detached' });
    }
  });

  it('sorts the statistics by a heading, ascending, descending and as they come', async () => {
    await show(page, { frame: 'week', step: hourMs });
    const names = () => page.locator('.statistics-table tbody .statistics-name').allInnerTexts();
    const values = async () => {
      const cells = await page.locator('.statistics-table tbody tr td:nth-child(2)').allInnerTexts();
      // Columns without a value come last.
      return cells.map(text => Number(text.replaceAll(',', ''))).filter(value => !Number.isNaN(value));
    };
    const before = await names();
    const mean = page.getByRole('columnheader', { name: 'Mean' });
    await mean.getByRole('button').click();
    assert.equal(await mean.getAttribute('aria-sort'), 'ascending');
    const ascending = await values();
    assert.deepEqual(
      ascending,
      ascending.toSorted((a, b) => a - b),
    );
    assert.notDeepEqual(await names(), before);
    await mean.getByRole('button').press('Enter');
    assert.deepEqual(await values(), ascending.toReversed());
    await mean.getByRole('button').press('Enter');
    assert.deepEqual(await names(), before);
  });

  it('shows which rows the statistics cover', async () => {
    await show(page, { frame: 'week' });
    await page.getByText('Over all 168 rows · 14 Nov 07:00 – 21 Nov 07:00 SAST').waitFor();
    await show(page, { frame: 'week', every: 2, filterCount: 2, chosen: 'eskom_ocgt_mw' });
    await page.getByText('Over 84 of 168 rows (2 filters) · 14 Nov 07:00 – 21 Nov 06:00 SAST').waitFor();
    await page
      .getByText('Over 83 rows with a value of 84 shown (2 filters) · 14 Nov 07:00 – 21 Nov 06:00 SAST')
      .waitFor();
    await until(
      'the announcement',
      () => onStatistics(page, 'announced'),
      all => /^Statistics computed\. Over 84 of 168 rows/.test(all.at(-1) ?? ''),
    );
  });

  it('selects a statistics column by mouse and by keyboard', async () => {
    await show(page, { frame: 'week' });
    const title = page.getByRole('heading', { level: 2 });
    assert.equal(await title.innerText(), 'Residual demand, MW');
    await page.getByRole('cell', { name: '1 null, 1 absent' }).click();
    assert.equal(await title.innerText(), 'OCGT, MW');
    await page.getByRole('radio', { name: 'OCGT MW' }).focus();
    await page.keyboard.press('ArrowDown');
    assert.equal(await title.innerText(), 'Hydro, MW');
    assert.deepEqual(await onStatistics(page, 'chosen'), ['eskom_ocgt_mw', 'hydro_water_mw']);
    const images = page.locator('.statistics-below').getByRole('img');
    await page.getByRole('img', { name: /^Daily profile of Hydro, mean by hour of day in SAST: least / }).waitFor();
    assert.equal(await images.count(), 3);
    const names = await Promise.all((await images.all()).map(image => image.getAttribute('aria-label')));
    assert.match(names[0] ?? '', /^Histogram of Hydro: 168 rows in \d+ bins; most, \d+, at .+ MW\.$/);
    assert.match(names[2] ?? '', /^Load-duration curve of Hydro: at most .+ MW; .+ MW or more for 5 % of the time/);
  });

  it('shows a duration curve only for power, and no daily profile for daily values', async () => {
    await show(page, { frame: 'week', chosen: 'renewable_share_pct' });
    await page.getByRole('img', { name: /^Daily profile of Renewable share/ }).waitFor();
    assert.equal(await page.locator('.statistics-below').getByRole('img').count(), 2);
    await show(page, { frame: 'daily', zone: utc });
    await page.getByText('It needs hourly data or finer.').waitFor();
    await page.getByText('Over all 30 rows · 01 Nov – 01 Dec UTC').waitFor();
    await show(page, { frame: 'untimed' });
    await page.getByText('No time column.').waitFor();
    await onStatistics(page, 'show', { frame: 'texts' });
    await page.getByText('No numeric columns to show.').waitFor();
  });

  it('shows statistics of columns without a value, and with a single one', async () => {
    await show(page, { frame: 'gaps' });
    assert.deepEqual((await cellsOf(page, 'Residual demand MW')).slice(0, 5), ['–', '–', '–', '0', '48 null']);
    await page.getByText('The rows shown have no values.').waitFor();
    await page.getByRole('radio', { name: 'Residual forecast MW' }).check();
    await page.getByRole('img', { name: 'Histogram of Residual forecast: 48 rows, all at 42.5 MW.' }).first().waitFor();
    assert.match((await cellsOf(page, 'Residual forecast MW'))[9] ?? '', /^14 Nov 07:00\s×48$/);
  });

  it('changes the time zone of every statistics time and of the daily profile', async () => {
    await show(page, { frame: 'week' });
    await page.getByText('Daily profile as a table').click();
    const rows = page.locator('.statistics-below details tbody tr');
    await rows.first().waitFor();
    const inSast = await rows.allInnerTexts();
    const before = await cellsOf(page, 'Residual demand MW');
    await onStatistics(page, 'show', { frame: 'week', zone: utc });
    await page.getByRole('img', { name: /mean by hour of day in UTC/ }).waitFor();
    await rows.first().waitFor();
    const inUtc = await rows.allInnerTexts();
    const numbers = (text: string | undefined) => text?.split('\t').slice(1);
    for (let hour = 0; hour < 24; hour++) assert.deepEqual(numbers(inUtc[hour]), numbers(inSast[(hour + 2) % 24]));
    const after = await cellsOf(page, 'Residual demand MW');
    assert.notEqual(after[9], before[9]);
    assert.deepEqual(after.toSpliced(9, 2), before.toSpliced(9, 2));
    await page.getByText('Over all 168 rows · 14 Nov 05:00 – 21 Nov 05:00 UTC').waitFor();
  });

  it('counts the repeated hour in the daily profile', async () => {
    await show(page, { frame: 'autumn', chosen: 'pv_mw', zone: { timeZone: 'Europe/Berlin', label: 'Europe/Berlin' } });
    await page.getByText('Daily profile as a table').click();
    const rows = await page.locator('.statistics-below details tbody tr').allInnerTexts();
    // From 02:00 on 10 October to 01:00 on 9 November: thirty days, one of which has 25 hours.
    const counts = rows.map(text => Number(text.split('\t')[1]));
    assert.deepEqual(counts, [30, 29, 31, ...Array.from({ length: 21 }, () => 30)]);
  });

  it('stops computing statistics when other rows are shown, and when nothing is left to compute', async () => {
    /** Shows a million rows, and others after one turn of that work: it has begun, and cannot be done. */
    const interrupt = (frame: 'week' | 'texts') =>
      page.evaluate<string>(`(async () => {
        window.mounted.show({ frame: 'million' });
        const { ariaBusy } = document.querySelector('.statistics-table table');
        const said = document.querySelector('.statistics-progress').textContent + ', busy: ' + ariaBusy;
        await scheduler.postTask(() => {}, { priority: 'background' });
        window.mounted.show({ frame: '${frame}' });
        return said;
      })()`);
    assert.equal(await interrupt('week'), 'Computing: 0 of 25 columns, busy: true');
    await computed(page);
    await page.getByText('Over all 168 rows').waitFor();
    // All columns are drawn a turn before the work ends.
    const saidOnce = (all: readonly string[]): boolean => all.length === 1;
    await until('the announcement', () => onStatistics(page, 'announced'), saidOnce);
    await interrupt('texts');
    // Work that went on would have had its turns.
    await page.evaluate(`(async () => {
      for (let turn = 0; turn < 100; turn++) await scheduler.postTask(() => {}, { priority: 'background' });
    })()`);
    assert.equal((await onStatistics(page, 'announced')).length, 1);
    assert.equal(await page.locator('.statistics > *').innerText(), 'No numeric columns to show.');
  });

  it('scrolls the previously selected column into view', async () => {
    await resize(page, { width: 1100, height: 600 });
    await show(page, { frame: 'week', chosen: 'forecast_error_mw' });
    const row = await page.locator('.statistics-table tr.chosen').boundingBox();
    const table = await page.locator('.statistics-table').boundingBox();
    assert.ok(row && table && row.y > table.y + 48 && row.y + row.height <= table.y + table.height + 1);
  });

  it('copies a statistics cell by selecting its text', async () => {
    await show(page, { frame: 'week' });
    const cell = page.locator('.statistics-table tr', { hasText: 'Wind' }).locator('td').nth(5);
    await cell.dblclick();
    assert.equal(await page.evaluate('document.getSelection().toString()'), await cell.innerText());
  });

  it('passes axe-core with statistics in every theme', async () => {
    await show(page, { frame: 'autumn', filterCount: 1, chosen: 'pv_mw' });
    await page.getByRole('img', { name: /^Daily profile of PV/ }).waitFor();
    assert.deepEqual(await axeInEachTheme(page, rules => onStatistics(page, 'axe', rules)), []);
  });

  it('keeps the statistics usable at a width of 400 pixels', async () => {
    await resize(page, { width: 400, height: 600 });
    await addAxe(page);
    await show(page, { frame: 'week', chosen: 'wind_mw' });
    await page.getByRole('img', { name: /^Daily profile of Wind/ }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'), 0);
    assert.deepEqual(await onStatistics(page, 'axe'), []);
    await page.getByRole('img', { name: /^Load-duration/ }).scrollIntoViewIfNeeded();
  });
});
