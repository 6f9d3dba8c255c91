import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  initialView,
  parseView,
  isSameView,
  serializeView,
  displayLimits,
  parseDisplay,
  getViewZone,
  serializeFullView,
  type View,
  type SerializedView,
} from '../../../src/shared/view.ts';

const changedView: View = {
  tab: 'chart',
  split: 0.3,
  linked: true,
  hints: false,
  summaries: false,
  missingRows: true,
  intervalEnd: true,
  numbers: 'received',
  resample: 'month',
  binFigures: 'energy',
  sort: [{ column: 'wind_mw', descending: true }],
  filters: { pv_mw: '>100' },
  figures: ['quantiles'],
  selectedColumn: 'pv_mw',
  arrangement: { order: ['ts'] },
  chart: { mode: 'mix' },
  window: { start: 1, end: 2 },
  forecast: { actual: 'wind_mw', forecast: 'pv_mw', by: 'band' },
  events: { kind: 'ramp', column: 'wind_mw', value: '1 000', hours: 6, band: 'critical', by: 'day' },
  derived: [{ name: 'renewables', formula: 'wind_mw + pv_mw' }],
  tables: { statistics: { sort: [{ column: 'mean', descending: false }], arrangement: { order: ['mean'] } } },
};

describe('parseView', () => {
  it('round-trips a stored view through JSON', () => {
    assert.deepEqual(
      parseView(JSON.parse(JSON.stringify(serializeFullView(changedView))) as SerializedView),
      changedView,
    );
  });

  it('returns the default view for an invalid one, and never throws', () => {
    assert.deepEqual(parseView(undefined), initialView);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), display =>
        assert.equal(typeof parseView({ display }).tab, 'string'),
      ),
    );
  });

  it('keeps the valid parts of a view with a damaged part', () => {
    const { analysis, display } = serializeFullView(changedView);
    const damaged = { ...display, tab: 'map', window: { start: 'x' }, hints: 'no' };
    const { tab, window, hints, filters, numbers } = parseView({ analysis, display: damaged });
    assert.deepEqual([tab, window, hints], ['table', undefined, true]);
    assert.deepEqual([filters, numbers], [changedView.filters, 'received']);
  });

  it('limits a stored split so that chart and table stay visible', () => {
    const shares = [0.35, 0, 7, NaN, '0.3'].map(split => parseView({ display: { split } }).split);
    assert.deepEqual(shares, [0.35, 0.2, 0.8, 0.5, 0.5]);
  });

  it('keeps the valid fields of a forecast to score', () => {
    const parseForecast = (forecast: unknown) => parseView({ display: { forecast } }).forecast;
    assert.deepEqual(parseForecast({ ...changedView.forecast, actual: 5, by: 'minute' }), {
      actual: undefined,
      forecast: 'pv_mw',
      by: 'all',
    });
    assert.deepEqual(parseForecast([]), initialView.forecast);
  });

  it('keeps the valid fields of a search for events', () => {
    const parseEvents = (events: unknown) => parseView({ display: { events } }).events;
    assert.deepEqual(parseEvents({ ...changedView.events, kind: 'flood', hours: 7, value: 5 }), {
      ...changedView.events,
      kind: 'peak',
      hours: 3,
      value: undefined,
    });
    for (const hours of [0, 1.5, '3', NaN]) assert.equal(parseEvents({ hours }).hours, 3);
    assert.deepEqual(parseEvents({ ...changedView.events, band: 'low', column: {} }), {
      ...changedView.events,
      band: 'high',
      column: undefined,
    });
    assert.deepEqual(parseEvents('all'), initialView.events);
  });
});

describe('serializeView', () => {
  it('contains the zone and the changes from the initial view, and round-trips except for the zoom', () => {
    assert.deepEqual(serializeView(initialView, 'UTC'), { display: { zone: 'UTC' } });
    const zoomed = { ...changedView, chart: { mode: 'mix', zoom: { start: 1, end: 2 } } };
    const saved = serializeView(zoomed, 'Africa/Johannesburg');
    const stored = JSON.parse(JSON.stringify(saved)) as SerializedView;
    assert.deepEqual(parseView(stored), { ...changedView, window: undefined });
    assert.deepEqual(stored.analysis, {
      derive: changedView.derived,
      where: changedView.filters,
      resample: 'month',
      figures: 'energy',
      missing: true,
      sort: changedView.sort,
    });
    const { window, hints } = saved.display ?? {};
    assert.deepEqual([getViewZone(saved), window, hints], ['Africa/Johannesburg', undefined, false]);
  });

  it('keeps unknown fields of other versions, and invalid values until the user changes them', () => {
    const stored = {
      tab: 'map',
      theme: { dark: true },
      zone: 'UTC',
      numbers: 'received',
      hints: false,
      chart: { mode: 'lines', columns: ['wind_mw'], asTable: true, smooth: 3 },
    };
    const known = parseView({ display: stored });
    assert.deepEqual(serializeView(known, 'UTC', stored), { display: stored });
    const chart = { mode: 'mix', columns: [], hidden: [], picked: {} };
    const changed = serializeView({ ...known, chart, numbers: 'rounded', filters: { pv_mw: '>1' } }, 'UTC', stored);
    const { numbers, ...others } = stored;
    assert.equal(numbers, 'received');
    assert.deepEqual(changed, {
      analysis: { where: { pv_mw: '>1' } },
      display: { ...others, chart: { ...chart, smooth: 3 } },
    });
    const parts = { forecast: { by: 'all', lead: 3 }, events: { kind: 'band', gap: 2 }, tables: { map: { sort: [] } } };
    const view = { ...parseView({ display: parts }), tables: { events: { sort: [], arrangement: { frozen: 2 } } } };
    const forecast = { ...view.forecast, by: 'monthOfYear' as const };
    const events = { ...view.events, hours: 6 };
    const restored = JSON.parse(
      JSON.stringify(serializeView({ ...view, forecast, events }, 'UTC', parts).display),
    ) as unknown;
    assert.deepEqual(restored, {
      zone: 'UTC',
      forecast: { by: 'monthOfYear', lead: 3 },
      tables: { ...parts.tables, ...view.tables },
      events: { ...(JSON.parse(JSON.stringify(events)) as object), gap: 2 },
    });
    // A selected tab replaces the tab of another version.
    assert.equal(serializeView({ ...known, tab: 'chart' }, 'UTC', stored).display?.['tab'], 'chart');
  });

  it('shows the event search of an analysis, and stays equal when the page reports it', () => {
    const rule = { kind: 'condition', condition: 'wind_mw > 5 and pv_mw < 3' } as const;
    const view = parseView({ analysis: { find: { rule, column: 'wind_mw' } } });
    assert.deepEqual([view.tab, view.events.kind, view.events.value], ['events', 'condition', rule.condition]);
    assert.ok(isSameView(view, parseView(serializeFullView(view))));
  });

  it('changes with each user setting, but not with a zoom or an empty filter', () => {
    const zoomed = { ...changedView, window: undefined, chart: { mode: 'mix', zoom: { start: 1, end: 2 } } };
    assert.ok(isSameView(changedView, zoomed));
    assert.ok(isSameView(changedView, { ...changedView, filters: { ...changedView.filters, ts: ' ' } }));
    assert.ok(isSameView(parseView({ display: { theme: 'x' } }), initialView));
    assert.ok(isSameView({ ...initialView, chart: { zoom: { start: 1, end: 2 } } }, initialView));
    const changes: Partial<View>[] = [
      ...[{ tab: 'table' as const }, { sort: [] }, { filters: {} }, { arrangement: { order: [] } }, { derived: [] }],
      ...[
        { chart: { mode: 'mix', hidden: ['pv_mw'] } },
        { resample: undefined },
        { split: 0.4 },
        { selectedColumn: undefined },
      ],
      ...[{ numbers: 'plain' as const }, { tables: {} }, { forecast: { ...changedView.forecast, by: 'all' as const } }],
    ];
    for (const change of changes)
      assert.ok(!isSameView(changedView, { ...changedView, ...change }), JSON.stringify(change));
  });
});

describe('parseDisplay', () => {
  it('accepts any JSON object within its limits unchanged', () => {
    const nestLists = (levels: number): unknown => (levels === 0 ? 'x' : [nestLists(levels - 1)]);
    const { characters, values } = displayLimits;
    for (const valid of [
      {},
      changedView,
      { later: nestLists(5) },
      { later: 'x'.repeat(characters - 5) },
      { a: null, b: true },
    ])
      assert.deepEqual(parseDisplay(valid), valid);
    const tooManyValues = Array.from({ length: values }, () => 1);
    for (const invalid of [
      ...[
        undefined,
        null,
        'chart',
        5,
        [],
        { later: nestLists(6) },
        { later: 'x'.repeat(characters) },
        { later: tooManyValues },
      ],
      ...[{ later: NaN }, { ['x'.repeat(characters + 1)]: 1 }, { later: () => 1 }],
    ])
      assert.equal(parseDisplay(invalid), undefined);
  });

  it('accepts only objects that parseView and serializeView preserve', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue(), (value, otherValue) => {
        const stored = parseDisplay({ chart: value, later: otherValue, tables: value, arrangement: otherValue }) ?? {};
        assert.deepEqual(serializeView(parseView({ display: stored }), 'UTC', stored), {
          display: { ...stored, zone: 'UTC' },
        });
      }),
    );
  });
});
