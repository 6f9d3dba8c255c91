import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningSandbox } from '../../src/sandbox/embedded.ts';
import { names, values } from '../unit/core/portal/portalText.ts';
import { pictureFailures } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { addConnection, headerOf, rowOf, runSystemState, sandboxWithKey, sharedWorkbench, tableOf } from './support.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** 10 May 2023 of UTC, as a spreadsheet with decimal commas saves it, in South African time; the wind of its second hour is missing. */
function portalDay(): string {
  const head = ['Date Time Hour Beginning', ...names].join(';');
  const rows = Array.from({ length: 24 }, (_, hour) => {
    const time = new Date(Date.UTC(2023, 4, 10, hour + 2)).toISOString().slice(0, 16).replace('T', ' ');
    const cells = values.map(value => value.replace('.', ','));
    return [time, ...(hour === 1 ? cells.with(names.indexOf('Wind'), '-') : cells)].join(';');
  });
  return [head, ...rows].join('\r\n');
}

describe('a portal file with semicolons and decimal commas', () => {
  let workbench: Workbench;
  let sandbox: RunningSandbox & { readonly key: string };

  before(async () => {
    const file = join(temporaryFolder(), 'hours.csv');
    writeFileSync(file, portalDay());
    sandbox = await sandboxWithKey({ replay: [file] });
    workbench = await sharedWorkbench('Portal');
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await sandbox.close();
  });

  it('shows its hours to the last digit, and a gap as a gap', async () => {
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Portal');
    await workbench.waitTab('last 24 hours');
    await runSystemState(workbench, '2023-05-10');
    const frame = await tableOf(workbench, 'System state · 2023-05-10 · hourly');
    assert.match(await headerOf(frame), /Portal · Replayed Hours · System state · 10 May 2023 00:00 .* 24 rows/);
    const cellsOf = async (row: number) => {
      const heads = await frame.locator('[role=columnheader]').allInnerTexts();
      const cells = await rowOf(frame, row);
      return ['Residual demand', 'Thermal', 'Wind'].map(
        label => cells[heads.findIndex(head => head.replaceAll(/\s+/g, ' ').startsWith(label))],
      );
    };
    for (const [row, cells] of [
      [0, '22,646.101 | 21,862.3 | 820.513'],
      [1, '22,646.101 | 21,862.3 | '],
    ] as const)
      await until(
        cells,
        async () => (await cellsOf(row)).join(' | '),
        now => now === cells,
      );
  });
});
