import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { askedOf, gridRecords } from './gridHours.ts';
import { endsAfter } from './harness/failures.ts';
import { editorLines } from './harness/pageElement.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { addConnection, runSystemState, sharedWorkbench, tableOf } from './support.ts';

const title = 'System state · 2023-05-01..2023-05-02 · hourly';

describe('what the service changed since a result was shown', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;
  /** What the service says by now, where that is not what it said at first: undefined for an hour that it withdrew. */
  const changed = new Map<string, object | undefined>();

  before(async () => {
    service = await startCannedService(({ query }, response) => {
      const records = gridRecords(askedOf(query)).filter(({ ts }) => !changed.has(ts) || changed.get(ts));
      const data = records.map(record => ({ ...record, ...changed.get(record.ts) }));
      sendJson(response, 200, { data });
    });
    workbench = await sharedWorkbench('Requests');
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Requests');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, '2023-05-01..2023-05-02');
    page = new ResultPage(await tableOf(workbench, title));
  });
  endsAfter(() => [workbench, service]);

  it('reports rows that were revised or withdrawn since until they were shown, beside the earlier ones', async () => {
    changed.set('2023-05-01T03:00:00Z', { residual_demand_mw: 21_234.5 });
    changed.set('2023-05-01T05:00:00Z', undefined);
    // Runs that begin in one second share a request: the service's Date says no more.
    await setTimeout(1_000);
    await page.more('Refresh, Ignoring Archive');
    const part = page.frame.locator('header button[data-action=showRevisions]');
    await part.waitFor();
    assert.match(await part.innerText(), /^1 hour revised, 1 withdrawn since (\d+ \w+ )?\d\d:\d\d UTC$/);
    const header = await page.frame.locator('header .parts').innerText();
    assert.match(header, /47 of 48 hours, 1 missing: 1 May 05:00/);
    assert.equal(await page.frame.getByText('01 May 2023 05:00').count(), 0);
    await part.click();
    // An editor that is being laid out has its lines in any order.
    const side = (name: string, isWhole: (text: string) => boolean): Promise<string> =>
      until(
        `the side ${name}`,
        () => editorLines(workbench.page.locator(`.monaco-diff-editor .editor.${name}`)),
        isWhole,
      );
    const earlier = /^1 May 2023 03:00 UTC\n {2}Residual demand \(MW\): 20300\n1 May 2023 05:00 UTC\n/;
    await side('original', text => earlier.test(text));
    const later = [
      '1 May 2023 03:00 UTC',
      '  Residual demand (MW): 21234.5',
      '1 May 2023 05:00 UTC',
      '  withdrawn',
      '',
    ];
    await side('modified', text => text === later.join('\n'));
    await runSystemState(workbench, '2023-05-01..2023-05-02');
    page = new ResultPage(await workbench.resultFrame(title));
    await until(
      'an answer from the archive',
      () => page.frame.locator('header .parts').innerText(),
      text => text.includes('0 requests'),
    );
    assert.equal(await page.frame.locator('header button[data-action=showRevisions]').count(), 0);
  });
});
