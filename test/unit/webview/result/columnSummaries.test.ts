import assert from 'node:assert/strict';
import fc from 'fast-check';
import { power } from '../../../../src/shared/units.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import type { ColumnSummary } from '../../../../src/presentation/table/gridColumn.ts';
import { ColumnSummaries } from '../../../../src/webview/result/columnSummaries.ts';
import { initialView, type View } from '../../../../src/shared/view.ts';
import type { DisplayedRows } from '../../../../src/presentation/result/displayedRows.ts';
import type { TabDeps } from '../../../../src/webview/result/tabDeps.ts';
import { parseFilter } from '../../../../src/core/filter/parseFilter.ts';
import { createFrame, numberColumn, textColumn, type Cell } from '../../core/filter/columns.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

function createRows(
  frame: Frame,
  { order, getNote }: Partial<Pick<DisplayedRows, 'order' | 'getNote'>> = {},
): DisplayedRows {
  const rowCount = order?.length ?? frame.rowCount;
  return { frame, intervalMs: undefined, order, rowCount, receivedCount: rowCount, omittedCount: 0, getNote };
}

interface Fixture {
  readonly summaries: ColumnSummaries;
  view: View;
  /** Resolves when the next summary is computed. */
  computed(): Promise<void>;
}

function createFixture(rows: ReturnType<TabDeps['getRowKind']> = 'received', locale = 'en'): Fixture {
  let resolve: (() => void) | undefined;
  const failed = (error: unknown): void => {
    throw error as Error;
  };
  const deps = {
    host: { locale, failed },
    view: () => fixture.view,
    changeView: (change: Partial<View>) => (fixture.view = { ...fixture.view, ...change }),
    getRowKind: () => rows,
  } as unknown as TabDeps;
  const fixture: Fixture = {
    summaries: new ColumnSummaries(deps, () => resolve?.()),
    view: initialView,
    computed: () => new Promise(done => (resolve = done)),
  };
  return fixture;
}

async function computeSummary(fixture: Fixture, rows: DisplayedRows, name = 'mw'): Promise<ColumnSummary> {
  const getSummary = fixture.summaries.getSummaries(rows);
  const computed = fixture.computed();
  getSummary(name);
  await computed;
  return getSummary(name) ?? assert.fail('no summary');
}

describe('the summary of a column', () => {
  const cell = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: -2000, max: 2000 }).map(tenths => tenths / 10) },
    { weight: 2, arbitrary: fc.integer({ min: -5, max: 5 }) },
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom<Cell>(null, undefined, NaN, Infinity, -Infinity, 7, 7, -0),
  );

  it('counts each gap and each number once, and filters to the rows of the selected bins', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { minLength: 1, maxLength: 60 }),
        fc.infiniteStream(fc.boolean()),
        fc.tuple(fc.nat(30), fc.nat(30)),
        fc.constantFrom('en', 'de', 'af'),
        async (cells, isSelected, bins, locale) => {
          const column = numberColumn('mw', cells, power);
          const rows = [...cells.keys()].filter(() => isSelected.next().value as boolean).reverse();
          const fixture = createFixture('received', locale);
          const { gaps, counts, brush } = await computeSummary(
            fixture,
            createRows(createFrame(column), { order: Uint32Array.from(rows) }),
          );
          const gapCount = rows.filter(row => cells[row] == null).length;
          const numbers = rows.filter(row => Number.isFinite(cells[row]));
          // The text is empty if there are no rows.
          if (rows.length === 0) assert.equal(gaps, '');
          else assert.equal(Number.parseInt(gaps.replace('no', '0'), 10), gapCount);
          assert.equal(
            counts.reduce((sum, count) => sum + count, 0),
            numbers.length,
          );
          if (counts.length === 0) return;
          const [from = 0, to = 0] = bins.map(bin => bin % counts.length).sort((a, b) => a - b);
          brush?.(from, to);
          const text = fixture.view.filters['mw'] ?? '';
          const parsed = parseFilter(text, column, { timeZone: 'UTC', locale });
          assert.ok(parsed.ok, text);
          const expected = counts.slice(from, to + 1).reduce((sum, count) => sum + count, 0);
          assert.equal(rows.filter(row => parsed.test(row)).length, expected, text);
        },
      ),
      { numRuns: scaleRunCount(300) },
    );
  });

  it('describes the range of bins with its unit, and their number of rows', async () => {
    const frame = createFrame(numberColumn('mw', [0, 1, 1, 2, 5, 5, null], power));
    const { label, describeBins, counts, gaps } = await computeSummary(createFixture(), createRows(frame));
    assert.deepEqual(counts, [1, 2, 1, 0, 0, 2]);
    assert.equal(gaps, '1 gap');
    assert.equal(describeBins(1, 2), '1 – 3 MW: 3 rows');
    assert.equal(describeBins(0, 5), '0 – 6 MW: 6 rows');
    assert.equal(label, 'Histogram of mw: 6 rows in 6 bins; the highest count, 2, is at 1 – 2 MW.');
    const equalValues = await computeSummary(
      createFixture(),
      createRows(createFrame(numberColumn('mw', [7, 7], power))),
    );
    assert.deepEqual(
      [equalValues.counts, equalValues.describeBins(0, 0), equalValues.gaps],
      [[2], '7 MW: 2 rows', 'no gaps'],
    );
  });

  it('counts the gaps of text columns and of columns without numbers, but shows no histogram', async () => {
    const frame = createFrame(
      textColumn('fuel', ['coal', null, undefined]),
      numberColumn('mw', [null, null, undefined]),
    );
    const fixture = createFixture();
    const fuel = await computeSummary(fixture, createRows(frame), 'fuel');
    const mw = await computeSummary(fixture, createRows(frame));
    assert.deepEqual([fuel.gaps, fuel.counts], ['2 gaps', []]);
    assert.deepEqual([mw.gaps, mw.counts], ['3 gaps', []]);
  });

  it('does not count rows that stand for a missing hour', async () => {
    const frame = createFrame(numberColumn('mw', [1, undefined, 3, null]));
    const getNote = (row: number): string | undefined => (row === 1 ? 'missing' : undefined);
    const { gaps, counts } = await computeSummary(createFixture(), createRows(frame, { getNote }));
    assert.equal(gaps, '1 gap');
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      2,
    );
  });

  it('offers no filter for resampled and computed rows, and keeps the filters of other columns', async () => {
    const displayedRows = createRows(createFrame(numberColumn('mw', [1, 2, 3])));
    for (const rows of ['resampled', 'computed'] as const)
      assert.equal((await computeSummary(createFixture(rows), displayedRows)).brush, undefined);
    const fixture = createFixture();
    fixture.view = { ...initialView, filters: { pv: '>1', mw: '<9' } };
    (await computeSummary(fixture, displayedRows)).brush?.(0, 0);
    assert.deepEqual(fixture.view.filters, { pv: '>1', mw: '1..<2' });
  });

  it('shows the previous summaries until they are computed again, but none of another frame', async () => {
    const fixture = createFixture();
    const frame = createFrame(numberColumn('mw', [1, 2, null]));
    const previousSummary = await computeSummary(fixture, createRows(frame));
    const filtered = fixture.summaries.getSummaries(createRows(frame, { order: Uint32Array.of(0, 1) }));
    const computed = fixture.computed();
    assert.equal(filtered('mw'), previousSummary);
    await computed;
    assert.equal(filtered('mw')?.gaps, 'no gaps');
    assert.equal(fixture.summaries.getSummaries(createRows(createFrame(numberColumn('mw', [5]))))('mw'), undefined);
    assert.equal(fixture.summaries.getSummaries(undefined)('mw'), undefined);
  });
});
