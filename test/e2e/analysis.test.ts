import assert from 'node:assert/strict';
import { parse as parseCsv } from 'csv-parse/sync';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { askedOf, gridRecords, type GridRecord } from './gridHours.ts';
import { pictureFailures } from './harness/failures.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { addConnection, runSystemState, sharedWorkbench, tableOf } from './support.ts';

const hourMs = 3_600_000;
const hours = gridRecords({ start: Date.UTC(2023, 4, 1), end: Date.UTC(2023, 5, 1), stepMs: hourMs });
const title = 'System state · 2023-05 · hourly';

/** An hour of South Africa's clocks, and its weekday, 1 to 5 from Monday to Friday. */
const clockOf = ({ ts }: GridRecord): { hour: number; weekday: number } => {
  const there = new Date(Date.parse(ts) + 2 * hourMs);
  return { hour: there.getUTCHours(), weekday: there.getUTCDay() };
};
const demandOf = (record: GridRecord): number => Number(record['residual_demand_mw']);

describe('analysing a result', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;

  before(async () => {
    service = await startCannedService(({ query }, response) =>
      sendJson(response, 200, { data: gridRecords(askedOf(query)) }),
    );
    workbench = await sharedWorkbench('Analysis');
    await addConnection(workbench, service.baseUrl, 'sb_test_analysis_0001', 'Analysis');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, '2023-05');
    page = new ResultPage(await tableOf(workbench, title));
    await page.frame.locator('[data-zone="Africa/Johannesburg"]').click();
    await page.header('Hour (SAST)').waitFor();
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
  });

  const resample = (by: string): Promise<void> =>
    page.chooseIn(() => page.frame.locator('[data-choice=resample]').click(), by);
  const sentence = (text: string): Promise<void> => page.frame.locator('.tab-sentence', { hasText: text }).waitFor();

  it('resamples the hours to days of the zone shown, and exports these', async () => {
    const requests = service.seen.length;
    await resample('Days');
    await page.footer('32 rows');
    const first = hours.slice(0, 22);
    assert.equal(await (await page.cellUnder('Hours', 0)).innerText(), String(first.length));
    await page.frame.locator('[data-action=export]').click();
    for (const label of ['As on Screen', 'CSV', 'Clipboard']) await workbench.quickInput.pick(label);
    await workbench.notifications.waitFor('Copied 32 rows as CSV.');
    const [heading, row]: string[][] = parseCsv(await workbench.clipboard(), { bom: true });
    const mean = first.reduce((sum, record) => sum + demandOf(record), 0) / first.length;
    const place = heading?.indexOf('residual_demand_mw') ?? -1;
    assert.ok(Math.abs(Number(row?.[place]) - mean) < 0.001, `${row?.[place]}, not ${mean}`);
    await resample('As Received');
    await page.footer('744 rows');
    assert.equal(service.seen.length, requests);
  });

  it('keeps the hours of working evenings, by the clocks of the zone shown', async () => {
    await page.columnMenu('Hour (SAST)', 'Filter…');
    await page.frame.locator('[data-filter=ts]').fill('Mon-Fri 17:00-20:00');
    await page.press('Enter');
    const evenings = hours.filter(record => {
      const { hour, weekday } = clockOf(record);
      return weekday >= 1 && weekday <= 5 && hour >= 17 && hour < 20;
    });
    await page.footer(`${evenings.length} of 744 rows`);
    await page.frame.locator('[data-filter=ts]').fill('');
    await page.press('Enter');
    await page.footer('744 rows');
  });

  it('makes a column of two others by a typed formula', async () => {
    await page.more('Add Column…');
    await page.frame.getByRole('textbox', { name: 'Name of the column' }).fill('miss');
    await page.frame.getByRole('combobox', { name: 'Formula' }).fill('residual_demand_mw - residual_forecast_mw');
    await page.press('Enter');
    await page.header('miss').waitFor();
    await page.reads('miss', 0, '-50.25');
  });

  it('lists the runs of hours over a value, and shows one in the chart with a double click', async () => {
    await page.frame.locator('#tab-events').click();
    await page.frame.getByRole('combobox', { name: 'Find' }).selectOption({ label: 'Over a Value' });
    await page.frame.getByRole('combobox', { name: 'Column' }).selectOption({ label: 'Residual demand' });
    await page.frame.getByRole('textbox', { name: 'Value' }).fill('21950');
    const isOver = (record?: GridRecord): boolean => record !== undefined && demandOf(record) > 21_950;
    const runs = hours.filter((record, at) => isOver(record) && !isOver(hours[at - 1]));
    await sentence(`${runs.length} events: runs of hours with Residual demand over 21,950 MW`);
    await page.cell(1, 0).dblclick();
    await page.frame.locator('#tab-chart[aria-selected=true]').waitFor();
    // With the hours around it.
    await page.chartWords(/Shown: 01 May \d\d:00 SAST to 02 May \d\d:00 SAST/);
  });

  it("scores the service's forecast", async () => {
    await page.frame.locator('#tab-forecast').click();
    await sentence('744 of 744 hours have both values.');
    for (const [label, text] of Object.entries({ Bias: '-50.25', MAE: '50.25', RMSE: '50.25' }))
      await page.reads(label, 0, text);
    await page.tab('table');
  });
});
