import assert from 'node:assert/strict';
import fc from 'fast-check';
import { initialView, readView, type PanelView, nextSort, sortText } from '../../../../src/webview/result/panelView.ts';

describe('readView', () => {
  const chosen: PanelView = {
    ...{
      tab: 'chart',
      split: 0.3,
      linked: true,
      hints: false,
      summaries: true,
      missingRows: true,
      intervalEnd: true,
      numbers: 'full',
      resample: 'month',
    },
    ...{ sort: [{ column: 'wind_mw', descending: true }], filters: { pv_mw: '>100' }, chosen: 'pv_mw' },
    ...{ arrangement: { order: ['ts'] }, chart: { mode: 'mix' }, window: { start: 1, end: 2 } },
    forecast: { actual: 'wind_mw', forecast: 'pv_mw', by: 'band' },
    events: { kind: 'ramp', column: 'wind_mw', value: '1 000', hours: 6, band: 'critical' },
    derived: [{ name: 'renewables', formula: 'wind_mw + pv_mw' }],
    tables: { statistics: { sort: [{ column: 'mean', descending: false }], arrangement: { order: ['mean'] } } },
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

  it('leaves room for chart and table, whatever share was stored', () => {
    const shares = [0.35, 0, 7, NaN, '0.3'].map(split => readView({ split }).split);
    assert.deepEqual(shares, [0.35, 0.2, 0.8, 0.5, 0.5]);
  });

  it('keeps of a forecast to score what is one', () => {
    const forecastOf = (forecast: unknown) => readView({ ...chosen, forecast }).forecast;
    assert.deepEqual(forecastOf({ ...chosen.forecast, actual: 5, by: 'minute' }), {
      ...{ actual: undefined, forecast: 'pv_mw', by: 'all' },
    });
    assert.deepEqual(forecastOf([]), initialView.forecast);
  });

  it('keeps of a search for events what is one', () => {
    const eventsOf = (events: unknown) => readView({ ...chosen, events }).events;
    assert.deepEqual(eventsOf({ ...chosen.events, kind: 'flood', hours: 7, value: 5 }), {
      ...{ ...chosen.events, kind: 'peak', hours: 3, value: undefined },
    });
    for (const hours of [0, 1.5, '3', NaN]) assert.equal(eventsOf({ hours }).hours, 3);
    assert.deepEqual(eventsOf({ ...chosen.events, band: 'low', column: {} }), {
      ...{ ...chosen.events, band: 'high', column: undefined },
    });
    assert.deepEqual(eventsOf('all'), initialView.events);
  });

  it('keeps at most 20 derived columns, and none with longer texts than one can type', () => {
    const kept = (...derived: unknown[]) => readView({ derived }).derived;
    const good = { name: 'n'.repeat(100), formula: 'f'.repeat(1000) };
    const bad = [{ name: 7, formula: '' }, { name: 'x' }, null, [], { ...good, name: 'n'.repeat(101) }];
    assert.deepEqual(kept(...bad, good, { ...good, formula: 'f'.repeat(1001) }), [good]);
    assert.equal(kept(...Array.from({ length: 50 }, () => good)).length, 20);
    assert.deepEqual(readView({ derived: { name: 'x' } }).derived, []);
  });
});

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
    assert.equal(sortText([], labelOf), 'No longer sorted');
  });
});
