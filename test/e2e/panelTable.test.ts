import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { pictureFailures } from './harness/failures.ts';
import { until } from './harness/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { addConnection, headerOf, rowOf, runSystemState, sharedWorkbench, tableOf } from './support.ts';

const hour = 3_600_000;
const title = 'System state · 2023-05-01..2023-05-07 · hourly';

describe('the results table', () => {
  let workbench: Workbench;
  let service: CannedService;
  let frame: Frame;

  before(async () => {
    service = await startCannedService(({ query }, response) => {
      const [start, end] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')];
      const isMay = query.get('start')?.startsWith('2023-05') === true;
      const rows = Array.from({ length: (end - start) / hour }, (_, index) => index).filter(index => index !== 50);
      sendJson(response, 200, {
        meta: { data_delay: true, last_available: '2023-05-07T21:00:00Z' },
        data: rows
          .filter(index => !isMay || index < 166)
          .map(index => ({
            ts: new Date(start + index * hour).toISOString().replace('.000', ''),
            residual_demand_mw: 20_000 + ((index * 37) % 101) / 7,
            eskom_ocgt_mw: index % 10 === 0 ? null : index - 80,
          })),
      });
    });
    workbench = await sharedWorkbench('Table');
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Table');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, '2023-05-01..2023-05-07');
    frame = await tableOf(workbench, title);
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
  });

  const header = (label: string) => frame.locator('[role=columnheader]:visible', { hasText: label });
  const footer = async (): Promise<string> => frame.locator('footer').innerText();
  const shows = async (text: string): Promise<string> => until('the footer', footer, now => now.includes(text));
  /** Waits until the first rows have these numbers. */
  const showsNumbers = async (column: number, ...expected: string[]): Promise<unknown> =>
    until(
      `the numbers ${expected.join()}`,
      () => Promise.all(expected.map(async (_, row) => (await rowOf(frame, row))[column])),
      found => found.join() === expected.join(),
    );

  it('reports a missing hour and delayed data, in words and in the coverage strip', async () => {
    const line = await headerOf(frame);
    assert.match(line, /165 of 168 hours, 1 missing: 3 May 02:00/);
    assert.match(line, /data delayed; latest 7 May 2023 21:00 UTC/);
    const name = await frame.locator('.coverage[role=slider]').getAttribute('aria-label');
    assert.match(name ?? '', /165 of 168 hours/);
  });

  it('sorts by a column, with gaps last in both directions', async () => {
    await header('OCGT').click();
    await frame.page().keyboard.press('Enter');
    await until(
      'ascending',
      async () => header('OCGT').first().getAttribute('aria-sort'),
      is => is === 'ascending',
    );
    await showsNumbers(2, '-79', '-78', '-77');
    await frame.page().keyboard.press('Enter');
    await until(
      'descending',
      async () => header('OCGT').first().getAttribute('aria-sort'),
      is => is === 'descending',
    );
    await showsNumbers(2, '85', '84', '83');
  });

  it("filters by a column's menu, and explains an invalid filter", async () => {
    await new ResultPage(frame).columnMenu('Residual demand', 'Filter…');
    const field = frame.locator('input[data-filter=residual_demand_mw]');
    await field.fill('>20014');
    const count = /^(\d+) of 165 rows/.exec(await shows('of 165'))?.[1];
    const expected = Array.from({ length: 168 }, (_, index) => index)
      .filter(index => index !== 50 && index < 166)
      .filter(index => 20_000 + ((index * 37) % 101) / 7 > 20_014).length;
    assert.equal(Number(count), expected);
    await field.fill('>x');
    await frame.locator('.filter [role=alert]').waitFor();
    assert.match(await frame.locator('.filter [role=alert]').innerText(), /isn't a valid number/);
    await field.press('Escape');
    await shows('165 rows');
  });

  it('copies a selected range exactly as it is on screen, with all digits', async () => {
    await frame.locator('[aria-rowindex="2"] [aria-colindex="2"]:visible').click();
    await frame.page().keyboard.press('Shift+ArrowDown');
    await frame.page().keyboard.press('Shift+ArrowRight');
    await shows('2 × 2 selected: count 4');
    await frame.page().keyboard.press('Control+Shift+C');
    const text = await until(
      'the clipboard',
      () => workbench.clipboard(),
      got => got.startsWith('residual_demand_mw\t'),
    );
    const [names, first] = text.split('\n').map(line => line.split('\t'));
    assert.deepEqual(names, ['residual_demand_mw', 'eskom_ocgt_mw']);
    // The rows are sorted by OCGT, descending: hour 165 first.
    assert.deepEqual(first, [String(20_000 + ((165 * 37) % 101) / 7), '85']);
  });

  it('finds a text and scrolls to it', async () => {
    await frame.page().keyboard.press('Control+f');
    await frame.locator('.find-text').fill('-79');
    await frame.locator('.find [role=status]', { hasText: '1 of 1' }).waitFor();
    await frame.page().keyboard.press('Enter');
    await frame.page().keyboard.press('Escape');
    await until(
      'the focus',
      async () => frame.locator('[role=gridcell]:focus').innerText(),
      text => text.includes('-79'),
    );
  });

  it('switches the time zone without a request', async () => {
    const before = service.seen.length;
    await frame.locator('[data-zone="Africa/Johannesburg"]').click();
    await frame.locator('[role=columnheader]', { hasText: 'Hour (SAST)' }).waitFor();
    assert.match(await headerOf(frame), /SAST \(UTC\+2\)/);
    assert.equal(service.seen.length, before);
  });

  it('shows missing hours as rows, and the end of each interval', async () => {
    const page = new ResultPage(frame);
    await page.more('Show Missing Intervals');
    await shows('3 hours without a row');
    await page.more('Show Interval End');
    await frame.locator('[role=columnheader]', { hasText: 'Until (SAST)' }).waitFor();
    await frame.locator('.coverage[role=slider]').focus();
    await frame.page().keyboard.press('Home');
    await frame.page().keyboard.press('ArrowRight');
    await frame.page().keyboard.press('Enter');
    await frame.locator('[role=row]:visible', { hasText: 'missing' }).first().waitFor();
  });

  it('hides and shows columns by the picker', async () => {
    const page = new ResultPage(frame);
    await page.columnMenu('OCGT', 'Hide Column');
    await until(
      'two columns less',
      async () => header('OCGT').count(),
      count => count === 0,
    );
    await page.more('Choose Columns…');
    await frame.getByLabel('OCGT').first().check();
    await frame.page().keyboard.press('Escape');
    await header('OCGT').first().waitFor();
  });
});
