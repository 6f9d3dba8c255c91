import assert from 'node:assert/strict';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import {
  beginQuery,
  addConnection,
  readHeader,
  waitForMessage,
  readRow,
  runSystemState,
  startSandboxWithKey,
  getSharedWorkbench,
  waitForTable,
} from './support.ts';

describe('running a query', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };

  before(async () => {
    sandbox = await startSandboxWithKey();
    workbench = await getSharedWorkbench('Local');
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Local');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    // The last query is offered first and decides the number of steps, and other test files ran other queries before.
    await runSystemState(workbench, '2023-05-03');
    await waitForTable(workbench, 'System state · 2023-05-03 · hourly');
  });
  disposeAfter(() => [workbench, sandbox]);

  it('steps through dataset, range and interval, with a Back button', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Grid Data: Run Query…');
    await quickInput.waitOpen('Run Query · Local (1/3)');
    assert.equal(await quickInput.hasBack(), false);
    await quickInput.pick('System state');
    await quickInput.waitOpen('(2/3)');
    await quickInput.back();
    await quickInput.waitOpen('(1/3)');
    await quickInput.pick('System state');
    await quickInput.waitOpen('(2/3)');
    await quickInput.type('2023-01..2023-03');
    const items = await quickInput.waitItem('2,160 hours');
    const typed = items.find(item => item.startsWith('2023-01..2023-03'));
    assert.match(typed ?? '', /1 Jan 2023 00:00 – 1 Apr 2023 00:00 UTC · 2,160 hours/);
    await quickInput.accept();
    await quickInput.waitOpen('(3/3)');
    await quickInput.pick('1d');
    const frame = await waitForTable(workbench, 'System state · 2023-01..2023-03 · daily (UTC)');
    assert.match(await readHeader(frame), /daily \(UTC\) · 90 rows · 1 request/);
    assert.equal((await readRow(frame, 0))[0], '01 Jan');
  });

  it('accepts a range in plain words, and shows its meaning and cost before any request', async () => {
    const { quickInput } = workbench;
    await beginQuery(workbench);
    const offeredItems = await quickInput.waitItem('30 days to now');
    assert.match(offeredItems.find(item => item.startsWith('Last month')) ?? '', /1–(?:28|29|30|31) [A-Z][a-z]{2}/);
    // Each preset shows its cost even before anything is typed.
    const pricedItems = await quickInput.waitItem('1 request');
    assert.match(pricedItems.find(item => item.startsWith('Last month')) ?? '', / hours · 1 request$/);
    await quickInput.type('1-5 May 2023');
    const [typed] = await quickInput.waitItem('120 hours · 1 request');
    assert.match(typed ?? '', /^2023-05-01\.\.2023-05-05.*1–5 May 2023/);
    assert.match(typed ?? '', /1 May 2023 00:00 – 6 May 2023 00:00 UTC · 120 hours · 1 request/);
    await quickInput.cancel();
  });

  it('keeps an invalid range or interval, and shows what is wrong', async () => {
    const { quickInput } = workbench;
    await beginQuery(workbench);
    await quickInput.type('2023-02-30');
    await quickInput.waitItem('does not exist in the calendar');
    await quickInput.accept();
    assert.equal(await quickInput.value(), '2023-02-30');
    await quickInput.type('2099');
    await quickInput.waitItem('has not begun yet');
    await quickInput.type('');
    await quickInput.waitItem('Last 24 hours');
    await quickInput.pick('Custom…');
    await until(
      'the input box',
      () => quickInput.placeholder(),
      text => text === '2023-01-01..2023-01-31',
    );
    await quickInput.type('2023-02..2023-01');
    await quickInput.waitMessage('The end is not after the start');
    await quickInput.accept();
    assert.equal(await quickInput.isInvalid(), true);
    await quickInput.type('2023-05-01');
    await quickInput.waitMessage('24 hours');
    await quickInput.accept();
    await quickInput.waitOpen('(3/3)');
    await quickInput.type('banana');
    await quickInput.waitItem("isn't a length of time");
    await quickInput.accept();
    assert.equal(await quickInput.value(), 'banana');
    await quickInput.cancel();
  });

  it('offers the intervals that the service accepts after it rejects one', async () => {
    const { quickInput } = workbench;
    await runSystemState(workbench, '2023-05-01', '5m');
    await workbench.waitTab('5m');
    const frame = await workbench.resultFrame('System state · 2023-05-01 · 5m');
    const message = await waitForMessage(frame, 'does not support this interval');
    assert.match(message, /\(400\)\..* The service says: .interval=5m not supported/);
    await frame.locator('vscode-button[data-action=chooseInterval]').click();
    await quickInput.waitItem('1d');
    await quickInput.pick('1h');
    await waitForTable(workbench, 'System state · 2023-05-01 · hourly');
    assert.ok(!(await workbench.editorTabs()).some(tab => tab.includes('5m')), 'the same panel shows the new query');
  });
});
