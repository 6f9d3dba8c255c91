import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { startCannedService, type CannedService } from '../support/cannedService.ts';
import { respondWithHours } from './gridHours.ts';
import { disposeAfter } from './harness/failures.ts';
import { succeeds, until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import {
  addConnection,
  waitForMessage,
  runSystemState,
  setLimits,
  getSharedWorkbench,
  waitForTable,
} from './support.ts';

/** The days for which the service does not respond at first. */
const days = { hangs: '2023-02-01', closed: '2023-02-08' } as const;

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describe('every state of the panel', () => {
  let workbench: Workbench;
  let service: CannedService;
  let isHanging = true;

  before(async () => {
    service = await startCannedService((request, response) => {
      const day = (request.query.get('start') ?? '').slice(0, 10);
      if (isHanging && (day === days.hangs || day === days.closed)) return;
      respondWithHours(request, response);
    });
    workbench = await getSharedWorkbench('Canned');
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Canned');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await setLimits(workbench, 'Canned', '1000/1', 'System state');
  });
  disposeAfter(() => [workbench, service]);

  it('shows a Cancel button while it loads, and no message once canceled', async () => {
    const frame = await openPanel(days.hangs);
    const cancel = frame.locator('[data-action=cancel]').first();
    await cancel.waitFor();
    await cancel.click();
    await waitForMessage(frame, 'Query canceled.');
    await workbench.notifications.waitForNone();
    isHanging = false;
    await frame.locator('[data-action=refresh]').first().click();
    await waitForTable(workbench, formatTitle(days.hangs));
  });

  it('shows no message when a panel is closed while it loads', async () => {
    isHanging = true;
    await openPanel(days.closed);
    // The page may be loaded twice.
    await until(
      'the button Cancel',
      async () => {
        const frame = await workbench.resultFrame(formatTitle(days.closed));
        return succeeds(frame.locator('[data-action=cancel]').first().waitFor({ timeout: 5_000 }));
      },
      isThere => isThere,
    );
    await workbench.runCommand('View: Close Editor');
    await until(
      'the panel closed',
      () => workbench.editorTabs(),
      tabs => !tabs.includes(formatTitle(days.closed)),
    );
    isHanging = false;
    // Runs another query, by whose end a message of the closed panel would have appeared.
    await openPanel(days.hangs);
    await waitForTable(workbench, formatTitle(days.hangs));
    await workbench.notifications.waitForNone();
  });

  it('passes axe-core in every view, in the colors of a theme of VS Code', async () => {
    await workbench.setTheme('hcLight');
    // The Raw tab shows the text of a response, so this range must not be archived.
    await runSystemState(workbench, '2023-02-03');
    const frame = await waitForTable(workbench, formatTitle('2023-02-03'));
    await frame.evaluate(await readFile(axePath, 'utf8'));
    for (const tab of ['chart', 'statistics', 'raw', 'table'] as const) {
      await frame.locator(`#tab-${tab}`).click();
      await frame
        .locator(`#result-${tab} :is([role=gridcell], canvas, .statistics table, .json pre):visible`)
        .first()
        .waitFor();
      const violations = await frame.evaluate<string[]>(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`))',
      );
      assert.deepEqual(violations, [], tab);
    }
    await workbench.setTheme('dark');
  });

  async function openPanel(day: string) {
    await runSystemState(workbench, day);
    await workbench.waitTab(formatTitle(day));
    return workbench.resultFrame(formatTitle(day));
  }

  function formatTitle(day: string): string {
    return `System state · ${day} · hourly`;
  }
});
