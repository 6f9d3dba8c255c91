import assert from 'node:assert/strict';
import { createFileResult } from '../../../../src/core/dataFile/fileResult.ts';
import { readTextTable } from '../../../../src/core/dataFile/textTable.ts';
import { findPortalColumn, portalColumns } from '../../../../src/core/portal/portalColumns.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import type { FieldInfo } from '../../../../src/shared/frame.ts';
import { power, powerExtreme, share, type Unit } from '../../../../src/shared/units.ts';
import { readSharedCells } from '../../../support/sharedFiles.ts';

const find = (heading: string) => findPortalColumn(heading) ?? assert.fail(heading);

/** Reads a text and returns the fields of its result by column name. */
async function readFields(text: string): Promise<ReadonlyMap<string, FieldInfo | undefined>> {
  const parsed = await readTextTable(new TextEncoder().encode(text), {});
  assert.ok(parsed.kind === 'table');
  const { frame } = createFileResult(parsed.table, 'a.csv').result;
  return new Map(frame?.columns.map(({ name, field }) => [name, field]));
}

describe('the columns of the portal', () => {
  it('have a meaning and its source, or the meaning of the service for the same quantity', () => {
    for (const heading of portalColumns) {
      const { name, field } = find(heading);
      const known = systemStateFields.get(name);
      assert.ok(known ?? (name === heading || name.endsWith('_installed_mw')), heading);
      assert.equal(field.label, heading);
      assert.match(field.meaning, /^[A-Z0-9].{8,}[^.]$/, heading);
      assert.equal(field.source === undefined, known !== undefined, heading);
      if (known) assert.deepEqual([field.meaning, field.unit], [known.meaning, known.unit]);
    }
  });

  it('have energies in MW except for installed capacities, and no unit for numbers of hours', () => {
    const listNames = (expected: Unit | undefined) => portalColumns.filter(name => find(name).field.unit === expected);
    assert.deepEqual(
      listNames(powerExtreme),
      portalColumns.filter(name => name.includes('Capacity')),
    );
    assert.deepEqual(listNames(undefined), [
      'Drakensberg Gen Unit Hours',
      'Palmiet Gen Unit Hours',
      'Ingula Gen Unit Hours',
    ]);
    assert.deepEqual(listNames(share), ['EAF', 'PCLF', 'UCLF', 'OCLF']);
    assert.equal(find('Total UCLF').field.unit, power);
  });

  it('are found by the names of all layouts, and factors with their period', () => {
    assert.equal(find('Manual_Load_Reduction_MLR').field.label, 'Manual Load_Reduction(MLR)');
    assert.equal(find('Manual_Load_Reduction_MLR').name, 'Manual_Load_Reduction_MLR');
    for (const heading of ['EAF', 'Weekly EAF', 'monthly_eaf', 'Yearly EAF', 'Annual EAF'])
      assert.deepEqual(find(heading), { name: heading, field: { ...find('EAF').field, label: heading } });
    assert.equal(findPortalColumn('Weekly Wind'), undefined);
    assert.equal(findPortalColumn('Daily EAF'), undefined);
  });

  it('keep their meanings in the result of a file', async () => {
    const fields = await readFields(
      'Date_Time_Hour_Beginning,Wind,Eskom_OCGT_SCO_Pumping,Battery\n2026-06-10 00:00:00,500,-1.5,7\n2026-06-10 01:00:00,501,-1,8\n',
    );
    assert.deepEqual(fields.get('wind_mw'), systemStateFields.get('wind_mw'));
    assert.deepEqual(fields.get('Eskom_OCGT_SCO_Pumping'), find('Eskom_OCGT_SCO_Pumping').field);
    assert.equal(fields.get('Battery'), undefined);
  });

  it('have no meaning in a file that is not from the portal', async () => {
    const fields = await readFields('ts,CSP,Other RE\n2026-06-10T00:00Z,5,6\n2026-06-10T01:00Z,5,6\n');
    assert.deepEqual([fields.get('CSP'), fields.get('Other RE')], [undefined, undefined]);
  });

  it('add up in the real hours as their meanings state', function () {
    const real = readSharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) return this.skip();
    for (const cells of real.rows) {
      const read = (name: (typeof portalColumns)[number]) => Number(cells[real.heading.indexOf(name)]);
      const sum = (...names: (typeof portalColumns)[number][]) => names.reduce((total, name) => total + read(name), 0);
      const assertSum = (actual: number, expected: number) =>
        assert.ok(Math.abs(actual - expected) < 0.01, `${cells[0]} ${cells[1]}: ${actual}, ${expected}`);
      const used = ['Eskom Gas SCO', 'Eskom OCGT SCO', 'Hydro Water SCO', 'Pumped Water SCO Pumping'] as const;
      assert.ok(used.every(name => read(name) <= 0));
      const eskom = sum(
        'Thermal Generation',
        'Nuclear Generation',
        'Eskom Gas Generation',
        'Eskom OCGT Generation',
        'Hydro Water Generation',
        'Pumped Water Generation',
      );
      const dispatched = eskom + sum('Dispatchable IPP OCGT', 'International Imports', ...used);
      assertSum(read('Dispatchable Generation'), dispatched);
      const reduced = sum('ILS Usage', 'Manual Load_Reduction(MLR)', 'IOS Excl ILS and MLR');
      assertSum(read('Residual Demand'), dispatched + reduced);
      assertSum(read('Total RE'), sum('Wind', 'PV', 'CSP', 'Other RE'));
    }
  });
});
