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
import { manyRuns } from '../../../support/manyRuns.ts';
import { seeded } from '../../../support/seeded.ts';
import { frameOf, numberColumn, timeColumn } from '../filter/columns.ts';
import {
  fixedLengths,
  figureColumns,
  plainBin,
  plainFigures,
  plainStarts,
  type Calendar,
  type Cycle,
  type Fixed,
  type PlainRow,
  type PlainStep,
} from './plainRows.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const zones = [
  'UTC',
  'Africa/Johannesburg',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
] as const;
/** Instants around which clocks change in some zones. */
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

/** Maximum number of rows, and of rows in a bin: more would take the model too long. */
const most: Readonly<Record<Calendar, number>> = { '3h': 60, day: 40, week: 20, month: 14, quarter: 9, year: 5 };
const longest = 3_000;

type Length = Fixed | Calendar;
const isFixed = (length: Length): length is Fixed => length in fixedLengths;

/** Rows of one length from the start of a day of a time zone, some missing or null, and the bins to resample them to. */
interface Case {
  readonly length: Length;
  readonly zone: string;
  readonly stepMs: number;
  readonly rows: readonly PlainRow[];
  /** All intervals of the surrounding years. */
  readonly steps: readonly PlainStep[];
  readonly frame: Frame;
}

function caseOf(length: Length, zone: string, random: () => number): Case {
  const from = Date.parse(beginnings[Math.floor(random() * beginnings.length)] ?? '');
  const count = 3 + Math.floor(random() * (isFixed(length) ? 120 : most[length]));
  const steps: PlainStep[] = [];
  let firstStep: number;
  if (isFixed(length)) {
    const ms = fixedLengths[length];
    const other = zones[Math.floor(random() * zones.length)] ?? zone;
    const [origin = NaN] = plainStarts('day', random() < 0.5 ? zone : other, from, from);
    const before = Math.min(longest, Math.ceil((400 * dayMs) / ms));
    for (let step = -before; step < before + count; step++)
      steps.push({ at: origin + step * ms, end: origin + (step + 1) * ms });
    firstStep = before;
  } else {
    // Years need decades of rows, and three hours only a few days.
    const reach = most[length] * lengths[length] + 400 * dayMs;
    const starts = plainStarts(length, zone, from - reach, from + reach);
    starts.forEach((at, place) => steps.push({ at, end: starts[place + 1] ?? NaN }));
    steps.pop();
    firstStep = steps.findIndex(({ at }) => at >= from);
  }
  const within = steps.slice(firstStep, firstStep + count);
  const rows = within.flatMap((step, place): PlainRow[] => {
    const isEnd = place === 0 || place === within.length - 1;
    if (!isEnd && random() < 0.15) return [];
    return [{ ...step, value: !isEnd && random() < 0.1 ? null : Math.round(random() * 5_000_000) - 500_000 }];
  });
  // The minimum distance of the rows equals their length, as in any real table.
  const order = rows.toSorted(() => random() - 0.5);
  const sorted = random() < 0.3 ? order : rows;
  const time = timeColumn(
    'ts',
    sorted.map(({ at }) => at),
  );
  const bins = isFixed(length) ? undefined : { size: length, timeZone: zone, label: zone };
  const values = numberColumn(
    'wind_mw',
    sorted.map(({ value }) => (value === null ? null : value / 1000)),
    power,
  );
  const frame = frameOf(bins ? { ...time, bins } : time, values);
  return { length, zone, stepMs: isFixed(length) ? fixedLengths[length] : lengths[length], rows, steps, frame };
}

function stateOf({ frame, zone, rows, length, stepMs }: Case): TableState {
  const start = rows[0]?.at ?? NaN;
  const label = zone;
  return {
    frame,
    start,
    interval: '',
    zone: { timeZone: zone, label },
    ...(isFixed(length) && { step: stepMs }),
  } as unknown as TableState;
}

function numbersOf(frame: Frame, name: string): (number | null)[] {
  const column = frame.columns.find(one => one.name === name);
  assert.ok(column?.kind === 'number', name);
  return Array.from(column.values, (value, row) => (getCellState(column, row) === cellState.value ? value : null));
}

function assertNear(made: number | null | undefined, expected: number | null | undefined, where: string): void {
  const isNear =
    typeof made === 'number' && typeof expected === 'number'
      ? Math.abs(made - expected) <= 1e-9 * Math.max(1, Math.abs(expected))
      : (made ?? null) === (expected ?? null);
  assert.ok(isNear, `${where}: ${String(made)}, not ${String(expected)}`);
}

function checkResampled(one: Case, by: Calendar | Cycle): number {
  const { frame, zone, rows, steps, length, stepMs } = one;
  const state = stateOf(one);
  const span = getIntervalSpan(state) ?? assert.fail();
  const names = Array.from({ length: 24 }, (_, bin) => String(bin));
  const made = resampleFrame(frame, { by, ...getZoneOfBins(by, state), ...span, names });
  const [first, last] = [rows[0]?.at ?? NaN, rows.at(-1)?.at ?? NaN];
  const isCalendar = (calendars as readonly string[]).includes(by);
  const ends = new Set([first, last].map(ms => plainBin(ms, by, zone)));
  const own = steps.filter(
    ({ at }) =>
      (at >= first && at <= last) ||
      (isCalendar && isNear(at, first, last, lengths[by as Calendar]) && ends.has(plainBin(at, by, zone))),
  );
  const expected = plainFigures(rows, own, by, zone);
  const where = `${length} of ${zone} from ${new Date(first).toISOString()} by ${by}`;
  const [key] = made.columns;
  const named = Array.from({ length: made.rowCount }, (_, row) =>
    key?.kind === 'time'
      ? plainBin(key.values[row] ?? NaN, by, zone)
      : key?.kind === 'text'
        ? getText(key.texts, row)
        : '',
  );
  assert.deepEqual(named.toSorted(), [...expected.keys()].sort(), where);
  for (const [name, figure] of Object.entries(figureColumns)) {
    const numbers = numbersOf(made, name);
    for (const [row, bin] of named.entries())
      assertNear(numbers[row], expected.get(bin)?.[figure], `${where}, ${bin}, ${name}`);
  }
  assert.ok(stepMs > 0);
  return named.length;
}

const isNear = (at: number, first: number, last: number, length: number): boolean =>
  at > first - 1.1 * length && at < last + 1.1 * length;

/** The bins that are longer than the rows. */
function choicesOf({ length, stepMs }: Case): readonly (Calendar | Cycle)[] {
  const own = calendars.filter(size =>
    isFixed(length) ? lengths[size] > stepMs : calendars.indexOf(size) > calendars.indexOf(length),
  );
  const made = own.filter(size => lengths[size] < longest * stepMs);
  return [...made, ...listCycles(stepMs).filter(cycle => cycle !== 'tariffPeriod')];
}

describe('rows of any length, beside a model that reads a wall calendar', () => {
  for (const length of [...(Object.keys(fixedLengths) as Fixed[]), ...calendars])
    it(`are resampled by where they begin: ${length}`, () => {
      const random = seeded(7);
      let compared = 0;
      for (const zone of zones)
        for (let run = 0; run < manyRuns(10); run++) {
          const one = caseOf(length, zone, random);
          for (const by of choicesOf(one)) compared += checkResampled(one, by);
        }
      assert.ok(length === 'year' || compared > 20, String(compared));
    });

  it('have windows of whole rows, also where clocks change', () => {
    const random = seeded(11);
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
        for (let run = 0; run < manyRuns(10); run++) checkWindows(caseOf(length, zone, random), duration, count);
  });

  it('are scored by the clocks of the zone, where a forecast begins', () => {
    const random = seeded(19);
    for (const length of ['15 min', '30 min', '1 h'] as const)
      for (const zone of zones)
        for (let run = 0; run < manyRuns(10); run++)
          for (const by of ['hourOfDay', 'weekday', 'monthOfYear'] as const)
            checkScored(caseOf(length, zone, random), by);
  });

  it('refuse a window that is no whole number of rows, or of rows of unlike lengths, in one sentence', () => {
    const random = seeded(3);
    const sentenceOf = (length: Length, duration: string): string | undefined => {
      const { frame, stepMs } = caseOf(length, 'Europe/Berlin', random);
      const columns = [{ name: 'made', formula: `mean(wind_mw, ${duration})` }];
      const { errors } = deriveColumns(frame, { columns, stepMs });
      return errors.get('made')?.message;
    };
    assert.equal(sentenceOf('1 h', '30min'), 'Enter a duration of whole rows: 1h or a multiple of it.');
    assert.equal(sentenceOf('15 min', '40min'), 'Enter a duration of whole rows: 15min or a multiple of it.');
    assert.equal(sentenceOf('day', '36h'), 'Enter a duration of whole rows: 1d or a multiple of it.');
    assert.equal(sentenceOf('week', '10d'), 'Enter a duration of whole rows: 7d or a multiple of it.');
    assert.equal(sentenceOf('month', '31d'), "'mean' needs rows of equal length. Months, quarters and years differ.");
    assert.equal(sentenceOf('1 h', '90min'), 'Enter a duration of whole rows: 1h or a multiple of it.');
    assert.equal(sentenceOf('30 min', '90min'), undefined);
  });

  it('are detected in a file without metadata, with each interval that has no row', () => {
    const random = seeded(5);
    for (const length of ['1 h', '6 h', 'day', 'month'] as const)
      for (const zone of zones)
        for (let run = 0; run < manyRuns(10); run++) {
          const { rows, steps, frame } = caseOf(length, zone, random);
          const [time, ...others] = frame.columns;
          assert.ok(time?.kind === 'time');
          const { bins: _, ...plain } = time;
          const table = { rowsOfFile: rows.length, leftOut: [], provenance: undefined, notes: [], text: '' };
          const read = {
            ...table,
            frame: frameOf(plain, ...others),
            zone: { source: 'heading', timeZone: zone },
          } as const;
          const { result } = createFileResult(read, 'a.csv');
          const [first, last] = [rows[0]?.at ?? NaN, rows.at(-1)?.at ?? NaN];
          const own = steps.filter(({ at }) => at >= first && at <= last);
          const isUtcDay = length === 'day' && zone === 'UTC';
          const found = result.frame?.columns[0];
          assert.ok(found?.kind === 'time');
          const isBin = !isFixed(length) && !isUtcDay;
          // Of a few rows with gaps, most may be missing.
          if (rows.length * 2 < own.length || (isFixed(length) && rows.length < 20)) continue;
          assert.equal(found.bins?.size, isBin ? length : undefined, `${length} of ${zone}`);
          if (length === 'month') continue;
          assert.deepEqual(
            Array.from(result.coverage?.states ?? []),
            own.map(({ at }) => (rows.some(row => row.at === at) ? intervalState.present : intervalState.missing)),
            `${length} of ${zone}`,
          );
        }
  });
});

describe('days of UTC in a file', () => {
  it('are not taken for those of a zone that has the same ones in winter', () => {
    const time = timeColumn(
      'ts',
      Array.from({ length: 20 }, (_, day) => Date.parse('2023-01-02T00:00Z') + day * dayMs),
    );
    const table = { rowsOfFile: 20, leftOut: [], provenance: undefined, notes: [], text: '' };
    const read = { ...table, frame: frameOf(time), zone: { source: 'file' } } as const;
    const london = { timeZone: 'Europe/London', label: 'Europe/London' };
    const { result } = createFileResult(read, 'a.csv', [london]);
    assert.deepEqual([result.provenance.interval, result.provenance.days], ['1d', undefined]);
  });
});

/** Returns the figures of resampled rows: the forecast is 0, so that the bias is the mean. */
function checkScored(one: Case, by: 'hourOfDay' | 'weekday' | 'monthOfYear'): void {
  const { frame, zone, rows, steps, length } = one;
  const zeros = numberColumn('forecast_mw', Array(frame.rowCount).fill(0) as number[], power);
  const span = getIntervalSpan(stateOf(one)) ?? assert.fail();
  const names = Array.from({ length: 25 }, (_, bin) => String(bin));
  const of = { actual: 'wind_mw', forecast: 'forecast_mw', by, timeZone: zone, label: zone, names, locale: 'en' };
  const made = createScorecard(frameOf(...frame.columns, zeros), { ...of, ...span });
  const [key] = made.columns;
  assert.ok(key?.kind === 'text');
  const [first, last] = [rows[0]?.at ?? NaN, rows.at(-1)?.at ?? NaN];
  const own = steps.filter(({ at }) => at >= first && at <= last);
  const expected = plainFigures(rows, own, by, zone);
  assert.equal(made.rowCount, expected.size + 1);
  for (let row = 1; row < made.rowCount; row++) {
    const bin = expected.get(getText(key.texts, row));
    const where = `${length} of ${zone} by ${by}, ${getText(key.texts, row)}`;
    assertNear(numbersOf(made, 'of_hours')[row], bin?.ofHours, where);
    assertNear(numbersOf(made, 'bias_mw')[row], bin?.mean, where);
  }
}

/** Each row counts for the hours for which it has data, which are fewer than its length. */
function checkWindows(one: Case, duration: string, count: number): void {
  const { length, zone, stepMs, rows, steps, frame } = one;
  const names = ['sum', 'mean', 'lowest', 'highest', 'lag', 'delta'] as const;
  const hours = (at: number): number => {
    const row = rows.find(candidate => candidate.at === at);
    return row ? (row.end - row.at) / hourMs : NaN;
  };
  const [time, wind] = frame.columns;
  assert.ok(time?.kind === 'time' && wind?.kind === 'number');
  // If all rows have one length, it is known.
  const weighed: NumberColumn = isFixed(length) ? wind : { ...wind, hours: time.values.map(hours) };
  const columns = names.map(name => ({ name, formula: `${name}(wind_mw, ${duration})` }));
  const { frame: made, errors } = deriveColumns(frameOf(time, weighed), { columns, stepMs });
  assert.deepEqual([...errors.values()].map(String), []);
  for (let row = 0; row < made.rowCount; row++) {
    const at = time.values[row] ?? NaN;
    const place = steps.findIndex(step => step.at === at);
    const window = steps.slice(Math.max(0, place - count + 1), place + 1);
    const within = window.flatMap(step => rows.filter(({ at: begin, value }) => begin === step.at && value !== null));
    const known = within.map(({ value, ...span }) => ({
      value: (value ?? NaN) / 1000,
      hours: (span.end - span.at) / hourMs,
    }));
    const energy = known.reduce((sum, { value, hours: own }) => sum + value * own, 0);
    const all = known.reduce((sum, { hours: own }) => sum + own, 0);
    const valueAt = (begin: number | undefined): number | null => {
      const value = rows.find(candidate => candidate.at === begin)?.value ?? null;
      return value === null ? null : value / 1000;
    };
    const [now, before] = [valueAt(at), valueAt(steps[place - count]?.at)];
    const isNone = known.length === 0;
    const expected = {
      sum: isNone ? null : energy,
      mean: isNone ? null : energy / all,
      lowest: isNone ? null : Math.min(...known.map(({ value }) => value)),
      highest: isNone ? null : Math.max(...known.map(({ value }) => value)),
      lag: before,
      delta: now === null || before === null ? null : now - before,
    };
    for (const name of names)
      assertNear(
        numbersOf(made, name)[row],
        expected[name],
        `${name}(${duration}) of ${length} of ${zone} at ${new Date(at).toISOString()}`,
      );
  }
}
