import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { pictureFailures } from './harness/failures.ts';
import { succeeds, until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { chooseFile } from './savedSupport.ts';
import { addConnection, headerOf, runSystemState, setLimits, sharedWorkbench, tableOf } from './support.ts';

const hour = 3_600_000;
const titleOf = (range: string, interval = 'hourly'): string => `System state · ${range} · ${interval}`;

describe('comparing two periods in the panel', () => {
  let service: CannedService;
  let workbench: Workbench;
  let frame: Frame;
  /** Hours that the service has no row for. */
  const holes = new Set<number>([Date.parse('2023-02-14T02:00Z')]);

  before(async () => {
    service = await startCannedService(({ query }, response) => {
      const [start, end] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')];
      const step = query.get('interval') === '1d' ? 24 * hour : hour;
      const data: unknown[] = [];
      for (let ms = start; ms < end && ms + step <= Date.now(); ms += step)
        if (step > hour || !holes.has(ms))
          data.push({ ts: new Date(ms).toISOString(), residual_demand_mw: 20_000 + ms / hour / 1000 });
      sendJson(response, 200, { data });
    });
    workbench = await sharedWorkbench('Canned');
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Canned');
    await tableOf(workbench, titleOf('last 24 hours'));
    await setLimits(workbench, 'Canned', '1000/1', 'System state');
    await runSystemState(workbench, '2023-02');
    frame = await tableOf(workbench, titleOf('2023-02'));
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
  });

  const header = async (text: string): Promise<string> =>
    until(
      `the header with "${text}"`,
      () => headerOf(frame),
      found => found.includes(text),
    );
  const more = async (label: string): Promise<void> => new ResultPage(frame).more(label);
  const compareWith = async (label: string): Promise<void> => {
    await more('Compare With…');
    await workbench.quickInput.waitItem(label);
    await workbench.quickInput.pick(label);
  };
  const step = async (action: 'previousPeriod' | 'nextPeriod', range: string): Promise<void> => {
    await frame.locator(`[data-action=${action}]`).click();
    frame = await tableOf(workbench, titleOf(range));
  };

  it('requests a missing hour again on Fetch Missing, however recently it was requested', async () => {
    await header('1 missing');
    const before = service.seen.length;
    await frame.locator('[data-action=refresh]').click();
    await header('0 requests, 671 hours from archive');
    assert.equal(service.seen.length, before);
    holes.clear();
    await until(
      'the hour that was filled in',
      async () => {
        const now = await headerOf(frame);
        if (now.includes('672 rows')) return now;
        const isPressed = await succeeds(frame.locator('[data-action=fetchMissing]').click({ timeout: 5_000 }));
        // Pressed once more before the answer is shown, it would show that the archive has the hour.
        const isAnswer = (text: string): boolean => text !== now && !text.includes('…');
        if (isPressed) await succeeds(until('an answer', () => headerOf(frame), isAnswer, 20_000));
        return headerOf(frame);
      },
      text => text.includes('672 rows · 1 request'),
    );
    const { query } = service.seen.at(-1) ?? {};
    assert.deepEqual([query?.get('start'), query?.get('end')], ['2023-02-14T02:00:00Z', '2023-02-14T03:00:00Z']);
    assert.equal(await frame.locator('[data-action=fetchMissing]').count(), 0);
  });

  it('shows the dates of the compared period, and its numbers beside the others', async () => {
    await compareWith('previous period');
    await header('compared with previous period: 1–31 Jan 2023 UTC · 672 rows');
    const [own = '', ...beside] = (await new ResultPage(frame).headers()).filter(label => label.startsWith('Residual'));
    assert.deepEqual(beside, [`${own}, previous period`, `${own}, difference`, `${own}, change`]);
  });

  it('shows the responses of both periods, and the request for each', async () => {
    // Runs that begin within one second of the service's clock share a request: the period beside was requested just now.
    const second = async (): Promise<number> => Promise.resolve(Math.floor(Date.now() / 1000));
    const requested = await second();
    await until('the next second of the clock', second, now => now > requested);
    await more('Refresh, Ignoring Archive');
    await header('2 requests');
    await frame.locator('[data-tab=raw]').click();
    await frame.locator('.requests > summary').click();
    const asked = ['01 Feb 2023 00:00 – 01 Mar 2023 00:00', '01 Jan 2023 00:00 – 01 Feb 2023 00:00'];
    await until(
      'both requests',
      () => frame.locator('.requests tbody th').allInnerTexts(),
      hours => hours.join() === asked.join(),
    );
    await until(
      'the last hour of both periods',
      async () => (await frame.locator('.json').textContent()) ?? '',
      text => text.includes('2023-02-28T23:00:00') && text.includes('2023-01-31T23:00:00'),
    );
    await frame.locator('[data-tab=table]').click();
  });

  it('restores a comparison after a window reload without a request', async () => {
    const before = service.seen.length;
    await workbench.reload();
    frame = await tableOf(workbench, titleOf('2023-02'));
    const restored = await header('compared with previous period: 1–31 Jan 2023 UTC');
    assert.match(restored, /672 rows · 0 requests, 672 hours from archive/);
    assert.equal(service.seen.length, before);
  });

  it('steps a custom comparison range along, and reports where it cannot', async () => {
    await compareWith('Another range…');
    await workbench.quickInput.waitOpen('Compare With');
    await workbench.quickInput.type('2022-12-31');
    await workbench.quickInput.accept();
    await header('compared with 2022-12-31: 31 Dec 2022 UTC');
    await step('nextPeriod', '2023-03');
    await header('compared with 2023-01-31: 31 Jan 2023 UTC');
    await step('nextPeriod', '2023-04');
    const ended = await header('The comparison with 2023-01-31 ended: it cannot move as far as this period');
    assert.doesNotMatch(ended, /compared/);
  });

  it('compares with a file at the same hours, and says of which file it is where that cannot be read', async () => {
    const write = (name: string, text: string): string => {
      const path = join(workbench.folder, name);
      writeFileSync(path, text);
      return path;
    };
    const file = write('measured.csv', 'ts,residual_demand_mw\n2023-04-02T00:00:00Z,20000\n2023-04-02T01:00:00Z,\n');
    const other = write('other.csv', 'ts,residual_demand_mw\n2023-08-02T00:00:00Z,20000\n');
    const damaged = write('damaged.csv', 'ts,residual_demand_mw\n2023-04-02T00:00:00Z,"1\n');
    try {
      await more('Compare with File…');
      await chooseFile(workbench, file);
      await header('compared with measured.csv: 1–30 Apr 2023 UTC, 718 hours without a row there');
      const page = new ResultPage(frame);
      await page.tab('statistics');
      const line = frame.locator('.statistics-table tr', { hasText: 'Residual demand, difference' });
      // One of 720 hours has a value in both.
      const mean = Date.parse('2023-04-02T00:00Z') / hour / 1000;
      await line.filter({ hasText: mean.toFixed(3) }).waitFor();
      await page.tab('table');
      await more('Compare with File…');
      await chooseFile(workbench, other);
      assert.doesNotMatch(await header("'other.csv' has none of the hours of this result"), /compared/);
      await more('Compare with File…');
      await chooseFile(workbench, damaged);
      assert.doesNotMatch(await header("'damaged.csv' is damaged or not complete"), /compared/);
    } finally {
      for (const path of [file, other, damaged]) rmSync(path);
    }
  });

  it('keeps the comparison when the interval changes, until it is ended', async () => {
    await compareWith('same period last year');
    await header('compared with same period last year: 1–30 Apr 2022 UTC');
    await frame.locator('[data-action=chooseInterval]').click();
    await workbench.quickInput.waitItem('1d');
    await workbench.quickInput.pick('1d');
    frame = await tableOf(workbench, titleOf('2023-04', 'daily (UTC)'));
    assert.match(await header('30 rows'), /compared with same period last year: 1–30 Apr 2022 UTC/);
    await more('End Comparison');
    await until(
      'the end of the comparison',
      () => headerOf(frame),
      text => !text.includes('compared'),
    );
  });
});
