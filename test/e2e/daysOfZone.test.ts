import assert from 'node:assert/strict';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { askedOf, gridRecords } from './gridHours.ts';
import { pictureFailures } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import {
  addConnection,
  enterRange,
  headerOf,
  runSystemState,
  setWorkspaceSettings,
  sharedWorkbench,
  tableOf,
} from './support.ts';

const title = 'System state · 2023-05 · days of SAST';
/** Hours that the service never had: three of 3 May in SAST. */
const holes = ['2023-05-03T02:00:00Z', '2023-05-03T03:00:00Z', '2023-05-03T04:00:00Z'];

describe('daily values where the zone is not UTC', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;

  before(async () => {
    service = await startCannedService(({ query }, response) =>
      sendJson(response, 200, { data: gridRecords(askedOf(query)).filter(({ ts }) => !holes.includes(ts)) }),
    );
    workbench = await sharedWorkbench('Days');
    await setWorkspaceSettings(workbench, { 'gridData.timeZone': 'SAST' });
    await addConnection(workbench, service.baseUrl, 'sb_test_days', 'Days');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
  });

  /** Goes to the step of the interval; what it offers. */
  const intervalsFor = async (range: string, wanted: string): Promise<string[]> => {
    await enterRange(workbench, range);
    return workbench.quickInput.waitItem(wanted);
  };

  it("offers days of the zone before the service's UTC days, each with its meaning and its requests", async () => {
    const { quickInput } = workbench;
    const asked = service.seen.length;
    const items = await intervalsFor('2023-05', '1 request · 30 Apr');
    assert.match(items[1] ?? '', /^1d@SAST.*days of SAST, made from hours/);
    assert.match(
      items[1] ?? '',
      /1 request · 1–31 May 2023 SAST · 30 Apr 2023 22:00 – 31 May 2023 22:00 UTC · 31 days/,
    );
    assert.match(items[2] ?? '', /^1d.*days of UTC, as the service makes them/);
    assert.equal(service.seen.length, asked);
    await quickInput.type('daily');
    await quickInput.waitItem('1d@SAST');
    await quickInput.accept();
    page = new ResultPage(await tableOf(workbench, title));
    assert.equal(service.seen.length, asked + 1);
  });

  it('shows exactly the days of the month, each with the number of its hours', async () => {
    await page.reads('Day (SAST)', 0, '01 May');
    assert.deepEqual((await page.headers()).slice(0, 4), ['Day (SAST)', 'Hours', 'Of hours', 'Residual demand']);
    const header = await headerOf(page.frame);
    assert.match(header, /1 May 2023 00:00 – 1 Jun 2023 00:00 SAST/);
    assert.match(header, /days of SAST · 31 rows · 3 May: 21 of 24 h/);
    await page.reads('Hours', 0, '24');
    await page.reads('Hours', 2, '21');
    // The three hours had 20,200 to 20,400 MW of 20,000 to 22,300.
    await page.reads('Residual demand', 0, '21,150.000');
    await page.reads('Residual demand', 2, '21,271.429');
    const covered = /31 of 31 days, 1 with some of their hours: 3 May 21 of 24 h/;
    await page.frame.getByRole('slider', { name: covered }).waitFor();
    await page.footer('31 rows');
  });

  it('computes energy from the hours of each day, in a selection and in the statistics', async () => {
    await (await page.cellUnder('Thermal', 1)).click();
    await page.press('Shift+ArrowDown');
    // 24 hours of 2 May, 21 of 3 May.
    await page.footer('energy 810 GWh over 45 h');
    await page.tab('statistics');
    // 18,000 MW over 741 hours of 744.
    const thermal = page.frame.locator('tr').filter({ has: page.frame.getByText('Thermal', { exact: true }) });
    await thermal.getByText('741 h').waitFor();
    assert.match(await thermal.innerText(), /13,338(?:\.0+)? GWh\s*741 h/);
    await page.tab('table');
  });

  it('keeps the days of the zone they were made for when another zone is shown', async () => {
    await page.frame.locator('[data-zone="UTC"]').click();
    await page.frame.locator('[data-zone="UTC"][aria-checked=true]').waitFor();
    await page.header('Day (SAST)').waitFor();
    await page.reads('Day (SAST)', 0, '01 May');
    assert.match(await headerOf(page.frame), /days of SAST/);
    await page.tab('chart');
    await page.chartWords('Shown: 01 May SAST to 01 Jun SAST.');
    await page.tab('table');
    await page.frame.locator('[data-zone="Africa/Johannesburg"]').click();
  });

  it('compares days with those of another period, under the strip of their own', async () => {
    // The cell with the focus is brought into sight: the first one keeps the beginning there.
    await page.cell(0, 0).click();
    await page.more('Compare With…');
    await workbench.quickInput.waitItem('previous period');
    await workbench.quickInput.pick('previous period');
    page = new ResultPage(await tableOf(workbench, title));
    await page.header('Day, previous period (SAST)').waitFor();
    // Its columns lie in more buffers than VS Code carries in one message.
    const strip = page.frame.getByRole('slider', { name: /^31 of 31 days, 1 with some of their hours: 3 May/ });
    await strip.waitFor();
    await page.more('End Comparison');
    await page.header('Day, previous period (SAST)').waitFor({ state: 'detached' });
  });

  it('steps by whole periods, with no request where the archive has the hours', async () => {
    const { quickInput } = workbench;
    const asked = service.seen.length;
    const items = await intervalsFor('2023-05-02..2023-05-04', '1 request · ');
    assert.match(items.find(item => item.startsWith('1h')) ?? '', /0 requests/);
    assert.match(items.find(item => item.startsWith('1d@SAST')) ?? '', /0 requests · 2–4 May 2023 SAST/);
    assert.match(items.find(item => /^1d\b(?!@)/.test(item)) ?? '', /1 request/);
    await quickInput.pick('1d@SAST');
    page = new ResultPage(await tableOf(workbench, 'System state · 2023-05-02..2023-05-04 · days of SAST'));
    assert.equal(service.seen.length, asked);
    await page.frame.locator('[data-action=nextPeriod]').click();
    page = new ResultPage(await tableOf(workbench, 'System state · 2023-05-05..2023-05-07 · days of SAST'));
    await page.footer('3 rows');
    await page.reads('Day (SAST)', 0, '05 May');
  });

  it("keeps the service's UTC days for the interval 1d, with how many hours each has where that is known", async () => {
    const hoursAre = async (...hours: string[]): Promise<void> => {
      for (const [row, text] of hours.entries()) await page.reads('Hours', row, text);
    };
    await runSystemState(workbench, '2023-05-02..2023-05-04', '1d');
    page = new ResultPage(await tableOf(workbench, 'System state · 2023-05-02..2023-05-04 · daily (UTC)'));
    await page.header('Day (UTC)').waitFor();
    assert.match(await headerOf(page.frame), /daily \(UTC\).*3 May: 21 of 24 h/);
    assert.deepEqual((await page.headers()).slice(0, 4), ['Day (UTC)', 'Hours', 'Of hours', 'Residual demand']);
    // 2 May of SAST begins on 1 May of UTC.
    await hoursAre('24', '24', '21');
    // The archive has May of SAST, which ends two hours before that of UTC does.
    await runSystemState(workbench, '2023-05-31..2023-06-01', '1d');
    page = new ResultPage(await tableOf(workbench, 'System state · 2023-05-31..2023-06-01 · daily (UTC)'));
    await page.header('Day (UTC)').waitFor();
    await hoursAre('24', '', '');
    await page.reads('Of hours', 2, '');
  });

  it("exports and copies the service's own days as the days of UTC that they are on screen", async () => {
    await runSystemState(workbench, '2023-05-10..2023-05-11', '1d');
    page = new ResultPage(await tableOf(workbench, 'System state · 2023-05-10..2023-05-11 · daily (UTC)'));
    assert.equal((await page.headers())[0], 'Day (UTC)');
    const days = /^ts[^\n]*\n2023-05-09T00:00:00Z[^]*\n2023-05-11T00:00:00Z/;
    await page.cell(0, 0).click();
    await page.press('Control+a', 'Control+Shift+c');
    await until(
      'the copied rows',
      () => workbench.clipboard(),
      text => days.test(text),
    );
    await page.frame.locator('[data-action=export]').click();
    const [item] = await workbench.quickInput.waitItem('As on Screen');
    assert.match(item ?? '', /times in UTC/);
    for (const choice of ['As on Screen', 'CSV', 'Clipboard']) await workbench.quickInput.pick(choice);
    await workbench.notifications.waitFor('as CSV.');
    assert.match(await workbench.clipboard(), days);
  });
});
