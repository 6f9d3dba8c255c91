import assert from 'node:assert/strict';
import { createInstalledCapacityFrame } from '../../../../src/core/pack/installedCapacity.ts';
import { power } from '../../../../src/shared/units.ts';
import { readSharedCells } from '../../../support/sharedFiles.ts';

const headings = {
  wind_installed_mw: 'Wind Installed Capacity',
  pv_installed_mw: 'PV Installed Capacity',
  csp_installed_mw: 'CSP Installed Capacity',
} as const;

describe('the table of installed capacity', () => {
  const frame = createInstalledCapacityFrame();
  const [time] = frame.columns;
  assert.ok(time?.kind === 'time');

  it('has columns of mean power in ascending rows, each of which changes a value', () => {
    assert.deepEqual(
      frame.columns.map(({ name }) => name),
      ['ts', ...Object.keys(headings)],
    );
    for (const column of frame.columns.slice(1)) assert.deepEqual(column.field?.unit, power);
    const rows = Array.from(time.values, (ms, row) => ({
      ms,
      values: frame.columns.slice(1).map(column => (column.kind === 'number' ? column.values[row] : undefined)),
    }));
    assert.ok(rows.length > 1);
    for (const [row, { ms, values }] of rows.entries()) {
      const previous = rows[row - 1];
      if (!previous) continue;
      assert.ok(ms > previous.ms);
      assert.notDeepEqual(values, previous.values);
    }
  });

  it('has the values of every hour of the portal', function () {
    const real = readSharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) return this.skip();
    const hours = real.rows.map(([day, hour]) => Date.parse(`${day}T${hour}+02:00`));
    assert.equal(hours[0], time.values[0]);
    for (const [name, heading] of Object.entries(headings)) {
      const index = real.heading.indexOf(heading);
      const column = frame.columns.find(({ name: columnName }) => columnName === name);
      assert.ok(index >= 0 && column?.kind === 'number', name);
      const wrong: string[][] = real.rows.filter((cells, row) => {
        const step = time.values.findLastIndex(ms => ms <= (hours[row] ?? NaN));
        return column.values[step] !== Number(cells[index]);
      });
      assert.deepEqual(wrong, [], name);
    }
  });
});
