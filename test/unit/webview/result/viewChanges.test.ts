import assert from 'node:assert/strict';
import { toggleSort, formatSort } from '../../../../src/webview/result/viewChanges.ts';

const ascending = (column: string) => ({ column, descending: false });

const descending = (column: string) => ({ column, descending: true });

describe('toggleSort', () => {
  it('cycles through ascending, descending and none', () => {
    const first = toggleSort([], 'wind_mw', false);
    const second = toggleSort(first, 'wind_mw', false);
    assert.deepEqual(
      [first, second, toggleSort(second, 'wind_mw', false)],
      [[ascending('wind_mw')], [descending('wind_mw')], []],
    );
  });

  it('replaces the other sort columns, or keeps them', () => {
    const sortKeys = [ascending('pv_mw'), descending('ts')];
    assert.deepEqual(toggleSort(sortKeys, 'wind_mw', false), [ascending('wind_mw')]);
    assert.deepEqual(toggleSort(sortKeys, 'wind_mw', true), [...sortKeys, ascending('wind_mw')]);
    assert.deepEqual(toggleSort(sortKeys, 'pv_mw', true), [descending('pv_mw'), descending('ts')]);
    assert.deepEqual(toggleSort(sortKeys, 'ts', true), [ascending('pv_mw')]);
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

  it('reports that sorting was removed', () => {
    assert.equal(formatSort([], getLabel), 'Sorting removed');
  });
});
