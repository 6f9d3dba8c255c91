import assert from 'node:assert/strict';
import { createInstalledCapacityFrame } from '../../../../src/core/pack/installedCapacity.ts';
import { fillPreset, listPresets, presets } from '../../../../src/core/pack/presets.ts';
import { findPortalColumn, portalColumns } from '../../../../src/core/portal/portalColumns.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import { unitOf } from '../../../../src/shared/units.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';
import { deriveInFrame, hourMs, readCells } from '../formula/derive.ts';
import { findPreset } from './findPreset.ts';

const time = timeColumn('ts', [0, hourMs]);
/** The numbers of the service, with 1,000 MW, or % of them, in each row. */
const serviceColumns = [...systemStateFields].flatMap(([name, { unit }]) =>
  unit ? [numberColumn(name, [1_000, 1_000], unit)] : [],
);
const portalNumbers = portalColumns.map(heading => {
  const { name, field } = findPortalColumn(heading) ?? assert.fail(heading);
  return numberColumn(name, [1_000, 1_000], field.unit);
});
const capacityColumns = createInstalledCapacityFrame()
  .columns.slice(1)
  .map(({ name, field }) => numberColumn(name, [4_000, 4_000], field?.unit));

const onlyPortal = portalNumbers.filter(({ name }) => !systemStateFields.has(name));
const frame = createFrame(time, ...serviceColumns, ...onlyPortal, ...capacityColumns);

/** The unit and the value of each column of a preset in a row in which all powers are 1,000 MW and all capacities joined 4,000 MW. */
const expectedColumns: Readonly<Record<string, readonly (readonly [name: string, unit: string, value: number])[]>> = {
  generationEmissions: [
    ['generation', 'MW', 6_000],
    ['emissions', 't', 2_766],
    ['carbon_intensity', 't/MWh', 0.461],
  ],
  consumptionEmissions: [
    ['consumption_intensity', 't/MWh', 2_766 / 7_000],
    ['consumption_emissions', 't', (2_766 * 6_000) / 7_000],
  ],
  ocgtCost: [['ocgt_cost', 'R', 6_600_000]],
  ocgtLoadFactor: [['ocgt_load_factor', '%', 100_000 / 2_067]],
  windCapacityFactor: [['wind_capacity_factor', '%', 25]],
  pvCapacityFactor: [['pv_capacity_factor', '%', 25]],
  cspCapacityFactor: [['csp_capacity_factor', '%', 25]],
  loadShed: [['load_shed', 'MW', 1_000]],
  interruptedSupply: [['interrupted_supply', 'MW', 3_000]],
  availability: [
    ['pclf', '%', 100],
    ['uclf', '%', 100],
    ['oclf', '%', 100],
    ['eaf', '%', -200],
  ],
};

/** `timeOfUseCost` is tested in a file of its own. */
const listIds = (...args: Parameters<typeof listPresets>): string[] =>
  listPresets(...args).flatMap(({ id }) => (id === 'timeOfUseCost' ? [] : [id]));

describe('presets', () => {
  it('have distinct ids and column names, and a source unless the numbers are the person’s own', () => {
    const ids = presets.map(({ id }) => id);
    const names = presets.flatMap(({ columns }) => columns.map(({ name }) => name));
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(ids, [...Object.keys(expectedColumns), 'timeOfUseCost']);
    for (const { id, source, priceCount } of presets) {
      assert.ok(source.length <= 300, id);
      assert.equal(source === '', priceCount !== undefined, id);
    }
  });

  for (const [id, expected] of Object.entries(expectedColumns)) {
    it(`computes ${id} in the unit that it claims`, () => {
      const filled = fillPreset(findPreset(id), { prices: [6_600] });
      const derived = deriveInFrame(frame, filled, hourMs);
      assert.deepEqual(
        derived.map(({ name, field }) => [name, unitOf(field).text, unitOf(field).difference]),
        expected.map(([name, unit]) => [name, unit, undefined]),
      );
      for (const [index, [name, , value]] of expected.entries()) {
        const [first = NaN] = derived[index] ? readCells(derived[index]) : [];
        assert.ok(Math.abs((first ?? NaN) - value) < 1e-9 * Math.abs(value), `${name}: ${first}`);
      }
      for (const { source } of filled) assert.equal(source, findPreset(id).source || undefined);
    });
  }

  it('are listed if their columns exist, with joined capacity', () => {
    const fromService = [
      'generationEmissions',
      'consumptionEmissions',
      'ocgtCost',
      'ocgtLoadFactor',
      'windCapacityFactor',
      'pvCapacityFactor',
    ];
    assert.deepEqual(listIds([time, ...serviceColumns], hourMs), fromService);
    const portalIds = ['cspCapacityFactor', 'loadShed', 'interruptedSupply', 'availability'];
    assert.deepEqual(listIds([time, ...onlyPortal], hourMs), portalIds);
    assert.deepEqual(listPresets([time], hourMs), []);
    assert.deepEqual(listPresets([]), []);
    const withoutLosses = onlyPortal.filter(({ name }) => name !== 'Total OCLF');
    assert.deepEqual(listIds([time, ...withoutLosses], hourMs), portalIds.slice(0, -1));
  });

  it('quote the name of a column of energy', () => {
    const [cost] = fillPreset(findPreset('timeOfUseCost'), {
      energy: 'Import {0} "kWh"',
      prices: [650, 200.5, 110, 300, 180, 115],
    });
    assert.match(cost?.formula ?? '', /if\(standard, 200\.5 c\/kWh, 110 c\/kWh\).* \* "Import \{0\} ""kWh"""$/);
  });
});
