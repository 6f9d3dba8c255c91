import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { startCannedService, type CannedService } from '../support/cannedService.ts';
import { answerHours } from './gridHours.ts';
import { endsAfter } from './harness/failures.ts';
import { succeeds, until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { addConnection, messageOf, runSystemState, setLimits, sharedWorkbench, tableOf } from './support.ts';

/** The days of which the service does not answer for a while. */
const days = { hangs: '2023-02-01', closed: '2023-02-08' } as const;

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describe('every state of the panel', () => {
  let workbench: Workbench;
  let service: CannedService;
  let hanging = true;

  before(async () => {
    service = await startCannedService((request, response) => {
      const day = (request.query.get('start') ?? '').slice(0, 10);
      if (hanging && (day === days.hangs || day === days.closed)) return;
      answerHours(request, response);
    });
    workbench = await sharedWorkbench('Canned');
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Canned');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await setLimits(workbench, 'Canned', '1000/1', 'System state');
  });
  endsAfter(() => [workbench, service]);

  it('shows a Cancel button while it loads, and no message once canceled', async () => {
    const frame = await panelOf(days.hangs);
    const cancel = frame.locator('[data-action=cancel]').first();
    await cancel.waitFor();
    await cancel.click();
    await messageOf(frame, 'Query canceled.');
    await workbench.notifications.none();
    hanging = false;
    await frame.locator('[data-action=refresh]').first().click();
    await tableOf(workbench, titleOf(days.hangs));
  });

  it('shows no message when a panel is closed while it loads', async () => {
    hanging = true;
    await panelOf(days.closed);
    // The page may be loaded once more.
    await until(
      'the button Cancel',
      async () => {
        const frame = await workbench.resultFrame(titleOf(days.closed));
        return succeeds(frame.locator('[data-action=cancel]').first().waitFor({ timeout: 5_000 }));
      },
      isThere => isThere,
    );
    await workbench.runCommand('View: Close Editor');
    await until(
      'the panel closed',
      () => workbench.editorTabs(),
      tabs => !tabs.includes(titleOf(days.closed)),
    );
    hanging = false;
    // A further answer comes and goes: what the closed one had to say would have been said by then.
    await panelOf(days.hangs);
    await tableOf(workbench, titleOf(days.hangs));
    await workbench.notifications.none();
  });

  it('passes axe-core in every view, in the colors of a theme of VS Code', async () => {
    await workbench.setTheme('hcLight');
    // Raw has the text of an answer, and nothing of hours that come from the archive.
    await runSystemState(workbench, '2023-02-03');
    const frame = await tableOf(workbench, titleOf('2023-02-03'));
    await frame.evaluate(await readFile(axePath, 'utf8'));
    for (const tab of ['chart', 'statistics', 'raw', 'table'] as const) {
      await frame.locator(`#tab-${tab}`).click();
      await frame
        .locator(`#result-${tab} :is([role=gridcell], canvas, .statistics table, .json pre):visible`)
        .first()
        .waitFor();
      const found = await frame.evaluate<string[]>(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`))',
      );
      assert.deepEqual(found, [], tab);
    }
    await workbench.setTheme('dark');
  });

  async function panelOf(day: string) {
    await runSystemState(workbench, day);
    await workbench.waitTab(titleOf(day));
    return workbench.resultFrame(titleOf(day));
  }

  function titleOf(day: string): string {
    return `System state · ${day} · hourly`;
  }
});
