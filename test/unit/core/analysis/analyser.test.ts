import assert from 'node:assert/strict';
import { filterRows } from '../../../../src/core/filter/filterRows.ts';
import { Analyzer } from '../../../../src/core/analysis/analyze.ts';
import { utc } from '../../../../src/core/time/zone.ts';
import type { Analysis } from '../../../../src/shared/analysis.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';
import { parseFilters } from '../../../../src/core/filter/parseFilter.ts';

const context = { timeZone: 'UTC', locale: 'en' };
const frame = createFrame(timeColumn('ts', [10, 20, 30, null]), numberColumn('mw', [3, 1, 2, 4]));
const bySizeDescending: Analysis = { sort: [{ column: 'mw', descending: false }] };

/** Returns the orders that an analyzer calculates for the rows of frames. */
class Orders {
  readonly #analyzer = new Analyzer({ locale: 'en', translate: text => text });

  getOrder(frame: Frame, analysis: Analysis): Uint32Array | undefined {
    const rows = { frame, interval: '1h', intervalMs: undefined, start: 0, coverage: undefined, zone: utc };
    return this.#analyzer.analyze(rows, analysis).order;
  }
}

describe('Analyzer', () => {
  it('returns no order without a filter, a sort or a window', () => {
    const order = new Orders();
    assert.equal(order.getOrder(frame, { sort: [], where: { mw: '  ', gone: '>1' } }), undefined);
    assert.equal(order.getOrder(frame, { sort: [{ column: 'gone', descending: false }], where: {} }), undefined);
  });

  it('filters, sorts, and limits to the chart window', () => {
    const order = new Orders();
    const choice = { ...bySizeDescending, where: { mw: '>1' } };
    assert.deepEqual([...(order.getOrder(frame, bySizeDescending) ?? [])], [1, 2, 0, 3]);
    assert.deepEqual([...(order.getOrder(frame, choice) ?? [])], [2, 0, 3]);
    const filteredChoice = { ...choice, where: { mw: '>1', ts: '!=null' } };
    assert.deepEqual([...(order.getOrder(frame, filteredChoice) ?? [])], [2, 0], 'what passes every filter');
    // The window excludes its end, and rows without a time.
    assert.deepEqual([...(order.getOrder(frame, { ...choice, within: { start: 0, end: 30 } }) ?? [])], [0]);
  });

  it('keeps a bin that is partly within the window', () => {
    const months = [0, 1, 2].map(month => Date.UTC(2026, month));
    const time = { ...timeColumn('ts', months), bins: { size: 'month', timeZone: 'UTC', label: 'UTC' } } as const;
    const binned = createFrame(time, numberColumn('mw', [1, 2, 3]));
    const selectRowsBetween = (from: string, to: string) => {
      const window = { start: Date.parse(from), end: Date.parse(to) };
      return [...(new Orders().getOrder(binned, { sort: [], within: window }) ?? [])];
    };
    assert.deepEqual(selectRowsBetween('2026-02-03', '2026-02-04'), [1]);
    assert.deepEqual(selectRowsBetween('2026-01-31', '2026-02-02'), [0, 1]);
    assert.deepEqual(selectRowsBetween('2026-02-01', '2026-03-01'), [1]);
    assert.deepEqual(selectRowsBetween('2025-11-03', '2025-12-31'), []);
    assert.deepEqual(selectRowsBetween('2026-04-01', '2026-04-02'), []);
  });

  it('returns the same array for the same request, and filters once for any number of sorts', () => {
    let reads = 0;
    const column = numberColumn('mw', [3, 1, 2, 4]);
    const values = new Proxy(column.values, {
      get: (target, key) => {
        if (key === '0') reads += 1;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const counted = createFrame(timeColumn('ts', [1, 2, 3, 4]), { ...column, values });
    const order = new Orders();
    const filters = { mw: '>1' };
    const unsorted = order.getOrder(counted, { sort: [], where: filters });
    assert.ok(reads > 0);
    reads = 0;
    assert.equal(order.getOrder(counted, { sort: [], where: { ...filters } }), unsorted);
    const byTime = { sort: [{ column: 'ts', descending: true }], where: filters };
    const sorted = order.getOrder(counted, byTime);
    assert.deepEqual([...(sorted ?? [])], [3, 2, 0]);
    assert.equal(order.getOrder(counted, byTime), sorted);
    assert.equal(order.getOrder(counted, { sort: [], where: filters }), unsorted);
    assert.equal(reads, 0);
  });

  it('drops all results of another frame', () => {
    const order = new Orders();
    assert.equal(order.getOrder(frame, bySizeDescending)?.length, 4);
    assert.deepEqual([...(order.getOrder(createFrame(numberColumn('mw', [2, 1])), bySizeDescending) ?? [])], [1, 0]);
  });
});

describe('filterRows', () => {
  it('ignores the window when there is no time', () => {
    const timeless = createFrame(numberColumn('mw', [1, 2]));
    assert.equal(filterRows(timeless, [], { start: 0, end: 1 }), undefined);
    assert.deepEqual([...(filterRows(timeless, [row => row === 1]) ?? [])], [1]);
  });
});

describe('parseFilters', () => {
  it('omits invalid filters, and reports them by name', () => {
    const { tests, problems } = parseFilters(frame, { mw: '>1', ts: 'soon' }, context);
    assert.equal(tests.length, 1);
    assert.deepEqual([...problems], [['ts', { problem: 'notTime', part: 'soon' }]]);
  });

  it('does not treat a property name of Object as a filter', () => {
    const frameWithPrototypeNames = createFrame(numberColumn('constructor', [1]), numberColumn('__proto__', [1]));
    assert.deepEqual(parseFilters(frameWithPrototypeNames, {}, context).tests, []);
  });
});
