import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { askedOf, gridRecords } from './gridHours.ts';
import { endsAfter } from './harness/failures.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { chooseFile, itemMenu } from './savedSupport.ts';
import { addConnection, emptiedWorkbench, tableOf } from './support.ts';

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
      sendJson(response, 200, { data: path.includes('stress') ? [] : gridRecords(askedOf(query)) }),
    );
    workbench = await emptiedWorkbench('Reports');
    mkdirSync(pathOf('.vscode'));
    writeFileSync(join(pathOf('.vscode'), 'grid-queries.json'), JSON.stringify({ queries: [folder] }));
    await addConnection(workbench, service.baseUrl, key, 'Reports');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await workbench.closeEditors();
  });
  endsAfter(() => [workbench, service]);

  const pathOf = (name: string): string => join(workbench.folder, name);
  const written = (name: string): string => readFileSync(pathOf(name), 'utf8');

  it('exports a folder with a section for each saved query, from one plan', async () => {
    await itemMenu(workbench, 'Morning', 'Copy and Export', 'Export Report…');
    await workbench.quickInput.pick('HTML');
    await chooseFile(workbench, pathOf('morning.html'));
    await workbench.notifications.waitFor('Exported the report to morning.html.');
    const html = written('morning.html');
    assert.equal(html.match(/<h2/g)?.length, 1 + folder.queries.length);
    assert.equal(html.match(/<img /g)?.length, 2);
    for (const text of ['By hour of day', '>72 rows · ', '>24 rows · ', '72 of 72 hours'])
      assert.ok(html.includes(text), text);
    for (const text of ['Hours of the Day · UTC', 'The service has no rows for', '1 May 2023 00:00'])
      assert.ok(html.includes(text), text);
    assert.ok(!html.includes(key));
  });

  it('exports the panel in sight from its menu, as Markdown with its chart beside it', async () => {
    await workbench.treeRow('Morning').click();
    await itemMenu(workbench, 'Ministers & <b>load</b>', 'Run');
    await workbench.waitTab('Ministers & <b>load</b>');
    const page = new ResultPage(await workbench.resultFrame('Ministers & <b>load</b>'));
    await page.footer('72 rows');
    await page.more('Export Report…');
    await workbench.quickInput.pick('Markdown');
    await chooseFile(workbench, pathOf('notes.md'));
    await workbench.notifications.waitFor('Exported the report to notes.md.');
    const text = written('notes.md');
    assert.match(text, /!\[Shown: 01 May 00:00 UTC [^\]]*\]\(notes\/chart-1\.svg\)/);
    assert.match(text, /^\| 01 May 00:00 \| 20,000/m);
    assert.match(written('notes/chart-1.svg'), /^<svg /);
  });
});
