import type { Column, Frame } from '../../src/shared/frame.ts';
import { sortRows } from '../../src/core/sort/sortRows.ts';
import { analyze } from '../../src/core/analysis/analyze.ts';
import { utc } from '../../src/core/time/zone.ts';
import type { Bench } from './bench.ts';

const rowCount = 1_000_000;
const runCount = 9;

/** Creates an unsorted column of megawatts with one decimal. With `hasGaps`, every hundredth cell is null. */
function createMegawatts(name: string, seed: number, hasGaps: boolean): Column & { kind: 'number' } {
  let state = seed;
  const values = Float64Array.from({ length: rowCount }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.round((state / 2 ** 32 - 0.2) * 300_000) / 10;
  });
  const nulls = Uint8Array.from({ length: rowCount }, (_, row) => (row % 100 === 7 ? 1 : 0));
  return { name, path: [name], kind: 'number', values, ...(hasGaps && { gaps: nulls }) };
}

/** Returns the median milliseconds of several runs. */
function measureMedian(work: () => unknown): number {
  const times = Array.from({ length: runCount }, () => {
    const startMs = performance.now();
    work();
    return performance.now() - startMs;
  });
  return times.sort((a, b) => a - b)[runCount >> 1] ?? NaN;
}

/** Measures sorting rows by their numbers, and compares it with the JavaScript engine's sort of the values. */
export const bench: Bench = () => {
  const plain = createMegawatts('plain', 1, false);
  const withGaps = createMegawatts('gappy', 2, true);
  const frame: Frame = { rowCount, columns: [plain, withGaps] };
  const sortKeys = (...columns: string[]) => columns.map(column => ({ column, descending: false }));
  const sorted = sortRows(frame, sortKeys('plain'));
  for (let position = 1; position < rowCount; position++)
    if ((plain.values[sorted[position - 1] ?? 0] ?? NaN) > (plain.values[sorted[position] ?? 0] ?? NaN))
      throw new Error('The rows are not sorted.');

  const rowSortMs = measureMedian(() => sortRows(frame, sortKeys('plain')));
  const valueSortMs = measureMedian(() => plain.values.slice().sort());
  const nullSortMs = measureMedian(() => sortRows(frame, [{ column: 'gappy', descending: true }]));
  const twoColumnSortMs = measureMedian(() => sortRows(frame, sortKeys('plain', 'gappy')));
  const where = { plain: '>0 or null', gappy: '100..20000' };
  const rows = { frame, interval: '1h', intervalMs: undefined, start: 0, coverage: undefined, zone: utc };
  const filterMs = measureMedian(() => analyze(rows, { where }, { locale: 'en', translate: text => text }));
  return Promise.resolve([
    { label: '1,000,000 rows sorted by numbers', value: rowSortMs, unit: 'ms', atMost: 300 },
    { label: "… the engine's sort of the values alone", value: valueSortMs, unit: 'ms' },
    { label: "… relative to the engine's sort", value: rowSortMs / valueSortMs, unit: '×', atMost: 1 },
    { label: '… with nulls, descending', value: nullSortMs, unit: 'ms', atMost: 300 },
    { label: '… by two columns', value: twoColumnSortMs, unit: 'ms' },
    { label: '… filtered by two columns', value: filterMs, unit: 'ms' },
  ]);
};
