import assert from 'node:assert/strict';
import { nextSort, sortText } from '../../../../src/webview/result/panelView.ts';

const up = (column: string) => ({ column, descending: false });

const down = (column: string) => ({ column, descending: true });

describe('nextSort', () => {
  it('cycles through ascending, descending and none', () => {
    const first = nextSort([], 'wind_mw', false);
    const second = nextSort(first, 'wind_mw', false);
    assert.deepEqual([first, second, nextSort(second, 'wind_mw', false)], [[up('wind_mw')], [down('wind_mw')], []]);
  });

  it('replaces the other sort columns, or keeps them', () => {
    const two = [up('pv_mw'), down('ts')];
    assert.deepEqual(nextSort(two, 'wind_mw', false), [up('wind_mw')]);
    assert.deepEqual(nextSort(two, 'wind_mw', true), [...two, up('wind_mw')]);
    assert.deepEqual(nextSort(two, 'pv_mw', true), [down('pv_mw'), down('ts')]);
    assert.deepEqual(nextSort(two, 'ts', true), [up('pv_mw')]);
  });
});

const labels: Readonly<Record<string, string>> = { eskom_ocgt_mw: 'OCGT', wind_mw: 'Wind' };

const labelOf = (column: string): string => labels[column] ?? column;

describe('sortText', () => {
  it('lists the sort columns with their direction, in order', () => {
    const ocgt = { column: 'eskom_ocgt_mw', descending: true };
    const wind = { column: 'wind_mw', descending: false };
    const other = { column: 'other', descending: true };
    assert.equal(sortText([ocgt], labelOf), 'Sorted by OCGT, descending');
    assert.equal(sortText([wind, ocgt], labelOf), 'Sorted by Wind, ascending, then by OCGT, descending');
    assert.equal(
      sortText([ocgt, wind, other], labelOf),
      'Sorted by OCGT, descending, then by Wind, ascending, then by other, descending',
    );
  });

  it('reports when the order is that of the data again', () => {
    assert.equal(sortText([], labelOf), 'Sorting removed');
  });
});
