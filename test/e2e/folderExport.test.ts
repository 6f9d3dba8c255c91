import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSheet } from 'read-excel-file/node';
import { startCannedService, type CannedService } from '../support/cannedService.ts';
import { respondWithHours } from './gridHours.ts';
import { disposeAfter } from './harness/failures.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { chooseFile, chooseFolder, chooseFromItemMenu } from './savedSupport.ts';
import { addConnection, clearArchive, getEmptyWorkbench, waitForTable } from './support.ts';

const queries = [
  { name: 'State of two months', dataset: 'systemState', range: '2023-04-01..2023-05-31' },
  { name: 'Stress of a month', dataset: 'gridStress', range: '2023-05' },
];

describe('exporting to a partitioned folder', () => {
  let workbench: Workbench;
  let service: CannedService;

  before(async () => {
    service = await startCannedService(respondWithHours);
    workbench = await getEmptyWorkbench('Folders');
    for (const name of ['.vscode', 'hive']) mkdirSync(workspacePath(name));
    writeFileSync(join(workspacePath('.vscode'), 'grid-queries.json'), JSON.stringify({ queries }));
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Folders');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await workbench.closeEditors();
    await clearArchive(workbench);
  });
  disposeAfter(() => [workbench, service]);

  const workspacePath = (name: string): string => join(workbench.folder, name);
  const listExportedFiles = (): string[] =>
    readdirSync(workspacePath('hive'), { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ parentPath, name: file }) => join(parentPath, file).slice(workspacePath('hive').length + 1))
      .sort();
  const exportBoth = async (): Promise<void> => {
    await workbench.treeRow('State of two months').click();
    await workbench.treeRow('Stress of a month').click({ modifiers: ['Shift'] });
    await chooseFromItemMenu(workbench, 'Stress of a month', 'Copy and Export', 'Export Data to Folder…');
    await chooseFolder(workbench, workspacePath('hive'), 'Export Here');
  };

  it('partitions a folder by dataset, interval, year and month', async () => {
    await exportBoth();
    const message = await workbench.notifications.waitFor('Exported 2,208 rows to hive');
    assert.match(message, /3 files/);
    assert.deepEqual(
      listExportedFiles().map(file => file.replace(/part-[0-9a-f]{16}/, 'part')),
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

  it('replaces an earlier export in the same folder without a request', async () => {
    const previousState = [service.receivedRequests.length, listExportedFiles()];
    await workbench.clearNotifications();
    await exportBoth();
    assert.match(await workbench.notifications.dialogText(), /hive contains an earlier export/);
    await workbench.notifications.pressInDialog('Replace');
    await workbench.notifications.waitFor('Exported 2,208 rows to hive');
    assert.deepEqual([service.receivedRequests.length, listExportedFiles()], previousState);
  });

  it('exports a workbook of two months on a worker thread', async () => {
    await workbench.treeRow('State of two months').click();
    await chooseFromItemMenu(workbench, 'State of two months', 'Run');
    const page = new ResultPage(await waitForTable(workbench, 'State of two months'));
    await page.frame.locator('[data-action=export]').click();
    for (const label of ['As Displayed', 'Excel']) await workbench.quickInput.pick(label);
    await chooseFile(workbench, workspacePath('months.xlsx'));
    await workbench.notifications.waitFor('Exported 1,464 rows to months.xlsx.');
    const [heading, ...rows] = (await readSheet(workspacePath('months.xlsx'))) as unknown[][];
    assert.equal(heading?.[1], 'Residual demand (MW)');
    assert.equal(rows.length, 61 * 24);
    assert.deepEqual(rows[13]?.slice(1, 3), [21_300, 21_350.25]);
  });
});
