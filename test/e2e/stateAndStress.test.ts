import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import {
  addConnection,
  beginQuery,
  readHeader,
  startSandboxWithKey,
  getSharedWorkbench,
  waitForTable,
} from './support.ts';

const formatTitle = (range: string): string => `System state and stress · ${range} · hourly`;

describe('system state and stress in one panel', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };

  before(async () => {
    sandbox = await startSandboxWithKey({ faults: [] });
    workbench = await getSharedWorkbench('Local');
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Local');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
  });
  disposeAfter(() => [workbench, sandbox]);

  const waitForHeader = async (frame: Frame, text: string): Promise<string> =>
    until(
      `the header with "${text}"`,
      () => readHeader(frame),
      found => found.includes(text),
    );

  it('shows the number of requests before they are sent, joins the rows of both datasets by hour, and has a color for each stress band', async () => {
    sandbox.faults?.set([{ kind: 'holes', rate: 1, scope: 'features', amount: 20 }]);
    const { quickInput } = workbench;
    await beginQuery(workbench, 'System state and stress');
    await quickInput.type('2023-05-01..2023-05-07');
    const [firstItem] = await until(
      'the typed range with its price as the first item',
      () => quickInput.items(),
      ([item]) => /^2023-05-01\.\.2023-05-07.*requests/.test(item ?? ''),
    );
    assert.match(firstItem ?? '', /168 hours · 2 requests: System state 1, Grid stress 1/);
    await quickInput.accept();
    await quickInput.waitOpen('(3/3)');
    await quickInput.pick('1h');
    const frame = await waitForTable(workbench, formatTitle('2023-05-01..2023-05-07'));
    // The rows of one dataset may arrive before those of the other.
    const headerText = await waitForHeader(frame, ' 2 requests');
    const [, present = '', missing = ''] = /Grid stress: (\d+) of 168 hours, (\d+) missing/.exec(headerText) ?? [];
    assert.equal(Number(present) + Number(missing), 168, headerText);
    assert.ok(Number(missing) > 10, headerText);
    assert.match(headerText, /· 168 rows · .*Grid stress: .* 2 requests/);
    assert.doesNotMatch(headerText, /System state: /);
    assert.equal(await frame.locator('[data-action=fetchMissing]').count(), 1);
    await new ResultPage(frame).waitForFooter('168 rows · 19 columns');
    const colors = await frame.evaluate<string[]>(
      `['low', 'moderate', 'high', 'critical'].map(band =>
        getComputedStyle(document.documentElement).getPropertyValue('--vscode-gridDataStress-' + band))`,
    );
    assert.equal(new Set(colors.filter(Boolean)).size, 4, colors.join());
  });

  it('derives a column, checks the days of system state, and copies the request of one dataset as code', async () => {
    const frame = await workbench.resultFrame(formatTitle('2023-05-01..2023-05-07'));
    const page = new ResultPage(frame);
    await page.chooseFromToolbarMenu('Add Column…');
    await frame.locator('#derived-name').fill('demand under stress');
    await frame.locator('#derived-formula').fill('if(value > 0.2, residual_demand_mw, null)');
    await page.press('Enter');
    await page.waitForFooter('168 rows · 20 columns');
    await workbench.clearNotifications();
    await page.chooseFromToolbarMenu('Check Days');
    const notification = 'fit the daily values best';
    assert.match(await workbench.notifications.waitFor(notification), /Days of UTC .* of 7 days/);
    await workbench.notifications.press(notification, 'Details');
    // Lines may be out of order until the layout of the editor is complete.
    const details = [/Wind: (\d of )?7 days/, /Skipped:\s+2023-05-0\d: \d\d of 24 hours/];
    await until(
      'the details',
      () => workbench.activeEditorText(),
      text => details.every(part => part.test(text)),
    );
    await workbench.runCommand('View: Revert and Close Editor');
    // The panel has a new page, because the editor had covered it.
    await new ResultPage(await waitForTable(workbench, formatTitle('2023-05-01..2023-05-07'))).chooseFromToolbarMenu(
      'Copy As…',
    );
    await workbench.quickInput.waitItem('Grid stress');
    await workbench.quickInput.pick('System state');
    await workbench.quickInput.pick('Python');
    const text = await until(
      'the program on the clipboard',
      async () => workbench.clipboard(),
      // The comment is checked too, because another test file may have copied a program for the same address.
      copied => /^# Only in the panel: the other columns of System state and stress\.$/m.test(copied),
    );
    assert.ok(text.includes('/api/v1/grid/system-state'));
    assert.match(text, /^# Only in the panel: the column demand under stress = if\(/m);
  });
});
