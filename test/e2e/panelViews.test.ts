import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { pictureFailures } from './harness/failures.ts';
import { until } from './harness/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { addConnection, headerOf, runSystemState, sandboxWithKey, sharedWorkbench, tableOf } from './support.ts';

describe('the views of a result', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };
  let frame: Frame;

  before(async () => {
    sandbox = await sandboxWithKey();
    workbench = await sharedWorkbench('Views');
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Views');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, '2023-05');
    frame = await tableOf(workbench, 'System state · 2023-05 · hourly');
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await sandbox.close();
  });

  const tab = async (name: string): Promise<void> => frame.locator(`[data-tab=${name}]`).click();

  it("announces the chart's values point by point for keyboard users", async () => {
    await tab('chart');
    await new ResultPage(frame).chartWords(/\S/);
    await frame
      .locator('.tab [tabindex="0"]')
      .filter({ has: frame.locator('canvas') })
      .first()
      .focus();
    await frame.page().keyboard.press('Home');
    await frame.page().keyboard.press('ArrowRight');
    await until(
      'the announcement',
      async () => (await frame.locator('.visually-hidden[role=status]').allInnerTexts()).join(' '),
      text => /1 May 01:00 UTC/.test(text) && /MW/.test(text),
    );
  });

  it("moves the table to the row at the chart's crosshair", async () => {
    await tab('table');
    await until(
      'the row of the crosshair',
      async () => frame.locator('[role=gridcell][tabindex="0"]').locator('..').innerText(),
      row => row.includes('01 May 01:00'),
    );
  });

  it('steps to the previous period and back, in the same panel', async () => {
    await frame.locator('[data-action=previousPeriod]').click();
    await tableOf(workbench, 'System state · 2023-04 · hourly');
    frame = await workbench.resultFrame('System state · 2023-04 · hourly');
    await frame.locator('[data-action=nextPeriod]').click();
    frame = await tableOf(workbench, 'System state · 2023-05 · hourly');
    await until(
      'the answer from the archive',
      () => headerOf(frame),
      text => text.includes('0 requests, 744 hours from archive'),
    );
  });

  const more = async (label: string): Promise<void> => new ResultPage(frame).more(label);

  it('checks daily values against hourly ones', async () => {
    await more('Check Days');
    const found = await workbench.notifications.waitFor('fit the daily values best');
    assert.match(found, /^2023-05: Days of UTC fit the daily values best\. .* over 29 of 31 days/);
    await workbench.notifications.press('fit the daily values best', 'Details');
    // An editor that is being laid out has its lines in any order.
    const details = [/Wind: \d\d of 31 days/, /Skipped:\s+2023-05-\d\d: \d\d of 24 hours/];
    await until(
      'the details',
      () => workbench.activeEditorText(),
      text => details.every(part => part.test(text)),
    );
    await workbench.runCommand('View: Revert and Close Editor');
    frame = await tableOf(workbench, 'System state · 2023-05 · hourly');
  });

  it('opens the same query in a second tab with Open in New Tab', async () => {
    await more('Open in New Tab');
    const tabs = async () => (await workbench.editorTabs()).filter(name => name.includes('2023-05 · hourly'));
    const expected = ['System state · 2023-05 · hourly', 'System state · 2023-05 · hourly (2)'];
    await until('two tabs', tabs, names => names.join('\n') === expected.join('\n'));
  });
});
