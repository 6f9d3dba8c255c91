import assert from 'node:assert/strict';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { askedOf, gridRecords } from './gridHours.ts';
import { pictureFailures } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { addConnection, headerOf, runSystemState, sharedWorkbench, tableOf } from './support.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const titleOf = (range: string, interval = 'hourly'): string => `System state · ${range} · ${interval}`;

describe('coverage and time zones of a result', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;
  let isDown = false;
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const day = (offset: number): string => new Date(today + offset * dayMs).toISOString().slice(0, 10);
  /** The last hour that the late service has, and the one that it never had. */
  const last = (Math.floor(Date.now() / hourMs) - 6) * hourMs;
  const hole = today - 3 * dayMs + 5 * hourMs;
  const recent = `${day(-3)}..${day(1)}`;

  before(async () => {
    service = await startCannedService(({ query }, response) => {
      if (isDown) {
        sendJson(response, 500, { detail: 'boom' });
        return;
      }
      const data = gridRecords(askedOf(query)).filter(({ ts }) => Date.parse(ts) <= last && Date.parse(ts) !== hole);
      const meta = { data_delay: true, last_available: new Date(last).toISOString() };
      const isLate = Date.parse(query.get('end') ?? '') > last;
      sendJson(response, 200, { ...(isLate && { meta }), data });
    });
    workbench = await sharedWorkbench('Coverage');
    await addConnection(workbench, service.baseUrl, 'sb_test_coverage', 'Coverage');
    await workbench.waitTab(titleOf('last 24 hours'));
    await runSystemState(workbench, recent);
    page = new ResultPage(await tableOf(workbench, titleOf(recent)));
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
  });

  const strip = () => page.frame.locator('.coverage[role=slider]');
  /** Waits until the strip says so of all hours; all that it says. */
  const covers = (words: RegExp): Promise<string> =>
    until(
      `the coverage ${words.source}`,
      async () => (await strip().getAttribute('aria-label')) ?? '',
      now => words.test(now),
    );
  const stretch = async (): Promise<string> => (await strip().getAttribute('aria-valuetext')) ?? '';
  const header = (text: string): Promise<string> =>
    until(
      `the header "${text}"`,
      () => headerOf(page.frame),
      now => now.includes(text),
    );
  /** The time in the row of the keyboard. */
  const isAtRow = (text: string): Promise<string> =>
    until(
      `the row "${text}"`,
      () => page.frame.locator('[role=row]:has(:focus)').innerText(),
      now => now.includes(text),
    );

  it('names each interval of the coverage strip, and scrolls to it', async () => {
    await covers(/^\d+ of 120 hours, 1 missing: .* 05:00, data delayed since .*, \d+ not published yet/);
    await header('data delayed; latest');
    await strip().focus();
    await page.press('Home');
    for (const kind of ['present', 'missing', 'present', 'data delayed', 'not published yet']) {
      await until(
        `the stretch “${kind}”`,
        async () => (await stretch()).replace(/^.*UTC: /, '').replace(/,.*$/, ''),
        now => now === kind,
      );
      await page.press('ArrowRight');
    }
    // The missing hour has no row: the next one is shown.
    await page.press('Home', 'ArrowRight', 'Enter');
    await isAtRow('06:00');
    const { width = 0 } = (await strip().boundingBox()) ?? {};
    await strip().click({ position: { x: width * (36.5 / 120), y: 3 } });
    await isAtRow('12:00');
  });

  it('distinguishes why a row is empty when missing intervals are shown', async () => {
    await page.more('Show Missing Intervals');
    const counted = /^(?<received>\d+) of 120 hours, 1 missing/;
    const { received = '' } = counted.exec(await covers(counted))?.groups ?? {};
    await header(`${received} of 120 hours, 1 missing: `);
    // What stands for a missing hour is no row that came.
    await page.footer(`${received} rows · 12 columns · ${120 - Number(received)} hours without a row`);
    await strip().focus();
    for (const [keys, note] of [
      [['Home', 'ArrowRight'], 'missing'],
      [['End', 'ArrowLeft'], 'data delayed'],
      [['End'], 'not published yet'],
    ] as const) {
      await strip().focus();
      await page.press(...keys, 'Enter');
      await isAtRow(note);
    }
    await page.more('Show Missing Intervals');
  });

  it('shows failed hours beside archived ones, and after a reload hours not requested', async () => {
    await runSystemState(workbench, '2023-05');
    await tableOf(workbench, titleOf('2023-05'));
    isDown = true;
    await runSystemState(workbench, '2023-05..2023-06');
    page = new ResultPage(await tableOf(workbench, titleOf('2023-05..2023-06')));
    await header('720 hours failed');
    await covers(/744 of 1,464 hours, 720 failed, all from the archive/);
    await strip().focus();
    await page.press('End');
    await until('the failed hours', stretch, now => now.includes('request failed, 720 hours'));
    await workbench.reload();
    page = new ResultPage(await tableOf(workbench, titleOf('2023-05..2023-06')));
    await header('720 hours not requested: 1 request');
    await covers(/720 not requested/);
    isDown = false;
    await page.frame.locator('[data-action=fetchMissing]').click();
    await header('1,464 rows · 1 request, 744 hours from archive');
    await covers(/1,464 of 1,464 hours, 744 from the archive, 720 from the service/);
  });

  it('shows the same hours in UTC, in SAST and in the local zone, each by its name', async () => {
    const seen = service.seen.length;
    for (const [zone, label, first] of [
      ['America/New_York', 'Hour (America/New_York)', '30 Apr 20:00'],
      ['Africa/Johannesburg', 'Hour (SAST)', '01 May 02:00'],
      ['UTC', 'Hour (UTC)', '01 May 00:00'],
    ] as const) {
      await page.frame.locator(`[data-zone="${zone}"]`).click();
      await page.header(label).waitFor();
      await page.frame.locator('[role=row][aria-rowindex="2"]').getByText(first).waitFor();
    }
    assert.equal(service.seen.length, seen);
  });

  it('shows the received text and both ends of an hour in its tooltip, and the end as a column', async () => {
    await page.frame.locator('[data-zone="Africa/Johannesburg"]').click();
    await page.header('Hour (SAST)').waitFor();
    const tooltip = await until(
      'the tooltip',
      async () => {
        await page.cell(1, 0).hover();
        return (await page.cell(1, 0).getAttribute('title')) ?? '';
      },
      text => text !== '',
    );
    assert.equal(
      tooltip,
      'Received: 2023-05-01T01:00:00Z\nFrom 01 May 2023 03:00 SAST (UTC+2)\nUntil 01 May 2023 04:00 SAST (UTC+2)',
    );
    await page.more('Show Interval End');
    await page.header('Until (SAST)').waitFor();
    await page.reads('Until (SAST)', 1, '01 May 04:00');
    await page.more('Show Interval End');
  });

  it('labels days as UTC days in every time zone', async () => {
    await runSystemState(workbench, '2023-05', '1d');
    page = new ResultPage(await tableOf(workbench, titleOf('2023-05', 'daily (UTC)')));
    await page.frame.locator('[data-zone="America/New_York"]').click();
    await header('America/New_York');
    assert.match((await page.header('Day (UTC)').getAttribute('title')) ?? '', /Days are UTC days, whichever zone/);
    assert.match(await page.cell(0, 0).innerText(), /^01 May/);
    await covers(/31 of 31 days/);
  });
});
