import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { disposeAfter } from './harness/failures.ts';
import { succeeds, until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { chooseFile } from './savedSupport.ts';
import {
  completeConnection,
  followLink,
  readHeader,
  waitForMessage,
  startSandboxWithKey,
  getSharedWorkbench,
} from './support.ts';

const analysis = { resample: 'day', where: { residual_demand_mw: '>0' } };
const display = { tab: 'chart', zone: 'Africa/Johannesburg' };
const link = new URLSearchParams({
  dataset: 'systemState',
  range: '2023-05',
  interval: '1h',
  connection: 'Elsewhere',
  analysis: JSON.stringify(analysis),
  display: Buffer.from(JSON.stringify(display)).toString('base64url'),
}).toString();
const title = 'System state · 2023-05 · hourly';

describe('sharing with a user without a key', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };

  before(async () => {
    sandbox = await startSandboxWithKey();
    workbench = await getSharedWorkbench('Mine');
  });
  disposeAfter(() => [workbench, sandbox]);

  /** Waits until the header matches, and asserts that the panel has the shared view. */
  async function assertView(headerPattern: RegExp, name?: string) {
    let frame = await workbench.resultFrame(name);
    // If another panel was in front of this one, this one has a new page.
    await until('the chart', async () => {
      frame = await workbench.resultFrame(name);
      return succeeds(frame.locator('#result-chart canvas').first().waitFor({ timeout: 5_000 }));
    });
    await frame.locator('[data-tab=chart][aria-selected=true]').waitFor();
    assert.equal(await frame.locator('[data-choice=resample]').innerText(), 'Days');
    await frame.locator('[data-choice=zone]', { hasText: 'SAST' }).waitFor();
    // Rows are visible before the query has finished.
    await until(
      `the header ${headerPattern.source}`,
      () => readHeader(frame),
      text => headerPattern.test(text),
    );
    return frame;
  }

  it('opens a link without a connection, shows how many requests it needs, and runs the query after a key was entered', async () => {
    await followLink(workbench, link);
    await workbench.waitTab(title);
    const frame = await workbench.resultFrame(title);
    const sentence = await waitForMessage(frame, 'in the archive');
    assert.match(sentence, /May 2023.* in the archive\. With a key, it takes 1 request\.$/);
    await frame.locator('.message [data-action=addConnection]').click();
    await workbench.quickInput.waitOpen('Add Connection (1/4)');
    await completeConnection(workbench, sandbox.baseUrl, sandbox.key, 'Mine');
    // The first result of the new connection opens before the link.
    await workbench.waitTab('last 24 hours');
    await assertView(/1 request/, title);
  });

  it('shows an exported Parquet file with the view of the panel that exported it, and its origin', async () => {
    const file = join(workbench.folder, 'shared.parquet');
    const frame = await workbench.resultFrame(title);
    await frame.locator('[data-action=export]').click();
    for (const label of ['As Received', 'Parquet']) await workbench.quickInput.pick(label);
    await chooseFile(workbench, file);
    await until(
      'the file',
      () => Promise.resolve(existsSync(file)),
      exists => exists,
    );
    await workbench.closeEditors();
    await workbench.runCommand('Grid Data: Open Data File…');
    await chooseFile(workbench, file);
    await workbench.waitTab('shared');
    const shared = await assertView(/shared\.parquet .*exported from Mine/);
    assert.equal(await shared.locator('#filter-residual_demand_mw').inputValue(), '>0');
  });
});
