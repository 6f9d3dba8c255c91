import assert from 'node:assert/strict';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { askedOf, gridRecords } from './gridHours.ts';
import { pictureFailures } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { addConnection, headerOf, messageOf, runSystemState, sharedWorkbench, tableOf } from './support.ts';

const titleOf = (range: string): string => `System state · ${range} · hourly`;
const spring = '2023-03-11..2023-03-12';
const autumn = '2023-11-04..2023-11-05';

describe('daylight saving time in results and comparisons', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;
  /** At most so many hours are answered at once. */
  let most = Infinity;

  before(async () => {
    service = await startCannedService(({ query }, response) => {
      const asked = askedOf(query);
      if ((asked.end - asked.start) / asked.stepMs > most)
        sendJson(response, 400, { detail: `The range is too long: at most ${most / 24} days.` });
      else sendJson(response, 200, { data: gridRecords(asked) });
    });
    workbench = await sharedWorkbench('Clocks');
    await addConnection(workbench, service.baseUrl, 'sb_test_clocks', 'Clocks');
    await tableOf(workbench, titleOf('last 24 hours'));
    await runSystemState(workbench, spring);
    page = new ResultPage(await tableOf(workbench, titleOf(spring)));
    await page.frame.locator('[data-zone="America/New_York"]').click();
    await page.header('Hour (America/New_York)').waitFor();
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
  });

  /** The times of the rows, first and last among them. */
  const times = async (first: number, last: number): Promise<string[]> => {
    await page.cell(first, 0).waitFor();
    const found: string[] = [];
    for (let row = first; row <= last; row++) found.push(await page.cell(row, 0).innerText());
    return found;
  };
  const goTo = async (row: number): Promise<void> => {
    await page.cell(0, 0).click();
    await page.press('Control+Home');
    for (let step = 0; step < row; step += 1) await page.press('ArrowDown');
  };

  it('leaves out an hour on a day of 23 hours', async () => {
    // 12 March 06:00 UTC is 01:00 in New York; the next hour there is 03:00.
    await goTo(31);
    assert.deepEqual(await times(29, 31), ['12 Mar 00:00', '12 Mar 01:00', '12 Mar 03:00']);
    await page.tab('chart');
    await page.chartWords('Shown: 10 Mar 19:00 America/New_York to 12 Mar 20:00 America/New_York.');
    await page.tab('table');
  });

  it("distinguishes the repeated hours of a 25-hour day in the table, at an hour's end and in the chart", async () => {
    await runSystemState(workbench, autumn);
    page = new ResultPage(await tableOf(workbench, titleOf(autumn)));
    await page.frame.locator('[data-zone="America/New_York"]').click();
    await page.header('Hour (America/New_York)').waitFor();
    await goTo(31);
    const shown = await times(28, 31);
    assert.match(shown[0] ?? '', /^05 Nov 00:00$/);
    assert.match(shown[1] ?? '', /^05 Nov 01:00 \S+$/);
    assert.match(shown[2] ?? '', /^05 Nov 01:00 \S+$/);
    assert.notEqual(shown[1], shown[2]);
    assert.match(shown[3] ?? '', /^05 Nov 02:00$/);
    await page.tab('chart');
    await page.chartWords('Shown: 03 Nov');
    await page.frame.locator('.chart-plot').focus();
    await page.press('Home');
    for (let step = 0; step < 29; step += 1) await page.press('ArrowRight');
    await page.said('05 Nov 01:00 EDT America/New_York');
    await page.press('ArrowRight');
    await page.said('05 Nov 01:00 EST America/New_York');
  });

  it('uses local hours in the daily profile', async () => {
    await page.tab('statistics');
    const profile = /^Daily profile of Residual demand, mean by hour of day in America\/New_York: /;
    await page.frame.getByRole('img', { name: profile }).first().waitFor();
    await page.tab('table');
  });

  it('aligns the hours of earlier weeks by weekday and hour', async () => {
    await page.tab('table');
    await page.frame.locator('[data-zone="UTC"]').click();
    await page.more('Compare With…');
    await workbench.quickInput.waitItem('weeks before');
    await workbench.quickInput.pick('weeks before');
    await page.header('Residual demand, weeks before').waitFor();
    await until(
      'the compared days',
      () => headerOf(page.frame),
      text => text.includes('compared with weeks before: 28–29 Oct 2023 UTC'),
    );
    await page.reads('Hour, weeks before (UTC)', 12, '28 Oct 12:00');
    await page.more('End Comparison');
    await page.header('Residual demand, weeks before').waitFor({ state: 'detached' });
  });

  it('confirms a comparison whose requests have to wait', async () => {
    most = 24 * 7;
    await page.more('Compare With…');
    await workbench.quickInput.waitItem('Another range…');
    await workbench.quickInput.pick('Another range…');
    await workbench.quickInput.waitOpen('Compare With');
    await workbench.quickInput.type('2021');
    await workbench.quickInput.accept();
    const plan = await messageOf(page.frame, 'The comparison with');
    assert.match(plan, /^The comparison with 2021 needs \d+ requests: \d+ now, \d+ over about/);
    const before = service.seen.length;
    // Who says no has the rows again that stood there, and has spent nothing on it.
    await page.frame.locator('[data-action=cancel]').click();
    await page.frame.locator('[role=gridcell]:visible').first().waitFor();
    assert.equal(service.seen.length, before);
  });
});
