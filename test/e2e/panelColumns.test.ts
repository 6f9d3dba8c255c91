import assert from 'node:assert/strict';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { askedOf, gridRecords, type GridRecord } from './gridHours.ts';
import { pictureFailures } from './harness/failures.ts';
import { until } from './harness/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { addConnection, runSystemState, sharedWorkbench, tableOf } from './support.ts';

const records = gridRecords({
  start: Date.parse('2023-05-01T00:00Z'),
  end: Date.parse('2023-05-08T00:00Z'),
  stepMs: 3_600_000,
});
const title = 'System state · 2023-05-01..2023-05-07 · hourly';

describe('the columns of the results table', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;

  before(async () => {
    service = await startCannedService(({ query }, response) =>
      sendJson(response, 200, { data: gridRecords(askedOf(query)) }),
    );
    workbench = await sharedWorkbench('Columns');
    await workbench.page.setViewportSize({ width: 1600, height: 900 });
    await addConnection(workbench, service.baseUrl, 'sb_test_columns', 'Columns');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, '2023-05-01..2023-05-07');
    page = new ResultPage(await tableOf(workbench, title));
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
    await workbench.dispose();
    await service.close();
  });

  /** Waits until the first rows have these texts. */
  const reads = async (label: string, ...expected: string[]): Promise<unknown> =>
    until(
      `${expected.join(' | ')} under ${label}`,
      () => Promise.all(expected.map(async (_, row) => (await page.cellUnder(label, row)).innerText())),
      found => found.join('|') === expected.join('|'),
    );
  /** Clicks the arrows of a header, which stand there while the pointer is on it. */
  const sortBy = async (label: string, ...modifiers: 'Shift'[]): Promise<void> => {
    await page.header(label).hover();
    await page.header(label).locator('.grid-sort').click({ modifiers });
  };
  /** Fills the filter of a column, and returns the rows that are left. */
  const filter = async (field: string, text: string): Promise<number> => {
    await page.frame.locator(`input[data-filter="${field}"]`).fill(text);
    const footer = await page.footer('rows');
    return Number(/^(\d+)/.exec(footer)?.[1]);
  };
  /** Fills it and waits until as many rows are left as pass the test. */
  const leaves = async (field: string, text: string, passes: (record: GridRecord) => boolean): Promise<unknown> =>
    until(
      `the rows for ${text}`,
      () => filter(field, text),
      now => now === records.filter(passes).length,
    );

  it('describes columns in a tooltip, and that an hour is named by its start', async () => {
    const about = await page.header('Residual demand').getAttribute('title');
    assert.equal(about, 'residual_demand_mw · MW\nSystem demand minus renewable generation; shed load is in it');
    assert.match(
      (await page.header('Hour (UTC)').getAttribute('title')) ?? '',
      /a row at 05:00 is the hour from 05:00/,
    );
  });

  it('sorts by several columns with Shift, and announces the order', async () => {
    await sortBy('OCGT ramp');
    await sortBy('Wind', 'Shift');
    await sortBy('Wind', 'Shift');
    await page.said('Sorted by OCGT ramp, ascending, then by Wind, descending');
    await reads('Wind', '1,006', '1,006');
    assert.equal(await page.header('Wind').locator('.grid-sort').getAttribute('data-number'), '2');
    assert.match((await page.header('Wind').getAttribute('aria-description')) ?? '', /2/);
    await page.columnMenu('OCGT ramp', 'Remove From Sort');
    await page.columnMenu('Wind', 'Remove From Sort');
    await page.said('No longer sorted');
  });

  it('filters numbers, texts, nulls and times together', async () => {
    const demand = (record: GridRecord): number => Number(record['residual_demand_mw']);
    const isCoal = (record: GridRecord): boolean =>
      String(record['outlook']).includes('coal') && demand(record) !== 20_000;
    const isNull = (record: GridRecord): boolean => isCoal(record) && record['eskom_ocgt_mw'] === null;
    await page.columnMenu('Residual demand', 'Filter…');
    await page.frame.locator('input[data-filter=residual_demand_mw]').fill('>x');
    await page.frame.locator('.filter [role=alert]', { hasText: "isn't a valid number" }).waitFor();
    await leaves('residual_demand_mw', '>=22200', record => demand(record) >= 22_200);
    await leaves('residual_demand_mw', '20000..20100', record => demand(record) <= 20_100);
    await leaves('residual_demand_mw', '!=20000', record => demand(record) !== 20_000);
    await page.columnMenu('outlook', 'Filter…');
    await leaves('outlook', 'coal', isCoal);
    await page.columnMenu('OCGT', 'Filter…');
    await leaves('eskom_ocgt_mw', 'null', isNull);
    await page.columnMenu('Hour (UTC)', 'Filter…');
    await leaves('ts', '2023-05-01..2023-05-03 06:00', record => isNull(record) && record.ts < '2023-05-03T07');
    assert.match((await page.header('OCGT').getAttribute('aria-description')) ?? '', /^filtered\b/);
    await page.columnMenu('OCGT', 'Remove Filter');
    await page.frame.locator('input[data-filter=eskom_ocgt_mw]').waitFor({ state: 'detached' });
    await page.more('Reset View');
    await page.footer('168 rows');
  });

  it('moves and resizes columns by mouse and by keyboard', async () => {
    await page.header('Wind').dragTo(page.header('Residual forecast'), { targetPosition: { x: 4, y: 10 } });
    await page.said('Wind, column 3 of 12');
    await page.press('Alt+ArrowLeft');
    await page.said('Wind, column 2 of 12');
    assert.deepEqual((await page.headers()).slice(0, 3), ['Hour (UTC)', 'Wind', 'Residual demand']);
    const width = async (): Promise<number> => (await page.header('Wind').boundingBox())?.width ?? 0;
    const before = Math.round(await width());
    await page.press('Alt+Shift+ArrowRight');
    await page.said(`Wind, ${before + 10} pixels wide`);
    const edge = await page.header('Wind').locator('.grid-edge').boundingBox();
    assert.ok(edge);
    const { mouse } = page.frame.page();
    await mouse.move(edge.x + edge.width / 2, edge.y + 10);
    await mouse.down();
    await mouse.move(edge.x + edge.width / 2 + 60, edge.y + 10, { steps: 4 });
    await mouse.up();
    await page.said(`Wind, ${before + 70} pixels wide`);
    await page.columnMenu('Wind', 'Fit to Content');
    await until('a narrower column', width, now => now < before + 70);
    await page.columnMenu('Wind', 'Fit All Columns');
    await page.said('All columns fit their contents');
    const windy = page.frame.getByRole('gridcell', { name: 'a "windy"' }).first();
    const isWhole = (cell: { scrollWidth: number; clientWidth: number }): boolean =>
      cell.scrollWidth <= cell.clientWidth;
    assert.ok(await windy.evaluate(isWhole), 'also a text with a tab');
  });

  it('freezes the columns up to the selected one', async () => {
    await page.columnMenu('Residual demand', 'Freeze up to Here');
    await page.said('Columns frozen up to Residual demand');
    const left = async (): Promise<number> => (await page.header('Residual demand').boundingBox())?.x ?? 0;
    const before = await left();
    await page.press('Control+ArrowRight');
    await page.header('outlook').waitFor();
    assert.equal(await left(), before);
    await page.columnMenu('Residual demand', 'Unfreeze Columns');
    await page.said('No frozen columns');
  });

  it('hides columns by keyboard and by a searchable list', async () => {
    await page.header('Thermal').click();
    await page.press('Delete');
    await page.said('Thermal hidden');
    await page.more('Choose Columns…');
    const picker = page.frame.getByRole('dialog', { name: 'Columns' });
    await picker.getByRole('searchbox').fill('coal-fired');
    await picker.getByText('1 found · 11 of 12 columns shown').waitFor();
    await page.press('ArrowDown', 'Space');
    await page.said('Thermal shown');
    await page.press('Escape');
    await page.header('Thermal').waitFor();
  });

  it("writes numbers in the locale's format, with a decimal point, and with all digits", async () => {
    await reads('Residual forecast', '20,050.25', '20,150.25');
    await page.more('Decimal Point Number Format');
    await reads('Residual forecast', '20050.25', '20150.25');
    await page.more('Full Precision');
    await reads('Renewable share', '10', '10.25', '10.5');
    await reads('Residual forecast', '20050.25', '20150.25');
    await page.more('Locale Number Format');
    await reads('Renewable share', '10.00', '10.25', '10.50');
  });

  it('marks gaps, negative numbers and ramps, unless switched off', async () => {
    const nullCell = await page.cellUnder(
      'OCGT',
      records.findIndex(record => record['eskom_ocgt_mw'] === null),
    );
    const ramps = async () => {
      const found = await Promise.all(
        [0, 1, 2].map(async row => (await page.cellUnder('OCGT ramp', row)).getAttribute('data-badge')),
      );
      return found.map(badge => badge?.trim()).sort();
    };
    assert.equal(await nullCell.getAttribute('data-gap'), 'null');
    assert.match((await (await page.cellUnder('Net import', 0)).getAttribute('class')) ?? '', /negative/);
    assert.deepEqual(await ramps(), ['', '▲', '▼']);
    await page.more('Show Cell Hints');
    await until(
      'no hints',
      () => nullCell.getAttribute('data-gap'),
      now => now === null,
    );
    assert.deepEqual(await ramps(), [undefined, undefined, undefined]);
    assert.equal(await nullCell.getAttribute('aria-label'), 'null');
    await page.more('Show Cell Hints');
  });
});
