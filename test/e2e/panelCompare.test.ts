import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { chooseFile } from './savedSupport.ts';
import {
  addConnection,
  readHeader,
  waitForMessage,
  runSystemState,
  getSharedWorkbench,
  waitForTable,
} from './support.ts';

const hour = 3_600_000;
const title = 'System state · 2023-02 · hourly';

describe('comparing two periods in the panel', () => {
  let service: CannedService;
  let workbench: Workbench;
  let frame: Frame;
  /** The maximum number of hours in a response. */
  let maxHours = Infinity;

  before(async () => {
    service = await startCannedService(({ query }, response) => {
      const start = Date.parse(query.get('start') ?? '');
      const end = Date.parse(query.get('end') ?? '');
      const data: unknown[] = [];
      for (let ms = start; ms < end && ms + hour <= Date.now(); ms += hour)
        data.push({ ts: new Date(ms).toISOString(), residual_demand_mw: 20_000 + ms / hour / 1000 });
      if ((end - start) / hour > maxHours)
        sendJson(response, 400, { detail: `The range is too long: at most ${maxHours / 24} days.` });
      else sendJson(response, 200, { data });
    });
    workbench = await getSharedWorkbench('Canned');
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Canned');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, '2023-02');
    frame = await waitForTable(workbench, title);
  });
  disposeAfter(() => [workbench, service]);

  const waitForHeader = async (text: string): Promise<string> =>
    until(
      `the header with "${text}"`,
      () => readHeader(frame),
      found => found.includes(text),
    );
  const chooseFromToolbar = async (label: string): Promise<void> => new ResultPage(frame).chooseFromToolbarMenu(label);

  it('compares with an offered period, which a window reload restores without a request', async () => {
    await chooseFromToolbar('Compare With…');
    await workbench.quickInput.waitItem('previous period');
    await workbench.quickInput.pick('previous period');
    await waitForHeader('compared with previous period: 1–31 Jan 2023 UTC · 672 rows');
    const [columnLabel = '', ...comparedLabels] = (await new ResultPage(frame).readHeaders()).filter(label =>
      label.startsWith('Residual'),
    );
    assert.deepEqual(comparedLabels, [
      `${columnLabel}, previous period`,
      `${columnLabel}, difference`,
      `${columnLabel}, change`,
    ]);
    const previousCount = service.receivedRequests.length;
    await workbench.reload();
    frame = await waitForTable(workbench, title);
    const restored = await waitForHeader('compared with previous period: 1–31 Jan 2023 UTC');
    assert.match(restored, /672 rows · 0 requests, 672 hours from archive/);
    assert.equal(service.receivedRequests.length, previousCount);
  });

  it('compares with a file at the same hours, and names a file that cannot be read', async () => {
    const compareWith = async (name: string, text: string): Promise<void> => {
      const path = join(workbench.folder, name);
      writeFileSync(path, `ts,residual_demand_mw\n${text}\n`);
      await chooseFromToolbar('Compare With File…');
      await chooseFile(workbench, path);
    };
    await compareWith('measured.csv', '2023-02-02T00:00:00Z,\n2023-02-02T01:00:00Z,20000');
    await waitForHeader('compared with measured.csv: 1–28 Feb 2023 UTC, 670 hours without a row there');
    const page = new ResultPage(frame);
    await page.openTab('statistics');
    // Only one of 672 hours has a value in both.
    const mean = Date.parse('2023-02-02T01:00Z') / hour / 1000;
    const line = frame.locator('.statistics-summary [role=row]', { hasText: 'Residual demand' });
    await line
      .filter({ hasText: String(Math.round(mean)) })
      .first()
      .waitFor();
    await page.openTab('table');
    await compareWith('other.csv', '2023-08-02T00:00:00Z,20000');
    assert.doesNotMatch(await waitForHeader("'other.csv' has no hours in common with this result"), /compared/);
    await compareWith('damaged.json', '[{"ts":');
    assert.doesNotMatch(await waitForHeader("'damaged.json' is damaged or incomplete"), /compared/);
  });

  it('confirms a comparison with a typed range whose requests have to wait', async () => {
    maxHours = 24 * 7;
    await chooseFromToolbar('Compare With…');
    await workbench.quickInput.waitItem('Another range…');
    await workbench.quickInput.pick('Another range…');
    await workbench.quickInput.waitOpen('Compare With');
    await workbench.quickInput.type('2021');
    await workbench.quickInput.accept();
    const plan = await waitForMessage(frame, 'The comparison with');
    assert.match(plan, /^The comparison with 2021 needs \d+ requests: \d+ now, \d+ over about/);
    const previousCount = service.receivedRequests.length;
    // Declining shows the earlier rows again, without a request.
    await frame.locator('[data-action=cancel]').click();
    await frame.locator('[role=gridcell]:visible').first().waitFor();
    assert.equal(service.receivedRequests.length, previousCount);
  });
});
