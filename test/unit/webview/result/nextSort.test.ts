import assert from 'node:assert/strict';
import { nextSort } from '../../../../src/webview/result/nextSort.ts';

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
