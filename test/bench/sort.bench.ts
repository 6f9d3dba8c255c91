import type { Column, Frame } from '../../src/shared/frame.ts';
import { sortRows } from '../../src/core/sort/sortRows.ts';
import { analyze } from '../../src/core/analysis/analyze.ts';
import { utc } from '../../src/core/time/zone.ts';
import type { Bench } from './bench.ts';

const rowCount = 1_000_000;
const runs = 9;

/** Creates an unsorted column of megawatts with one decimal, with an optional null in every hundredth cell. */
function createMegawatts(name: string, seed: number, gaps: boolean): Column & { kind: 'number' } {
  let state = seed;
  const values = Float64Array.from({ length: rowCount }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.round((state / 2 ** 32 - 0.2) * 300_000) / 10;
  });
  const nulls = Uint8Array.from({ length: rowCount }, (_, row) => (row % 100 === 7 ? 1 : 0));
  return { name, path: [name], kind: 'number', values, ...(gaps && { gaps: nulls }) };
}

/** Returns the median milliseconds of several runs. */
function measureMedian(work: () => unknown): number {
  const times = Array.from({ length: runs }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return times.sort((a, b) => a - b)[runs >> 1] ?? NaN;
}

/** Measures sorting rows by their numbers, compared with the engine's sort of the values alone. */
export const bench: Bench = () => {
  const plain = createMegawatts('plain', 1, false);
  const gappy = createMegawatts('gappy', 2, true);
  const frame: Frame = { rowCount, columns: [plain, gappy] };
  const sortKeys = (...columns: string[]) => columns.map(column => ({ column, descending: false }));
  const sorted = sortRows(frame, sortKeys('plain'));
  for (let position = 1; position < rowCount; position++)
    if ((plain.values[sorted[position - 1] ?? 0] ?? NaN) > (plain.values[sorted[position] ?? 0] ?? NaN))
      throw new Error('The rows are not sorted.');

  const rowSortMs = measureMedian(() => sortRows(frame, sortKeys('plain')));
  const valueSortMs = measureMedian(() => plain.values.slice().sort());
  const withNulls = measureMedian(() => sortRows(frame, [{ column: 'gappy', descending: true }]));
  const twoKeys = measureMedian(() => sortRows(frame, sortKeys('plain', 'gappy')));
  const where = { plain: '>0 or null', gappy: '100..20000' };
  const rows = { frame, interval: '1h', intervalMs: undefined, start: 0, coverage: undefined, zone: utc };
  const filtered = measureMedian(() => analyze(rows, { where }, { locale: 'en', translate: text => text }));
  return Promise.resolve([
    { label: '1,000,000 rows sorted by numbers', value: rowSortMs, unit: 'ms', atMost: 300 },
    { label: "… the engine's sort of the bare values", value: valueSortMs, unit: 'ms' },
    { label: "… against the engine's sort", value: rowSortMs / valueSortMs, unit: '×', atMost: 1 },
    { label: '… with nulls, descending', value: withNulls, unit: 'ms', atMost: 300 },
    { label: '… by two columns', value: twoKeys, unit: 'ms' },
    { label: '… filtered by two columns', value: filtered, unit: 'ms' },
  ]);
};
