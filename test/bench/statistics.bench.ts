import { resampleFrame } from '../../src/core/bins/resampleFrame.ts';
import { createEventFrame } from '../../src/core/events/eventFrame.ts';
import type { RunRule } from '../../src/shared/eventSearch.ts';
import { deriveColumns } from '../../src/core/formula/deriveColumns.ts';
import { createScorecard } from '../../src/core/forecast/scorecard.ts';
import type { Resampling } from '../../src/shared/resampling.ts';
import type { Frame, NumberColumn, TimeColumn } from '../../src/shared/frame.ts';
import { describeColumn } from '../../src/core/statistics/columnStatistics.ts';
import { computeDailyProfile, computeHoursOfDay } from '../../src/webview/statistics/dailyProfile.ts';
import type { Bench } from './bench.ts';

const hourMs = 3_600_000;

/**
 * Measures statistics of ten years of hours in 17 columns, and of one column with 1,000,000 rows. The results are compared with a plain sum
 * of the same numbers.
 */
export const bench: Bench = () => {
  const [time, ...columns] = createColumns(87_600, 17);
  const plainSumMs = measureMinimum(9, () => columns.reduce((sum, { values }) => sum + computePlainSum(values), 0));
  const summaryMs = measureMinimum(3, () => columns.map(column => describeColumn(column, time).summary?.median));
  const sortMs = measureMinimum(3, () => columns.map(({ values }) => values.slice().sort()));
  const hours = computeHoursOfDay(time, 'Europe/Berlin');
  const profileMs = measureMinimum(5, () => columns.slice(0, 1).map(column => computeDailyProfile(column, hours)));
  const hoursOfDayMs = measureMinimum(3, () => computeHoursOfDay(time, 'Europe/Berlin'));
  const frame: Frame = { rowCount: 87_600, columns: [time, ...columns] };
  const start = time.values[0] ?? NaN;
  const range = { start, end: start + 87_600 * hourMs, intervalMs: hourMs };
  const resample = (by: Resampling['by']) => () =>
    resampleFrame(frame, { by, ...range, timeZone: 'Africa/Johannesburg', label: 'SAST', names: [] });
  const monthsMs = measureMinimum(5, () => resample('month')());
  const threeHoursMs = measureMinimum(5, () => resample('3h')());
  const rules: readonly RunRule[] = [
    { kind: 'peak' },
    { kind: 'ramp', value: 3000, hours: 3 },
    { kind: 'condition', condition: 'column_0 > 24000' },
  ];
  const findEvents = (rule: RunRule) => createEventFrame(frame, { rule, column: 'column_0', ...range });
  const eventsMs = rules.map(rule => measureMinimum(5, () => findEvents(rule)));
  const derived = [{ name: 'derived', formula: 'column_0 - mean(column_0, 24h)' }];
  const formulaMs = measureMinimum(5, () => deriveColumns(frame, { columns: derived, intervalMs: hourMs }));
  const hour = {
    actual: 'column_0',
    forecast: 'column_1',
    by: 'hourOfDay',
    ...range,
    names: [],
    locale: 'en',
  } as const;
  const computeScorecard = () => createScorecard(frame, { ...hour, timeZone: 'Europe/Berlin', label: 'Berlin' });
  const scorecardMs = measureMinimum(5, () => computeScorecard());
  const [longTime, longColumn] = createColumns(1_000_000, 2);
  // Uses the minimum of several runs, because the first run is not compiled yet.
  const longStatisticsMs = longColumn
    ? measureMinimum(3, () => describeColumn(longColumn, longTime).summary?.median)
    : 0;
  const longFrame: Frame = { rowCount: 1_000_000, columns: longColumn ? [longTime, longColumn] : [longTime] };
  const longFormulaMs = measureMinimum(3, () => deriveColumns(longFrame, { columns: derived, intervalMs: hourMs }));
  return Promise.resolve([
    { label: 'plain sum of 87,600 × 16 numbers', value: plainSumMs, unit: 'ms' },
    { label: 'statistics of all columns', value: summaryMs, unit: 'ms' },
    { label: '… relative to the plain sum', value: summaryMs / plainSumMs, unit: '×', atMost: 600 },
    { label: '… relative to sorting', value: summaryMs / sortMs, unit: '×', atMost: 3 },
    { label: 'daily profile of one column', value: profileMs, unit: 'ms' },
    { label: 'hours in a zone with clock changes', value: hoursOfDayMs, unit: 'ms' },
    { label: '87,600 hours × 17 resampled to months', value: monthsMs, unit: 'ms', atMost: 30 },
    { label: '… relative to sorting', value: monthsMs / sortMs, unit: '×', atMost: 1 },
    { label: '… to three hours', value: threeHoursMs, unit: 'ms', atMost: 50 },
    {
      label: 'peaks, ramps or runs in 87,600 hours, the slowest',
      value: Math.max(...eventsMs),
      unit: 'ms',
      atMost: 50,
    },
    { label: '87,600 hours less their mean over 24 h, by a formula', value: formulaMs, unit: 'ms' },
    { label: '… relative to the plain sum of all columns', value: formulaMs / plainSumMs, unit: '×', atMost: 60 },
    { label: '… over 1,000,000 rows', value: longFormulaMs, unit: 'ms', atMost: 300 },
    { label: '87,600 hours of a forecast scored by hour of the day', value: scorecardMs, unit: 'ms', atMost: 50 },
    { label: 'statistics of one column of 1,000,000 rows', value: longStatisticsMs, unit: 'ms', atMost: 300 },
  ]);
};

function createColumns(rows: number, columns: number): [TimeColumn, ...NumberColumn[]] {
  const start = Date.UTC(2016, 0, 1);
  const values = Float64Array.from({ length: rows }, (_, row) => start + row * hourMs);
  const numbers = Array.from({ length: columns - 1 }, (_, column): NumberColumn => {
    const name = `column_${column}`;
    return {
      kind: 'number',
      name,
      path: [name],
      values: Float64Array.from({ length: rows }, (_, row) => generatePower(row, column)),
    };
  });
  return [{ kind: 'time', name: 'ts', path: ['ts'], values }, ...numbers];
}

/** Returns a value in tenths of a megawatt with a daily and a yearly cycle and reproducible noise. */
function generatePower(row: number, column: number): number {
  const day = Math.sin((row / 24) * 2 * Math.PI) * 3000;
  const year = Math.sin((row / 8760) * 2 * Math.PI) * 2000;
  const noise = (Math.imul(row + 1, 2_654_435_761 + column * 97) >>> 12) / 1000;
  return Math.round((20_000 + column * 500 + day + year + noise) * 10) / 10;
}

function computePlainSum(values: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < values.length; row++) sum += values[row] ?? 0;
  return sum;
}

/** Returns the minimum CPU time of several runs, in milliseconds. */
function measureMinimum(runCount: number, run: () => unknown): number {
  return Math.min(...Array.from({ length: runCount }, () => measureCpuMs(run)));
}

function measureCpuMs(run: () => unknown): number {
  const cpuBefore = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(cpuBefore);
  return (user + system) / 1000;
}
