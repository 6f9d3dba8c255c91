import assert from 'node:assert/strict';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { respondWithHours } from './gridHours.ts';
import { pressItemButton } from './harness/contextMenu.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { enterNameAndStore, waitForSavedNames } from './savedSupport.ts';
import { addConnection, getEmptyWorkbench, readHeader, runSystemState, waitForTable } from './support.ts';

const pane = '.part.sidebar .pane:has(.pane-header[aria-label^="Recent"])';

describe('recent runs', () => {
  let workbench: Workbench;
  let service: CannedService;
  let fails = false;

  before(async () => {
    service = await startCannedService((request, response) => {
      if (fails) sendJson(response, 400, { error: 'not that' });
      else respondWithHours(request, response);
    });
    workbench = await getEmptyWorkbench('Canned');
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Canned');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
  });
  disposeAfter(() => [workbench, service]);

  it('lists recent runs with their results, newest first, failed ones included', async () => {
    await runSystemState(workbench, '2023-05');
    await waitForTable(workbench, 'System state · 2023-05 · hourly');
    fails = true;
    await runSystemState(workbench, '2023-06');
    const expected = [
      /System state · 2023-06.*failed/s,
      /System state · 2023-05.*\d\d:\d\d UTC · 744 rows · hourly/s,
      /System state · last 24 hours.*24 rows/s,
    ];
    await until(
      'the runs, including that of the new key',
      readRuns,
      texts => texts.length === 3 && expected.every((run, index) => run.test(texts[index] ?? '')),
    );
  });

  it('opens a recent run from the archive without a request', async () => {
    await workbench.closeEditors();
    const previousCount = service.receivedRequests.length;
    await findItem('2023-05').click();
    const frame = await waitForTable(workbench, 'System state · 2023-05 · hourly');
    assert.match(await readHeader(frame), /744 rows · 0 requests, 744 hours from archive/);
    assert.equal(service.receivedRequests.length, previousCount);
    assert.equal((await readRuns()).length, 3, 'opening a run adds no run');
  });

  it('saves a recent run as a query', async () => {
    await pressItemButton(findItem('2023-05'), 'Save…');
    await enterNameAndStore(workbench, 'May', 'Personal');
    await waitForSavedNames(workbench, ['May']);
  });

  it('clears recent runs, keeps saved queries, and restores the runs with Undo', async () => {
    await workbench.runCommand('Grid Data: Clear Recent Runs');
    assert.match(await workbench.notifications.dialogText(), /Clear recent runs\?/);
    await workbench.notifications.pressInDialog('Cancel');
    assert.ok((await readRuns()).length > 0);
    await workbench.runCommand('Grid Data: Clear Recent Runs');
    await workbench.notifications.pressInDialog('Clear');
    await until('no run', readRuns, texts => texts.length === 0);
    await waitForSavedNames(workbench, ['May']);
    await workbench.treeRow('May').filter({ hasText: '744 rows' }).waitFor();
    await workbench.notifications.press('Cleared the recent runs.', 'Undo');
    await until('the runs', readRuns, texts => texts.length === 3);
  });

  function findItem(text: string) {
    return workbench.page.locator(`${pane} .monaco-list-row`).filter({ hasText: text }).first();
  }

  async function readRuns(): Promise<string[]> {
    return workbench.page.locator(`${pane} .monaco-list-row`).allInnerTexts();
  }
});
