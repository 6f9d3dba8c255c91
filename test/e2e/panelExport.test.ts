import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { askedOf, gridRecords } from './gridHours.ts';
import { endsAfter } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { acceptFile, chooseFile } from './savedSupport.ts';
import { chooseZone, addConnection, runSystemState, sharedWorkbench, tableOf } from './support.ts';

const key = 'sb_test_exports_0001';
const title = 'System state · 2023-05-01 · hourly';
/** The files that the buttons of the chart save. */
const pictures = {
  'Save As PNG': 'System state - 2023-05-01 - hourly.png',
  'Save As SVG': 'System state - 2023-05-01 - hourly.svg',
};
const kept = ['ts', 'residual_demand_mw', 'eskom_ocgt_mw', 'net_import_mw', 'outlook'];

describe('copying and exporting a result', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;

  before(async () => {
    service = await startCannedService(({ query }, response) =>
      sendJson(response, 200, {
        data: gridRecords(askedOf(query)).map(record => Object.fromEntries(kept.map(name => [name, record[name]]))),
      }),
    );
    workbench = await sharedWorkbench('Exports');
    await addConnection(workbench, service.baseUrl, key, 'Exports');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, '2023-05-01');
    page = new ResultPage(await tableOf(workbench, title));
  });
  endsAfter(() => [workbench, service]);

  /** The cells on screen, row by row; all of them are in view. */
  const onScreen = (): Promise<string[][]> =>
    page.frame.evaluate<string[][]>(
      `[...document.querySelectorAll('[role=row][aria-rowindex]:not([hidden])')]
        .filter(row => Number(row.ariaRowIndex) > 1)
        .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
        .map(row => [...row.querySelectorAll('[role=gridcell]:not([hidden]), [role=rowheader]:not([hidden])')]
          .sort((a, b) => Number(a.ariaColIndex) - Number(b.ariaColIndex))
          .map(cell => (cell.querySelector('.cell-text') ?? cell).textContent.trim()))`,
    );
  const choose = async (...labels: string[]): Promise<void> => {
    for (const label of labels) await workbench.quickInput.pick(label);
  };
  const pressExport = () => page.frame.locator('[data-action=export]').click();
  const fileIn = (name: string): string => join(workbench.folder, name);
  const written = (name: string): string => readFileSync(fileIn(name), 'utf8');

  it('copies cells by key and by menu, with all digits and empty nulls', async () => {
    await page.cell(18, 0).click();
    await page.cell(19, 4).click({ modifiers: ['Shift'] });
    await page.footer('2 × 5 selected');
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
    const hours = ['2023-05-01T18:00:00Z', '2023-05-01T19:00:00Z'];
    const tsv = [`${hours[0]}\t21800\t\t-68\t"a ""windy""\tday"`, `${hours[1]}\t21900\t300\t-69\t"a ""windy""\tday"`];
    await copied(tsv.join('\n'), () => page.press('Control+c'));
    await page.said('Copied 2 × 5 cells');
    const names = ['ts (UTC)', ...kept.slice(1)];
    await copied([names.join('\t'), ...tsv].join('\n'), () => page.press('Control+Shift+c'));
    const markdown = [
      `| ${names.join(' | ')} |`,
      '| --- | ---: | ---: | ---: | --- |',
      `| ${hours[0]} | 21800 |  | -68 | a "windy"\tday |`,
      `| ${hours[1]} | 21900 | 300 | -69 | a "windy"\tday |`,
    ];
    await copied(markdown.join('\n'), byMenu('Copy As Markdown'));
    await page.press('Escape');
  });

  it('exports cells as on screen: sorted, filtered, arranged, in the time zone shown', async () => {
    await chooseZone(page.frame, 'SAST');
    await page.header('Hour (SAST)').waitFor();
    await page.more('As Received');
    await page.more('Show Cell Hints');
    await page.columnMenu('Net import', 'Filter…');
    await page.frame.locator('#filter-net_import_mw').fill('<-58');
    await page.press('Enter');
    await page.footer('15 of 24 rows');
    await page.columnMenu('Residual demand', 'Sort Descending');
    await page.columnMenu('outlook', 'Hide Column');
    await page.footer('4 columns');
    const screen = await until('the highest first', onScreen, ([first]) => first?.[1] === '22300');
    assert.equal(screen.length, 15);
    assert.deepEqual(screen[0], ['02 May 01:00', '22300', '300', '-73']);
    await pressExport();
    await workbench.quickInput.waitOpen('Export Result');
    await choose('As Displayed');
    await choose('CSV', 'File…');
    await chooseFile(workbench, fileIn('screen.csv'));
    await workbench.notifications.waitFor('Exported 15 rows to screen.csv.');
    const [heading, ...rows] = parse(written('screen.csv'));
    assert.deepEqual(heading, ['ts', 'residual_demand_mw', 'eskom_ocgt_mw', 'net_import_mw']);
    assert.ok(rows.every(([time]) => time?.endsWith('+02:00')));
    assert.deepEqual(rows.map(asShown), screen);
    assert.deepEqual(leftOvers(), []);
  });

  it('repeats the last export with one key and no picker', async () => {
    await page.columnMenu('Residual demand', 'Sort Ascending');
    const screen = await until('the highest last', onScreen, rows => rows.at(-1)?.[1] === '22300');
    await page.cell(0, 0).click();
    await page.press('Control+d');
    await chooseFile(workbench, fileIn('again.csv'));
    await workbench.notifications.waitFor('Exported 15 rows to again.csv.');
    const [, ...rows] = parse(written('again.csv'));
    assert.deepEqual(rows.map(asShown), screen);
  });

  it('exports only the selected cells to the clipboard', async () => {
    await page.cell(0, 1).click();
    await page.cell(1, 2).click({ modifiers: ['Shift'] });
    await page.footer('2 × 2 selected');
    await pressExport();
    await workbench.quickInput.waitItem('Selection');
    await choose('Selection', 'Markdown', 'Clipboard');
    await workbench.notifications.waitFor('Copied 2 rows as Markdown.');
    assert.match(await workbench.clipboard(), /^\| residual_demand_mw \| eskom_ocgt_mw \|\n/);
  });

  it('saves the chart as PNG and SVG, and copies it as a picture', async () => {
    await page.tab('chart');
    await page.chartWords('Shown:');
    const button = (name: string) => page.frame.locator('.chart').getByRole('button', { name, exact: true });
    for (const [name, file] of Object.entries(pictures)) {
      await button(name).click();
      await until(
        'the name of the file',
        () => workbench.quickInput.valueNow(),
        value => value.endsWith(`/${file}`),
      );
      await acceptFile(workbench);
      await workbench.notifications.waitFor(`Saved ${file}.`);
    }
    const [png, svg] = Object.values(pictures).map(name => readFileSync(fileIn(name)));
    assert.equal(png?.subarray(1, 4).toString('latin1'), 'PNG');
    assert.match(svg?.toString() ?? '', /^<svg[^]*Residual demand[^]*<\/svg>\s*$/);
    await button('Copy As Picture').click();
    await page.said('Copied the chart as a picture.');
    const types = await workbench.page.evaluate<string[]>(
      'navigator.clipboard.read().then(items => items.flatMap(({ types }) => types))',
    );
    assert.deepEqual(types, ['image/png']);
    await page.tab('table');
  });

  it('exports into an editor tab, and asks for the table only when there are two', async () => {
    await page.frame.locator('[data-action=openInEditor]').click();
    await choose('As Displayed', 'TSV');
    // An editor that is being laid out has its lines in any order.
    await until(
      'the text in an editor',
      () => workbench.activeEditorText(),
      now => /^ts\s+residual_demand_mw[^]*\+02:00/.test(now),
    );
  });

  it('exports nothing when the picker is canceled, and never the API key', async () => {
    await workbench.page.locator('.tab').filter({ hasText: title }).click();
    page = new ResultPage(await workbench.resultFrame(title));
    const before = readdirSync(workbench.folder).sort();
    await pressExport();
    await choose('As Displayed', 'CSV', 'File…');
    await until(
      'the file dialog',
      () => workbench.quickInput.valueNow(),
      value => value.endsWith('.csv'),
    );
    await workbench.quickInput.cancel();
    assert.deepEqual(readdirSync(workbench.folder).sort(), before);
    for (const name of ['screen.csv', 'again.csv', ...Object.values(pictures)])
      assert.ok(!readFileSync(fileIn(name), 'latin1').includes(key), name);
  });

  /** Files that an export writes on its way. */
  const leftOvers = (): string[] => readdirSync(workbench.folder).filter(name => /tmp|part/i.test(name));
});

function parse(text: string): string[][] {
  return parseCsv(text);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A row of the file as the screen writes it: hours without year and offset; the numbers have all their digits in both. */
function asShown(cells: readonly string[]): string[] {
  return cells.map(cell =>
    cell.replace(
      /^\d{4}-(\d\d)-(\d\d)T(\d\d:\d\d):00\+02:00$/,
      (_, month: string, day: string, time: string) => `${day} ${months[Number(month) - 1] ?? ''} ${time}`,
    ),
  );
}
