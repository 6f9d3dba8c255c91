import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { endsAfter } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { chooseFile } from './savedSupport.ts';
import { addConnection, headerOf, messageOf, runSystemState, sharedWorkbench, tableOf } from './support.ts';

const hour = 3_600_000;
const title = 'System state · 2023-02 · hourly';

describe('comparing two periods in the panel', () => {
  let service: CannedService;
  let workbench: Workbench;
  let frame: Frame;
  /** At most so many hours are answered at once. */
  let most = Infinity;

  before(async () => {
    service = await startCannedService(({ query }, response) => {
      const [start, end] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')];
      const data: unknown[] = [];
      for (let ms = start; ms < end && ms + hour <= Date.now(); ms += hour)
        data.push({ ts: new Date(ms).toISOString(), residual_demand_mw: 20_000 + ms / hour / 1000 });
      if ((end - start) / hour > most)
        sendJson(response, 400, { detail: `The range is too long: at most ${most / 24} days.` });
      else sendJson(response, 200, { data });
    });
    workbench = await sharedWorkbench('Canned');
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Canned');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, '2023-02');
    frame = await tableOf(workbench, title);
  });
  endsAfter(() => [workbench, service]);

  const header = async (text: string): Promise<string> =>
    until(
      `the header with "${text}"`,
      () => headerOf(frame),
      found => found.includes(text),
    );
  const more = async (label: string): Promise<void> => new ResultPage(frame).more(label);

  it('compares with an offered period, which a window reload restores without a request', async () => {
    await more('Compare With…');
    await workbench.quickInput.waitItem('previous period');
    await workbench.quickInput.pick('previous period');
    await header('compared with previous period: 1–31 Jan 2023 UTC · 672 rows');
    const [own = '', ...beside] = (await new ResultPage(frame).headers()).filter(label => label.startsWith('Residual'));
    assert.deepEqual(beside, [`${own}, previous period`, `${own}, difference`, `${own}, change`]);
    const before = service.seen.length;
    await workbench.reload();
    frame = await tableOf(workbench, title);
    const restored = await header('compared with previous period: 1–31 Jan 2023 UTC');
    assert.match(restored, /672 rows · 0 requests, 672 hours from archive/);
    assert.equal(service.seen.length, before);
  });

  it('compares with a file at the same hours, and says of which file it is where that cannot be read', async () => {
    const compareWith = async (name: string, text: string): Promise<void> => {
      const path = join(workbench.folder, name);
      writeFileSync(path, `ts,residual_demand_mw\n${text}\n`);
      await more('Compare With File…');
      await chooseFile(workbench, path);
    };
    await compareWith('measured.csv', '2023-02-02T00:00:00Z,\n2023-02-02T01:00:00Z,20000');
    await header('compared with measured.csv: 1–28 Feb 2023 UTC, 670 hours without a row there');
    const page = new ResultPage(frame);
    await page.tab('statistics');
    // One of 672 hours has a value in both.
    const mean = Date.parse('2023-02-02T01:00Z') / hour / 1000;
    const line = frame.locator('.statistics-summary [role=row]', { hasText: 'Residual demand' });
    await line
      .filter({ hasText: String(Math.round(mean)) })
      .first()
      .waitFor();
    await page.tab('table');
    await compareWith('other.csv', '2023-08-02T00:00:00Z,20000');
    assert.doesNotMatch(await header("'other.csv' has none of the hours of this result"), /compared/);
    await compareWith('damaged.json', '[{"ts":');
    assert.doesNotMatch(await header("'damaged.json' is damaged or incomplete"), /compared/);
  });

  it('confirms a comparison with a typed range whose requests have to wait', async () => {
    most = 24 * 7;
    await more('Compare With…');
    await workbench.quickInput.waitItem('Another range…');
    await workbench.quickInput.pick('Another range…');
    await workbench.quickInput.waitOpen('Compare With');
    await workbench.quickInput.type('2021');
    await workbench.quickInput.accept();
    const plan = await messageOf(frame, 'The comparison with');
    assert.match(plan, /^The comparison with 2021 needs \d+ requests: \d+ now, \d+ over about/);
    const before = service.seen.length;
    // Who says no has the rows again that stood there, and has spent nothing on it.
    await frame.locator('[data-action=cancel]').click();
    await frame.locator('[role=gridcell]:visible').first().waitFor();
    assert.equal(service.seen.length, before);
  });
});
