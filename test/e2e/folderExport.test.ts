import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSheet } from 'read-excel-file/node';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { duckDb, type Ask } from '../unit/service/export/readers.ts';
import { askedOf, gridRecords } from './gridHours.ts';
import { pictureFailures } from './harness/failures.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { chooseFile, chooseFolder, itemMenu } from './savedSupport.ts';
import { addConnection, clearArchive, emptiedWorkbench, tableOf } from './support.ts';

const key = 'sb_test_folders_0001';
const queries = [
  { name: 'State of two months', dataset: 'systemState', range: '2023-04-01..2023-05-31' },
  { name: 'Stress of a month', dataset: 'gridStress', range: '2023-05' },
];
/** The folders, beside the workspace's own files. */
const targets = ['hive', 'archive', 'none'];
const stateHours = 61 * 24;
const stressHours = 31 * 24;

describe('exporting to a partitioned folder', () => {
  let workbench: Workbench;
  let service: CannedService;
  let ask: Ask | undefined;
  /** The rows of the folder that was exported first. */
  let exported: unknown[][];

  before(async () => {
    service = await startCannedService(({ query }, response) =>
      sendJson(response, 200, { data: gridRecords(askedOf(query)) }),
    );
    workbench = await emptiedWorkbench('Folders');
    for (const name of ['.vscode', ...targets]) mkdirSync(pathOf(name));
    writeFileSync(join(pathOf('.vscode'), 'grid-queries.json'), JSON.stringify({ queries }));
    await addConnection(workbench, service.baseUrl, key, 'Folders');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await workbench.closeEditors();
    await clearArchive(workbench);
    ask = await duckDb();
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
    for (const name of targets) rmSync(pathOf(name), { recursive: true, force: true, maxRetries: 5 });
  });

  const pathOf = (name: string): string => join(workbench.folder, name);
  const filesOf = (name: string): string[] =>
    readdirSync(pathOf(name), { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ parentPath, name: file }) => join(parentPath, file).slice(pathOf(name).length + 1))
      .sort();
  const askFolder = async (): Promise<void> => {
    await workbench.treeRow('State of two months').click();
    await workbench.treeRow('Stress of a month').click({ modifiers: ['Shift'] });
    await itemMenu(workbench, 'Stress of a month', 'Export Data to Folder…');
  };
  const exportTo = async (name: string): Promise<void> => chooseFolder(workbench, pathOf(name), 'Export Here');
  /** The rows of 2023. */
  const rowsOf = async (run: Ask, folder: string): Promise<unknown[][]> => {
    const { rows } = await run(
      `select dataset, interval, year, month, count(*)::int, count(distinct ts)::int, min(ts), max(ts),
         sum(residual_demand_mw), count(eskom_ocgt_mw)::int, any_value(outlook order by ts)
       from read_parquet('${pathOf(folder)}/**/*.parquet', hive_partitioning = true)
       where year = 2023 group by all order by dataset, month`,
    );
    return rows;
  };

  it('exports nothing when the folder dialog is canceled', async () => {
    const before = service.seen.length;
    await askFolder();
    await workbench.quickInput.waitOpen('Folder for the Parquet Files');
    await workbench.quickInput.cancel();
    assert.equal(service.seen.length, before);
    assert.deepEqual(filesOf('none'), []);
    await workbench.notifications.none();
  });

  it('partitions a folder by dataset, interval, year and month', async () => {
    await askFolder();
    await exportTo('hive');
    const said = await workbench.notifications.waitFor('Exported 2,208 rows to hive');
    assert.match(said, /3 files/);
    assert.deepEqual(
      filesOf('hive').map(file => file.replace(/part-[0-9a-f]{16}/, 'part')),
      [
        ...['gridStress', 'systemState'].flatMap(dataset =>
          ['duckdb', 'spark', 'trino'].map(engine => `_${dataset}_1h.${engine}.sql`),
        ),
        'dataset=gridStress/interval=1h/year=2023/month=05/part.parquet',
        'dataset=systemState/interval=1h/year=2023/month=04/part.parquet',
        'dataset=systemState/interval=1h/year=2023/month=05/part.parquet',
      ],
    );
  });

  it('writes files that another engine reads', async function () {
    if (!ask) this.skip();
    exported = await rowsOf(ask, 'hive');
    assert.deepEqual(exported.map(summaryOf), [
      ['gridStress', '1h', 5, stressHours, stressHours, Date.UTC(2023, 4, 1), Date.UTC(2023, 4, 31, 23)],
      ['systemState', '1h', 4, 720, 720, Date.UTC(2023, 3, 1), Date.UTC(2023, 3, 30, 23)],
      ['systemState', '1h', 5, 744, 744, Date.UTC(2023, 4, 1), Date.UTC(2023, 4, 31, 23)],
    ]);
    const sent = gridRecords({ start: Date.UTC(2023, 3, 1), end: Date.UTC(2023, 4, 1), stepMs: 3_600_000 });
    assert.deepEqual(exported[1]?.slice(8), [
      sent.reduce((sum, record) => sum + Number(record['residual_demand_mw']), 0),
      sent.filter(record => record['eskom_ocgt_mw'] !== null).length,
      'coal, mostly',
    ]);
  });

  it('replaces an earlier export in the same folder without a request', async () => {
    const [asked, files] = [service.seen.length, filesOf('hive')];
    await workbench.clearNotifications();
    await askFolder();
    await exportTo('hive');
    assert.match(await workbench.notifications.dialogText(), /hive contains an earlier export/);
    await workbench.notifications.pressInDialog('Replace');
    await workbench.notifications.waitFor('Exported 2,208 rows to hive');
    assert.deepEqual([service.seen.length, filesOf('hive')], [asked, files]);
  });

  it('exports the same folder from the archive without a request', async () => {
    const asked = service.seen.length;
    await workbench.clearNotifications();
    await workbench.runCommand('Grid Data: Export Archive…');
    await exportTo('archive');
    await workbench.notifications.waitFor('to archive');
    assert.equal(service.seen.length, asked);
    for (const file of filesOf('archive'))
      assert.ok(!readFileSync(join(pathOf('archive'), file), 'latin1').includes(key));
  });

  it('writes the same rows when it replaces an export, and from the archive', async function () {
    if (!ask) this.skip();
    for (const folder of ['hive', 'archive']) assert.deepEqual(await rowsOf(ask, folder), exported, folder);
  });

  it('exports a workbook of two months on a worker thread', async () => {
    await workbench.treeRow('State of two months').click();
    await itemMenu(workbench, 'State of two months', 'Run Saved Query');
    const page = new ResultPage(await tableOf(workbench, 'State of two months'));
    await page.frame.locator('[data-action=export]').click();
    for (const label of ['As on Screen', 'Excel']) await workbench.quickInput.pick(label);
    await chooseFile(workbench, pathOf('months.xlsx'));
    await workbench.notifications.waitFor('Exported 1,464 rows to months.xlsx.');
    const [heading, ...rows] = (await readSheet(pathOf('months.xlsx'))) as unknown[][];
    assert.equal(heading?.[1], 'Residual demand (MW)');
    assert.equal(rows.length, stateHours);
    assert.deepEqual(rows[13]?.slice(1, 3), [21_300, 21_350.25]);
  });
});

function summaryOf(row: readonly unknown[]): unknown[] {
  const [dataset, interval, , month, count, distinct, first, last] = row;
  const at = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value);
  return [dataset, interval, Number(month), count, distinct, at(first), at(last)];
}
