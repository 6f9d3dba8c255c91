import assert from 'node:assert/strict';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { until } from '../support/until.ts';
import { disposeAfter } from './harness/failures.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import {
  addConnection,
  getSharedWorkbench,
  readHeader,
  readRow,
  runSystemState,
  startSandboxWithKey,
  waitForTable,
} from './support.ts';

const title = 'System state · 2025-07 · hourly';

/** A meter that imports 50 kWh in each half hour around July 2025. Its times are in SAST. */
const meter = [
  'Time;Import (kWh)',
  ...Array.from({ length: 40 * 48 }, (_, index) => {
    const time = new Date(Date.UTC(2025, 5, 28) + index * 1_800_000).toISOString();
    return `${time.slice(0, 10)} ${time.slice(11, 16)};50`;
  }),
].join('\n');

describe('columns of a meter beside the grid', () => {
  let sandbox: RunningSandbox & { key: string };
  let workbench: Workbench;
  let frame: Frame;
  const path = (): string => join(workbench.folder, 'meters', 'plant.csv');

  before(async () => {
    sandbox = await startSandboxWithKey();
    workbench = await getSharedWorkbench('Meter');
    mkdirSync(join(workbench.folder, 'meters'));
    writeFileSync(path(), meter);
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Meter');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, '2025-07');
    frame = await waitForTable(workbench, title);
  });
  disposeAfter(() => [workbench, sandbox]);

  const waitForHeader = async (text: string): Promise<string> =>
    until(
      `the header with "${text}"`,
      () => readHeader(frame),
      found => found.includes(text),
    );
  const chooseFromToolbar = async (label: string): Promise<void> => new ResultPage(frame).chooseFromToolbarMenu(label);

  it('are joined by their time, which costs no request', async () => {
    const previousHeader = await readHeader(frame);
    await chooseFromToolbar('Add Columns From…');
    await workbench.quickInput.waitItem('plant.csv');
    await workbench.quickInput.pick('plant.csv');
    await workbench.quickInput.waitItem('SAST (UTC+2)');
    await workbench.quickInput.pick('SAST (UTC+2)');
    const header = await waitForHeader('with plant.csv');
    assert.doesNotMatch(previousHeader, /plant/);
    assert.match(header, /744 hours from archive/);
    const [, first] = await new ResultPage(frame).readHeaders();
    assert.equal(first, 'Import');
  });

  it('are priced by tariff period', async () => {
    await chooseFromToolbar('Add Preset Columns…');
    await workbench.quickInput.waitItem('Time-of-use cost');
    await workbench.quickInput.pick('Time-of-use cost');
    await workbench.quickInput.waitOpen('Time-of-use cost · Import');
    await workbench.quickInput.type('650 200 110 300 150 100');
    await workbench.quickInput.accept();
    await frame.locator('[role=rowheader]:visible, [role=gridcell]:visible', { hasText: 'Off-peak' }).first().waitFor();
    const rows = await Promise.all([0, 1, 2].map(async row => readRow(frame, row)));
    const cells = rows.map(row => row.map(text => text.replaceAll(/[^\w.-]/g, '')));
    // 100 kWh in each hour: July 2025 has 23 weekdays with 5 peak and 11 standard hours, 4 Saturdays with 7 standard hours and 4 Sundays with 2.
    assert.deepEqual(
      cells.map(([name, , , energy, cost]) => [name, energy, cost]),
      [
        ['Peak', '11500', '74750'],
        ['Standard', '28900', '57800'],
        ['Off-peak', '34000', '37400'],
      ],
    );
  });

  it('are left out with a word while the file is gone, and are back after a reload', async () => {
    renameSync(path(), `${path()}.old`);
    const refresh = async (): Promise<void> => frame.locator('[data-action=refresh]').click();
    await refresh();
    await waitForHeader('without plant.csv');
    renameSync(`${path()}.old`, path());
    await workbench.reload();
    frame = await waitForTable(workbench, title);
    await waitForHeader('with plant.csv');
    writeFileSync(path(), meter.replace(/;50$/, ';60'));
    await refresh();
    await waitForHeader('with plant.csv, which has changed');
    await frame.getByText('with plant.csv, which has changed').click();
    await until(
      'the new version of the file',
      () => readHeader(frame),
      header => header.includes('with plant.csv') && !header.includes('changed'),
    );
  });
});
