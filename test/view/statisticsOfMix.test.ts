import assert from 'node:assert/strict';
import type { NumberColumn } from '../../src/shared/frame.ts';
import { chartFrames } from './page/chartFrames.ts';
import { harnessOf } from './freshPages.ts';
import { onStatistics } from './harness.ts';

const hourMs = 3_600_000;
const utc = { timeZone: 'UTC', label: 'UTC' };

describe('statistics of the generation mix', () => {
  const harness = harnessOf('statistics', { width: 1280, height: 720 });

  it('lists the series that the generation mix derives, with definition, energy and hours', async () => {
    const page = await harness.emptied();
    await onStatistics(page, 'show', { frame: 'mix', zone: utc, step: hourMs });
    await page.locator('.statistics-table table[aria-busy=false]').waitFor();
    const cellsOf = async (label: string): Promise<string[]> => {
      const row = page.locator('.statistics-table tr', { has: page.getByRole('radio', { name: label, exact: true }) });
      return row.locator('td').allInnerTexts();
    };
    const { columns } = chartFrames.whole();
    const column = (name: string): NumberColumn => columns.find(one => one.name === name) as NumberColumn;
    const rowsWith = (...names: string[]) =>
      [...column('wind_mw').values.keys()].filter(row => names.every(name => !column(name).gaps?.[row]));
    const demandRows = rowsWith('residual_demand_mw', 'total_re_mw');
    const demand = demandRows.map(row =>
      Number(((column('residual_demand_mw').values[row] ?? 0) + (column('total_re_mw').values[row] ?? 0)).toFixed(3)),
    );
    const gwh = demand.reduce((sum, value) => sum + value, 0) / 1000;
    const cells = await cellsOf('Total demand MW derived');
    // Residual demand is null at six of 168 hours.
    assert.deepEqual([demandRows.length, ...cells.slice(4, 6)], [162, '162', '6']);
    assert.equal(
      cells[3],
      `${gwh.toLocaleString('en', { minimumFractionDigits: 3, maximumFractionDigits: 3 })} GWh 162 h`,
    );
    assert.equal(Number(cells[2]?.replaceAll(',', '')), Math.max(...demand));
    const names = page.locator('.statistics-table tbody tr', { hasText: 'derived' });
    assert.deepEqual(await names.locator('.statistics-name').allInnerTexts(), [
      'Other renewables',
      'Not published',
      'Total demand',
      'Total generation',
      'Total generation and imports',
    ]);
    const heads = await names.locator('th').all();
    const help = await Promise.all(heads.map(async head => (await head.getAttribute('title'))?.split('\n')));
    assert.deepEqual(help, [
      [
        'Derived, not received · MW',
        'Total renewable less wind and PV: concentrated solar, biomass, landfill gas and others.',
      ],
      [
        'Derived, not received · MW',
        'Total generation (total renewable ÷ renewable share) less all other sources, to some MW: pumped storage, gas turbines of independent producers. Somewhat below zero where storage at rest takes power; no value where a reading is wrong.',
      ],
      ['Derived, not received · MW', 'Residual demand plus total renewable. Shed load is in it.'],
      [
        'Derived, not received · MW',
        'All sources of the generation mix together, with what is not published by itself.',
      ],
      ['Derived, not received · MW', 'Total generation plus imports; exports are not known.'],
    ]);
    // What is generated is what the sources and the imports are together.
    assert.match((await cellsOf('Total generation MW derived'))[3] ?? '', /^[\d.,]+ GWh 168 h$/);
  });
});
