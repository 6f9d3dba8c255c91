import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openReplay } from '../../../../src/sandbox/replay/replaySource.ts';
import type { HourSource } from '../../../../src/sandbox/data/source.ts';
import { hoursOf } from '../fakes.ts';
import { fields, realHours, statisticsOf, type Statistics } from '../synthetic/realHours.ts';

// Real hours of the Eskom Data Portal lie beside the checkout where they may be kept; they are no part of the project.
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const shared = process.env['GRID_DATA_SHARED'] ?? join(root, '..', 'shared');
const path = join(shared, 'data', 'eskom-hourly-2022-06_2024-03.csv');

describe('replay of real hours', () => {
  let source: HourSource;

  before(async function () {
    if (!existsSync(path)) {
      console.log('      skipped: no real hours here (set GRID_DATA_SHARED to the folder that holds data/)');
      this.skip();
    }
    source = await openReplay([path]);
  });

  it('serves the file row by row', async () => {
    const [header = '', ...rows] = (await readFile(path, 'utf8')).trim().split(/\r?\n/);
    const names = header.split(',');
    assert.equal(source.endHour - source.firstHour, rows.length);
    for (const [place, line] of rows.slice(0, 500).entries()) {
      const cells = line.split(',');
      const cell = (name: string) => Number(cells[names.indexOf(name)]);
      const record = source.hour(source.firstHour + place)?.record;
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

  it('matches the statistics that the synthetic grid is tested against', async () => {
    const hours = await hoursOf(source, source.firstHour, source.endHour);
    assert.equal(hours.length, 15_552);
    for (const field of fields)
      for (const [figure, value] of Object.entries(statisticsOf(hours, field)) as [keyof Statistics, number][])
        assert.ok(Math.abs(value - realHours[field][figure]) < 0.005_001, `${field} ${figure}: ${value}`);
  });
});
