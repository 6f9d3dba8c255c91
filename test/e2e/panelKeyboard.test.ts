import type { Frame } from 'playwright-core';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { endsAfter } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { addConnection, headerOf, runSystemState, sandboxWithKey, sharedWorkbench, tableOf } from './support.ts';

const may = 'System state · 2023-05-01..2023-05-07 · hourly';

/** No test here clicks into a page: a person who works by the keyboard does not either. */
describe('keyboard focus in the panel', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { key: string };

  before(async () => {
    sandbox = await sandboxWithKey();
    workbench = await sharedWorkbench('Local');
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Local');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
  });
  endsAfter(() => [workbench, sandbox]);

  /** The data row of the focused cell; -1 for none. */
  const rowIn = (frame: Frame): Promise<number> =>
    frame.evaluate<number>(
      "document.hasFocus() ? Number(document.activeElement.closest('[role=row]')?.ariaRowIndex ?? 1) - 2 : -1",
    );
  const isAt = (frame: Frame, row: number): Promise<number> =>
    until(
      `the keyboard in row ${row}`,
      () => rowIn(frame),
      now => now === row,
    );
  const press = (key: string): Promise<void> => workbench.page.keyboard.press(key);

  it('focuses the first cell after a run from the Command Palette, and moves by arrow keys', async () => {
    await runSystemState(workbench, '2023-05-01..2023-05-07');
    const frame = await tableOf(workbench, may);
    await isAt(frame, 0);
    await press('ArrowDown');
    await isAt(frame, 1);
    await press('ArrowDown');
    await isAt(frame, 2);
  });

  it('finds a text by Ctrl+F, and leaves the keyboard at it', async () => {
    const frame = await tableOf(workbench, may);
    await press('Control+f');
    await frame.locator('.find-text').fill('05 May 17:00');
    await frame.locator('.find [role=status]', { hasText: '1 of 1' }).waitFor();
    await press('Enter');
    await press('Escape');
    await isAt(frame, 4 * 24 + 17);
    await press('Control+Home');
    await press('ArrowDown');
    await press('ArrowDown');
    await isAt(frame, 2);
  });

  it('restores the focused cell when the Command Palette repeats the query', async () => {
    await runSystemState(workbench, '2023-05-01..2023-05-07');
    const frame = await tableOf(workbench, may);
    // The rows before stand there until the answer comes: a key pressed meanwhile meets the text on what the page waits for.
    await until(
      'the answer from the archive',
      () => headerOf(frame),
      text => text.includes('0 requests'),
    );
    await isAt(frame, 2);
    await press('ArrowDown');
    await isAt(frame, 3);
  });

  it('leaves the focus to a text editor, and takes it back when the tab is shown again', async () => {
    await workbench.runCommand('File: New Untitled Text File');
    await workbench.editorFocused();
    await press('x');
    await until(
      'the letter',
      () => workbench.activeEditorText(),
      text => text.includes('x'),
    );
    await workbench.runCommand('View: Open Previous Editor in Group');
    const frame = await tableOf(workbench, may);
    await isAt(frame, 3);
    await press('ArrowDown');
    await isAt(frame, 4);
  });
});
