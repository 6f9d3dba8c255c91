import assert from 'node:assert/strict';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { createScorecard } from '../../../../src/core/forecast/scorecard.ts';
import { createFileResult } from '../../../../src/core/dataFile/fileResult.ts';
import { deriveColumns } from '../../../../src/core/formula/deriveColumns.ts';
import { cellState, getCellState, getText, type Frame, type NumberColumn } from '../../../../src/shared/frame.ts';
import { listCycles } from '../../../../src/shared/resampling.ts';
import { intervalState } from '../../../../src/shared/result.ts';
import { power } from '../../../../src/shared/units.ts';
import type { TableState } from '../../../../src/shared/protocol.ts';
import { getIntervalSpan, getZoneOfBins } from '../../../../src/core/analysis/rowIntervals.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { createSeededRandom } from '../../../support/seededRandom.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';
import {
  fixedLengths,
  figureColumns,
  getBinName,
  computeBinFigures,
  findBinStarts,
  type Calendar,
  type Cycle,
  type Fixed,
  type PlainRow,
  type PlainInterval,
} from './plainRows.ts';

const hourMs = 3_600_000;
const dayMs = 86_400_000;
const zones = [
  'UTC',
  'Africa/Johannesburg',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
] as const;
/** Dates around which clocks change in some of the zones. */
const beginnings = ['2022-12-30T00:00Z', '2023-03-08T00:00Z', '2023-03-24T00:00Z', '2023-10-27T00:00Z'];
const calendars = ['3h', 'day', 'week', 'month', 'quarter', 'year'] as const;
const lengths: Readonly<Record<Calendar, number>> = {
  '3h': 3 * hourMs,
  day: dayMs,
  week: 7 * dayMs,
  month: 31 * dayMs,
  quarter: 92 * dayMs,
  year: 366 * dayMs,
};

/** The maximum number of rows, and of rows in a bin, so that the model finishes in time. */
const maxBins: Readonly<Record<Calendar, number>> = { '3h': 60, day: 40, week: 20, month: 14, quarter: 9, year: 5 };
const maxRowsPerBin = 3_000;

type Length = Fixed | Calendar;
const isFixed = (length: Length): length is Fixed => length in fixedLengths;

/** Rows of one length from the start of a day of a time zone, some of them missing or null. */
interface Case {
  readonly length: Length;
  readonly zone: string;
  readonly intervalMs: number;
  readonly rows: readonly PlainRow[];
  /** All intervals of the surrounding years. */
  readonly intervals: readonly PlainInterval[];
  readonly frame: Frame;
}

function createCase(length: Length, zone: string, random: () => number): Case {
  const from = Date.parse(beginnings[Math.floor(random() * beginnings.length)] ?? '');
  const count = 3 + Math.floor(random() * (isFixed(length) ? 120 : maxBins[length]));
  const intervals: PlainInterval[] = [];
  let firstInterval: number;
  if (isFixed(length)) {
    const ms = fixedLengths[length];
    const originZone = zones[Math.floor(random() * zones.length)] ?? zone;
    const [origin = NaN] = findBinStarts('day', random() < 0.5 ? zone : originZone, from, from);
    const rowsBefore = Math.min(maxRowsPerBin, Math.ceil((400 * dayMs) / ms));
    for (let index = -rowsBefore; index < rowsBefore + count; index++)
      intervals.push({ start: origin + index * ms, end: origin + (index + 1) * ms });
    firstInterval = rowsBefore;
  } else {
    // Years need decades of rows, but three hours only a few days.
    const margin = maxBins[length] * lengths[length] + 400 * dayMs;
    const starts = findBinStarts(length, zone, from - margin, from + margin);
    starts.forEach((start, index) => intervals.push({ start, end: starts[index + 1] ?? NaN }));
    intervals.pop();
    firstInterval = intervals.findIndex(({ start }) => start >= from);
  }
  const within = intervals.slice(firstInterval, firstInterval + count);
  const rows = within.flatMap((interval, index): PlainRow[] => {
    const isEnd = index === 0 || index === within.length - 1;
    if (!isEnd && random() < 0.15) return [];
    return [{ ...interval, value: !isEnd && random() < 0.1 ? null : Math.round(random() * 5_000_000) - 500_000 }];
  });
  // The shortest distance between two rows equals their length, as in any real table.
  const randomOrder = rows.toSorted(() => random() - 0.5);
  const sorted = random() < 0.3 ? randomOrder : rows;
  const time = timeColumn(
    'ts',
    sorted.map(({ start }) => start),
  );
  const bins = isFixed(length) ? undefined : { size: length, timeZone: zone, label: zone };
  const values = numberColumn(
    'wind_mw',
    sorted.map(({ value }) => (value === null ? null : value / 1000)),
    power,
  );
  const frame = createFrame(bins ? { ...time, bins } : time, values);
  return { length, zone, intervalMs: isFixed(length) ? fixedLengths[length] : lengths[length], rows, intervals, frame };
}

function createTableState({ frame, zone, rows, length, intervalMs }: Case): TableState {
  const start = rows[0]?.start ?? NaN;
  const label = zone;
  return {
    frame,
    start,
    interval: '',
    zone: { timeZone: zone, label },
    ...(isFixed(length) && { intervalMs }),
  } as unknown as TableState;
}

function readNumbers(frame: Frame, name: string): (number | null)[] {
  const column = frame.columns.find(candidate => candidate.name === name);
  assert.ok(column?.kind === 'number', name);
  return Array.from(column.values, (value, row) => (getCellState(column, row) === cellState.value ? value : null));
}

function assertNear(actual: number | null | undefined, expected: number | null | undefined, description: string): void {
  const isNear =
    typeof actual === 'number' && typeof expected === 'number'
      ? Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected))
      : (actual ?? null) === (expected ?? null);
  assert.ok(isNear, `${description}: ${String(actual)}, not ${String(expected)}`);
}

function checkResampled(testCase: Case, by: Calendar | Cycle): number {
  const { frame, zone, rows, intervals, length, intervalMs } = testCase;
  const state = createTableState(testCase);
  const span = getIntervalSpan(state) ?? assert.fail();
  const names = Array.from({ length: 24 }, (_, bin) => String(bin));
  const resampled = resampleFrame(frame, { by, ...getZoneOfBins(by, state), ...span, names });
  const first = rows[0]?.start ?? NaN;
  const last = rows.at(-1)?.start ?? NaN;
  const isCalendar = (calendars as readonly string[]).includes(by);
  const ends = new Set([first, last].map(ms => getBinName(ms, by, zone)));
  const rangeIntervals = intervals.filter(
    ({ start }) =>
      (start >= first && start <= last) ||
      (isCalendar && isPartial(start, first, last, lengths[by as Calendar]) && ends.has(getBinName(start, by, zone))),
  );
  const expected = computeBinFigures(rows, rangeIntervals, by, zone);
  const description = `${length} of ${zone} from ${new Date(first).toISOString()} by ${by}`;
  const [key] = resampled.columns;
  const named = Array.from({ length: resampled.rowCount }, (_, row) =>
    key?.kind === 'time'
      ? getBinName(key.values[row] ?? NaN, by, zone)
      : key?.kind === 'text'
        ? getText(key.texts, row)
        : '',
  );
  assert.deepEqual(named.toSorted(), [...expected.keys()].sort(), description);
  for (const [name, figure] of Object.entries(figureColumns)) {
    const numbers = readNumbers(resampled, name);
    for (const [row, bin] of named.entries())
      assertNear(numbers[row], expected.get(bin)?.[figure], `${description}, ${bin}, ${name}`);
  }
  assert.ok(intervalMs > 0);
  return named.length;
}

const isPartial = (start: number, first: number, last: number, length: number): boolean =>
  start > first - 1.1 * length && start < last + 1.1 * length;

/** Lists the bins that are longer than the rows. */
function listChoices({ length, intervalMs }: Case): readonly (Calendar | Cycle)[] {
  const longerBins = calendars.filter(size =>
    isFixed(length) ? lengths[size] > intervalMs : calendars.indexOf(size) > calendars.indexOf(length),
  );
  const choices = longerBins.filter(size => lengths[size] < maxRowsPerBin * intervalMs);
  return [...choices, ...listCycles(intervalMs).filter(cycle => cycle !== 'tariffPeriod')];
}

describe('rows of any length, compared with a model of the local calendar', () => {
  for (const length of [...(Object.keys(fixedLengths) as Fixed[]), ...calendars])
    it(`resamples rows by the instant at which they begin: ${length}`, () => {
      const random = createSeededRandom(7);
      let comparisons = 0;
      for (const zone of zones)
        for (let run = 0; run < scaleRunCount(10); run++) {
          const testCase = createCase(length, zone, random);
          for (const by of listChoices(testCase)) comparisons += checkResampled(testCase, by);
        }
      assert.ok(length === 'year' || comparisons > 20, String(comparisons));
    });

  it('uses rolling windows of whole rows, also at clock changes', () => {
    const random = createSeededRandom(11);
    const windows = [
      ['15 min', '2h', 8],
      ['1 h', '24h', 24],
      ['6 h', '2d', 8],
      ['3h', '1d', 8],
      ['day', '7d', 7],
      ['week', '28d', 4],
    ] as const;
    for (const [length, duration, count] of windows)
      for (const zone of zones)
        for (let run = 0; run < scaleRunCount(10); run++)
          checkWindows(createCase(length, zone, random), duration, count);
  });

  it('scores rows by the local time at which they begin', () => {
    const random = createSeededRandom(19);
    for (const length of ['15 min', '30 min', '1 h'] as const)
      for (const zone of zones)
        for (let run = 0; run < scaleRunCount(10); run++)
          for (const by of ['hourOfDay', 'weekday', 'monthOfYear'] as const)
            checkScored(createCase(length, zone, random), by);
  });

  it('reports one problem for a window that is not a whole number of equally long rows', () => {
    const random = createSeededRandom(3);
    const readProblem = (length: Length, duration: string): string | undefined => {
      const { frame, intervalMs } = createCase(length, 'Europe/Berlin', random);
      const columns = [{ name: 'made', formula: `mean(wind_mw, ${duration})` }];
      const { errors } = deriveColumns(frame, { columns, intervalMs });
      return errors.get('made')?.message;
    };
    assert.equal(readProblem('1 h', '30min'), 'Enter a duration of whole rows: 1h or a multiple of it.');
    assert.equal(readProblem('15 min', '40min'), 'Enter a duration of whole rows: 15min or a multiple of it.');
    assert.equal(readProblem('day', '36h'), 'Enter a duration of whole rows: 1d or a multiple of it.');
    assert.equal(readProblem('week', '10d'), 'Enter a duration of whole rows: 7d or a multiple of it.');
    assert.equal(readProblem('month', '31d'), "'mean' needs rows of equal length. Months, quarters and years differ.");
    assert.equal(readProblem('1 h', '90min'), 'Enter a duration of whole rows: 1h or a multiple of it.');
    assert.equal(readProblem('30 min', '90min'), undefined);
  });

  it('detects the rows of a file without metadata, and each interval without a row', () => {
    const random = createSeededRandom(5);
    for (const length of ['1 h', '6 h', 'day', 'month'] as const)
      for (const zone of zones)
        for (let run = 0; run < scaleRunCount(10); run++) {
          const { rows, intervals, frame } = createCase(length, zone, random);
          const [time, ...otherColumns] = frame.columns;
          assert.ok(time?.kind === 'time');
          const { bins: _, ...timeWithoutBins } = time;
          const table = { fileRowCount: rows.length, omitted: [], provenance: undefined, notes: [], text: '' };
          const fileTable = {
            ...table,
            frame: createFrame(timeWithoutBins, ...otherColumns),
            zone: { source: 'heading', timeZone: zone },
          } as const;
          const { result } = createFileResult(fileTable, 'a.csv');
          const first = rows[0]?.start ?? NaN;
          const last = rows.at(-1)?.start ?? NaN;
          const rangeIntervals = intervals.filter(({ start }) => start >= first && start <= last);
          const isUtcDay = length === 'day' && zone === 'UTC';
          const readTime = result.frame?.columns[0];
          assert.ok(readTime?.kind === 'time');
          const isBin = !isFixed(length) && !isUtcDay;
          // With only a few rows and many gaps, most rows may be missing.
          if (rows.length * 2 < rangeIntervals.length || (isFixed(length) && rows.length < 20)) continue;
          assert.equal(readTime.bins?.size, isBin ? length : undefined, `${length} of ${zone}`);
          if (length === 'month') continue;
          assert.deepEqual(
            Array.from(result.coverage?.states ?? []),
            rangeIntervals.map(({ start }) =>
              rows.some(row => row.start === start) ? intervalState.present : intervalState.missing,
            ),
            `${length} of ${zone}`,
          );
        }
  });
});

describe('UTC days in a file', () => {
  it('does not mistake UTC days for days of a zone that equal them in winter', () => {
    const time = timeColumn(
      'ts',
      Array.from({ length: 20 }, (_, day) => Date.parse('2023-01-02T00:00Z') + day * dayMs),
    );
    const table = { fileRowCount: 20, omitted: [], provenance: undefined, notes: [], text: '' };
    const fileTable = { ...table, frame: createFrame(time), zone: { source: 'file' } } as const;
    const london = { timeZone: 'Europe/London', label: 'Europe/London' };
    const { result } = createFileResult(fileTable, 'a.csv', [london]);
    assert.deepEqual([result.provenance.interval, result.provenance.days], ['1d', undefined]);
  });
});

/** Compares the figures of a scorecard with the model. The forecast is 0, so that the bias is the mean. */
function checkScored(testCase: Case, by: 'hourOfDay' | 'weekday' | 'monthOfYear'): void {
  const { frame, zone, rows, intervals, length } = testCase;
  const zeros = numberColumn('forecast_mw', Array(frame.rowCount).fill(0) as number[], power);
  const span = getIntervalSpan(createTableState(testCase)) ?? assert.fail();
  const names = Array.from({ length: 25 }, (_, bin) => String(bin));
  const scoreOptions = {
    actual: 'wind_mw',
    forecast: 'forecast_mw',
    by,
    timeZone: zone,
    label: zone,
    names,
    locale: 'en',
  };
  const scorecard = createScorecard(createFrame(...frame.columns, zeros), { ...scoreOptions, ...span });
  const [key] = scorecard.columns;
  assert.ok(key?.kind === 'text');
  const first = rows[0]?.start ?? NaN;
  const last = rows.at(-1)?.start ?? NaN;
  const rangeIntervals = intervals.filter(({ start }) => start >= first && start <= last);
  const expected = computeBinFigures(rows, rangeIntervals, by, zone);
  assert.equal(scorecard.rowCount, expected.size + 1);
  for (let row = 1; row < scorecard.rowCount; row++) {
    const bin = expected.get(getText(key.texts, row));
    const description = `${length} of ${zone} by ${by}, ${getText(key.texts, row)}`;
    assertNear(readNumbers(scorecard, 'of_hours')[row], bin?.intervalHours, description);
    assertNear(readNumbers(scorecard, 'bias_mw')[row], bin?.mean, description);
  }
}

/** Compares rolling windows with the model. A row counts for the hours for which it has data, which may be fewer than its length. */
function checkWindows(testCase: Case, duration: string, count: number): void {
  const { length, zone, intervalMs, rows, intervals, frame } = testCase;
  const names = ['sum', 'mean', 'lowest', 'highest', 'lag', 'delta'] as const;
  const getHours = (start: number): number => {
    const row = rows.find(candidate => candidate.start === start);
    return row ? (row.end - row.start) / hourMs : NaN;
  };
  const [time, wind] = frame.columns;
  assert.ok(time?.kind === 'time' && wind?.kind === 'number');
  // If all rows have the same number of hours, it is known without a column.
  const weighed: NumberColumn = isFixed(length) ? wind : { ...wind, hours: time.values.map(getHours) };
  const columns = names.map(name => ({ name, formula: `${name}(wind_mw, ${duration})` }));
  const { frame: derived, errors } = deriveColumns(createFrame(time, weighed), { columns, intervalMs });
  assert.deepEqual([...errors.values()].map(String), []);
  for (let row = 0; row < derived.rowCount; row++) {
    const start = time.values[row] ?? NaN;
    const index = intervals.findIndex(interval => interval.start === start);
    const window = intervals.slice(Math.max(0, index - count + 1), index + 1);
    const within = window.flatMap(interval =>
      rows.filter(({ start: begin, value }) => begin === interval.start && value !== null),
    );
    const weights = within.map(({ value, ...span }) => ({
      value: (value ?? NaN) / 1000,
      hours: (span.end - span.start) / hourMs,
    }));
    const energy = weights.reduce((sum, { value, hours: weight }) => sum + value * weight, 0);
    const totalHours = weights.reduce((sum, { hours: weight }) => sum + weight, 0);
    const getValue = (begin: number | undefined): number | null => {
      const value = rows.find(interval => interval.start === begin)?.value ?? null;
      return value === null ? null : value / 1000;
    };
    const current = getValue(start);
    const previous = getValue(intervals[index - count]?.start);
    const isEmpty = weights.length === 0;
    const expected = {
      sum: isEmpty ? null : energy,
      mean: isEmpty ? null : energy / totalHours,
      lowest: isEmpty ? null : Math.min(...weights.map(({ value }) => value)),
      highest: isEmpty ? null : Math.max(...weights.map(({ value }) => value)),
      lag: previous,
      delta: current === null || previous === null ? null : current - previous,
    };
    for (const name of names)
      assertNear(
        readNumbers(derived, name)[row],
        expected[name],
        `${name}(${duration}) of ${length} of ${zone} at ${new Date(start).toISOString()}`,
      );
  }
}
