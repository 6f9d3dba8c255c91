import assert from 'node:assert/strict';
import { toggleSort, formatSort } from '../../../../src/webview/result/viewChanges.ts';

const up = (column: string) => ({ column, descending: false });

const down = (column: string) => ({ column, descending: true });

describe('toggleSort', () => {
  it('cycles through ascending, descending and none', () => {
    const first = toggleSort([], 'wind_mw', false);
    const second = toggleSort(first, 'wind_mw', false);
    assert.deepEqual([first, second, toggleSort(second, 'wind_mw', false)], [[up('wind_mw')], [down('wind_mw')], []]);
  });

  it('replaces the other sort columns, or keeps them', () => {
    const two = [up('pv_mw'), down('ts')];
    assert.deepEqual(toggleSort(two, 'wind_mw', false), [up('wind_mw')]);
    assert.deepEqual(toggleSort(two, 'wind_mw', true), [...two, up('wind_mw')]);
    assert.deepEqual(toggleSort(two, 'pv_mw', true), [down('pv_mw'), down('ts')]);
    assert.deepEqual(toggleSort(two, 'ts', true), [up('pv_mw')]);
  });
});

const labels: Readonly<Record<string, string>> = { eskom_ocgt_mw: 'OCGT', wind_mw: 'Wind' };

const getLabel = (column: string): string => labels[column] ?? column;

describe('formatSort', () => {
  it('lists the sort columns with their direction, in order', () => {
    const ocgt = { column: 'eskom_ocgt_mw', descending: true };
    const wind = { column: 'wind_mw', descending: false };
    const other = { column: 'other', descending: true };
    assert.equal(formatSort([ocgt], getLabel), 'Sorted by OCGT, descending');
    assert.equal(formatSort([wind, ocgt], getLabel), 'Sorted by Wind, ascending, then by OCGT, descending');
    assert.equal(
      formatSort([ocgt, wind, other], getLabel),
      'Sorted by OCGT, descending, then by Wind, ascending, then by other, descending',
    );
  });

  it('reports when the order is that of the data again', () => {
    assert.equal(formatSort([], getLabel), 'Sorting removed');
  });
});
