import type { Frame } from 'playwright-core';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import {
  addConnection,
  readHeader,
  runSystemState,
  startSandboxWithKey,
  getSharedWorkbench,
  waitForTable,
} from './support.ts';

const may = 'System state · 2023-05-01..2023-05-07 · hourly';

/** These tests never click into a page, like a user who works by keyboard. */
describe('keyboard focus in the panel', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };

  before(async () => {
    sandbox = await startSandboxWithKey();
    workbench = await getSharedWorkbench('Local');
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Local');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
  });
  disposeAfter(() => [workbench, sandbox]);

  /** Returns the data row of the focused cell, or -1 for none. */
  const readFocusedRow = (frame: Frame): Promise<number> =>
    frame.evaluate<number>(
      "document.hasFocus() ? Number(document.activeElement.closest('[role=row]')?.ariaRowIndex ?? 1) - 2 : -1",
    );
  const waitForFocusedRow = (frame: Frame, row: number): Promise<number> =>
    until(
      `the focus in row ${row}`,
      () => readFocusedRow(frame),
      focusedRow => focusedRow === row,
    );
  const press = (key: string): Promise<void> => workbench.page.keyboard.press(key);

  it('focuses the first cell after a run from the Command Palette, and moves by arrow keys', async () => {
    await runSystemState(workbench, '2023-05-01..2023-05-07');
    const frame = await waitForTable(workbench, may);
    await waitForFocusedRow(frame, 0);
    await press('ArrowDown');
    await waitForFocusedRow(frame, 1);
    await press('ArrowDown');
    await waitForFocusedRow(frame, 2);
  });

  it('finds a text by Ctrl+F, and keeps the focus on the match', async () => {
    const frame = await waitForTable(workbench, may);
    await press('Control+f');
    await frame.locator('.find-text').fill('05 May 17:00');
    await frame.locator('.find [role=status]', { hasText: '1 of 1' }).waitFor();
    await press('Enter');
    await press('Escape');
    await waitForFocusedRow(frame, 4 * 24 + 17);
    await press('Control+Home');
    await press('ArrowDown');
    await press('ArrowDown');
    await waitForFocusedRow(frame, 2);
  });

  it('restores the focused cell when the Command Palette repeats the query', async () => {
    await runSystemState(workbench, '2023-05-01..2023-05-07');
    const frame = await waitForTable(workbench, may);
    // While the query runs, the earlier rows are visible, and keys would go to the loading message.
    await until(
      'the result from the archive',
      () => readHeader(frame),
      text => text.includes('0 requests'),
    );
    await waitForFocusedRow(frame, 2);
    await press('ArrowDown');
    await waitForFocusedRow(frame, 3);
  });

  it('leaves the focus to a text editor, and takes it back when the tab is shown again', async () => {
    await workbench.runCommand('File: New Untitled Text File');
    await workbench.waitForEditorFocus();
    await press('x');
    await until(
      'the letter',
      () => workbench.activeEditorText(),
      text => text.includes('x'),
    );
    await workbench.runCommand('View: Open Previous Editor in Group');
    const frame = await waitForTable(workbench, may);
    await waitForFocusedRow(frame, 3);
    await press('ArrowDown');
    await waitForFocusedRow(frame, 4);
  });
});
