import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { frameOf } from '../../src/core/decode/decode.ts';
import { names, values } from '../unit/core/portal/portalText.ts';
import { exported } from '../unit/service/export/anyFrame.ts';
import { chooseAt } from './harness/contextMenu.ts';
import { endsAfter } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { headerOf, messageOf, rowOf, setWorkspaceSettings, sharedWorkbench } from './support.ts';

const portal = [
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
    workbench = await sharedWorkbench();
    ({ folder } = workbench);
    writeFileSync(join(folder, 'portal.csv'), portal);
    writeFileSync(join(folder, 'own.csv'), 'ts,wind_mw\n2026-05-01T00:00:00Z,1.5\n2026-05-01T01:00:00Z,2.5\n');
    writeFileSync(join(folder, 'hours.parquet'), await exported({ frame: frameOf(hours) }, { format: 'parquet' }));
    // As docs/data-files.md says.
    await setWorkspaceSettings(workbench, { 'workbench.editorAssociations': { '*.parquet': 'gridData.dataFile' } });
    await workbench.openSidebar('Explorer');
  });
  endsAfter(() => [workbench]);

  const inExplorer = (name: string) => workbench.page.getByRole('treeitem', { name });
  /** As a person does whose files open in another editor. */
  async function openWith(name: string): Promise<Frame> {
    await inExplorer(name).dblclick();
    await workbench.waitTab(name.replace(/\..*/, ''));
    // The list does not grow while it is open, and in a new window the extension may not be among the editors yet.
    const { quickInput } = workbench;
    await until(
      'Grid Data Inspector among the editors',
      async () => {
        await workbench.runCommand('View: Reopen Editor With...');
        const offered = await quickInput.waitItem('Text Editor');
        const isOffered = offered.some(item => item.includes('Grid Data Inspector'));
        if (!isOffered) await quickInput.escape();
        return isOffered;
      },
      isOffered => isOffered,
    );
    await quickInput.pick('Grid Data Inspector');
    return shows(name);
  }
  async function rowsIn(frame: Frame, name: string): Promise<string[]> {
    const header = await frame.locator('header .parts').allInnerTexts();
    return header.join().includes(name) ? rowOf(frame, 0) : [];
  }
  /** The page of the file, once it has rows; that of another may be in its place until then, and go while it is looked at. */
  async function shows(name: string): Promise<Frame> {
    await workbench.waitTab(name.replace(/\..*/, ''));
    let frame = await workbench.resultFrame();
    await until(
      `the rows of ${name}`,
      async () => {
        frame = await workbench.resultFrame();
        return rowsIn(frame, name).catch(() => []);
      },
      cells => cells.length > 1,
    );
    return frame;
  }

  it('show a CSV file, and show it anew when it changes', async () => {
    const frame = await openWith('own.csv');
    assert.deepEqual((await rowOf(frame, 0)).slice(-1), ['1.5']);
    assert.equal(await frame.locator('[data-action=refresh], [data-action=save], [data-action=copyAs]').count(), 0);
    appendFileSync(join(folder, 'own.csv'), '2026-05-01T02:00:00Z,3.5\n');
    await until(
      'the third row',
      () => rowOf(frame, 2),
      cells => cells.at(-1) === '3.5',
    );
    const headed = (text: string) => frame.locator('header .parts', { hasText: text }).waitFor();
    appendFileSync(join(folder, 'own.csv'), '2026-05-01T02:00:00Z,4.5\n');
    await headed('1 row with the time of another');
    renameSync(join(folder, 'own.csv'), join(folder, 'moved.csv'));
    await headed("Cannot read 'own.csv'");
    assert.deepEqual((await rowOf(frame, 0)).slice(-1), ['1.5']);
    await workbench.closeEditors();
  });

  it('say that a file is damaged, open it as text, and show it once it is whole', async () => {
    const file = join(folder, 'cut.json');
    writeFileSync(file, '[{"ts":"2026-05-01T00:00:00Z","wind_mw":1.5');
    await chooseAt(workbench.page, inExplorer('cut.json'), 'Open Data File…');
    await workbench.waitTab('cut');
    const frame = await workbench.resultFrame();
    await messageOf(frame, "'cut.json' is damaged or incomplete");
    await frame.locator('.message [data-action=openResponse]').click();
    // The editor is there before its text is.
    await until(
      'the text of the file',
      () => workbench.activeEditorText(),
      text => text.includes('wind_mw'),
    );
    await workbench.runCommand('View: Close Editor');
    writeFileSync(file, '[{"ts":"2026-05-01T00:00:00Z","wind_mw":1.5}]');
    assert.deepEqual((await rowOf(await shows('cut.json'), 0)).slice(-1), ['1.5']);
    await workbench.closeEditors();
  });

  it('stand beside another file, with the cells that changed in the header, and those rows alone by a click', async () => {
    const write = (name: string, cells: readonly string[]): void =>
      writeFileSync(
        join(folder, name),
        ['ts,wind_mw,pv_mw', ...cells.map((cell, hour) => `2026-05-0${hour + 1}T00:00:00Z,${cell}`), ''].join('\n'),
      );
    write('old.csv', ['1,5', '2,5', '3,5']);
    const past = new Date('2026-05-01');
    utimesSync(join(folder, 'old.csv'), past, past);
    write('new.csv', ['1,5', '2.5,6', '3,5', '4,5']);
    await inExplorer('new.csv').click();
    await inExplorer('old.csv').click({ modifiers: ['ControlOrMeta'] });
    await chooseAt(workbench.page, inExplorer('old.csv'), 'Compare Selected Data Files');
    const frame = await shows('new.csv');
    const changed = frame.locator('header .parts button', { hasText: '2 cells changed in 2 columns' });
    await changed.waitFor();
    assert.match(await headerOf(frame), /compared with old\.csv .* 1 row only here/);
    assert.match(
      (await changed.getAttribute('title')) ?? '',
      /Wind: 1 cell changed\n.*\n\n2026-05-02: 2 cells changed/,
    );
    await changed.click();
    await frame.getByText('1 of 4 rows').waitFor();
    await workbench.closeEditors();
  });

  it('open as one table where a folder has Parquet files, and say where it has none', async () => {
    for (const [month, rows] of [hours.slice(0, 60), hours.slice(60)].entries()) {
      const part = join(folder, 'out', `part=${month + 1}`);
      mkdirSync(part, { recursive: true });
      writeFileSync(join(part, 'a.parquet'), await exported({ frame: frameOf(rows) }, { format: 'parquet' }));
    }
    mkdirSync(join(folder, 'empty'));
    await chooseAt(workbench.page, inExplorer('out'), 'Open Data File…');
    const frame = await shows('out');
    assert.match(await headerOf(frame), /out .* 100 rows .* 1 note\b/);
    assert.equal((await rowOf(frame, 0)).at(-1), '1');
    assert.equal(await frame.locator('[data-action=openResponse]').count(), 0);
    await workbench.closeEditors();
    await chooseAt(workbench.page, inExplorer('empty'), 'Open Data File…');
    await workbench.waitTab('empty');
    await messageOf(await workbench.resultFrame(), "'empty' has no Parquet files.");
    await workbench.closeEditors();
  });

  it("open from the explorer's menu, and by a click where the settings say so", async () => {
    await chooseAt(workbench.page, inExplorer('portal.csv'), 'Open Data File…');
    assert.match(await headerOf(await shows('portal.csv')), /portal\.csv .* times in SAST .* 48 rows/);
    await workbench.closeEditors();
    await inExplorer('hours.parquet').dblclick();
    const frame = await shows('hours.parquet');
    assert.match(await headerOf(frame), /hourly/);
    await frame.locator('[data-tab=chart]').click();
    await frame.locator('#result-chart canvas').first().waitFor();
    await workbench.closeEditors();
  });

  it('read times without an offset in the zone that is chosen, also in the next file of the folder', async () => {
    const { quickInput } = workbench;
    for (const name of ['january.csv', 'february.csv'])
      writeFileSync(join(folder, name), 'time;wind_mw\n2026-05-01 02:00;1,5\n2026-05-01 03:00;2,5\n');
    await chooseAt(workbench.page, inExplorer('january.csv'), 'Open Data File…');
    await quickInput.waitOpen('Time Zone of january.csv');
    await quickInput.cancel();
    const frame = await shows('january.csv');
    assert.match((await rowOf(frame, 0)).join(' '), /01 May 02:00/);
    await frame.locator('header button', { hasText: 'times assumed in UTC' }).click();
    // The zone is the first of the options.
    await quickInput.waitOpen('Import Options · january.csv');
    await quickInput.accept();
    await quickInput.pick('SAST (UTC+2)');
    await quickInput.waitItem('Time Zone of Times Without Offset: SAST');
    await quickInput.cancel();
    await until(
      'the row in SAST',
      () => rowOf(frame, 0),
      cells => cells.join(' ').includes('01 May 00:00'),
    );
    await workbench.closeEditors();
    await chooseAt(workbench.page, inExplorer('february.csv'), 'Open Data File…');
    const next = await shows('february.csv');
    assert.match((await rowOf(next, 0)).join(' '), /01 May 00:00/);
    assert.match(await headerOf(next), /times in SAST .* options of this folder/);
    await new ResultPage(next).more('Import Options…');
    await quickInput.pick('Reset to Detected Options');
    await quickInput.waitOpen('Time Zone of february.csv');
    await quickInput.escape();
    await quickInput.waitOpen('Import Options · february.csv');
    await quickInput.cancel();
    await next.locator('header button', { hasText: 'times assumed in UTC' }).waitFor();
    await workbench.closeEditors();
  });
});
