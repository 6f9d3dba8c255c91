import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillPreset } from '../../../../src/core/pack/presets.ts';
import { findPortalColumn } from '../../../../src/core/portal/portalColumns.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { power } from '../../../../src/shared/units.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';
import { deriveInFrame, hourMs, readCells } from '../formula/derive.ts';
import { readSharedCells } from '../../../support/sharedFiles.ts';
import { findPreset } from './findPreset.ts';

/** Returns calculated, published and miss of the guide's checks, by their names. */
function readChecks(): Map<string, string[]> {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/south-africa.md'), 'utf8');
  const [, table = ''] = /\| Check .*\n.*\n((?:\|.*\n)+)/.exec(guide) ?? [];
  const rows = table
    .trim()
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()));
  return new Map(rows.map(([, name = '', ...cells]) => [name, cells.slice(0, 4)]));
}

function formatCheck(hours: string, calculated: number, published: number): string[] {
  const miss = (calculated / published - 1) * 100;
  const sign = miss <= -0.05 ? '−' : '';
  return [hours, calculated.toFixed(3), published.toFixed(3), `${sign}${Math.abs(miss).toFixed(1)} %`];
}

/** Returns the sum of a column over the rows from `start` until `end`, and how many there are. */
function sumColumn(frame: Frame, values: readonly (number | null)[], start: string, end: string): [number, number] {
  const [time] = frame.columns;
  assert.ok(time?.kind === 'time');
  const rows = values.filter((_, row) => {
    const ms = time.values[row] ?? NaN;
    return ms >= Date.parse(start) && ms < Date.parse(end);
  });
  return [rows.reduce<number>((sum, value) => sum + (value ?? NaN), 0), rows.length];
}

describe('the carbon presets', () => {
  const [generationPreset, consumptionPreset] = [
    findPreset('Carbon of domestic generation'),
    findPreset('Carbon of consumption'),
  ];
  const columns = [...fillPreset(generationPreset, {}), ...fillPreset(consumptionPreset, {})];

  it('give the numbers of the guide for the hours of 2022 and 2023', function () {
    const real = readSharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) return this.skip();
    const readNumbers = (heading: string): number[] => {
      const index = real.heading.indexOf(heading);
      assert.ok(index >= 0, heading);
      return real.rows.map(cells => Number(cells[index]));
    };
    const headings = ['Thermal Generation', 'Nuclear Generation', 'Eskom Gas Generation', 'Eskom OCGT Generation'];
    const [imports, exports] = [readNumbers('International Imports'), readNumbers('International Exports')];
    const frame = createFrame(
      timeColumn(
        'ts',
        real.rows.map(([day, hour]) => Date.parse(`${day}T${hour}+02:00`)),
      ),
      ...[...headings, 'Hydro Water Generation', 'Total RE'].map(heading => {
        const { name, field } = findPortalColumn(heading) ?? assert.fail(heading);
        return numberColumn(name, readNumbers(heading), field.unit);
      }),
      numberColumn('imports_mw', imports, power),
      numberColumn('exports_mw', exports, power),
    );
    const derived = new Map(deriveInFrame(frame, columns, hourMs).map(column => [column.name, readCells(column)]));
    const readDerived = (name: string) => derived.get(name) ?? assert.fail(name);
    const check = (start: string, end: string) => {
      const sum = (values: readonly (number | null)[]) => sumColumn(frame, values, start, end);
      const [emissions, hours] = sum(readDerived('emissions'));
      const [generation] = sum(readDerived('generation'));
      const [importedEnergy] = sum(imports);
      return { hours, generation: emissions / generation, consumption: emissions / (generation + importedEnergy) };
    };
    const of2023 = check('2023-01-01T00:00+02:00', '2024-01-01T00:00+02:00');
    const of2022 = check('2022-06-23T00:00+02:00', '2023-01-01T00:00+02:00');
    const checks = readChecks();
    assert.deepEqual([of2023.hours, of2022.hours], [8_760, 4_608]);
    assert.deepEqual(checks.get('Generation, 2023 (fitted)'), formatCheck('8,760', of2023.generation, 0.942));
    assert.deepEqual(checks.get('Generation, from 23 June 2022'), formatCheck('4,608', of2022.generation, 0.96));
    assert.deepEqual(checks.get('Consumption, 2023'), formatCheck('8,760', of2023.consumption, 0.906));
    assert.deepEqual(checks.get('Consumption, from 23 June 2022'), formatCheck('4,608', of2022.consumption, 0.931));
    const laterHalf = check('2023-06-23T00:00+02:00', '2024-01-01T00:00+02:00');
    assert.equal(laterHalf.generation.toFixed(3), '0.945');
    // The consumed energy has the intensity of the supply in each hour.
    const consumed = readDerived('consumption_emissions');
    const intensity = readDerived('consumption_intensity');
    const generated = readDerived('generation');
    for (const row of [0, 1_000, 15_551]) {
      const energy = (generated[row] ?? NaN) + (imports[row] ?? NaN) - (exports[row] ?? NaN);
      assert.ok(Math.abs((intensity[row] ?? NaN) * energy - (consumed[row] ?? NaN)) < 1e-6, String(row));
    }
  });

  it('give the number of the guide for the energies of 2021', () => {
    // TWh in the table "Electricity mix from BP & EMBER (2022)" of Our World in Data; bioenergy and solar are renewable.
    const energies = {
      thermal_mw: 193.84,
      nuclear_mw: 12.26,
      eskom_gas_mw: 1.79,
      eskom_ocgt_mw: 2.68,
      hydro_water_mw: 6.5,
      total_re_mw: 0.41 + 4.55 + 7.69,
    };
    const frame = createFrame(
      timeColumn('ts', [0]),
      ...Object.entries(energies).map(([name, value]) => numberColumn(name, [value], power)),
    );
    const [generation, emissions, intensity] = deriveInFrame(frame, fillPreset(generationPreset, {}), hourMs).map(
      column => readCells(column)[0] ?? NaN,
    );
    assert.equal(generation?.toFixed(1), '229.7');
    assert.equal(emissions?.toFixed(0), '218');
    assert.deepEqual(readChecks().get('Generation, 2021, yearly numbers'), formatCheck('–', intensity ?? NaN, 1.013));
  });

  it('have no value in an hour in which one source is missing', () => {
    const names = ['thermal_mw', 'nuclear_mw', 'eskom_gas_mw', 'eskom_ocgt_mw', 'hydro_water_mw', 'total_re_mw'];
    const frame = createFrame(
      timeColumn('ts', [0, hourMs]),
      ...names.map((name, index) => numberColumn(name, [100, index === 2 ? null : 100], power)),
    );
    const cells = deriveInFrame(frame, fillPreset(generationPreset, {}), hourMs).map(readCells);
    assert.deepEqual(cells, [
      [600, null],
      // 100 MWh × 1.106 t/MWh + 200 MWh × 0.83 t/MWh
      [276.6, null],
      [0.461, null],
    ]);
  });
});
