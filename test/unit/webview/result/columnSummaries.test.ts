import assert from 'node:assert/strict';
import fc from 'fast-check';
import { power } from '../../../../src/shared/units.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import type { ColumnSummary } from '../../../../src/presentation/table/gridColumn.ts';
import { ColumnSummaries } from '../../../../src/webview/result/columnSummaries.ts';
import { initialView, type View } from '../../../../src/shared/view.ts';
import type { ShownRows } from '../../../../src/presentation/result/shownRows.ts';
import type { TabParts } from '../../../../src/webview/result/tabParts.ts';
import { parseFilter } from '../../../../src/core/filter/parseFilter.ts';
import { frameOf, numberColumn, textColumn, type Cell } from '../../core/filter/columns.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

function shownOf(frame: Frame, { order, note }: Partial<Pick<ShownRows, 'order' | 'note'>> = {}): ShownRows {
  const rowCount = order?.length ?? frame.rowCount;
  return { frame, step: undefined, order, rowCount, received: rowCount, leftOut: 0, note };
}

interface World {
  readonly summaries: ColumnSummaries;
  view: View;
  /** Resolves when the next summary is there. */
  computed(): Promise<void>;
}

function worldOf(rows: ReturnType<TabParts['rows']> = 'received', locale = 'en'): World {
  let resolve: (() => void) | undefined;
  const failed = (error: unknown): void => {
    throw error as Error;
  };
  const parts = {
    host: { locale, failed },
    view: () => world.view,
    change: (change: Partial<View>) => (world.view = { ...world.view, ...change }),
    rows: () => rows,
  } as unknown as TabParts;
  const world: World = {
    summaries: new ColumnSummaries(parts, () => resolve?.()),
    view: initialView,
    computed: () => new Promise(done => (resolve = done)),
  };
  return world;
}

async function summaryOf(world: World, shown: ShownRows, name = 'mw'): Promise<ColumnSummary> {
  const of = world.summaries.of(shown);
  const computed = world.computed();
  of(name);
  await computed;
  return of(name) ?? assert.fail('no summary');
}

describe('the summary of a column', () => {
  const cell = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: -2000, max: 2000 }).map(tenths => tenths / 10) },
    { weight: 2, arbitrary: fc.integer({ min: -5, max: 5 }) },
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom<Cell>(null, undefined, NaN, Infinity, -Infinity, 7, 7, -0),
  );

  it('counts each gap and each number of the rows once, and filters to the rows of the bins', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { minLength: 1, maxLength: 60 }),
        fc.infiniteStream(fc.boolean()),
        fc.tuple(fc.nat(30), fc.nat(30)),
        fc.constantFrom('en', 'de', 'af'),
        async (cells, keep, bins, locale) => {
          const column = numberColumn('mw', cells, power);
          const rows = [...cells.keys()].filter(() => keep.next().value as boolean).reverse();
          const world = worldOf('received', locale);
          const { gaps, counts, brush } = await summaryOf(
            world,
            shownOf(frameOf(column), { order: Uint32Array.from(rows) }),
          );
          const lacking = rows.filter(row => cells[row] == null).length;
          const numbers = rows.filter(row => Number.isFinite(cells[row]));
          // Of no rows nothing is said.
          if (rows.length === 0) assert.equal(gaps, '');
          else assert.equal(Number.parseInt(gaps.replace('no', '0'), 10), lacking);
          assert.equal(
            counts.reduce((sum, count) => sum + count, 0),
            numbers.length,
          );
          if (counts.length === 0) return;
          const [from = 0, to = 0] = bins.map(bin => bin % counts.length).sort((a, b) => a - b);
          brush?.(from, to);
          const text = world.view.filters['mw'] ?? '';
          const parsed = parseFilter(text, column, { timeZone: 'UTC', locale });
          assert.ok(parsed.ok, text);
          const expected = counts.slice(from, to + 1).reduce((sum, count) => sum + count, 0);
          assert.equal(rows.filter(row => parsed.test(row)).length, expected, text);
        },
      ),
      { numRuns: manyRuns(300) },
    );
  });

  it('says the range and the rows of bins in the unit', async () => {
    const frame = frameOf(numberColumn('mw', [0, 1, 1, 2, 5, 5, null], power));
    const { label, words, counts, gaps } = await summaryOf(worldOf(), shownOf(frame));
    assert.deepEqual(counts, [1, 2, 1, 0, 0, 2]);
    assert.equal(gaps, '1 gap');
    assert.equal(words(1, 2), '1 – 3 MW: 3 rows');
    assert.equal(words(0, 5), '0 – 6 MW: 6 rows');
    assert.equal(label, 'Histogram of mw: 6 rows in 6 bins; the highest count, 2, is at 1 – 2 MW.');
    const same = await summaryOf(worldOf(), shownOf(frameOf(numberColumn('mw', [7, 7], power))));
    assert.deepEqual([same.counts, same.words(0, 0), same.gaps], [[2], '7 MW: 2 rows', 'no gaps']);
  });

  it('counts the gaps of texts, and of a column without numbers, which have no histogram', async () => {
    const frame = frameOf(textColumn('fuel', ['coal', null, undefined]), numberColumn('mw', [null, null, undefined]));
    const world = worldOf();
    const [fuel, mw] = [await summaryOf(world, shownOf(frame), 'fuel'), await summaryOf(world, shownOf(frame))];
    assert.deepEqual([fuel.gaps, fuel.counts], ['2 gaps', []]);
    assert.deepEqual([mw.gaps, mw.counts], ['3 gaps', []]);
  });

  it('does not count rows that stand for a missing hour', async () => {
    const frame = frameOf(numberColumn('mw', [1, undefined, 3, null]));
    const note = (row: number): string | undefined => (row === 1 ? 'missing' : undefined);
    const { gaps, counts } = await summaryOf(worldOf(), shownOf(frame, { note }));
    assert.equal(gaps, '1 gap');
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      2,
    );
  });

  it('offers no filter for rows that filters are not of, and keeps those of other columns', async () => {
    const shown = shownOf(frameOf(numberColumn('mw', [1, 2, 3])));
    for (const rows of ['resampled', 'computed'] as const)
      assert.equal((await summaryOf(worldOf(rows), shown)).brush, undefined);
    const world = worldOf();
    world.view = { ...initialView, filters: { pv: '>1', mw: '<9' } };
    (await summaryOf(world, shown)).brush?.(0, 0);
    assert.deepEqual(world.view.filters, { pv: '>1', mw: '1..<2' });
  });

  it('shows those of the rows before until they are computed again, but none of another frame', async () => {
    const world = worldOf();
    const frame = frameOf(numberColumn('mw', [1, 2, null]));
    const before = await summaryOf(world, shownOf(frame));
    const filtered = world.summaries.of(shownOf(frame, { order: Uint32Array.of(0, 1) }));
    const computed = world.computed();
    assert.equal(filtered('mw'), before);
    await computed;
    assert.equal(filtered('mw')?.gaps, 'no gaps');
    assert.equal(world.summaries.of(shownOf(frameOf(numberColumn('mw', [5]))))('mw'), undefined);
    assert.equal(world.summaries.of(undefined)('mw'), undefined);
  });
});
