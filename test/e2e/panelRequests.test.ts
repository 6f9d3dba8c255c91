import assert from 'node:assert/strict';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { askedOf, gridRecords } from './gridHours.ts';
import { pictureFailures } from './harness/failures.ts';
import { editorLines } from './harness/pageElement.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { addConnection, runSystemState, sharedWorkbench, tableOf } from './support.ts';

const key = 'sb_test_requests_0001';
const title = 'System state · 2023-05-01..2023-05-02 · hourly';

describe('the responses and requests of a result', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;
  /** What the service says by now, where that is not what it said at first: undefined for an hour that it withdrew. */
  const changed = new Map<string, object | undefined>();

  before(async () => {
    service = await startCannedService(({ query }, response) => {
      response.setHeader('X-Request-Id', `of ${key}`);
      response.setHeader('Set-Cookie', 'session=secret-cookie');
      const records = gridRecords(askedOf(query)).filter(({ ts }) => !changed.has(ts) || changed.get(ts));
      const data = records.map(record => ({ ...record, ...changed.get(record.ts) }));
      sendJson(response, 200, { meta: { note: 'as received' }, data });
    });
    workbench = await sharedWorkbench('Requests');
    await addConnection(workbench, service.baseUrl, key, 'Requests');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, '2023-05-01..2023-05-02');
    page = new ResultPage(await tableOf(workbench, title));
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
  });

  it("lists each request's hours, timing and headers, without credentials", async () => {
    const { frame } = page;
    await frame.locator('#tab-raw').click();
    const summary = frame.locator('.requests > summary');
    await summary.filter({ hasText: /^\s*1 request: hours, timing and headers\s*$/ }).click();
    const cells = await until(
      'the hours of the request',
      () => frame.locator('.requests tbody tr').locator('th, td').allInnerTexts(),
      ([hours]) => hours === '01 May 2023 00:00 – 03 May 2023 00:00',
    );
    assert.equal(cells[1], '200');
    assert.match(cells[4] ?? '', /^[\d,]+ ms$/);
    await frame.locator('.requests td summary').click();
    const details = await until(
      'the headers of the request',
      () => frame.locator('.requests td details').innerText(),
      text => /interval=1h/.test(text) && /x-request-id:?\s*of \[key\]/.test(text),
    );
    assert.doesNotMatch(details, /secret-cookie/);
    assert.ok(!(await frame.content()).includes(key));
  });

  it('opens the response in an editor, formatted', async () => {
    await page.frame.locator('[data-action=openResponse]').click();
    // An editor that is being laid out has its lines in any order.
    const laidOut = /^\{\s*"meta": \{\s*"note": "as received"[^]*residual_demand_mw/;
    await until(
      'the response in an editor',
      () => workbench.activeEditorText(),
      now => laidOut.test(now),
    );
  });

  it('reports rows that were revised or withdrawn since until they were shown, beside the earlier ones', async () => {
    changed.set('2023-05-01T03:00:00Z', { residual_demand_mw: 21_234.5 });
    changed.set('2023-05-01T05:00:00Z', undefined);
    await workbench.page.locator('.tabs-container .tab', { hasText: title }).click();
    page = new ResultPage(await workbench.resultFrame(title));
    await page.frame.locator('#tab-table').click();
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
