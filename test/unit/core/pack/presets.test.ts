import assert from 'node:assert/strict';
import { createInstalledCapacityFrame } from '../../../../src/core/pack/installedCapacity.ts';
import { fillPreset, listPresets, presets } from '../../../../src/core/pack/presets.ts';
import { findPortalColumn, portalColumns } from '../../../../src/core/portal/portalColumns.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import type { FormulaColumn } from '../../../../src/core/formula/formula.ts';
import { power, unitOf } from '../../../../src/shared/units.ts';
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

const onlyPortal = portalNumbers.filter(
  ({ name }) => !systemStateFields.has(name) && !capacityColumns.some(column => column.name === name),
);
const frame = createFrame(time, ...serviceColumns, ...onlyPortal, ...capacityColumns);

/** The unit and the value of each column of a preset in a row in which all powers are 1,000 MW and all capacities joined 4,000 MW. */
const expectedColumns: Readonly<Record<string, readonly (readonly [name: string, unit: string, value: number])[]>> = {
  'Carbon of domestic generation': [
    ['generation', 'MW', 6_000],
    ['emissions', 't', 2_766],
    ['carbon_intensity', 't/MWh', 0.461],
  ],
  'Carbon of consumption': [
    ['consumption_intensity', 't/MWh', 2_766 / 7_000],
    ['consumption_emissions', 't', (2_766 * 6_000) / 7_000],
  ],
  'Cost of OCGT': [['ocgt_cost', 'R', 6_600_000]],
  'Load factor of OCGT': [['ocgt_load_factor', '%', 100_000 / 2_067]],
  'Capacity factor of wind': [['wind_capacity_factor', '%', 25]],
  'Capacity factor of PV': [['pv_capacity_factor', '%', 25]],
  'Capacity factor of CSP': [['csp_capacity_factor', '%', 25]],
  'Load shed': [['load_shed', 'MW', 1_000]],
  'Interrupted supply': [['interrupted_supply', 'MW', 3_000]],
  'Availability of Eskom': [
    ['pclf', '%', 100],
    ['uclf', '%', 100],
    ['oclf', '%', 100],
    ['eaf', '%', -200],
  ],
};

/** 'Time-of-use cost' is tested in a file of its own. */
const listLabels = (...args: Parameters<typeof listPresets>): string[] =>
  listPresets(...args).flatMap(({ label }) => (label === 'Time-of-use cost' ? [] : [label]));

describe('presets', () => {
  it('have distinct labels and column names, and a source unless the numbers are the person’s own', () => {
    const labels = presets.map(({ label }) => label);
    const names = presets.flatMap(({ columns }) => columns.map(({ name }) => name));
    assert.equal(new Set(labels).size, labels.length);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(labels, [...Object.keys(expectedColumns), 'Time-of-use cost']);
    for (const { label, source, priceCount } of presets) {
      assert.ok((source ?? '').length <= 300, label);
      assert.equal(source === undefined, priceCount !== undefined, label);
    }
  });

  for (const [label, expected] of Object.entries(expectedColumns)) {
    it(`computes '${label}' in the unit that it claims`, () => {
      const filled = fillPreset(findPreset(label), { prices: [6_600] });
      const derived = deriveInFrame(frame, filled, hourMs);
      assert.deepEqual(
        derived.map(({ name, field }) => [name, unitOf(field).text, unitOf(field).difference]),
        expected.map(([name, unit]) => [name, unit, undefined]),
      );
      for (const [index, [name, , value]] of expected.entries()) {
        const [first = NaN] = derived[index] ? readCells(derived[index]) : [];
        assert.ok(Math.abs((first ?? NaN) - value) < 1e-9 * Math.abs(value), `${name}: ${first}`);
      }
      for (const { source } of filled) assert.equal(source, findPreset(label).source);
    });
  }

  it('are listed if their columns exist, with joined capacity', () => {
    const fromService = [
      'Carbon of domestic generation',
      'Carbon of consumption',
      'Cost of OCGT',
      'Load factor of OCGT',
      'Capacity factor of wind',
      'Capacity factor of PV',
    ];
    assert.deepEqual(listLabels([time, ...serviceColumns], true, hourMs), fromService);
    const portalLabels = ['Capacity factor of CSP', 'Load shed', 'Interrupted supply', 'Availability of Eskom'];
    assert.deepEqual(listLabels([time, ...onlyPortal], true, hourMs), portalLabels);
    assert.deepEqual(listPresets([time], true, hourMs), []);
    assert.deepEqual(listPresets([], true), []);
    const withoutLosses = onlyPortal.filter(({ name }) => name !== 'Total OCLF');
    assert.deepEqual(listLabels([time, ...withoutLosses], true, hourMs), portalLabels.slice(0, -1));
  });

  it('need columns of installed capacity where none can be joined', () => {
    assert.deepEqual(listLabels([time, ...serviceColumns], false, hourMs).includes('Capacity factor of wind'), false);
    const withCapacity = [time, ...serviceColumns, ...capacityColumns];
    assert.ok(listLabels(withCapacity, false, hourMs).includes('Capacity factor of wind'));
  });

  it('find portal columns by their labels, since exports write the headings in several ways', () => {
    const label = 'Manual Load_Reduction(MLR)';
    const field = { label, meaning: '', unit: power };
    const written: FormulaColumn = { name: 'Manual_Load_Reduction_MLR', kind: 'number', field };
    assert.deepEqual(listLabels([time, written], false, hourMs), ['Load shed']);
    const [shed] = fillPreset(findPreset('Load shed'), {}, [written]);
    assert.equal(shed?.formula, 'Manual_Load_Reduction_MLR');
  });

  it('quote the name of a column of energy', () => {
    const [cost] = fillPreset(findPreset('Time-of-use cost'), {
      energy: 'Import {0} "kWh"',
      prices: [650, 200.5, 110, 300, 180, 115],
    });
    assert.match(cost?.formula ?? '', /if\(standard, 200\.5 c\/kWh, 110 c\/kWh\).* \* "Import \{0\} ""kWh"""$/);
  });
});
