import { resampleFrame } from '../../src/core/bins/resampleFrame.ts';
import { createEventFrame } from '../../src/core/events/eventFrame.ts';
import type { RunRule } from '../../src/shared/eventSearch.ts';
import { deriveColumns } from '../../src/core/formula/deriveColumns.ts';
import { createScorecard } from '../../src/core/forecast/scorecard.ts';
import type { Resampling } from '../../src/shared/resampling.ts';
import type { Frame, NumberColumn, TimeColumn } from '../../src/shared/frame.ts';
import { describeColumn } from '../../src/core/statistics/columnStatistics.ts';
import { dailyProfile, zoneHours } from '../../src/webview/statistics/dailyProfile.ts';
import type { Bench } from './bench.ts';

const hourMs = 3_600_000;

/** Ten years of hours in 17 columns against one plain pass that adds up the same numbers, and one column of 1,000,000 rows. */
export const bench: Bench = () => {
  const [time, ...columns] = frameOf(87_600, 17);
  const plain = leastOf(9, () => columns.reduce((sum, { values }) => sum + plainSum(values), 0));
  const all = leastOf(3, () => columns.map(column => describeColumn(column, time).summary?.median));
  const sort = leastOf(3, () => columns.map(({ values }) => values.slice().sort()));
  const hours = zoneHours(time, 'Europe/Berlin');
  const profile = leastOf(5, () => columns.slice(0, 1).map(column => dailyProfile(column, hours)));
  const zone = leastOf(3, () => zoneHours(time, 'Europe/Berlin'));
  const frame: Frame = { rowCount: 87_600, columns: [time, ...columns] };
  const start = time.values[0] ?? NaN;
  const range = { start, end: start + 87_600 * hourMs, stepMs: hourMs };
  const resample = (by: Resampling['by']) => () =>
    resampleFrame(frame, { by, ...range, timeZone: 'Africa/Johannesburg', label: 'SAST', names: [] });
  const months = leastOf(5, () => resample('month')());
  const threes = leastOf(5, () => resample('3h')());
  const rules: readonly RunRule[] = [
    { kind: 'peak' },
    { kind: 'ramp', value: 3000, hours: 3 },
    { kind: 'condition', condition: 'column_0 > 24000' },
  ];
  const eventsOf = (rule: RunRule) => createEventFrame(frame, { rule, column: 'column_0', ...range });
  const events = rules.map(rule => leastOf(5, () => eventsOf(rule)));
  const derived = [{ name: 'derived', formula: 'column_0 - mean(column_0, 24h)' }];
  const formula = leastOf(5, () => deriveColumns(frame, { columns: derived, stepMs: hourMs }));
  const hour = {
    actual: 'column_0',
    forecast: 'column_1',
    by: 'hourOfDay',
    ...range,
    names: [],
    locale: 'en',
  } as const;
  const score = () => createScorecard(frame, { ...hour, timeZone: 'Europe/Berlin', label: 'Berlin' });
  const scored = leastOf(5, () => score());
  const [longTime, long] = frameOf(1_000_000, 2);
  // The least of several runs: the first is not compiled yet.
  const longStatistics = long ? leastOf(3, () => describeColumn(long, longTime).summary?.median) : 0;
  const longFrame: Frame = { rowCount: 1_000_000, columns: long ? [longTime, long] : [longTime] };
  const longFormula = leastOf(3, () => deriveColumns(longFrame, { columns: derived, stepMs: hourMs }));
  return Promise.resolve([
    { what: 'plain sum of 87,600 × 16 numbers', value: plain, unit: 'ms' },
    { what: 'statistics of all columns', value: all, unit: 'ms' },
    { what: 'over the plain sum', value: all / plain, unit: '×', atMost: 600 },
    { what: 'over sorting alone', value: all / sort, unit: '×', atMost: 3 },
    { what: 'daily profile of one column', value: profile, unit: 'ms' },
    { what: 'hours in a zone with clock changes', value: zone, unit: 'ms' },
    { what: '87,600 hours × 17 resampled to months', value: months, unit: 'ms', atMost: 30 },
    { what: '… over sorting alone', value: months / sort, unit: '×', atMost: 1 },
    { what: '… to three hours', value: threes, unit: 'ms', atMost: 50 },
    { what: 'peaks, ramps or runs in 87,600 hours, the slowest', value: Math.max(...events), unit: 'ms', atMost: 50 },
    { what: '87,600 hours less their mean over 24 h, by a formula', value: formula, unit: 'ms' },
    { what: '… over the plain sum of all columns', value: formula / plain, unit: '×', atMost: 60 },
    { what: '… over 1,000,000 rows', value: longFormula, unit: 'ms', atMost: 300 },
    { what: '87,600 hours of a forecast scored by hour of the day', value: scored, unit: 'ms', atMost: 50 },
    { what: 'statistics of one column of 1,000,000 rows', value: longStatistics, unit: 'ms', atMost: 300 },
  ]);
};

function frameOf(rows: number, columns: number): [TimeColumn, ...NumberColumn[]] {
  const start = Date.UTC(2016, 0, 1);
  const values = Float64Array.from({ length: rows }, (_, row) => start + row * hourMs);
  const numbers = Array.from({ length: columns - 1 }, (_, column): NumberColumn => {
    const name = `column_${column}`;
    return {
      kind: 'number',
      name,
      path: [name],
      values: Float64Array.from({ length: rows }, (_, row) => power(row, column)),
    };
  });
  return [{ kind: 'time', name: 'ts', path: ['ts'], values }, ...numbers];
}

/** Tenths of a megawatt with a day, a year, and noise that is the same each time. */
function power(row: number, column: number): number {
  const day = Math.sin((row / 24) * 2 * Math.PI) * 3000;
  const year = Math.sin((row / 8760) * 2 * Math.PI) * 2000;
  const noise = (Math.imul(row + 1, 2_654_435_761 + column * 97) >>> 12) / 1000;
  return Math.round((20_000 + column * 500 + day + year + noise) * 10) / 10;
}

function plainSum(values: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < values.length; row++) sum += values[row] ?? 0;
  return sum;
}

function leastOf(times: number, run: () => unknown): number {
  return Math.min(...Array.from({ length: times }, () => timed(run)[0]));
}

/** Milliseconds of the processor, without those it gives to other programs, and the result. */
function timed<Result>(run: () => Result): readonly [took: number, result: Result] {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1000, result];
}
