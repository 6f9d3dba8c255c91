import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { hostileAnswers } from '../hostile/answers.ts';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { pictureFailures } from './harness/failures.ts';
import { succeeds, until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { addConnection, messageOf, rowOf, runSystemState, setLimits, sharedWorkbench, tableOf } from './support.ts';

/** What the canned service does on the day asked for. */
const days = {
  hangs: '2023-02-01',
  closed: '2023-02-08',
  nested: '2023-02-03',
  serverError: '2023-02-04',
  tooManyCells: '2023-02-09',
} as const;

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const tooManyCells = hostileAnswers.find(({ shown }) => shown === 'tooManyCells')?.body() ?? '';

describe('every state of the panel', () => {
  let workbench: Workbench;
  let service: CannedService;
  let hanging = true;

  before(async () => {
    service = await startCannedService(({ query }, response) => {
      const ts = query.get('start') ?? '';
      const day = ts.slice(0, 10);
      if ((day === days.hangs || day === days.closed) && hanging) return;
      if (day === days.tooManyCells) sendJson(response, 200, tooManyCells);
      else if (day === days.nested) {
        const records = [
          { ts, value: 0.5, components: { ocgt_ramp: 0, reserve_margin: null }, tags: ['a', 'b'], big: '#' },
          { ts: ts.replace('T00', 'T01'), value: 0, components: null, extra: 'x', big: '#' },
        ];
        sendJson(
          response,
          200,
          JSON.stringify({ meta: { source: 'x' }, data: records }).replaceAll('"#"', '12345678901234567891'),
        );
      } else if (day === days.serverError) sendJson(response, 500, { detail: 'boom' });
      else sendJson(response, 200, [{ ts, residual_demand_mw: 1 }]);
    });
    workbench = await sharedWorkbench('Canned');
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Canned');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await setLimits(workbench, 'Canned', '1000/1', 'System state');
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
  });

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

  it('shows a response that stands for too many cells as JSON, and says why also in the place of the table', async () => {
    const frame = await panelOf(days.tooManyCells);
    const sentence = 'The response has more than 4,000,000 cells, so only its JSON is shown.';
    await frame.locator('.raw-note', { hasText: sentence }).waitFor();
    await frame.locator('.json pre', { hasText: '"c0": 1' }).first().waitFor();
    await frame.locator('#tab-table').click();
    await frame.locator('.message', { hasText: sentence }).waitFor();
  });

  it('shows unknown, nested and big values in full, and null as an empty cell', async () => {
    const frame = await panelOf(days.nested);
    await tableOf(workbench, titleOf(days.nested));
    const [first, second] = [await rowOf(frame, 0), await rowOf(frame, 1)];
    assert.deepEqual(first.map(plain), ['03 Feb 00:00', '0.5', '0', '', '["a","b"]', '12345678901234567891', '']);
    assert.deepEqual(second.map(plain), ['03 Feb 01:00', '0.0', '', '', '', '12345678901234567891', 'x']);
  });

  it('passes axe-core in every view, in the colors of a theme of VS Code', async () => {
    await workbench.setTheme('hcLight');
    const frame = await workbench.resultFrame(titleOf(days.nested));
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

  it('explains in one sentence what went wrong', async () => {
    const frame = await panelOf(days.serverError);
    await messageOf(frame, "The service failed (500). Try again in a few minutes. The service says: 'boom'");
  });

  async function panelOf(day: string) {
    await runSystemState(workbench, day);
    await workbench.waitTab(titleOf(day));
    return workbench.resultFrame(titleOf(day));
  }

  function titleOf(day: string): string {
    return `System state · ${day} · hourly`;
  }

  function plain(text: string): string {
    return text.replaceAll('\u00a0', ' ').trim();
  }
});
