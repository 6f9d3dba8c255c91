import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { addAxe, axeInEachTheme } from './addAxe.ts';
import { expectedValue } from './page/frames.ts';
import type { SummaryFigure } from '../../src/shared/summaryFigures.ts';
import type { StatisticsShown } from './page/statisticsPart.ts';
import { useSharedPages } from './useHarness.ts';
import { onStatistics } from './harness.ts';
import { readCells, readFigures, findStatisticsRow } from './tabContent.ts';
import { resize } from './untilTrue.ts';

const hourMs = 3_600_000;
const utc = { timeZone: 'UTC', label: 'UTC' };

/** Shows a frame, with all digits by default. */
async function show(page: Page, parts: StatisticsShown): Promise<void> {
  await onStatistics(page, 'show', { numbers: 'digits', ...parts });
}

const allFigures: readonly SummaryFigure[] = ['energy', 'mean', 'extremes', 'quantiles', 'gaps'];

describe('statistics view', () => {
  let page: Page;
  useSharedPages('statistics', openedPage => (page = openedPage), { width: 1900, height: 720 });

  it('shows the same statistics as an independent computation', async () => {
    await show(page, { frame: 'week', figures: allFigures });
    const values = Array.from({ length: 168 }, (_, row) => expectedValue(row, 0));
    const minimum = Math.min(...values);
    const figures = await readFigures(page, 'Residual demand');
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    assert.equal(figures['Mean'], mean.toFixed(3));
    assert.deepEqual(
      [figures['Lowest'], figures['Highest']],
      [minimum, Math.max(...values)].map(value => value.toFixed(1)),
    );
    assert.deepEqual([figures['Unit'], figures['Values'], figures['Null'], figures['Absent']], ['MW', '168', '0', '0']);
    // Row 0 is 05:00 UTC of 14 November, 07:00 SAST.
    const minimumTime = new Date(Date.UTC(2026, 10, 14, 7) + values.indexOf(minimum) * 3_600_000).toISOString();
    assert.equal(figures['Lowest at (SAST)'], `${minimumTime.slice(8, 10)} Nov ${minimumTime.slice(11, 16)}`);
    // The duration of a row is unknown, so there is no energy and no share.
    assert.deepEqual(Object.keys(figures), [
      ...['Column', 'Unit', 'Energy', 'Hours', 'Mean', 'Load factor'],
      ...['Lowest', 'Lowest at (SAST)', 'Highest', 'Highest at (SAST)'],
      ...['p5', 'Median', 'p95', 'σ (n − 1)', 'Null', 'Absent', 'Values', 'Field'],
    ]);
    const ocgt = await readFigures(page, 'OCGT');
    assert.deepEqual([ocgt['Values'], ocgt['Null'], ocgt['Absent']], ['166', '1', '1']);
  });

  it('shows the selected figures', async () => {
    await show(page, { frame: 'week', step: hourMs });
    const heads = async () => Object.keys(await readFigures(page, 'Wind'));
    assert.ok((await heads()).includes('Energy') && !(await heads()).includes('Median'));
    await page.getByRole('checkbox', { name: 'Quantiles' }).check();
    await until('the quantiles', heads, names => names.includes('Median'));
    await page.getByRole('checkbox', { name: 'Energy and Share' }).press('Space');
    await until('no energy', heads, names => !names.includes('Energy'));
  });

  it('sums the energy only of power, over the hours with a value', async () => {
    await show(page, { frame: 'week', step: hourMs });
    const values = Array.from({ length: 168 }, (_, row) => Math.round(expectedValue(row, 0) * 10));
    const tenths = values.reduce((sum, value) => sum + value, 0);
    const energy = (tenths / 10).toLocaleString('en', { minimumFractionDigits: 1 });
    assert.ok(tenths > 0 && tenths < 1_000_000);
    const cells = async (label: string) => {
      const { Energy, Hours } = await readFigures(page, label);
      return [Energy, Hours];
    };
    assert.deepEqual(await cells('Residual demand'), [energy, '168']);
    // Row 3 is null, row 4 lacks the field.
    assert.equal((await cells('OCGT'))[1], '166');
    assert.equal((await cells('Forecast error'))[1], '168');
    for (const label of ['OCGT ramp', 'Renewable share']) assert.deepEqual(await cells(label), ['', '']);
    const short = `${Math.round(tenths / 10).toLocaleString('en')} MWh`;
    await page.getByText(`Energy ${short} over 168 h`, { exact: true }).waitFor();
    await page.getByText(`Load-duration curve: area ${short} over 168 h`, { exact: true }).waitFor();
    // Each hour of the day has seven rows.
    const day = `${Math.round(tenths / 70).toLocaleString('en')} MWh`;
    await page.getByText(`Daily profile: mean, p5 to p95; area ${day} a day`, { exact: true }).waitFor();
    await findStatisticsRow(page, 'OCGT ramp').click();
    await page.getByText('Load-duration curve', { exact: true }).waitFor();
    assert.equal(await page.getByText(/^Energy .* over/).count(), 0);
  });

  it('counts 24 hours a day, and shows no energy for rows of unknown length', async () => {
    await show(page, { frame: 'daily', zone: utc, step: 24 * hourMs });
    const tenths = Array.from({ length: 30 }, (_, row) => Math.round(expectedValue(row, 2) * 10));
    const mwh = (tenths.reduce((sum, value) => sum + value, 0) * 24) / 10;
    const { Energy, Hours } = await readFigures(page, 'Thermal');
    assert.deepEqual([Number(Energy?.replaceAll(',', '')), Hours], [mwh, '720']);
    // The cases are hours requested as days, rows without times, and an unknown interval.
    for (const parts of [
      { frame: 'week', step: 24 * hourMs },
      { frame: 'untimed', step: hourMs },
      { frame: 'week' },
    ] as const) {
      await show(page, parts);
      const energy = async () => (await readFigures(page, 'Thermal'))['Energy'];
      await until('no energy', energy, text => text === '');
    }
  });

  it('sorts the statistics by a header, and keeps the selected column', async () => {
    await show(page, { frame: 'week', step: hourMs, chosen: 'wind_mw' });
    const means = async () =>
      (await readCells(page, 5)).flatMap(text => (text === '' ? [] : Number(text.replaceAll(',', ''))));
    const previousMeans = await means();
    await page.getByRole('columnheader', { name: 'Mean' }).click();
    const isAscending = (means: readonly number[]): boolean =>
      means.every((mean, index) => mean >= (means[index - 1] ?? mean));
    assert.equal(isAscending(previousMeans), false);
    await until('the lowest mean first', means, isAscending);
    assert.equal(await page.getByRole('heading', { level: 2 }).innerText(), 'Wind, MW');
    assert.deepEqual(await onStatistics(page, 'chosen'), []);
  });

  it('shows which rows the statistics cover', async () => {
    await show(page, { frame: 'week' });
    await page.getByText('Over all 168 rows · 14 Nov 07:00 – 21 Nov 07:00 SAST').waitFor();
    await show(page, {
      frame: 'week',
      filters: { ts: '00:00-12:00', residual_demand_mw: '!null' },
      chosen: 'eskom_ocgt_mw',
    });
    await page.getByText('Over 84 of 168 rows (2 filters) · 14 Nov 07:00 – 21 Nov 07:00 SAST').waitFor();
    await page
      .getByText('Over 82 rows with a value of 84 shown (2 filters) · 14 Nov 07:00 – 21 Nov 07:00 SAST')
      .waitFor();
  });

  it('selects a statistics column by mouse and by keyboard', async () => {
    await show(page, { frame: 'week' });
    const title = page.getByRole('heading', { level: 2 });
    assert.equal(await title.innerText(), 'Residual demand, MW');
    await findStatisticsRow(page, 'OCGT').click();
    assert.equal(await title.innerText(), 'OCGT, MW');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { level: 2, name: 'Hydro, MW' }).waitFor();
    assert.deepEqual(await onStatistics(page, 'chosen'), ['eskom_ocgt_mw', 'hydro_water_mw']);
    const images = page.locator('.statistics-below').getByRole('img');
    await page.getByRole('img', { name: /^Daily profile of Hydro, mean by hour of day in SAST: lowest / }).waitFor();
    assert.equal(await images.count(), 3);
    const names = await Promise.all((await images.all()).map(image => image.getAttribute('aria-label')));
    assert.match(names[0] ?? '', /^Histogram of Hydro: 168 rows in \d+ bins; the highest count, \d+, is at .+ MW\.$/);
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
    await show(page, { frame: 'gaps', figures: allFigures });
    const emptyFigures = await readFigures(page, 'Residual demand');
    assert.deepEqual(
      ['Energy', 'Mean', 'Lowest', 'Highest', 'Median', 'Values', 'Null'].map(name => emptyFigures[name]),
      ['', '', '', '', '', '0', '48'],
    );
    await page.getByText('The rows shown have no values.').waitFor();
    await findStatisticsRow(page, 'Residual forecast').click();
    await page.getByRole('img', { name: 'Histogram of Residual forecast: 48 rows, all at 42.5 MW.' }).first().waitFor();
    assert.equal((await readFigures(page, 'Residual forecast'))['Lowest at (SAST)'], '14 Nov 07:00');
  });

  it('changes the time zone of every statistics time and of the daily profile', async () => {
    await show(page, { frame: 'week' });
    await page.getByText('Daily profile as a table').click();
    const rows = page.locator('.statistics-below details tbody tr');
    await rows.first().waitFor();
    const inSast = await rows.allInnerTexts();
    const sastFigures = await readFigures(page, 'Residual demand');
    await show(page, { frame: 'week', zone: utc });
    await page.getByRole('img', { name: /mean by hour of day in UTC/ }).waitFor();
    await rows.first().waitFor();
    const inUtc = await rows.allInnerTexts();
    const numbers = (text: string | undefined) => text?.split('\t').slice(1);
    for (let hour = 0; hour < 24; hour++) assert.deepEqual(numbers(inUtc[hour]), numbers(inSast[(hour + 2) % 24]));
    const utcFigures = await readFigures(page, 'Residual demand');
    assert.notEqual(utcFigures['Lowest at (UTC)'], sastFigures['Lowest at (SAST)']);
    assert.deepEqual([utcFigures['Lowest'], utcFigures['Mean']], [sastFigures['Lowest'], sastFigures['Mean']]);
    await page.getByText('Over all 168 rows · 14 Nov 05:00 – 21 Nov 05:00 UTC').waitFor();
  });

  it('counts the repeated hour in the daily profile', async () => {
    await show(page, { frame: 'autumn', chosen: 'pv_mw', zone: { timeZone: 'Europe/Berlin', label: 'Europe/Berlin' } });
    await page.getByText('Daily profile as a table').click();
    const rows = await page.locator('.statistics-below details tbody tr').allInnerTexts();
    // The range from 02:00 on 10 October to 01:00 on 9 November has thirty days, one of them with 25 hours.
    const counts = rows.map(text => Number(text.split('\t')[1]));
    assert.deepEqual(counts, [30, 29, 31, ...Array.from({ length: 21 }, () => 30)]);
  });

  it('summarizes a million rows', async () => {
    await show(page, { frame: 'million' });
    await page.getByText('Over all 1,000,000 rows').waitFor();
    assert.equal((await readFigures(page, 'Residual demand'))['Values'], '1,000,000');
    await show(page, { frame: 'texts' });
    await page.getByText('No numeric columns to show.').waitFor();
  });

  it('scrolls the previously selected column into view', async () => {
    await resize(page, { width: 1100, height: 600 });
    await show(page, { frame: 'week', chosen: 'forecast_error_mw' });
    const row = await findStatisticsRow(page, 'Forecast error').boundingBox();
    const table = await page.locator('.statistics-summary').boundingBox();
    assert.ok(row && table && row.y > table.y && row.y + row.height <= table.y + table.height + 1);
  });

  it('shows the column of the focused row over time on Enter', async () => {
    await show(page, { frame: 'week' });
    await findStatisticsRow(page, 'Wind').click();
    await page.keyboard.press('Enter');
    assert.deepEqual(await onStatistics(page, 'opened'), [{ tab: 'chart', columns: ['wind_mw'] }]);
  });

  it('passes axe-core with statistics in every theme', async () => {
    await show(page, { frame: 'autumn', filters: { pv_mw: '>=0' }, chosen: 'pv_mw' });
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
