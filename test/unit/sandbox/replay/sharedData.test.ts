import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openReplay } from '../../../../src/sandbox/replay/replaySource.ts';
import type { HourSource } from '../../../../src/sandbox/data/source.ts';
import { readSharedCells } from '../../../support/sharedFiles.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('the replay of real hours', () => {
  let source: HourSource;
  let names: readonly string[];
  let rows: readonly string[][];

  before(async function () {
    // The real hours of the Eskom Data Portal are not part of the repository. They may be in a folder next to it.
    const sharedCells = readSharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!sharedCells) {
      console.log('      skipped: no real hours here (set GRID_DATA_SHARED to the folder that holds data/)');
      return this.skip();
    }
    [names, rows] = [sharedCells.heading, sharedCells.rows.slice(0, 1_000)];
    const path = join(createTemporaryFolder(), 'hours.csv');
    await writeFile(path, [names, ...rows].map(cells => `${cells.join()}\n`).join(''));
    source = await openReplay([path]);
  });

  it('returns the values of each row of the file', () => {
    assert.equal(source.endHour - source.firstHour, rows.length);
    for (const [index, cells] of rows.entries()) {
      const readCell = (name: string) => Number(cells[names.indexOf(name)]);
      const record = source.hour(source.firstHour + index)?.record;
      assert.ok(record);
      assert.equal(Date.parse(record.ts), Date.parse(`${cells[0] ?? ''}T${cells[1] ?? ''}+02:00`));
      assert.deepEqual(
        [record.residual_demand_mw, record.residual_forecast_mw, record.thermal_mw, record.nuclear_mw, record.wind_mw],
        ['Residual Demand', 'Residual Forecast', 'Thermal Generation', 'Nuclear Generation', 'Wind'].map(readCell),
      );
      assert.deepEqual(
        [record.eskom_gas_mw, record.eskom_ocgt_mw, record.hydro_water_mw, record.pv_mw, record.total_re_mw],
        ['Eskom Gas Generation', 'Eskom OCGT Generation', 'Hydro Water Generation', 'PV', 'Total RE'].map(readCell),
      );
      const netImport = readCell('International Imports') - readCell('International Exports');
      assert.ok(Math.abs((record.net_import_mw ?? Number.NaN) - netImport) < 0.000_501);
    }
  });
});
