import assert from 'node:assert/strict';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { parseRequestedRange, createGridRecords } from './gridHours.ts';
import { disposeAfter } from './harness/failures.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import {
  addConnection,
  enterRange,
  readHeader,
  setWorkspaceSettings,
  getSharedWorkbench,
  waitForTable,
} from './support.ts';

const title = 'System state · 2023-05 · days of SAST';
/** Hours that the service does not have: three of 3 May in SAST. */
const missingHours = ['2023-05-03T02:00:00Z', '2023-05-03T03:00:00Z', '2023-05-03T04:00:00Z'];

describe('daily values in a zone other than UTC', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;

  before(async () => {
    service = await startCannedService(({ query }, response) =>
      sendJson(response, 200, {
        data: createGridRecords(parseRequestedRange(query)).filter(({ ts }) => !missingHours.includes(ts)),
      }),
    );
    workbench = await getSharedWorkbench('Days');
    await setWorkspaceSettings(workbench, { 'gridData.timeZone': 'SAST' });
    await addConnection(workbench, service.baseUrl, 'sb_test_days', 'Days');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
  });
  disposeAfter(() => [workbench, service]);

  it("offers days of the zone before the service's UTC days, each with its meaning and its requests", async () => {
    const { quickInput } = workbench;
    const requestsBefore = service.receivedRequests.length;
    await enterRange(workbench, '2023-05');
    const items = await quickInput.waitItem('1 request · 30 Apr');
    assert.match(items[1] ?? '', /^1d@SAST.*days of SAST, calculated from hours/);
    assert.match(
      items[1] ?? '',
      /1 request · 1–31 May 2023 SAST · 30 Apr 2023 22:00 – 31 May 2023 22:00 UTC · 31 days/,
    );
    assert.match(items[2] ?? '', /^1d.*UTC days from the service/);
    assert.equal(service.receivedRequests.length, requestsBefore);
    await quickInput.type('daily');
    await quickInput.waitItem('1d@SAST');
    await quickInput.accept();
    page = new ResultPage(await waitForTable(workbench, title));
    assert.equal(service.receivedRequests.length, requestsBefore + 1);
    await page.waitForCellText('Day (SAST)', 0, '01 May');
    assert.match(await readHeader(page.frame), /days of SAST · 31 rows · 3 May: 21 of 24 h/);
  });

  it('compares days with another period, and keeps the coverage strip of the result', async () => {
    await page.chooseFromToolbarMenu('Compare With…');
    await workbench.quickInput.waitItem('previous period');
    await workbench.quickInput.pick('previous period');
    page = new ResultPage(await waitForTable(workbench, title));
    await page.findHeader('Day, previous period (SAST)').waitFor();
    // Its columns need more buffers than VS Code sends in one message.
    const coverageStrip = page.frame.getByRole('slider', { name: /^31 of 31 days, 1 with some of their hours: 3 May/ });
    await coverageStrip.waitFor();
    await page.chooseFromToolbarMenu('End Comparison');
    await page.findHeader('Day, previous period (SAST)').waitFor({ state: 'detached' });
  });
});
