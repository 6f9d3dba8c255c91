import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { endsAfter } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { addConnection, beginQuery, headerOf, sandboxWithKey, sharedWorkbench, tableOf } from './support.ts';

const titleOf = (range: string): string => `System state and stress · ${range} · hourly`;

describe('system state and stress in one panel', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };

  before(async () => {
    sandbox = await sandboxWithKey({ faults: [] });
    workbench = await sharedWorkbench('Local');
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Local');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
  });
  endsAfter(() => [workbench, sandbox]);

  const header = async (frame: Frame, text: string): Promise<string> =>
    until(
      `the header with "${text}"`,
      () => headerOf(frame),
      found => found.includes(text),
    );

  it('says what both budgets pay before it is sent, and joins both on the hour, with a color for each band of stress', async () => {
    sandbox.faults?.set([{ kind: 'holes', rate: 1, scope: 'features', amount: 20 }]);
    const { quickInput } = workbench;
    await beginQuery(workbench, 'System state and stress');
    await quickInput.type('2023-05-01..2023-05-07');
    const [typed] = await until(
      'the price of what was typed, first in the list',
      () => quickInput.items(),
      ([first]) => /^2023-05-01\.\.2023-05-07.*requests/.test(first ?? ''),
    );
    assert.match(typed ?? '', /168 hours · 2 requests: System state 1, Grid stress 1/);
    await quickInput.accept();
    await quickInput.waitOpen('(3/3)');
    await quickInput.pick('1h');
    const frame = await tableOf(workbench, titleOf('2023-05-01..2023-05-07'));
    // The rows of the one stand there before those of the other.
    const words = await header(frame, ' 2 requests');
    const [, present = '', missing = ''] = /Grid stress: (\d+) of 168 hours, (\d+) missing/.exec(words) ?? [];
    assert.equal(Number(present) + Number(missing), 168, words);
    assert.ok(Number(missing) > 10, words);
    assert.match(words, /· 168 rows · .*Grid stress: .* 2 requests/);
    assert.doesNotMatch(words, /System state: /);
    assert.equal(await frame.locator('[data-action=fetchMissing]').count(), 1);
    await new ResultPage(frame).footer('168 rows · 19 columns');
    const colors = await frame.evaluate<string[]>(
      `['low', 'moderate', 'high', 'critical'].map(band =>
        getComputedStyle(document.documentElement).getPropertyValue('--vscode-gridDataStress-' + band))`,
    );
    assert.equal(new Set(colors.filter(Boolean)).size, 4, colors.join());
  });

  it('derives a column, checks the days of the dataset that has daily values, and copies a query of one as code', async () => {
    const frame = await workbench.resultFrame(titleOf('2023-05-01..2023-05-07'));
    const page = new ResultPage(frame);
    await page.more('Add Column…');
    await frame.locator('#derived-name').fill('demand under stress');
    await frame.locator('#derived-formula').fill('if(value > 0.2, residual_demand_mw, null)');
    await page.press('Enter');
    await page.footer('168 rows · 20 columns');
    await workbench.clearNotifications();
    await page.more('Check Days');
    const best = 'fit the daily values best';
    assert.match(await workbench.notifications.waitFor(best), /Days of UTC .* of 7 days/);
    await workbench.notifications.press(best, 'Details');
    // An editor that is being laid out has its lines in any order.
    const details = [/Wind: (\d of )?7 days/, /Skipped:\s+2023-05-0\d: \d\d of 24 hours/];
    await until(
      'the details',
      () => workbench.activeEditorText(),
      text => details.every(part => part.test(text)),
    );
    await workbench.runCommand('View: Revert and Close Editor');
    // The editor was in front of the panel, which has another page now.
    await new ResultPage(await tableOf(workbench, titleOf('2023-05-01..2023-05-07'))).more('Copy As…');
    await workbench.quickInput.waitItem('Grid stress');
    await workbench.quickInput.pick('System state');
    await workbench.quickInput.pick('Python');
    const text = await until(
      'the program on the clipboard',
      async () => workbench.clipboard(),
      // Another file may have left a program for the same address.
      copied => /^# Only in the panel: the other columns of System state and stress\.$/m.test(copied),
    );
    assert.ok(text.includes('/api/v1/grid/system-state'));
    assert.match(text, /^# Only in the panel: the column demand under stress = if\(/m);
  });
});
