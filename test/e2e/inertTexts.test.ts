import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { showTooltip } from './harness/contextMenu.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { waitForSavedNames } from './savedSupport.ts';
import { addConnection, getEmptyWorkbench, waitForMessage, runSystemState } from './support.ts';

const link = '[Sign in](command:workbench.action.terminal.new)';
const shownText = '[Sign in] (command:workbench.action.terminal.new)';
const name = `${link} $(check) https://evil.example`;
const shownName = `${shownText} $ (check) https://evil.example`;

describe('untrusted texts in the window', () => {
  let workbench: Workbench;
  let service: CannedService;
  let status = 401;

  before(async () => {
    workbench = await getEmptyWorkbench('Local 500');
    const settings = join(workbench.folder, '.vscode');
    mkdirSync(settings);
    const query = { name, dataset: 'systemState', range: 'last 24 hours', connection: name };
    writeFileSync(join(settings, 'grid-queries.json'), JSON.stringify({ queries: [query] }));
    service = await startCannedService((_, response) => sendJson(response, status, { detail: `${link} $(check)` }));
  });
  disposeAfter(() => [workbench, service]);

  it('shows error messages of a service as plain text', async () => {
    for (status of [401, 500]) {
      await addConnection(workbench, service.baseUrl, 'not-a-real-key', `Local ${status}`);
      const sentence = await workbench.notifications.waitFor(`(${status})`);
      assert.ok(sentence.endsWith(`The service says: '${shownText} $ (check)'`), sentence);
      await assertNoLinks();
      await workbench.clearNotifications();
    }
  });

  it('shows the error message of a service as plain text in the panel', async () => {
    await runSystemState(workbench, '2023-05-01');
    const title = 'System state · 2023-05-01 · hourly';
    await workbench.waitTab(title);
    const frame = await workbench.resultFrame(title);
    assert.match(await waitForMessage(frame, 'The service says'), /\[Sign in\]\(command:workbench/);
    assert.equal(await frame.locator('a').count(), 0);
    await workbench.closeEditors();
  });

  it('shows names from a workspace file as plain text in the tree, its tooltips and a picker', async () => {
    await waitForSavedNames(workbench, [shownName]);
    const row = workbench.treeRow(shownName);
    assert.equal(await row.locator('.label-name .codicon, .label-description .codicon').count(), 0);
    const hover = workbench.page.locator('.monaco-hover:visible, .workbench-hover:visible', { hasText: 'Sign in' });
    await showTooltip(workbench.page, row, hover.first());
    assert.equal(await hover.locator('a, .codicon').count(), 0);
    await workbench.runCommand('Grid Data Saved Queries: Run');
    const item = workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Sign in' });
    await item.first().waitFor();
    assert.equal(await item.locator('.monaco-icon-label .codicon, a[href]').count(), 0);
    await workbench.quickInput.cancel();
  });

  /** Asserts that the notifications contain no links or icons, and that no terminal is open. */
  async function assertNoLinks(): Promise<void> {
    const message = workbench.page.locator('.notification-list-item-message');
    await until(
      'a message',
      () => message.count(),
      count => count > 0,
    );
    assert.equal(await message.locator('a, .codicon').count(), 0);
    assert.equal(await workbench.page.locator('.terminal-wrapper').count(), 0);
  }
});
