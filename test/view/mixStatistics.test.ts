import assert from 'node:assert/strict';
import type { NumberColumn } from '../../src/shared/frame.ts';
import { chartFrames } from './page/chartFrames.ts';
import { createHarness } from './useHarness.ts';
import { onStatistics } from './harness.ts';
import { readCells, readFigures } from './tabContent.ts';

const hourMs = 3_600_000;
const utc = { timeZone: 'UTC', label: 'UTC' };

describe('statistics of the generation mix', () => {
  const harness = createHarness('statistics', { width: 1900, height: 1200 });

  it('lists the energy, hours and shares of the series that are derived for the generation mix', async () => {
    const page = await harness.acquire();
    await onStatistics(page, 'show', { frame: 'mix', zone: utc, step: hourMs });
    const { columns } = chartFrames.whole();
    const findColumn = (name: string): NumberColumn => columns.find(series => series.name === name) as NumberColumn;
    const findRowsWithValues = (...names: string[]) =>
      [...findColumn('wind_mw').values.keys()].filter(row => names.every(name => !findColumn(name).gaps?.[row]));
    const demandRows = findRowsWithValues('residual_demand_mw', 'total_re_mw');
    const demand = demandRows.map(row =>
      Number(
        ((findColumn('residual_demand_mw').values[row] ?? 0) + (findColumn('total_re_mw').values[row] ?? 0)).toFixed(3),
      ),
    );
    const demandEnergy = demand.reduce((sum, value) => sum + value, 0);
    const { Energy, Hours, Values, Highest } = await readFigures(page, 'Total demand');
    // Residual demand is null in six of the 168 hours.
    assert.deepEqual([demandRows.length, Hours, Values], [162, '162', '162']);
    assert.equal(Energy, demandEnergy.toLocaleString('en', { maximumFractionDigits: 0 }));
    assert.equal(Number(Highest?.replaceAll(',', '')), Math.round(Math.max(...demand)));
    const names = await readCells(page, 1);
    assert.deepEqual(names.slice(names.indexOf('Other renewables')), [
      'Other renewables',
      'Not published',
      'Total demand',
      'Total generation',
      'Total generation and imports',
    ]);
    // Total generation is the sum of the sources and the imports.
    const total = await readFigures(page, 'Total generation');
    assert.deepEqual([total['Share'], total['Hours']], ['100.0', '168']);
    const shares = await Promise.all(
      ['Thermal', 'Nuclear', 'Gas', 'OCGT', 'Hydro', 'Not published', 'Wind', 'PV', 'Other renewables'].map(
        async name => Number((await readFigures(page, name))['Share']),
      ),
    );
    assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) < 0.5, String(shares));
  });
});
