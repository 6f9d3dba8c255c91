import assert from 'node:assert/strict';
import { tableStateOf } from '../../../support/tableState.ts';
import { computeCoverage } from '../../../../src/core/frame/coverage.ts';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import {
  exportTables,
  shownTable,
  viewOfTable,
  type ShownTable,
} from '../../../../src/presentation/export/shownExport.ts';
import { createExportProvenance, formatProvenanceLines } from '../../../../src/core/export/exportProvenance.ts';
import { plainArrangement } from '../../../../src/presentation/table/columnArrangement.ts';
import { utc } from '../../../../src/core/time/zone.ts';
import { findTimeColumn } from '../../../../src/core/frame/clip.ts';
import type { Provenance } from '../../../../src/shared/result.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import type { ShownSelection } from '../../../../src/shared/protocol.ts';
import { initialView, type View } from '../../../../src/shared/view.ts';

const hour = 3_600_000;
const start = Date.parse('2023-05-01T00:00Z');
const frame = frameOf([
  { ts: '2023-05-01T00:00:00Z', mw: 1, name: 'a' },
  { ts: '2023-05-01T02:00:00Z', mw: 3, name: 'c' },
]);
const coverage = computeCoverage(frame, { start, end: start + 3 * hour }, hour, { now: start + 3 * hour });
const result = { frame, coverage, provenance: { start } as Provenance };
const state = tableStateOf(frame, { start, coverage });

/** What a panel shows of rows. `columns`: the columns shown, in their order; all where left out. */
function shown(change: Partial<View> = {}, columns?: readonly string[], of: Frame = frame) {
  const arrangement = columns && {
    ...plainArrangement,
    order: columns,
    hidden: of.columns.map(({ name }) => name).filter(name => !columns.includes(name)),
  };
  const view = { ...initialView, arrangement, ...change };
  const tables = { [view.tab]: { sort: [], arrangement } };
  const table = shownTable({ state: { ...state, frame: of }, view: { ...view, tables } }, of, 'en');
  assert.ok(table);
  return table;
}

const tablesOf = (
  of: Parameters<typeof exportTables>[0],
  table: ShownTable | undefined,
  { selection, withEnds = false }: { selection?: ShownSelection; withEnds?: boolean } = {},
) => exportTables(of, table, selection, hour, withEnds);

/** The first numbers of columns that are exported, by their names. */
function firstCells(table: ReturnType<typeof tablesOf>['onScreen'], ...names: readonly string[]) {
  const columns = table?.columns?.map(at => table.frame.columns[Number(at)]);
  return names.map(name => {
    const column = columns?.find(one => one?.name === name);
    return column && 'values' in column ? column.values[0] : undefined;
  });
}

/** What the file of a table says of it. */
function originOf(of: typeof result, table: ReturnType<typeof tablesOf>['onScreen']) {
  assert.ok(table);
  const provenance = { ...result.provenance, end: start, dataset: 'd', params: {}, meta: {} } as unknown as Provenance;
  return createExportProvenance({ ...of, bodies: [], provenance }, table, { times: 'utc', zone: utc });
}

describe('the tables of an export', () => {
  it('returns no table for a result without one', () => {
    assert.deepEqual(tablesOf({ ...result, frame: undefined }, shown()), {});
  });

  it('returns only the data as received when no panel shows the result', () => {
    assert.deepEqual(tablesOf(result, undefined), { asReceived: { frame, stepMs: hour } });
  });

  it('takes rows and columns in the order on screen, by their names', () => {
    const sort = [{ column: 'mw', descending: true }];
    const table = shown({ sort, intervalEnd: true }, ['name', 'ts:until', 'ts']);
    const { onScreen, asReceived, selection } = tablesOf(result, table);
    assert.deepEqual(onScreen?.columns, [2, 'intervalEnd', 0]);
    assert.deepEqual([onScreen.frame, onScreen.stepMs, onScreen.rows], [frame, hour, Uint32Array.of(1, 0)]);
    assert.deepEqual(asReceived, { frame, stepMs: hour });
    assert.equal(selection, undefined);
    assert.deepEqual([table.isChanged, shown().isChanged, shown({}, ['ts', 'mw']).isChanged], [true, false, true]);
  });

  it("returns only this period's data as received when a comparison is shown", () => {
    const received = frameOf([{ ts: '2023-05-01T00:00:00Z', mw: 1 }]);
    const tables = tablesOf({ ...result, received }, shown());
    assert.deepEqual([tables.asReceived?.frame, tables.onScreen?.frame], [received, frame]);
  });

  it('returns the selection beside the table', () => {
    const selection = { rows: [1, 9], columns: [{ name: 'mw' }, { name: 'gone' }] } as const;
    const sorted = shown({ sort: [{ column: 'mw', descending: true }] });
    assert.deepEqual(tablesOf(result, sorted, { selection }).selection?.rows, Uint32Array.of(0));
    assert.deepEqual(tablesOf(result, shown(), { selection }).selection, {
      frame,
      stepMs: hour,
      rows: Uint32Array.of(1),
      columns: [1],
    });
  });

  it('takes the numbers of a chart where the panel shows them, and says in the file whose they are', () => {
    const days = frameOf(
      Array.from({ length: 48 }, (_, row) => ({ ts: new Date(start + row * hour).toISOString(), mw: row })),
    );
    const chart = { mode: 'heatmap', columns: [], hidden: [], picked: {}, asTable: true };
    const view = { tab: 'chart', chart } as const;
    const { onScreen, asReceived } = tablesOf({ ...result, frame: days }, shown(view, undefined, days));
    assert.deepEqual(asReceived, { frame: days, stepMs: hour });
    assert.ok(onScreen);
    assert.deepEqual([onScreen.frame.rowCount, onScreen.columns?.length, onScreen.chart], [2, 25, 'heatmap']);
    const second = onScreen.frame.columns[2];
    assert.ok(second?.kind === 'number');
    assert.deepEqual([second.name, [...second.values]], ['mw 01:00', [1, 25]]);
    const said = originOf({ ...result, frame: days }, onScreen);
    assert.ok(formatProvenanceLines(said).includes('chart: heatmap'));
    assert.equal(viewOfTable({ display: view }, 'onScreen', shown(view, undefined, days)), undefined);
    const ofPlot = shown({ ...view, chart: { ...chart, asTable: undefined } }, undefined, days);
    assert.deepEqual([ofPlot.chart, ofPlot.frame], [undefined, days]);
  });

  it('resamples as the page does, and says in the file what the rows are', () => {
    const table = shown({ filters: { mw: '>1' }, resample: 'day' });
    const { onScreen, asReceived } = tablesOf(result, table);
    assert.deepEqual(asReceived, { frame, stepMs: hour });
    // The hour that is filtered out is none of the day's; the others are, whether they have data or not.
    assert.deepEqual(firstCells(onScreen, 'ts', 'of_hours', 'mw'), [start, 23, 3]);
    const text =
      'days of UTC: a row counts where it begins, and only where it has a value, of those that pass the filters';
    assert.equal(onScreen?.resampled, text);
    const origin = originOf(result, onScreen);
    assert.deepEqual([origin.resampled, origin.rows, origin.rowsOfResult], [text, 1, 2]);
  });

  it('finds the events that the page shows, and says in the file what they are', () => {
    const events = { ...initialView.events, kind: 'condition', column: 'mw', value: 'mw > 0' } as const;
    const table = shown({ tab: 'events', events, filters: { name: 'a or c' } });
    const { onScreen, asReceived } = tablesOf(result, table);
    assert.deepEqual(asReceived, { frame, stepMs: hour });
    // The hour between has no row, and is bridged.
    assert.deepEqual(firstCells(onScreen, 'start', 'of_hours', 'hours', 'mw_max'), [start, 3, 2, 3]);
    const text =
      'runs of hours in which mw > 0; up to 3 unknown hours within a run are bridged; only of rows that pass the filters';
    const origin = originOf(result, onScreen);
    assert.deepEqual([origin.events, origin.resampled, origin.rows, origin.rowsOfResult], [text, undefined, 1, 2]);
    assert.equal(viewOfTable({ display: { tab: 'events' } }, 'onScreen', table), undefined);
  });

  it('derives columns as the page does, before it resamples, and has their formulas in the file', () => {
    const power = frameOf([
      { ts: '2023-05-01T00:00:00Z', wind_mw: 1, pv_mw: 2 },
      { ts: '2023-05-01T01:00:00Z', wind_mw: 3, pv_mw: 5 },
    ]);
    const columns = [
      { name: 'both', formula: 'wind_mw + pv_mw' },
      { name: 'gone', formula: 'hydro_mw' },
      { name: 'rise', formula: 'delta(both, 1h)' },
    ];
    const given = { ...result, frame: power };
    const { onScreen, asReceived } = tablesOf(given, shown({ derived: columns }, undefined, power));
    assert.deepEqual(asReceived, { frame: power, stepMs: hour });
    const cells = (table = onScreen, name = '') => {
      const column = table?.frame.columns.find(one => one.name === name);
      return column && 'values' in column ? [...column.values] : undefined;
    };
    assert.deepEqual(
      [cells(onScreen, 'both'), cells(onScreen, 'rise')],
      [
        [3, 8],
        [NaN, 5],
      ],
    );
    const derived = { both: 'wind_mw + pv_mw', rise: 'delta(both, 1h)' };
    assert.deepEqual(onScreen?.derived, derived);
    const origin = originOf(given, onScreen);
    assert.deepEqual(origin.derived, derived);
    assert.deepEqual(
      formatProvenanceLines(origin).filter(line => line.startsWith('derived')),
      ['derived both: wind_mw + pv_mw', 'derived rise: delta(both, 1h)'],
    );
    const days = tablesOf(given, shown({ derived: columns, resample: 'day' }, undefined, power));
    assert.deepEqual(cells(days.onScreen, 'both'), [5.5]);
    assert.deepEqual(days.onScreen?.derived, derived);
  });

  it('scores the forecast as the page does, and says in the file what it scores', () => {
    const scored = frameOf([
      { ts: '2023-05-01T00:00:00Z', mw: 1, forecast: 3 },
      { ts: '2023-05-01T02:00:00Z', mw: 3, forecast: 4 },
    ]);
    const forecast = { actual: 'mw', forecast: 'forecast', by: 'all' } as const;
    const given = { ...result, frame: scored };
    const view = { tab: 'forecast', forecast, filters: { mw: '>0' } } as const;
    const { onScreen, asReceived } = tablesOf(given, shown(view, undefined, scored));
    assert.deepEqual(asReceived, { frame: scored, stepMs: hour });
    assert.deepEqual(firstCells(onScreen, 'hours', 'of_hours', 'bias', 'mae'), [2, 3, -1.5, 1.5]);
    const origin = originOf(given, onScreen);
    assert.equal(
      origin.scorecard,
      'forecast as a forecast of mw, all hours: error = actual - forecast; skill: 1 - MAE / MAE of the actual 24 h or 168 h before; only of hours that pass the filters',
    );
    assert.deepEqual([origin.events, origin.rows, origin.rowsOfResult], [undefined, 1, 2]);
  });

  it('summarises the rows as the page does, and writes no view of hours with the figures', () => {
    const view = { tab: 'statistics', filters: { mw: '>2' }, figures: ['mean', 'extremes'] } as const;
    const table = shown(view);
    const { onScreen } = tablesOf(result, table);
    assert.ok(onScreen);
    const field = onScreen.frame.columns.find(({ name }) => name === 'field');
    assert.ok(field?.kind === 'text' && onScreen.frame.rowCount === 1);
    assert.deepEqual([field.texts.entries, ...firstCells(onScreen, 'mean', 'max_at')], [['mw'], 3, start + 2 * hour]);
    const origin = originOf(result, onScreen);
    assert.equal(origin.chart, 'statistics');
    assert.equal(viewOfTable({ display: { tab: 'statistics' } }, 'onScreen', table), undefined);
  });

  it('counts missing intervals as rows when the page does', () => {
    const { onScreen, asReceived } = tablesOf(result, shown({ missingRows: true }));
    assert.ok(onScreen);
    assert.deepEqual([...(findTimeColumn(onScreen.frame)?.values ?? [])], [start, start + hour, start + 2 * hour]);
    assert.equal(asReceived?.frame.rowCount, 2, 'the service sent none for it');
  });

  it('writes with a table what is not done to its rows yet of the view', () => {
    const sort = [{ column: 'mw', descending: true }];
    const display = { tab: 'chart', later: 1, zone: 'UTC' };
    const view = { analysis: { where: { mw: '>1' }, derive: [], resample: 'day' as const, sort }, display };
    assert.deepEqual(viewOfTable(view, 'asReceived', undefined), view);
    const shownRows = { analysis: { sort }, display };
    assert.deepEqual(viewOfTable(view, 'onScreen', shown()), shownRows);
    assert.deepEqual(viewOfTable(view, 'selection', undefined), shownRows);
  });

  it('puts the end of the interval beside its start on request', () => {
    const { asReceived } = tablesOf(result, undefined, { withEnds: true });
    assert.deepEqual(asReceived?.columns, [0, 'intervalEnd', 1, 2]);
  });
});
