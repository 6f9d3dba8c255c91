import assert from 'node:assert/strict';
import { createTableState } from '../../../support/tableState.ts';
import { computeCoverage } from '../../../../src/core/frame/coverage.ts';
import type { TableState } from '../../../../src/shared/protocol.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { utc } from '../../../../src/core/time/zone.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { Analyzer } from '../../../../src/core/analysis/analyze.ts';
import { computeDisplayedResult } from '../../../../src/presentation/result/displayedRows.ts';
import { initialView, type View } from '../../../../src/shared/view.ts';

const hour = 3_600_000;
const hours = 168;
/** A week of 168 hours, of which 164 have a row. */
const frame = recordsToFrame(
  Array.from({ length: hours }, (_, row) => ({ ts: new Date(row * hour).toISOString(), mw: (row * 37) % 100 })).filter(
    (_, row) => ![0, 50, 51, 167].includes(row),
  ),
);
const coverage = computeCoverage(frame, { start: 0, end: hours * hour }, hour, { now: hours * hour });
const state = createTableState(frame, { minCoverage: 0.75, coverage });
const createView = (change: Partial<View> = {}): View => ({ ...initialView, missingRows: true, ...change });

/** Lists the numbers of the column 'mw' in the given order of rows. */
function listNumbers({ columns, rowCount }: Frame, order: Uint32Array | undefined): number[] {
  const mw = columns.find(({ name }) => name === 'mw');
  assert.ok(mw?.kind === 'number');
  return Array.from({ length: order?.length ?? rowCount }, (_, row) => mw.values[order?.[row] ?? row] ?? NaN);
}

/** Computes the displayed rows of several results with one analyzer. */
class RowReader {
  readonly #analyzer = new Analyzer({ locale: 'en', translate: text => text });

  getDisplayed(tableState: TableState, view: View) {
    return computeDisplayedResult(this.#analyzer, tableState, view).rows;
  }

  getCharted(tableState: TableState, view: View) {
    return computeDisplayedResult(this.#analyzer, tableState, view).computeChartRows().rows;
  }

  getCounted(tableState: TableState, view: View) {
    return computeDisplayedResult(this.#analyzer, tableState, view).computeStatisticsRows().rows;
  }
}

describe('computeDisplayedResult', () => {
  it('counts the received rows without the rows of missing intervals', () => {
    const rows = new RowReader();
    const { rowCount, receivedCount, getNote } = rows.getDisplayed(state, createView());
    assert.deepEqual([rowCount, receivedCount, getNote?.(50), getNote?.(49)], [168, 164, 'missing', undefined]);
    const filtered = rows.getDisplayed(state, createView({ filters: { mw: '<10' } }));
    assert.ok(filtered.receivedCount > 0);
    assert.equal(filtered.receivedCount, filtered.rowCount);
    const withoutPlaceholders = rows.getDisplayed(state, initialView);
    assert.deepEqual([withoutPlaceholders.rowCount, withoutPlaceholders.receivedCount], [164, 164]);
  });

  it('returns all filtered rows for the chart, even outside the window, in received order and as the same array', () => {
    const rows = new RowReader();
    const smallNumbers = listNumbers(frame, undefined).filter(mw => mw < 10);
    const filters = { mw: '<10' };
    for (const missingRows of [false, true]) {
      const view = createView({ filters, missingRows });
      const charted = rows.getCharted(state, view);
      assert.deepEqual(listNumbers(frame, charted), smallNumbers);
      const limited: View = { ...view, linked: true, window: { start: 0, end: 60 * hour } };
      const sorted: View = { ...limited, sort: [{ column: 'mw', descending: true }] };
      assert.ok(rows.getDisplayed(state, limited).rowCount < smallNumbers.length);
      assert.deepEqual(listNumbers(frame, rows.getCharted(state, limited)), smallNumbers);
      assert.equal(rows.getCharted(state, sorted), rows.getCharted(state, limited));
      assert.equal(rows.getCharted(state, { ...sorted, filters: {} }), undefined);
    }
  });

  it('limits recurring bins to the hours of the window', () => {
    const cycle = recordsToFrame([{ day: 'Mon' }, { day: 'Tue' }, { day: 'Wed' }]);
    const [day] = cycle.columns;
    assert.ok(day?.kind === 'text');
    const columns = [{ ...day, cycle: { by: 'weekday', ...utc } as const }];
    const window = { start: hour, end: 3 * hour };
    const view: View = { ...initialView, linked: true, window };
    const { order } = new RowReader().getDisplayed(
      { ...state, frame: { rowCount: 3, columns }, coverage: undefined },
      view,
    );
    assert.deepEqual([...(order ?? [])], [1, 2]);
  });

  it('returns only the received rows of a very wide table, with the number of omitted missing intervals', () => {
    const names = Array.from({ length: 2_000 }, (_, index) => [`c${index}`, index]);
    const wide = recordsToFrame([0, 2].map(index => ({ ts: new Date(index * hour).toISOString(), mw: index })));
    const [time] = wide.columns;
    assert.ok(time);
    const columns = [time, ...names.map(([name]) => ({ ...wide.columns[1], name, path: [name] }))] as Frame['columns'];
    const wideCoverage = computeCoverage(wide, { start: 0, end: 5 * hour }, hour, { now: 5 * hour });
    const wideState: TableState = { ...state, frame: { rowCount: 2, columns }, coverage: wideCoverage };
    const rows = new RowReader();
    const { rowCount, receivedCount, omittedCount } = rows.getDisplayed(wideState, createView());
    assert.deepEqual([rowCount, receivedCount, omittedCount], [2, 2, 3]);
    assert.equal(rows.getDisplayed(wideState, initialView).omittedCount, 0);
    assert.equal(rows.getDisplayed(state, createView()).omittedCount, 0);
  });

  it('filters by the current tariff periods, and filters again when the periods change', () => {
    const season = { weekday: { peak: ['02:00-04:00'] }, saturday: {}, sunday: {} };
    const tariff = { from: '1970-01-01', source: 'Own', highDemand: season, lowDemand: season };
    const rows = new RowReader();
    const view = { ...initialView, filters: { ts: 'peak' } };
    const countPeakRows = (tariffs: TableState['tariffs']) =>
      rows.getDisplayed({ ...state, ...(tariffs && { tariffs }) }, view).rowCount;
    // Eskom's own tariffs begin later. The week begins on a Thursday; its first hour (02:00 SAST) and one on Saturday have no row.
    assert.equal(countPeakRows(undefined), 0);
    assert.equal(countPeakRows([tariff]), 5 * 2 - 1);
    assert.equal(countPeakRows([{ ...tariff, from: '1970-01-06' }]), 2 * 2);
  });

  it('returns the rows for the statistics without added rows, in received order', () => {
    const rows = new RowReader();
    const sort = [{ column: 'mw', descending: true }];
    assert.equal(rows.getCounted(state, createView({ sort })), undefined);
    const filtered = createView({ sort, filters: { mw: '>50' } });
    const { receivedCount } = rows.getDisplayed(state, filtered);
    const expected = listNumbers(frame, undefined).filter(mw => mw > 50);
    assert.deepEqual(
      [listNumbers(frame, rows.getCounted(state, filtered)), receivedCount],
      [expected, expected.length],
    );
    const linked: View = { ...filtered, linked: true, window: { start: 0, end: 60 * hour } };
    assert.equal(rows.getCounted(state, linked)?.length, rows.getDisplayed(state, linked).receivedCount);
  });
});
