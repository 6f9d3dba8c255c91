import assert from 'node:assert/strict';
import fc from 'fast-check';
import { initialView, readView, type PanelView } from '../../../../src/webview/result/panelView.ts';

describe('readView', () => {
  const chosen: PanelView = {
    ...{ tab: 'chart', linked: true, hints: false, missingRows: true, intervalEnd: true, numbers: 'full' },
    ...{ sort: [{ column: 'wind_mw', descending: true }], filters: { pv_mw: '>100' }, chosen: 'pv_mw' },
    ...{ arrangement: { order: ['ts'] }, chart: { mode: 'mix' }, window: { start: 1, end: 2 } },
  };

  it('round-trips a stored view through JSON', () => {
    assert.deepEqual(readView(JSON.parse(JSON.stringify(chosen))), chosen);
  });

  it('returns the default view for an invalid one, and never throws', () => {
    assert.deepEqual(readView(undefined), initialView);
    fc.assert(fc.property(fc.jsonValue(), kept => assert.equal(typeof readView(kept).tab, 'string')));
  });

  it('keeps valid parts beside a damaged one', () => {
    const kept = { ...chosen, tab: 'map', sort: [{ column: 7 }, ...chosen.sort], window: { start: 'x' }, hints: 'no' };
    const { tab, sort, window, hints, filters } = readView(kept);
    assert.deepEqual([tab, sort, window, hints], ['table', chosen.sort, undefined, true]);
    assert.deepEqual(filters, chosen.filters);
  });
});
