import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openReplay } from '../../../../src/sandbox/replay/replaySource.ts';
import type { HourSource } from '../../../../src/sandbox/data/source.ts';
import { readSharedCells } from '../../../support/sharedFiles.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('replay of real hours', () => {
  let source: HourSource;
  let names: readonly string[];
  let rows: readonly string[][];

  before(async function () {
    // Real hours of the Eskom Data Portal may be in a folder next to the checkout. They are not part of the project.
    const real = readSharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) {
      console.log('      skipped: no real hours here (set GRID_DATA_SHARED to the folder that holds data/)');
      return this.skip();
    }
    [names, rows] = [real.heading, real.rows.slice(0, 1_000)];
    const path = join(createTemporaryFolder(), 'hours.csv');
    await writeFile(path, [names, ...rows].map(cells => `${cells.join()}\n`).join(''));
    source = await openReplay([path]);
  });

  it('serves the file row by row', () => {
    assert.equal(source.endHour - source.firstHour, rows.length);
    for (const [index, cells] of rows.entries()) {
      const cell = (name: string) => Number(cells[names.indexOf(name)]);
      const record = source.hour(source.firstHour + index)?.record;
      assert.ok(record);
      assert.equal(Date.parse(record.ts), Date.parse(`${cells[0] ?? ''}T${cells[1] ?? ''}+02:00`));
      assert.deepEqual(
        [record.residual_demand_mw, record.residual_forecast_mw, record.thermal_mw, record.nuclear_mw, record.wind_mw],
        ['Residual Demand', 'Residual Forecast', 'Thermal Generation', 'Nuclear Generation', 'Wind'].map(cell),
      );
      assert.deepEqual(
        [record.eskom_gas_mw, record.eskom_ocgt_mw, record.hydro_water_mw, record.pv_mw, record.total_re_mw],
        ['Eskom Gas Generation', 'Eskom OCGT Generation', 'Hydro Water Generation', 'PV', 'Total RE'].map(cell),
      );
      const net = cell('International Imports') - cell('International Exports');
      assert.ok(Math.abs((record.net_import_mw ?? Number.NaN) - net) < 0.000_501);
    }
  });
});
