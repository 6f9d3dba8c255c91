import assert from 'node:assert/strict';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { answerHours } from './gridHours.ts';
import { pressOnLine } from './harness/contextMenu.ts';
import { endsAfter } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { saveBoth, waitNames } from './savedSupport.ts';
import { addConnection, emptiedWorkbench, headerOf, runSystemState, tableOf } from './support.ts';

const pane = '.part.sidebar .pane:has(.pane-header[aria-label^="Recent"])';

describe('recent runs', () => {
  let workbench: Workbench;
  let service: CannedService;
  let fails = false;

  before(async () => {
    service = await startCannedService((request, response) => {
      if (fails) sendJson(response, 400, { error: 'not that' });
      else answerHours(request, response);
    });
    workbench = await emptiedWorkbench('Canned');
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Canned');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
  });
  endsAfter(() => [workbench, service]);

  it('lists recent runs with their results, newest first, failed ones included', async () => {
    await runSystemState(workbench, '2023-05');
    await tableOf(workbench, 'System state · 2023-05 · hourly');
    fails = true;
    await runSystemState(workbench, '2023-06');
    const expected = [
      /System state · 2023-06.*failed/s,
      /System state · 2023-05.*\d\d:\d\d UTC · 744 rows · hourly/s,
      /System state · last 24 hours.*24 rows/s,
    ];
    await until(
      'the runs, that of the new key among them',
      runs,
      all => all.length === 3 && expected.every((run, index) => run.test(all[index] ?? '')),
    );
  });

  it('opens a recent run from the archive without a request', async () => {
    await workbench.closeEditors();
    const before = service.seen.length;
    await line('2023-05').click();
    const frame = await tableOf(workbench, 'System state · 2023-05 · hourly');
    assert.match(await headerOf(frame), /744 rows · 0 requests, 744 hours from archive/);
    assert.equal(service.seen.length, before);
    assert.equal((await runs()).length, 3, 'looking is no run');
  });

  it('saves a recent run as a query', async () => {
    await pressOnLine(line('2023-05'), 'Save…');
    await saveBoth(workbench, 'May', 'Personal');
    await waitNames(workbench, ['May']);
  });

  it('clears recent runs, keeps saved queries, and restores the runs with Undo', async () => {
    await workbench.runCommand('Grid Data: Clear Recent Runs');
    assert.match(await workbench.notifications.dialogText(), /Clear recent runs\?/);
    await workbench.notifications.pressInDialog('Cancel');
    assert.ok((await runs()).length > 0);
    await workbench.runCommand('Grid Data: Clear Recent Runs');
    await workbench.notifications.pressInDialog('Clear');
    await until('no run', runs, all => all.length === 0);
    await waitNames(workbench, ['May']);
    await workbench.treeRow('May').filter({ hasText: '744 rows' }).waitFor();
    await workbench.notifications.press('Cleared the recent runs.', 'Undo');
    await until('the runs', runs, all => all.length === 3);
  });

  function line(text: string) {
    return workbench.page.locator(`${pane} .monaco-list-row`).filter({ hasText: text }).first();
  }

  async function runs(): Promise<string[]> {
    return workbench.page.locator(`${pane} .monaco-list-row`).allInnerTexts();
  }
});
