import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { parseRequestedRange, createGridRecords } from './gridHours.ts';
import { disposeAfter } from './harness/failures.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { chooseFile, chooseFromItemMenu } from './savedSupport.ts';
import { addConnection, getEmptyWorkbench, waitForTable } from './support.ts';

const key = 'sb_test_reports_0001';
const folder = {
  folder: 'Morning',
  queries: [
    { name: 'Ministers & <b>load</b>', dataset: 'systemState', range: '2023-05-01..2023-05-03' },
    {
      name: 'By hour of day',
      dataset: 'systemState',
      range: '2023-05-02..2023-05-03',
      analysis: { resample: 'hourOfDay' },
    },
    { name: 'Nothing yet', dataset: 'gridStress', range: '2023-05-01' },
  ],
};

describe('exporting a report', () => {
  let workbench: Workbench;
  let service: CannedService;

  before(async () => {
    service = await startCannedService(({ query, path }, response) =>
      sendJson(response, 200, { data: path.includes('stress') ? [] : createGridRecords(parseRequestedRange(query)) }),
    );
    workbench = await getEmptyWorkbench('Reports');
    mkdirSync(workspacePath('.vscode'));
    writeFileSync(join(workspacePath('.vscode'), 'grid-queries.json'), JSON.stringify({ queries: [folder] }));
    await addConnection(workbench, service.baseUrl, key, 'Reports');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await workbench.closeEditors();
  });
  disposeAfter(() => [workbench, service]);

  const workspacePath = (name: string): string => join(workbench.folder, name);
  const readWritten = (name: string): string => readFileSync(workspacePath(name), 'utf8');

  it('exports a folder with a section for each saved query, from one plan', async () => {
    await chooseFromItemMenu(workbench, 'Morning', 'Copy and Export', 'Export Report…');
    await workbench.quickInput.pick('HTML');
    await chooseFile(workbench, workspacePath('morning.html'));
    await workbench.notifications.waitFor('Exported the report to morning.html.');
    const html = readWritten('morning.html');
    assert.equal(html.match(/<h2/g)?.length, 1 + folder.queries.length);
    assert.equal(html.match(/<img /g)?.length, 2);
    for (const text of ['By hour of day', '>72 rows · ', '>24 rows · ', '72 of 72 hours'])
      assert.ok(html.includes(text), text);
    for (const text of ['Hours of the Day · UTC', 'The service has no rows for', '1 May 2023 00:00'])
      assert.ok(html.includes(text), text);
    assert.ok(!html.includes(key));
  });

  it('exports the visible panel from its menu, as Markdown with its chart in a folder', async () => {
    await workbench.treeRow('Morning').click();
    await chooseFromItemMenu(workbench, 'Ministers & <b>load</b>', 'Run');
    await workbench.waitTab('Ministers & <b>load</b>');
    const page = new ResultPage(await workbench.resultFrame('Ministers & <b>load</b>'));
    await page.waitForFooter('72 rows');
    await page.chooseFromToolbarMenu('Export Report…');
    await workbench.quickInput.pick('Markdown');
    await chooseFile(workbench, workspacePath('notes.md'));
    await workbench.notifications.waitFor('Exported the report to notes.md.');
    const text = readWritten('notes.md');
    assert.match(text, /!\[Shown: 01 May 00:00 UTC [^\]]*\]\(notes\/chart-1\.svg\)/);
    assert.match(text, /^\| 01 May 00:00 \| 20,000/m);
    assert.match(readWritten('notes/chart-1.svg'), /^<svg /);
  });
});
