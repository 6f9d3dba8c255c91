import assert from 'node:assert/strict';
import { coverageOf } from '../../../../src/core/frame/coverage.ts';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { exportTables, viewOfTable, type ShownResult } from '../../../../src/core/export/shownExport.ts';
import { exportProvenance, provenanceLines } from '../../../../src/core/export/exportProvenance.ts';
import { utc } from '../../../../src/core/time/zone.ts';
import { timeColumnOf } from '../../../../src/core/frame/clip.ts';
import type { Provenance } from '../../../../src/shared/result.ts';
import type { Analysis } from '../../../../src/shared/analysis.ts';
import type { ShownTable } from '../../../../src/shared/protocol.ts';

const hour = 3_600_000;
const start = Date.parse('2023-05-01T00:00Z');
const frame = frameOf([
  { ts: '2023-05-01T00:00:00Z', mw: 1, name: 'a' },
  { ts: '2023-05-01T02:00:00Z', mw: 3, name: 'c' },
]);
const coverage = coverageOf(frame, { start, end: start + 3 * hour }, hour, { now: start + 3 * hour });
const result = { frame, coverage, provenance: { start } as Provenance };
const all = ['ts', 'mw', 'name'].map(name => ({ name }));
const rows = { interval: '1h', step: hour, start, coverage, zone: utc };
const shown = (analysis: Analysis = {}, more: Partial<ShownTable> = {}): ShownResult => ({
  table: { analysis, columns: all, isChanged: false, ...more },
  rows,
});
const context = { locale: 'en', say: (text: string) => text };

const tablesOf = (
  of: Parameters<typeof exportTables>[0],
  page: ShownResult | undefined,
  stepMs: number,
  withEnds: boolean,
) => exportTables(of, page, context, stepMs, withEnds);

/** What the file of a table says of it. */
function originOf(of: typeof result, table: ReturnType<typeof tablesOf>['onScreen']) {
  assert.ok(table);
  const provenance = { ...result.provenance, end: start, dataset: 'd', params: {}, meta: {} } as unknown as Provenance;
  return exportProvenance({ ...of, bodies: [], provenance }, table, { times: 'utc', zone: utc });
}

describe('the tables of an export', () => {
  it('returns no table for a result without one', () => {
    assert.deepEqual(tablesOf({ ...result, frame: undefined }, shown(), hour, false), {});
  });

  it('returns only the data as received when no page shows the result', () => {
    assert.deepEqual(tablesOf(result, undefined, hour, false), { asReceived: { frame, stepMs: hour } });
  });

  it('takes rows and columns in the order on screen, by their names', () => {
    const sort = [{ column: 'mw', descending: true }];
    const columns = [{ name: 'name' }, { name: 'ts', isEnd: true }, { name: 'ts' }] as const;
    const { onScreen, asReceived, selection } = tablesOf(result, shown({ sort }, { columns }), hour, false);
    assert.deepEqual(onScreen, { frame, stepMs: hour, rows: Uint32Array.of(1, 0), columns: [2, 'intervalEnd', 0] });
    assert.deepEqual(asReceived, { frame, stepMs: hour });
    assert.equal(selection, undefined);
  });

  it("returns only this period's data as received when a comparison is shown", () => {
    const received = frameOf([{ ts: '2023-05-01T00:00:00Z', mw: 1 }]);
    const tables = tablesOf({ ...result, received }, shown(), hour, false);
    assert.deepEqual([tables.asReceived?.frame, tables.onScreen?.frame], [received, frame]);
  });

  it('returns the selection beside the table', () => {
    const selection = { rows: [1, 9], columns: [{ name: 'mw' }] } as const;
    const sorted = { sort: [{ column: 'mw', descending: true }] };
    assert.deepEqual(tablesOf(result, shown(sorted, { selection }), hour, false).selection?.rows, Uint32Array.of(0));
    assert.deepEqual(tablesOf(result, shown({}, { selection }), hour, false).selection, {
      frame,
      stepMs: hour,
      rows: Uint32Array.of(1),
      columns: [1],
    });
  });

  it('takes the numbers of a chart as the page computed them, and says in the file whose they are', () => {
    const drawn = frameOf([{ ts: '2023-05-01T00:00:00Z', 'mw 00:00': 1, 'mw 01:00': null }]);
    const columns = [{ name: 'ts' }, { name: 'mw 01:00' }];
    const numbers = { chart: 'heatmap', frame: drawn };
    const { onScreen, asReceived } = tablesOf(result, shown({}, { columns, numbers }), hour, false);
    assert.deepEqual(asReceived, { frame, stepMs: hour });
    assert.deepEqual(onScreen, { frame: drawn, stepMs: hour, rows: undefined, columns: [0, 2], chart: 'heatmap' });
    const said = originOf(result, onScreen);
    assert.ok(provenanceLines(said).includes('chart: heatmap'));
  });

  it('resamples as the page does, and says in the file what the rows are', () => {
    const columns = [{ name: 'ts' }, { name: 'of_hours' }, { name: 'mw' }];
    const days = { where: { mw: '>1' }, resample: 'day' } as const;
    const { onScreen, asReceived } = tablesOf(result, shown(days, { columns }), hour, false);
    assert.deepEqual(asReceived, { frame, stepMs: hour });
    const cells = onScreen?.columns?.map(at => {
      const column = onScreen.frame.columns[Number(at)];
      return column && 'values' in column ? column.values[0] : undefined;
    });
    // The hour that is filtered out is none of the day's; the others are, whether they have data or not.
    assert.deepEqual(cells, [start, 23, 3]);
    const text =
      'days of UTC: a row counts where it begins, and only where it has a value, of those that pass the filters';
    assert.equal(onScreen?.resampled, text);
    const origin = originOf(result, onScreen);
    assert.deepEqual([origin.resampled, origin.rows, origin.rowsOfResult], [text, 1, 2]);
  });

  it('finds the events that the page shows, and says in the file what they are', () => {
    const find = { rule: { kind: 'condition', condition: 'mw > 0' }, column: 'mw' } as const;
    const columns = [{ name: 'start' }, { name: 'of_hours' }, { name: 'hours' }, { name: 'mw_max' }];
    const of = shown({ find, where: { name: 'a or c' } }, { columns });
    const { onScreen, asReceived } = tablesOf(result, of, hour, false);
    assert.deepEqual(asReceived, { frame, stepMs: hour });
    const cells = onScreen?.columns?.map(at => {
      const column = onScreen.frame.columns[Number(at)];
      return column && 'values' in column ? column.values[0] : undefined;
    });
    // The hour between has no row, and is bridged.
    assert.deepEqual(cells, [start, 3, 2, 3]);
    const text =
      'runs of hours in which mw > 0; up to 3 unknown hours within a run are bridged; only of rows that pass the filters';
    const origin = originOf(result, onScreen);
    assert.deepEqual([origin.events, origin.resampled, origin.rows, origin.rowsOfResult], [text, undefined, 1, 2]);
  });

  it('derives columns as the page does, before it resamples, and has their formulas in the file', () => {
    const power = frameOf([
      { ts: '2023-05-01T00:00:00Z', wind_mw: 1, pv_mw: 2 },
      { ts: '2023-05-01T01:00:00Z', wind_mw: 3, pv_mw: 5 },
    ]);
    const derive = [
      { name: 'both', formula: 'wind_mw + pv_mw' },
      { name: 'gone', formula: 'hydro_mw' },
      { name: 'rise', formula: 'delta(both, 1h)' },
    ];
    const given = { ...result, frame: power };
    const columns = [{ name: 'ts' }, { name: 'both' }, { name: 'rise' }];
    const { onScreen, asReceived } = tablesOf(given, shown({ derive }, { columns }), hour, false);
    assert.deepEqual(asReceived, { frame: power, stepMs: hour });
    const cells = (table = onScreen) =>
      table?.columns?.map(at => {
        const column = table.frame.columns[Number(at)];
        return column && 'values' in column ? [...column.values] : undefined;
      });
    assert.deepEqual(cells()?.slice(1), [
      [3, 8],
      [NaN, 5],
    ]);
    const derived = { both: 'wind_mw + pv_mw', rise: 'delta(both, 1h)' };
    assert.deepEqual(onScreen?.derived, derived);
    const origin = originOf(given, onScreen);
    assert.deepEqual(origin.derived, derived);
    assert.deepEqual(
      provenanceLines(origin).filter(line => line.startsWith('derived')),
      ['derived both: wind_mw + pv_mw', 'derived rise: delta(both, 1h)'],
    );
    const days = tablesOf(given, shown({ derive, resample: 'day' }, { columns }), hour, false);
    assert.deepEqual(cells(days.onScreen)?.[1], [5.5]);
    assert.deepEqual(days.onScreen?.derived, derived);
  });

  it('scores the forecast as the page does, and says in the file what it scores', () => {
    const scored = frameOf([
      { ts: '2023-05-01T00:00:00Z', mw: 1, forecast: 3 },
      { ts: '2023-05-01T02:00:00Z', mw: 3, forecast: 4 },
    ]);
    const score = { actual: 'mw', forecast: 'forecast', by: 'all' } as const;
    const columns = ['hours', 'of_hours', 'bias', 'mae'].map(name => ({ name }));
    const given = { ...result, frame: scored };
    const { onScreen, asReceived } = tablesOf(given, shown({ score, where: { mw: '>0' } }, { columns }), hour, false);
    assert.deepEqual(asReceived, { frame: scored, stepMs: hour });
    const cells = onScreen?.columns?.map(at => {
      const column = onScreen.frame.columns[Number(at)];
      return column && 'values' in column ? column.values[0] : undefined;
    });
    assert.deepEqual(cells, [2, 3, -1.5, 1.5]);
    const origin = originOf(given, onScreen);
    assert.equal(
      origin.scorecard,
      'forecast as a forecast of mw, all hours: error = actual - forecast; skill: 1 - MAE / MAE of the actual 24 h or 168 h before; only of hours that pass the filters',
    );
    assert.deepEqual([origin.events, origin.rows, origin.rowsOfResult], [undefined, 1, 2]);
  });

  it('summarises the rows as the page does, and writes no view of hours with the figures', () => {
    const analysis: Analysis = { where: { mw: '>2' }, summarise: ['mean', 'extremes'] };
    const columns = ['field', 'mean', 'max_at'].map(name => ({ name }));
    const page = shown(analysis, { columns });
    const { onScreen } = tablesOf(result, page, hour, false);
    assert.ok(onScreen);
    const [field, mean, at] = (onScreen.columns ?? []).map(place => onScreen.frame.columns[Number(place)]);
    assert.ok(field?.kind === 'text' && mean?.kind === 'number' && at?.kind === 'time');
    assert.deepEqual([field.texts.entries, [...mean.values], [...at.values]], [['mw'], [3], [start + 2 * hour]]);
    const origin = originOf(result, onScreen);
    assert.equal(origin.chart, 'statistics');
    assert.equal(viewOfTable({ analysis, display: { tab: 'statistics' } }, 'onScreen', page.table), undefined);
  });

  it('leaves out a column that the result does not have', () => {
    const { onScreen } = tablesOf(result, shown({}, { columns: [{ name: 'gone' }, { name: 'mw' }] }), hour, false);
    assert.deepEqual(onScreen?.columns, [1]);
  });

  it('counts missing intervals as rows when the page does', () => {
    const { onScreen, asReceived } = tablesOf(result, shown({ missing: true }), hour, false);
    assert.ok(onScreen);
    assert.deepEqual([...(timeColumnOf(onScreen.frame)?.values ?? [])], [start, start + hour, start + 2 * hour]);
    assert.equal(asReceived?.frame.rowCount, 2, 'the service sent none for it');
  });

  it('writes with a table what is not done to its rows yet of the view', () => {
    const sort = [{ column: 'mw', descending: true }];
    const display = { tab: 'chart', later: 1, zone: 'UTC' };
    const view = { analysis: { where: { mw: '>1' }, derive: [], resample: 'day' as const, sort }, display };
    assert.deepEqual(viewOfTable(view, 'asReceived', undefined), view);
    const shownRows = { analysis: { sort }, display };
    assert.deepEqual(viewOfTable(view, 'onScreen', shown().table), shownRows);
    assert.deepEqual(viewOfTable(view, 'selection', undefined), shownRows);
    const numbers = { chart: 'heatmap', frame };
    assert.equal(viewOfTable(view, 'onScreen', shown({}, { numbers }).table), undefined);
  });

  it('puts the end of the interval beside its start on request', () => {
    const { asReceived } = tablesOf(result, undefined, hour, true);
    assert.deepEqual(asReceived?.columns, [0, 'intervalEnd', 1, 2]);
  });
});
