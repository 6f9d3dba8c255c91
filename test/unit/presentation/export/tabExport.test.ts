import assert from 'node:assert/strict';
import { createTableState } from '../../../support/tableState.ts';
import { computeCoverage } from '../../../../src/core/frame/coverage.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import {
  createExportTables,
  createTabTable,
  createFileView,
  type TabTableData,
} from '../../../../src/presentation/export/tabExport.ts';
import { createExportProvenance, formatProvenanceLines } from '../../../../src/core/export/exportProvenance.ts';
import { defaultArrangement } from '../../../../src/presentation/table/columnArrangement.ts';
import { utc } from '../../../../src/core/time/zone.ts';
import { findTimeColumn } from '../../../../src/core/frame/clip.ts';
import type { Provenance } from '../../../../src/shared/result.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import type { ShownSelection } from '../../../../src/shared/protocol.ts';
import { initialView, type View } from '../../../../src/shared/view.ts';

const hour = 3_600_000;
const start = Date.parse('2023-05-01T00:00Z');
const frame = recordsToFrame([
  { ts: '2023-05-01T00:00:00Z', mw: 1, name: 'a' },
  { ts: '2023-05-01T02:00:00Z', mw: 3, name: 'c' },
]);
const coverage = computeCoverage(frame, { start, end: start + 3 * hour }, hour, { now: start + 3 * hour });
const result = { frame, coverage, provenance: { start } as Provenance };
const state = createTableState(frame, { start, coverage });

/** Creates the table of a panel. `columns` are the names of the visible columns in display order; all columns by default. */
function createTable(change: Partial<View> = {}, columns?: readonly string[], tableFrame: Frame = frame) {
  const arrangement = columns && {
    ...defaultArrangement,
    order: columns,
    hidden: tableFrame.columns.map(({ name }) => name).filter(name => !columns.includes(name)),
  };
  const view = { ...initialView, arrangement, ...change };
  const tables = { [view.tab]: { sort: [], arrangement } };
  const table = createTabTable({ state: { ...state, frame: tableFrame }, view: { ...view, tables } }, tableFrame, 'en');
  assert.ok(table);
  return table;
}

const createTables = (
  exportedResult: Parameters<typeof createExportTables>[0],
  table: TabTableData | undefined,
  { selection, withEnds = false }: { selection?: ShownSelection; withEnds?: boolean } = {},
) => createExportTables(exportedResult, table, selection, hour, withEnds);

/** Returns the number in the first row of each named column of an exported table. */
function firstCells(table: ReturnType<typeof createTables>['onScreen'], ...names: readonly string[]) {
  const columns = table?.columns?.map(columnIndex => table.frame.columns[Number(columnIndex)]);
  return names.map(name => {
    const column = columns?.find(candidate => candidate?.name === name);
    return column && 'values' in column ? column.values[0] : undefined;
  });
}

/** Creates the provenance that is written to the file of a table. */
function createProvenance(exportedResult: typeof result, table: ReturnType<typeof createTables>['onScreen']) {
  assert.ok(table);
  const provenance = { ...result.provenance, end: start, dataset: 'd', params: {}, meta: {} } as unknown as Provenance;
  return createExportProvenance({ ...exportedResult, bodies: [], provenance }, table, { times: 'utc', zone: utc });
}

describe('the tables of an export', () => {
  it('returns no tables for a result without a frame', () => {
    assert.deepEqual(createTables({ ...result, frame: undefined }, createTable()), {});
  });

  it('returns only the received table if no panel shows the result', () => {
    assert.deepEqual(createTables(result, undefined), { asReceived: { frame, intervalMs: hour } });
  });

  it('returns rows and columns in the displayed order for an export as on screen', () => {
    const sort = [{ column: 'mw', descending: true }];
    const table = createTable({ sort, intervalEnd: true }, ['name', 'ts:until', 'ts']);
    const { onScreen, asReceived, selection } = createTables(result, table);
    assert.deepEqual(onScreen?.columns, [2, 'intervalEnd', 0]);
    assert.deepEqual([onScreen.frame, onScreen.intervalMs, onScreen.rows], [frame, hour, Uint32Array.of(1, 0)]);
    assert.deepEqual(asReceived, { frame, intervalMs: hour });
    assert.equal(selection, undefined);
    assert.deepEqual(
      [table.isChanged, createTable().isChanged, createTable({}, ['ts', 'mw']).isChanged],
      [true, false, true],
    );
  });

  it('returns only the rows of this period as received if the panel shows a comparison', () => {
    const received = recordsToFrame([{ ts: '2023-05-01T00:00:00Z', mw: 1 }]);
    const tables = createTables({ ...result, received }, createTable());
    assert.deepEqual([tables.asReceived?.frame, tables.onScreen?.frame], [received, frame]);
  });

  it('returns the selected rows and columns that still exist, in addition to the table', () => {
    const selection = { rows: [1, 9], columns: [{ name: 'mw' }, { name: 'gone' }] } as const;
    const sorted = createTable({ sort: [{ column: 'mw', descending: true }] });
    assert.deepEqual(createTables(result, sorted, { selection }).selection?.rows, Uint32Array.of(0));
    assert.deepEqual(createTables(result, createTable(), { selection }).selection, {
      frame,
      intervalMs: hour,
      rows: Uint32Array.of(1),
      columns: [1],
    });
  });

  it('exports the numbers of a chart that is displayed as a table, and writes its kind to the file', () => {
    const days = recordsToFrame(
      Array.from({ length: 48 }, (_, row) => ({ ts: new Date(start + row * hour).toISOString(), mw: row })),
    );
    const chart = { mode: 'heatmap', columns: [], hidden: [], picked: {}, asTable: true };
    const view = { tab: 'chart', chart } as const;
    const { onScreen, asReceived } = createTables({ ...result, frame: days }, createTable(view, undefined, days));
    assert.deepEqual(asReceived, { frame: days, intervalMs: hour });
    assert.ok(onScreen);
    assert.deepEqual([onScreen.frame.rowCount, onScreen.columns?.length, onScreen.chart], [2, 25, 'heatmap']);
    const second = onScreen.frame.columns[2];
    assert.ok(second?.kind === 'number');
    assert.deepEqual([second.name, [...second.values]], ['mw 01:00', [1, 25]]);
    const provenance = createProvenance({ ...result, frame: days }, onScreen);
    assert.ok(formatProvenanceLines(provenance).includes('chart: heatmap'));
    assert.equal(createFileView({ display: view }, 'onScreen', createTable(view, undefined, days)), undefined);
    const tableOfPlot = createTable({ ...view, chart: { ...chart, asTable: undefined } }, undefined, days);
    assert.deepEqual([tableOfPlot.chart, tableOfPlot.frame], [undefined, days]);
  });

  it('resamples like the page, and writes a description of the bins to the file', () => {
    const table = createTable({ filters: { mw: '>1' }, resample: 'day' });
    const { onScreen, asReceived } = createTables(result, table);
    assert.deepEqual(asReceived, { frame, intervalMs: hour });
    // The hours of the day include hours without data, but not the hour that the filter removes.
    assert.deepEqual(firstCells(onScreen, 'ts', 'of_hours', 'mw'), [start, 23, 3]);
    const text =
      'days of UTC: each row belongs to the bin in which it starts; missing values are ignored; only rows that pass the filters';
    assert.equal(onScreen?.resampled, text);
    const origin = createProvenance(result, onScreen);
    assert.deepEqual([origin.resampled, origin.rows, origin.rowsOfResult], [text, 1, 2]);
  });

  it('exports the displayed events, and writes a description of their rule to the file', () => {
    const events = { ...initialView.events, kind: 'condition', column: 'mw', value: 'mw > 0' } as const;
    const table = createTable({ tab: 'events', events, filters: { name: 'a or c' } });
    const { onScreen, asReceived } = createTables(result, table);
    assert.deepEqual(asReceived, { frame, intervalMs: hour });
    // The event includes the hour without a row.
    assert.deepEqual(firstCells(onScreen, 'start', 'of_hours', 'hours', 'mw_max'), [start, 3, 2, 3]);
    const text =
      'runs of hours in which mw > 0; up to 3 unknown hours within a run are bridged; only rows that pass the filters';
    const origin = createProvenance(result, onScreen);
    assert.deepEqual([origin.events, origin.resampled, origin.rows, origin.rowsOfResult], [text, undefined, 1, 2]);
    assert.equal(createFileView({ display: { tab: 'events' } }, 'onScreen', table), undefined);
  });

  it('derives columns before resampling, like the page, and writes their formulas to the file', () => {
    const power = recordsToFrame([
      { ts: '2023-05-01T00:00:00Z', wind_mw: 1, pv_mw: 2 },
      { ts: '2023-05-01T01:00:00Z', wind_mw: 3, pv_mw: 5 },
    ]);
    const columns = [
      { name: 'both', formula: 'wind_mw + pv_mw' },
      { name: 'gone', formula: 'hydro_mw' },
      { name: 'rise', formula: 'delta(both, 1h)', source: 'a study' },
    ];
    const powerResult = { ...result, frame: power };
    const { onScreen, asReceived } = createTables(powerResult, createTable({ derived: columns }, undefined, power));
    assert.deepEqual(asReceived, { frame: power, intervalMs: hour });
    const cells = (table = onScreen, name = '') => {
      const column = table?.frame.columns.find(candidate => candidate.name === name);
      return column && 'values' in column ? [...column.values] : undefined;
    };
    assert.deepEqual(
      [cells(onScreen, 'both'), cells(onScreen, 'rise')],
      [
        [3, 8],
        [NaN, 5],
      ],
    );
    const derived = { both: 'wind_mw + pv_mw', rise: 'delta(both, 1h) (source: a study)' };
    assert.deepEqual(onScreen?.derived, derived);
    const origin = createProvenance(powerResult, onScreen);
    assert.deepEqual(origin.derived, derived);
    assert.deepEqual(
      formatProvenanceLines(origin).filter(line => line.startsWith('derived')),
      ['derived both: wind_mw + pv_mw', 'derived rise: delta(both, 1h) (source: a study)'],
    );
    const days = createTables(powerResult, createTable({ derived: columns, resample: 'day' }, undefined, power));
    assert.deepEqual(cells(days.onScreen, 'both'), [5.5]);
    assert.deepEqual(days.onScreen?.derived, derived);
  });

  it('scores the forecast like the page, and writes a description of the score to the file', () => {
    const scored = recordsToFrame([
      { ts: '2023-05-01T00:00:00Z', mw: 1, forecast: 3 },
      { ts: '2023-05-01T02:00:00Z', mw: 3, forecast: 4 },
    ]);
    const forecast = { actual: 'mw', forecast: 'forecast', by: 'all' } as const;
    const scoredResult = { ...result, frame: scored };
    const view = { tab: 'forecast', forecast, filters: { mw: '>0' } } as const;
    const { onScreen, asReceived } = createTables(scoredResult, createTable(view, undefined, scored));
    assert.deepEqual(asReceived, { frame: scored, intervalMs: hour });
    assert.deepEqual(firstCells(onScreen, 'hours', 'of_hours', 'bias', 'mae'), [2, 3, -1.5, 1.5]);
    const origin = createProvenance(scoredResult, onScreen);
    assert.equal(
      origin.scorecard,
      'forecast as a forecast of mw, all hours: error = actual - forecast; skill: 1 - MAE / MAE of the actual 24 h or 168 h before; only hours that pass the filters',
    );
    assert.deepEqual([origin.events, origin.rows, origin.rowsOfResult], [undefined, 1, 2]);
  });

  it('exports the displayed statistics, and writes no view of the rows to the file', () => {
    const view = { tab: 'statistics', filters: { mw: '>2' }, figures: ['mean', 'extremes'] } as const;
    const table = createTable(view);
    const { onScreen } = createTables(result, table);
    assert.ok(onScreen);
    const field = onScreen.frame.columns.find(({ name }) => name === 'field');
    assert.ok(field?.kind === 'text' && onScreen.frame.rowCount === 1);
    assert.deepEqual([field.texts.entries, ...firstCells(onScreen, 'mean', 'max_at')], [['mw'], 3, start + 2 * hour]);
    const origin = createProvenance(result, onScreen);
    assert.equal(origin.chart, 'statistics');
    assert.equal(createFileView({ display: { tab: 'statistics' } }, 'onScreen', table), undefined);
  });

  it('exports missing intervals as rows if the page displays them', () => {
    const { onScreen, asReceived } = createTables(result, createTable({ missingRows: true }));
    assert.ok(onScreen);
    assert.deepEqual([...(findTimeColumn(onScreen.frame)?.values ?? [])], [start, start + hour, start + 2 * hour]);
    assert.equal(asReceived?.frame.rowCount, 2, 'the received rows have no placeholder');
  });

  it('writes only those parts of the view that the exported rows do not already reflect', () => {
    const sort = [{ column: 'mw', descending: true }];
    const display = { tab: 'chart', later: 1, zone: 'UTC' };
    const view = { analysis: { where: { mw: '>1' }, derive: [], resample: 'day' as const, sort }, display };
    assert.deepEqual(createFileView(view, 'asReceived', undefined), view);
    const displayedRowsView = { analysis: { sort }, display };
    assert.deepEqual(createFileView(view, 'onScreen', createTable()), displayedRowsView);
    assert.deepEqual(createFileView(view, 'selection', undefined), displayedRowsView);
  });

  it('adds a column with the end of each interval after its start if requested', () => {
    const { asReceived } = createTables(result, undefined, { withEnds: true });
    assert.deepEqual(asReceived?.columns, [0, 'intervalEnd', 1, 2]);
  });
});
