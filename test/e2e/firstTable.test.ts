import assert from 'node:assert/strict';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import {
  addConnection,
  readHeader,
  readRow,
  startSandboxWithKey,
  getSharedWorkbench,
  waitForTable,
} from './support.ts';

describe('adding the first connection', () => {
  let workbench: Workbench | undefined;
  let sandbox: RunningSandbox & { key: string };

  before(async () => {
    sandbox = await startSandboxWithKey();
    workbench = await getSharedWorkbench('Local');
  });
  disposeAfter(() => [workbench, sandbox]);

  it('rejects an address that would send the key unencrypted, with the reason at the input box', async () => {
    const { quickInput, runCommand } = workbenchParts();
    await runCommand('Grid Data: Add Connection…');
    await quickInput.waitOpen('Add Connection');
    await quickInput.pick('Another URL…');
    await quickInput.waitOpen('(2/4)');
    await quickInput.type('http://api.example.org');
    assert.match(await quickInput.waitMessage('http://'), /unprotected; use https:\/\//);
    assert.equal(await quickInput.isInvalid(), true);
    await quickInput.back();
    await quickInput.waitOpen('(1/4)');
    await quickInput.cancel();
  });

  it('asks for the key in a password box and discards a key that the service rejects', async () => {
    const { notifications, quickInput } = workbenchParts();
    await addConnection(workbenchParts().workbench, sandbox.baseUrl, 'not-a-real-key', 'Local');
    const message = await notifications.waitFor('rejected this key');
    assert.match(message, /\(401\)\. Enter another key, .* The service says: .Invalid API key\../);
    assert.deepEqual(await notifications.buttons('rejected this key'), ['Enter Another Key', 'Try Again']);
    assert.deepEqual(await workbenchParts().workbench.editorTabs(), []);

    await notifications.press('rejected this key', 'Enter Another Key');
    await quickInput.waitOpen('');
    assert.equal(await quickInput.isPassword(), true);
    await quickInput.type(`  ${sandbox.key}\n`.trimEnd());
    await quickInput.accept();
  });

  it('opens the last 24 hours with one request once the key is accepted', async () => {
    const frame = await waitForTable(workbenchParts().workbench, 'System state · last 24 hours · hourly');
    const header = await readHeader(frame);
    assert.match(header, /^Local · .*System state · .* UTC · hourly · (?:2\d rows|2\d of 24 hours, .*) · .*1 request$/);
    assert.match(header, /Sample Data/);
    assert.match((await readRow(frame, 0))[0] ?? '', /^\d\d \w{3} \d\d:00$/);
    const { lastUsed } = sandbox.keys.list()[0] ?? {};
    assert.ok(lastUsed, 'the sandbox saw its key');
    // The table takes the focus when it appears, which would close an open input box.
    await until(
      'the focus in the table',
      () => frame.evaluate<boolean>('document.hasFocus()'),
      hasFocus => hasFocus,
    );
  });

  it('reports a revoked key at once, and continues with another', async () => {
    const { runCommand, quickInput, notifications } = workbenchParts();
    // The rejection of the first key was announced with the same text.
    await notifications.clearAnnouncements();
    sandbox.keys.revoke(sandbox.key.slice(0, 12));
    await runCommand('Grid Data: Refresh, Ignoring Archive');
    await notifications.waitFor('rejected this key');
    const frame = await waitForTable(workbenchParts().workbench, 'System state · last 24 hours · hourly');
    assert.match(await readHeader(frame), / rows| hours,/, 'the earlier result stays on screen');

    await notifications.press('rejected this key', 'Enter Another Key');
    await quickInput.waitOpen('');
    await quickInput.type(sandbox.createKey('second').value);
    await quickInput.accept();
    await until(
      'the second key in use',
      async () => Promise.resolve(sandbox.keys.list().find(({ name }) => name === 'second')?.lastUsed),
      lastUsed => lastUsed !== undefined,
    );
  });

  /** Returns the workbench and its parts, for destructuring. */
  function workbenchParts() {
    assert.ok(workbench);
    const current = workbench;
    return {
      workbench: current,
      quickInput: current.quickInput,
      notifications: current.notifications,
      runCommand: (label: string) => current.runCommand(label),
    };
  }
});
