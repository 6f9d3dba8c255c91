import type { Column, Frame } from '../../src/shared/frame.ts';
import { sortRows } from '../../src/core/sort/sortRows.ts';
import { analyse } from '../../src/core/analysis/analyse.ts';
import { utc } from '../../src/core/time/zone.ts';
import type { Bench } from './bench.ts';

const rowCount = 1_000_000;
const runs = 9;

/** A column of megawatts with one decimal, in no order; one cell in a hundred is null. */
function megawatts(name: string, seed: number, gaps: boolean): Column & { kind: 'number' } {
  let state = seed;
  const values = Float64Array.from({ length: rowCount }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.round((state / 2 ** 32 - 0.2) * 300_000) / 10;
  });
  const nulls = Uint8Array.from({ length: rowCount }, (_, row) => (row % 100 === 7 ? 1 : 0));
  return { name, path: [name], kind: 'number', values, ...(gaps && { gaps: nulls }) };
}

/** The median of several runs, in milliseconds. */
function time(work: () => unknown): number {
  const times = Array.from({ length: runs }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return times.sort((a, b) => a - b)[runs >> 1] ?? NaN;
}

/** Rows in the order of their numbers, beside the engine's own sort of the bare values, which forgets the rows. */
export const bench: Bench = () => {
  const [plain, gappy] = [megawatts('plain', 1, false), megawatts('gappy', 2, true)];
  const frame: Frame = { rowCount, columns: [plain, gappy] };
  const by = (...columns: string[]) => columns.map(column => ({ column, descending: false }));
  const sorted = sortRows(frame, by('plain'));
  for (let at = 1; at < rowCount; at++)
    if ((plain.values[sorted[at - 1] ?? 0] ?? NaN) > (plain.values[sorted[at] ?? 0] ?? NaN))
      throw new Error('not sorted');

  const own = time(() => sortRows(frame, by('plain')));
  const bare = time(() => plain.values.slice().sort());
  const withNulls = time(() => sortRows(frame, [{ column: 'gappy', descending: true }]));
  const twoKeys = time(() => sortRows(frame, by('plain', 'gappy')));
  const where = { plain: '>0 or null', gappy: '100..20000' };
  const rows = { frame, interval: '1h', step: undefined, start: 0, coverage: undefined, zone: utc };
  const filtered = time(() => analyse(rows, { where }, { locale: 'en', say: text => text }));
  return Promise.resolve([
    { what: '1,000,000 rows sorted by numbers', value: own, unit: 'ms', atMost: 300 },
    { what: "… the engine's sort of the bare values", value: bare, unit: 'ms' },
    { what: "… against the engine's sort", value: own / bare, unit: '×', atMost: 1 },
    { what: '… with nulls, descending', value: withNulls, unit: 'ms', atMost: 300 },
    { what: '… by two columns', value: twoKeys, unit: 'ms' },
    { what: '… filtered by two columns', value: filtered, unit: 'ms' },
  ]);
};
