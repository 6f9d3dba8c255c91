import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { recordsToFrame } from '../../src/core/decode/decode.ts';
import { names, values } from '../unit/core/portal/portalText.ts';
import { exportToBytes } from '../unit/service/export/anyFrame.ts';
import { chooseFromMenu } from './harness/contextMenu.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { readHeader, waitForMessage, readRow, setWorkspaceSettings, getSharedWorkbench } from './support.ts';

const portalCsv = [
  ['Date Time Hour Beginning', ...names].join(','),
  ...Array.from({ length: 48 }, (_, hour) =>
    [new Date(Date.UTC(2023, 4, 10, hour)).toISOString().slice(0, 16).replace('T', ' '), ...values].join(','),
  ),
].join('\n');

const hours = Array.from({ length: 100 }, (_, hour) => ({
  ts: new Date(Date.UTC(2026, 4, 1, hour)).toISOString(),
  wind_mw: hour === 3 ? null : 1_000 + hour,
}));

describe('data files', () => {
  let folder: string;
  let workbench: Workbench;

  before(async () => {
    workbench = await getSharedWorkbench();
    ({ folder } = workbench);
    writeFileSync(join(folder, 'portal.csv'), portalCsv);
    writeFileSync(join(folder, 'local.csv'), 'ts,wind_mw\n2026-05-01T00:00:00Z,1.5\n2026-05-01T01:00:00Z,2.5\n');
    writeFileSync(
      join(folder, 'hours.parquet'),
      await exportToBytes({ frame: recordsToFrame(hours) }, { format: 'parquet' }),
    );
    await setWorkspaceSettings(workbench, {
      // This setting is documented in docs/data-files.md.
      'workbench.editorAssociations': { '*.parquet': 'gridData.dataFile' },
      // Otherwise the explorer selects the file of an editor that has opened late, and the selection of two files is lost.
      'explorer.autoReveal': false,
    });
    await workbench.openSidebar('Explorer');
  });
  disposeAfter(() => [workbench]);

  const explorerItem = (name: string) => workbench.page.getByRole('treeitem', { name });
  /** Opens a file with Reopen Editor With, which is necessary if another editor is the default. */
  async function openWith(name: string): Promise<Frame> {
    await explorerItem(name).dblclick();
    await workbench.waitTab(name.replace(/\..*/, ''));
    // In a new window, the list may not contain the extension yet. An open list is not updated, so it is opened again.
    const { quickInput } = workbench;
    await until(
      'Grid Data Inspector among the editors',
      async () => {
        await workbench.runCommand('View: Reopen Editor With...');
        const editors = await quickInput.waitItem('Text Editor');
        const isListed = editors.some(item => item.includes('Grid Data Inspector'));
        if (!isListed) await quickInput.escape();
        return isListed;
      },
      isListed => isListed,
    );
    await quickInput.pick('Grid Data Inspector');
    return waitForFile(name);
  }
  async function readFirstRow(frame: Frame, name: string): Promise<string[]> {
    const header = await frame.locator('header .parts').allInnerTexts();
    return header.join().includes(name) ? readRow(frame, 0) : [];
  }
  /** Waits until the page of the file has rows. The page of another file may still be open at first. */
  async function waitForFile(name: string): Promise<Frame> {
    await workbench.waitTab(name.replace(/\..*/, ''));
    let frame = await workbench.resultFrame();
    await until(
      `the rows of ${name}`,
      async () => {
        frame = await workbench.resultFrame();
        return readFirstRow(frame, name).catch(() => []);
      },
      cells => cells.length > 1,
    );
    return frame;
  }

  it('shows a CSV file, reloads it when it changes, and keeps its rows when it is moved away', async () => {
    const frame = await openWith('local.csv');
    assert.deepEqual((await readRow(frame, 0)).slice(-1), ['1.5']);
    assert.equal(await frame.locator('[data-action=refresh], [data-action=save], [data-action=copyAs]').count(), 0);
    appendFileSync(join(folder, 'local.csv'), '2026-05-01T02:00:00Z,3.5\n');
    await until(
      'the third row',
      () => readRow(frame, 2),
      cells => cells.at(-1) === '3.5',
    );
    const waitForHeader = (text: string) => frame.locator('header .parts', { hasText: text }).waitFor();
    appendFileSync(join(folder, 'local.csv'), '2026-05-01T02:00:00Z,4.5\n');
    await waitForHeader('1 row with a duplicate time');
    renameSync(join(folder, 'local.csv'), join(folder, 'moved.csv'));
    await waitForHeader("Cannot read 'local.csv'");
    assert.deepEqual((await readRow(frame, 0)).slice(-1), ['1.5']);
    await workbench.closeEditors();
  });

  it('reports a damaged file, opens it as text, and shows its rows after it was completed', async () => {
    const file = join(folder, 'cut.json');
    writeFileSync(file, '[{"ts":"2026-05-01T00:00:00Z","wind_mw":1.5');
    await chooseFromMenu(workbench.page, explorerItem('cut.json'), 'Open Data File…');
    await workbench.waitTab('cut');
    const frame = await workbench.resultFrame();
    await waitForMessage(frame, "'cut.json' is damaged or incomplete");
    await frame.locator('.message [data-action=openResponse]').click();
    // The editor appears before its text.
    await until(
      'the text of the file',
      () => workbench.activeEditorText(),
      text => text.includes('wind_mw'),
    );
    await workbench.runCommand('View: Close Editor');
    writeFileSync(file, '[{"ts":"2026-05-01T00:00:00Z","wind_mw":1.5}]');
    assert.deepEqual((await readRow(await waitForFile('cut.json'), 0)).slice(-1), ['1.5']);
    await workbench.closeEditors();
  });

  it('compares two files, shows the number of changed cells in the header, and filters to their rows on a click', async () => {
    const write = (name: string, cells: readonly string[]): void =>
      writeFileSync(
        join(folder, name),
        ['ts,wind_mw,pv_mw', ...cells.map((cell, hour) => `2026-05-0${hour + 1}T00:00:00Z,${cell}`), ''].join('\n'),
      );
    write('old.csv', ['1,5', '2,5', '3,5']);
    const past = new Date('2026-05-01');
    utimesSync(join(folder, 'old.csv'), past, past);
    write('new.csv', ['1,5', '2.5,6', '3,5', '4,5']);
    await explorerItem('new.csv').click();
    await explorerItem('old.csv').click({ modifiers: ['ControlOrMeta'] });
    await chooseFromMenu(workbench.page, explorerItem('old.csv'), 'Compare Selected Data Files');
    const frame = await waitForFile('new.csv');
    const changed = frame.locator('header .parts button', { hasText: '2 cells changed in 2 columns' });
    await changed.waitFor();
    assert.match(await readHeader(frame), /compared with old\.csv .* 1 row only here/);
    assert.match(
      (await changed.getAttribute('title')) ?? '',
      /Wind: 1 cell changed\n.*\n\n2026-05-02: 2 cells changed/,
    );
    await changed.click();
    await frame.getByText('1 of 4 rows').waitFor();
    await workbench.closeEditors();
  });

  it('opens a folder of Parquet files as one table, and reports a folder without Parquet files', async () => {
    for (const [month, rows] of [hours.slice(0, 60), hours.slice(60)].entries()) {
      const partFolder = join(folder, 'out', `partFolder=${month + 1}`);
      mkdirSync(partFolder, { recursive: true });
      writeFileSync(
        join(partFolder, 'a.parquet'),
        await exportToBytes({ frame: recordsToFrame(rows) }, { format: 'parquet' }),
      );
    }
    mkdirSync(join(folder, 'empty'));
    await chooseFromMenu(workbench.page, explorerItem('out'), 'Open Data File…');
    const frame = await waitForFile('out');
    assert.match(await readHeader(frame), /out .* 100 rows .* 1 note\b/);
    assert.equal((await readRow(frame, 0)).at(-1), '1');
    assert.equal(await frame.locator('[data-action=openResponse]').count(), 0);
    await workbench.closeEditors();
    await chooseFromMenu(workbench.page, explorerItem('empty'), 'Open Data File…');
    await workbench.waitTab('empty');
    await waitForMessage(await workbench.resultFrame(), "'empty' has no Parquet files.");
    await workbench.closeEditors();
  });

  it("opens a file from the explorer's menu, and by a click if the settings allow it", async () => {
    await chooseFromMenu(workbench.page, explorerItem('portal.csv'), 'Open Data File…');
    assert.match(await readHeader(await waitForFile('portal.csv')), /portal\.csv .* times in SAST .* 48 rows/);
    await workbench.closeEditors();
    await explorerItem('hours.parquet').dblclick();
    const frame = await waitForFile('hours.parquet');
    assert.match(await readHeader(frame), /hourly/);
    await frame.locator('[data-tab=chart]').click();
    await frame.locator('#result-chart canvas').first().waitFor();
    await workbench.closeEditors();
  });

  it('reads times without an offset in the selected time zone, also in another file of the same folder', async () => {
    const { quickInput } = workbench;
    for (const name of ['january.csv', 'february.csv'])
      writeFileSync(join(folder, name), 'time;wind_mw\n2026-05-01 02:00;1,5\n2026-05-01 03:00;2,5\n');
    await chooseFromMenu(workbench.page, explorerItem('january.csv'), 'Open Data File…');
    await quickInput.waitOpen('Time Zone of january.csv');
    await quickInput.cancel();
    const frame = await waitForFile('january.csv');
    assert.match((await readRow(frame, 0)).join(' '), /01 May 02:00/);
    await frame.locator('header button', { hasText: 'times assumed in UTC' }).click();
    // The time zone is the first item of the picker.
    await quickInput.waitOpen('Import Options · january.csv');
    await quickInput.accept();
    await quickInput.pick('SAST (UTC+2)');
    await quickInput.waitItem('Time Zone of Times Without Offset: SAST');
    await quickInput.cancel();
    await until(
      'the row in SAST',
      () => readRow(frame, 0),
      cells => cells.join(' ').includes('01 May 00:00'),
    );
    await workbench.closeEditors();
    await chooseFromMenu(workbench.page, explorerItem('february.csv'), 'Open Data File…');
    const nextFrame = await waitForFile('february.csv');
    assert.match((await readRow(nextFrame, 0)).join(' '), /01 May 00:00/);
    assert.match(await readHeader(nextFrame), /times in SAST .* options of this folder/);
    await new ResultPage(nextFrame).chooseFromToolbarMenu('Import Options…');
    await quickInput.pick('Reset to Detected Options');
    await quickInput.waitOpen('Time Zone of february.csv');
    await quickInput.escape();
    await quickInput.waitOpen('Import Options · february.csv');
    await quickInput.cancel();
    await nextFrame.locator('header button', { hasText: 'times assumed in UTC' }).waitFor();
    await workbench.closeEditors();
  });
});
