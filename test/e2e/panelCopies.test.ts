import assert from 'node:assert/strict';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { askedOf, gridRecords } from './gridHours.ts';
import { pictureFailures } from './harness/failures.ts';
import { until } from './harness/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { addConnection, runSystemState, sharedWorkbench, tableOf } from './support.ts';

const title = 'System state · 2023-05-01..2023-05-07 · hourly';
const kept = ['ts', 'residual_demand_mw', 'eskom_ocgt_mw', 'outlook'];

describe('selecting and copying cells', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;

  before(async () => {
    // Few columns, all in view: the first row has a null.
    service = await startCannedService(({ query }, response) =>
      sendJson(response, 200, {
        data: gridRecords(askedOf(query)).map((record, row) => ({
          ...Object.fromEntries(kept.map(name => [name, record[name]])),
          eskom_ocgt_mw: row === 0 ? null : row * 100.125,
        })),
      }),
    );
    workbench = await sharedWorkbench('Copies');
    await addConnection(workbench, service.baseUrl, 'sb_test_copies', 'Copies');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, '2023-05-01..2023-05-07');
    page = new ResultPage(await tableOf(workbench, title));
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
  });

  /** Copies and waits for what comes into the clipboard. */
  const copied = async (text: string, copy: () => Promise<void>): Promise<string> => {
    await workbench.page.evaluate("navigator.clipboard.writeText('nothing yet')");
    await copy();
    return until(
      'the clipboard',
      () => workbench.clipboard(),
      now => now === text,
    );
  };
  const byMenu = (label: string) => (): Promise<void> => page.chooseIn(() => page.press('Shift+F10'), label);
  const place = (): Promise<string> =>
    page.frame.evaluate<string>(
      `[document.activeElement.closest('[aria-rowindex]')?.ariaRowIndex, document.activeElement.ariaColIndex].join()`,
    );
  const isAt = (row: number, column: number): Promise<string> =>
    until('the cell', place, now => now === `${row},${column}`);

  it('moves through cells by keyboard, into the header, by page and to both ends', async () => {
    await page.cell(0, 1).click();
    await page.press('ArrowUp');
    await isAt(1, 2);
    await page.press('End');
    await isAt(1, 4);
    await page.press('Home', 'ArrowDown', 'Control+End');
    await isAt(169, 4);
    await page.press('Control+Home');
    await isAt(2, 1);
    await page.press('PageDown');
    const row = Number((await until('a page further', place, now => Number(now.split(',')[0]) > 10)).split(',')[0]);
    await page.press('PageUp');
    await isAt(2, 1);
    assert.ok(row < 60, `a page, not all: ${row}`);
  });

  it('shows the count, missing, mean, minimum, maximum and energy of selected cells', async () => {
    await page.cell(0, 2).click();
    await page.press('Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown');
    await page.footer('4 × 1 selected');
    const line = await page.footer('energy');
    assert.match(
      line,
      /count 3 · missing 1 · mean 200\.25 · min 100\.125 · max 300\.375 MW · energy 600\.75 MWh over 3 h$/,
    );
    await page.press('Control+Space');
    await page.footer('168 × 1 selected');
    await page.press('Escape', 'Shift+Space');
    await page.footer('1 × 4 selected');
    await page.press('Control+a');
    await page.footer('168 × 4 selected');
    await page.press('Escape');
    await page.footer('168 rows · 4 columns');
  });

  it('copies cells as TSV, CSV, JSON and Markdown, with all digits and empty nulls', async () => {
    await page.cell(0, 0).click();
    await page.cell(1, 3).click({ modifiers: ['Shift'] });
    await page.footer('2 × 4 selected');
    const tsv = ['2023-05-01T00:00:00Z\t20000\t\tcoal, mostly', '2023-05-01T01:00:00Z\t20100\t100.125\tcoal, mostly'];
    await copied(tsv.join('\n'), () => page.press('Control+c'));
    await page.said('Copied 2 × 4 cells');
    const names = ['ts (UTC)', ...kept.slice(1)];
    await copied([names.join('\t'), ...tsv].join('\n'), () => page.press('Control+Shift+c'));
    await copied(
      [
        names.join(','),
        '2023-05-01T00:00:00Z,20000,,"coal, mostly"',
        '2023-05-01T01:00:00Z,20100,100.125,"coal, mostly"',
      ].join('\r\n'),
      byMenu('Copy as CSV'),
    );
    await copied(
      [
        '[',
        '  {"ts":"2023-05-01T00:00:00Z","residual_demand_mw":20000,"eskom_ocgt_mw":null,"outlook":"coal, mostly"},',
        '  {"ts":"2023-05-01T01:00:00Z","residual_demand_mw":20100,"eskom_ocgt_mw":100.125,"outlook":"coal, mostly"}',
        ']',
      ].join('\n'),
      byMenu('Copy as JSON'),
    );
    await copied(
      [
        '| ts (UTC) | residual_demand_mw | eskom_ocgt_mw | outlook |',
        '| --- | ---: | ---: | --- |',
        '| 2023-05-01T00:00:00Z | 20000 |  | coal, mostly |',
        '| 2023-05-01T01:00:00Z | 20100 | 100.125 | coal, mostly |',
      ].join('\n'),
      byMenu('Copy as Markdown'),
    );
  });

  it('quotes cell texts that a copy format cannot hold as they are', async () => {
    await page.cell(12, 2).click();
    await page.press('Shift+ArrowRight');
    await page.footer('1 × 2 selected');
    await copied('1201.5\t"a ""windy""\tday"', () => page.press('Control+c'));
    await copied('eskom_ocgt_mw,outlook\r\n1201.5,"a ""windy""\tday"', byMenu('Copy as CSV'));
  });

  it("filters the table by a cell's value, or excludes it", async () => {
    await page.cell(0, 3).click();
    await byMenu('Include Only This Value')();
    await page.footer('84 of 168 rows');
    await page.cell(0, 1).click();
    await byMenu('Exclude This Value')();
    await page.footer('77 of 168 rows');
  });
});
