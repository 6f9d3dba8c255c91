import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  initialView,
  readView,
  sameView,
  savedView,
  savedViewLimits,
  savedViewOf,
  zoneOfView,
  type PanelView,
} from '../../../src/shared/savedView.ts';

const chosen: PanelView = {
  tab: 'chart',
  split: 0.3,
  linked: true,
  hints: false,
  summaries: false,
  missingRows: true,
  intervalEnd: true,
  numbers: 'full',
  resample: 'month',
  sort: [{ column: 'wind_mw', descending: true }],
  filters: { pv_mw: '>100' },
  chosen: 'pv_mw',
  arrangement: { order: ['ts'] },
  chart: { mode: 'mix' },
  window: { start: 1, end: 2 },
  forecast: { actual: 'wind_mw', forecast: 'pv_mw', by: 'band' },
  events: { kind: 'ramp', column: 'wind_mw', value: '1 000', hours: 6, band: 'critical' },
  derived: [{ name: 'renewables', formula: 'wind_mw + pv_mw' }],
  tables: { statistics: { sort: [{ column: 'mean', descending: false }], arrangement: { order: ['mean'] } } },
};

describe('readView', () => {
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
      actual: undefined,
      forecast: 'pv_mw',
      by: 'all',
    });
    assert.deepEqual(forecastOf([]), initialView.forecast);
  });

  it('keeps of a search for events what is one', () => {
    const eventsOf = (events: unknown) => readView({ ...chosen, events }).events;
    assert.deepEqual(eventsOf({ ...chosen.events, kind: 'flood', hours: 7, value: 5 }), {
      ...chosen.events,
      kind: 'peak',
      hours: 3,
      value: undefined,
    });
    for (const hours of [0, 1.5, '3', NaN]) assert.equal(eventsOf({ hours }).hours, 3);
    assert.deepEqual(eventsOf({ ...chosen.events, band: 'low', column: {} }), {
      ...chosen.events,
      band: 'high',
      column: undefined,
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

describe('savedView', () => {
  it('has what differs from the initial view and the zone, and reads back as the view without its zoom', () => {
    assert.deepEqual(savedView(initialView, 'UTC'), { zone: 'UTC' });
    const zoomed = { ...chosen, chart: { mode: 'mix', zoom: { start: 1, end: 2 } } };
    const saved = savedView(zoomed, 'Africa/Johannesburg');
    const stored: unknown = JSON.parse(JSON.stringify(saved));
    assert.deepEqual(readView(stored), { ...chosen, window: undefined });
    assert.deepEqual([zoneOfView(saved), saved['window'], saved['hints']], ['Africa/Johannesburg', undefined, false]);
  });

  it('keeps what another version wrote, and what this one cannot read and nobody has changed', () => {
    const before = {
      tab: 'map',
      theme: { dark: true },
      zone: 'UTC',
      numbers: 'full',
      hints: false,
      sort: 'by wind',
      chart: { mode: 'lines', columns: ['wind_mw'], asTable: true, smooth: 3 },
    };
    const known = readView(before);
    assert.deepEqual(savedView(known, 'UTC', before), before);
    const chart = { mode: 'mix', columns: [], hidden: [], picked: {} };
    const changed = savedView({ ...known, chart, numbers: 'locale', filters: { pv_mw: '>1' } }, 'UTC', before);
    const { numbers, ...others } = before;
    assert.equal(numbers, 'full');
    assert.deepEqual(changed, { ...others, chart: { ...chart, smooth: 3 }, filters: { pv_mw: '>1' } });
    const parts = { forecast: { by: 'all', lead: 3 }, events: { kind: 'band', gap: 2 }, tables: { map: { sort: [] } } };
    const view = { ...readView(parts), tables: { events: { sort: [], arrangement: { frozen: 2 } } } };
    const [forecast, events] = [
      { ...view.forecast, by: 'monthOfYear' as const },
      { ...view.events, hours: 6 },
    ];
    const kept = JSON.parse(JSON.stringify(savedView({ ...view, forecast, events }, 'UTC', parts))) as unknown;
    assert.deepEqual(kept, {
      zone: 'UTC',
      forecast: { by: 'monthOfYear', lead: 3 },
      tables: { ...parts.tables, ...view.tables },
      events: { ...(JSON.parse(JSON.stringify(events)) as object), gap: 2 },
    });
    // A tab that was chosen takes the place of one that only another version knows.
    assert.equal(savedView({ ...known, tab: 'chart' }, 'UTC', before)['tab'], 'chart');
  });

  it('is changed by what a person chooses, and not by a zoom or a filter in which nothing is typed', () => {
    const zoomed = { ...chosen, window: undefined, chart: { mode: 'mix', zoom: { start: 1, end: 2 } } };
    assert.ok(sameView(chosen, zoomed));
    assert.ok(sameView(chosen, { ...chosen, filters: { ...chosen.filters, ts: ' ' } }));
    assert.ok(sameView(readView({ theme: 'x' }), initialView));
    assert.ok(sameView({ ...initialView, chart: { zoom: { start: 1, end: 2 } } }, initialView));
    const others: Partial<PanelView>[] = [
      ...[{ tab: 'table' as const }, { sort: [] }, { filters: {} }, { arrangement: { order: [] } }, { derived: [] }],
      ...[
        { chart: { mode: 'mix', hidden: ['pv_mw'] } },
        { resample: undefined },
        { split: 0.4 },
        { chosen: undefined },
      ],
      ...[{ numbers: 'plain' as const }, { tables: {} }, { forecast: { ...chosen.forecast, by: 'all' as const } }],
    ];
    for (const change of others) assert.ok(!sameView(chosen, { ...chosen, ...change }), JSON.stringify(change));
  });
});

describe('savedViewOf', () => {
  it('takes any JSON object within its limits as it is', () => {
    const depth = (levels: number): unknown => (levels === 0 ? 'x' : [depth(levels - 1)]);
    const { characters, values } = savedViewLimits;
    for (const good of [{}, chosen, { later: depth(5) }, { later: 'x'.repeat(characters - 5) }, { a: null, b: true }])
      assert.deepEqual(savedViewOf(good), good);
    const many = Array.from({ length: values }, () => 1);
    for (const bad of [
      ...[undefined, null, 'chart', 5, [], { later: depth(6) }, { later: 'x'.repeat(characters) }, { later: many }],
      ...[{ later: NaN }, { ['x'.repeat(characters + 1)]: 1 }, { later: () => 1 }],
    ])
      assert.equal(savedViewOf(bad), undefined);
  });

  it('and reads and writes whatever it took', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue(), (one, other) => {
        const before = savedViewOf({ chart: one, later: other, filters: one, arrangement: other }) ?? {};
        assert.deepEqual(savedView(readView(before), 'UTC', before), { ...before, zone: 'UTC' });
      }),
    );
  });
});
