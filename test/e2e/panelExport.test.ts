import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { parseRequestedRange, createGridRecords } from './gridHours.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { acceptFile, chooseFile } from './savedSupport.ts';
import { chooseZone, addConnection, runSystemState, getSharedWorkbench, waitForTable } from './support.ts';

const key = 'sb_test_exports_0001';
const title = 'System state · 2023-05-01 · hourly';
/** The files that the chart's buttons save. */
const pictures = {
  'Save As PNG': 'System state - 2023-05-01 - hourly.png',
  'Save As SVG': 'System state - 2023-05-01 - hourly.svg',
};
const columnNames = ['ts', 'residual_demand_mw', 'eskom_ocgt_mw', 'net_import_mw', 'outlook'];

describe('copying and exporting a result', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;

  before(async () => {
    service = await startCannedService(({ query }, response) =>
      sendJson(response, 200, {
        data: createGridRecords(parseRequestedRange(query)).map(record =>
          Object.fromEntries(columnNames.map(name => [name, record[name]])),
        ),
      }),
    );
    workbench = await getSharedWorkbench('Exports');
    await addConnection(workbench, service.baseUrl, key, 'Exports');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, '2023-05-01');
    page = new ResultPage(await waitForTable(workbench, title));
  });
  disposeAfter(() => [workbench, service]);

  /** Reads the visible cells, row by row. */
  const readVisibleCells = (): Promise<string[][]> =>
    page.frame.evaluate<string[][]>(
      `[...document.querySelectorAll('[role=row][aria-rowindex]:not([hidden])')]
        .filter(row => Number(row.ariaRowIndex) > 1)
        .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
        .map(row => [...row.querySelectorAll('[role=gridcell]:not([hidden]), [role=rowheader]:not([hidden])')]
          .sort((a, b) => Number(a.ariaColIndex) - Number(b.ariaColIndex))
          .map(cell => (cell.querySelector('.cell-text') ?? cell).textContent.trim()))`,
    );
  const pickItems = async (...labels: string[]): Promise<void> => {
    for (const label of labels) await workbench.quickInput.pick(label);
  };
  const pressExport = () => page.frame.locator('[data-action=export]').click();
  const workspacePath = (name: string): string => join(workbench.folder, name);
  const readWritten = (name: string): string => readFileSync(workspacePath(name), 'utf8');

  it('copies cells by key and by menu, with all digits and nulls as empty cells', async () => {
    await page.findCell(18, 0).click();
    await page.findCell(19, 4).click({ modifiers: ['Shift'] });
    await page.waitForFooter('2 × 5 selected');
    const assertCopied = async (text: string, copy: () => Promise<void>): Promise<string> => {
      await workbench.page.evaluate("navigator.clipboard.writeText('nothing yet')");
      await copy();
      return until(
        'the clipboard',
        () => workbench.clipboard(),
        copiedText => copiedText === text,
      );
    };
    const chooseFromMenu = (label: string) => (): Promise<void> =>
      page.chooseFromMenu(() => page.press('Shift+F10'), label);
    const hours = ['2023-05-01T18:00:00Z', '2023-05-01T19:00:00Z'];
    const tsv = [`${hours[0]}\t21800\t\t-68\t"a ""windy""\tday"`, `${hours[1]}\t21900\t300\t-69\t"a ""windy""\tday"`];
    await assertCopied(tsv.join('\n'), () => page.press('Control+c'));
    await page.waitForAnnouncement('Copied 2 × 5 cells');
    const names = ['ts (UTC)', ...columnNames.slice(1)];
    await assertCopied([names.join('\t'), ...tsv].join('\n'), () => page.press('Control+Shift+c'));
    const markdown = [
      `| ${names.join(' | ')} |`,
      '| --- | ---: | ---: | ---: | --- |',
      `| ${hours[0]} | 21800 |  | -68 | a "windy"\tday |`,
      `| ${hours[1]} | 21900 | 300 | -69 | a "windy"\tday |`,
    ];
    await assertCopied(markdown.join('\n'), chooseFromMenu('Copy As Markdown'));
    await page.press('Escape');
  });

  it('exports cells as on screen: sorted, filtered, arranged, in the time zone shown', async () => {
    await chooseZone(page.frame, 'SAST');
    await page.findHeader('Hour (SAST)').waitFor();
    await page.chooseFromToolbarMenu('As Received');
    await page.chooseFromToolbarMenu('Show Cell Hints');
    await page.chooseFromColumnMenu('Net import', 'Filter…');
    await page.frame.locator('#filter-net_import_mw').fill('<-58');
    await page.press('Enter');
    await page.waitForFooter('15 of 24 rows');
    await page.chooseFromColumnMenu('Residual demand', 'Sort Descending');
    await page.chooseFromColumnMenu('outlook', 'Hide Column');
    await page.waitForFooter('4 columns');
    const visibleCells = await until('the highest value first', readVisibleCells, ([first]) => first?.[1] === '22300');
    assert.equal(visibleCells.length, 15);
    assert.deepEqual(visibleCells[0], ['02 May 01:00', '22300', '300', '-73']);
    await pressExport();
    await workbench.quickInput.waitOpen('Export Result');
    await pickItems('As Displayed');
    await pickItems('CSV', 'File…');
    await chooseFile(workbench, workspacePath('screen.csv'));
    await workbench.notifications.waitFor('Exported 15 rows to screen.csv.');
    const [heading, ...rows] = parseCsvText(readWritten('screen.csv'));
    assert.deepEqual(heading, ['ts', 'residual_demand_mw', 'eskom_ocgt_mw', 'net_import_mw']);
    assert.ok(rows.every(([time]) => time?.endsWith('+02:00')));
    assert.deepEqual(rows.map(toVisibleCells), visibleCells);
    assert.deepEqual(findTemporaryFiles(), []);
  });

  it('repeats the last export with one key and no picker', async () => {
    await page.chooseFromColumnMenu('Residual demand', 'Sort Ascending');
    const visibleCells = await until('the highest value last', readVisibleCells, rows => rows.at(-1)?.[1] === '22300');
    await page.findCell(0, 0).click();
    await page.press('Control+d');
    await chooseFile(workbench, workspacePath('again.csv'));
    await workbench.notifications.waitFor('Exported 15 rows to again.csv.');
    const [, ...rows] = parseCsvText(readWritten('again.csv'));
    assert.deepEqual(rows.map(toVisibleCells), visibleCells);
  });

  it('exports only the selected cells to the clipboard', async () => {
    await page.findCell(0, 1).click();
    await page.findCell(1, 2).click({ modifiers: ['Shift'] });
    await page.waitForFooter('2 × 2 selected');
    await pressExport();
    await workbench.quickInput.waitItem('Selection');
    await pickItems('Selection', 'Markdown', 'Clipboard');
    await workbench.notifications.waitFor('Copied 2 rows as Markdown.');
    assert.match(await workbench.clipboard(), /^\| residual_demand_mw \| eskom_ocgt_mw \|\n/);
  });

  it('saves the chart as PNG and SVG, and copies it as a picture', async () => {
    await page.openTab('chart');
    await page.waitForChartSummary('Shown:');
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
    const [png, svg] = Object.values(pictures).map(name => readFileSync(workspacePath(name)));
    assert.equal(png?.subarray(1, 4).toString('latin1'), 'PNG');
    assert.match(svg?.toString() ?? '', /^<svg[^]*Residual demand[^]*<\/svg>\s*$/);
    await button('Copy As Picture').click();
    await page.waitForAnnouncement('Copied the chart as a picture.');
    const types = await workbench.page.evaluate<string[]>(
      'navigator.clipboard.read().then(items => items.flatMap(({ types }) => types))',
    );
    assert.deepEqual(types, ['image/png']);
    await page.openTab('table');
  });

  it('exports into an editor tab, and prompts for the table only when there are two', async () => {
    await page.frame.locator('[data-action=openInEditor]').click();
    await pickItems('As Displayed', 'TSV');
    // While the editor is being laid out, its lines may be out of order.
    await until(
      'the text in an editor',
      () => workbench.activeEditorText(),
      editorText => /^ts\s+residual_demand_mw[^]*\+02:00/.test(editorText),
    );
  });

  it('exports nothing when the picker is canceled, and never the API key', async () => {
    await workbench.page.locator('.tab').filter({ hasText: title }).click();
    page = new ResultPage(await workbench.resultFrame(title));
    const previousFiles = readdirSync(workbench.folder).sort();
    await pressExport();
    await pickItems('As Displayed', 'CSV', 'File…');
    await until(
      'the file dialog',
      () => workbench.quickInput.valueNow(),
      value => value.endsWith('.csv'),
    );
    await workbench.quickInput.cancel();
    assert.deepEqual(readdirSync(workbench.folder).sort(), previousFiles);
    for (const name of ['screen.csv', 'again.csv', ...Object.values(pictures)])
      assert.ok(!readFileSync(workspacePath(name), 'latin1').includes(key), name);
  });

  /** Finds temporary files that an export has left. */
  const findTemporaryFiles = (): string[] => readdirSync(workbench.folder).filter(name => /tmp|part/i.test(name));
});

function parseCsvText(text: string): string[][] {
  return parseCsv(text);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Converts a row of the file to the cells on screen, whose times have no year and offset. */
function toVisibleCells(cells: readonly string[]): string[] {
  return cells.map(cell =>
    cell.replace(
      /^\d{4}-(\d\d)-(\d\d)T(\d\d:\d\d):00\+02:00$/,
      (_, month: string, day: string, time: string) => `${day} ${months[Number(month) - 1] ?? ''} ${time}`,
    ),
  );
}
