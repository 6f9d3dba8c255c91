import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { parseRequestedRange, createGridRecords } from './gridHours.ts';
import { disposeAfter } from './harness/failures.ts';
import { readEditorLines } from './harness/pageElement.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { addConnection, runSystemState, getSharedWorkbench, waitForTable } from './support.ts';

const title = 'System state · 2023-05-01..2023-05-02 · hourly';

describe('revisions of the service since a result was shown', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;
  /** The hours that the service has revised since the first response, or withdrawn (undefined). */
  const revisedHours = new Map<string, object | undefined>();

  before(async () => {
    service = await startCannedService(({ query }, response) => {
      const records = createGridRecords(parseRequestedRange(query)).filter(
        ({ ts }) => !revisedHours.has(ts) || revisedHours.get(ts),
      );
      const data = records.map(record => ({ ...record, ...revisedHours.get(record.ts) }));
      sendJson(response, 200, { data });
    });
    workbench = await getSharedWorkbench('Requests');
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Requests');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, '2023-05-01..2023-05-02');
    page = new ResultPage(await waitForTable(workbench, title));
  });
  disposeAfter(() => [workbench, service]);

  it('reports revised and withdrawn rows until the difference was shown', async () => {
    revisedHours.set('2023-05-01T03:00:00Z', { residual_demand_mw: 21_234.5 });
    revisedHours.set('2023-05-01T05:00:00Z', undefined);
    // Runs within the same second share a request, since the service's Date header has whole seconds.
    await setTimeout(1_000);
    await page.chooseFromToolbarMenu('Refresh, Ignoring Archive');
    const revisionsButton = page.frame.locator('header button[data-action=showRevisions]');
    await revisionsButton.waitFor();
    assert.match(await revisionsButton.innerText(), /^1 hour revised, 1 withdrawn since (\d+ \w+ )?\d\d:\d\d UTC$/);
    const header = await page.frame.locator('header .parts').innerText();
    assert.match(header, /47 of 48 hours, 1 missing: 1 May 05:00/);
    assert.equal(await page.frame.getByText('01 May 2023 05:00').count(), 0);
    await revisionsButton.click();
    // While the editor is being laid out, its lines may be out of order.
    const waitForSide = (name: string, isWhole: (text: string) => boolean): Promise<string> =>
      until(
        `the side ${name}`,
        () => readEditorLines(workbench.page.locator(`.monaco-diff-editor .editor.${name}`)),
        isWhole,
      );
    const earlier = /^1 May 2023 03:00 UTC\n {2}Residual demand \(MW\): 20300\n1 May 2023 05:00 UTC\n/;
    await waitForSide('original', text => earlier.test(text));
    const later = [
      '1 May 2023 03:00 UTC',
      '  Residual demand (MW): 21234.5',
      '1 May 2023 05:00 UTC',
      '  withdrawn',
      '',
    ];
    await waitForSide('modified', text => text === later.join('\n'));
    await runSystemState(workbench, '2023-05-01..2023-05-02');
    page = new ResultPage(await workbench.resultFrame(title));
    await until(
      'a result from the archive',
      () => page.frame.locator('header .parts').innerText(),
      text => text.includes('0 requests'),
    );
    assert.equal(await page.frame.locator('header button[data-action=showRevisions]').count(), 0);
  });
});
