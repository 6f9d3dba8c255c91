import assert from 'node:assert/strict';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { askedOf, gridRecords } from './gridHours.ts';
import { endsAfter } from './harness/failures.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { addConnection, enterRange, headerOf, setWorkspaceSettings, sharedWorkbench, tableOf } from './support.ts';

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
  endsAfter(() => [workbench, service]);

  it("offers days of the zone before the service's UTC days, each with its meaning and its requests", async () => {
    const { quickInput } = workbench;
    const asked = service.seen.length;
    await enterRange(workbench, '2023-05');
    const items = await quickInput.waitItem('1 request · 30 Apr');
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
    await page.reads('Day (SAST)', 0, '01 May');
    assert.match(await headerOf(page.frame), /days of SAST · 31 rows · 3 May: 21 of 24 h/);
  });

  it('compares days with those of another period, under the strip of their own', async () => {
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
});
