import assert from 'node:assert/strict';
import fc from 'fast-check';
import { quoteColumnName } from '../../../../src/core/formula/parseFormula.ts';
import { findShareParts } from '../../../../src/core/bins/binSums.ts';
import { getColumnDuration, compareFrames, getTimesOfColumn } from '../../../../src/core/compare/compareFrames.ts';
import { createEventFrame } from '../../../../src/core/events/eventFrame.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import { cellState, getCellState, type Frame, type NumberColumn } from '../../../../src/shared/frame.ts';
import { getMean } from '../../../../src/core/statistics/summaryFrame.ts';
import { createColumnReport } from '../../../../src/webview/statistics/columnReport.ts';
import { formatSelection } from '../../../../src/webview/result/footerText.ts';
import { computeSelectionStats } from '../../../../src/webview/rows/selectionStats.ts';
import { fillIn } from '../../../l10n/fillIn.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { createFrame, numberColumn, timeColumn } from '../../core/filter/columns.ts';
import { columnStatistics, hourMs } from './columns.ts';

/** An hour with values in tenths of a megawatt; null if the service sent no number. */
interface Hour {
  readonly instant: number;
  readonly wind: number | null;
  readonly renewable: number | null;
  /** The renewable share in percent; the service sends null if `renewable` is null. */
  readonly share: number;
}

/** An hour of the current period, and the hour of the other period that it is compared with. */
interface Pair {
  readonly current: Hour;
  readonly other: Hour | undefined;
}

const weekMs = 168 * hourMs;

function createComparison(current: readonly Hour[], other: readonly Hour[], comparison: Comparison): Frame {
  return compareFrames(buildFrame(current), buildFrame(other), {
    align: comparison.align,
    timeZone: comparison.timeZone,
    intervalMs: hourMs,
    comparedWith: 'previous period',
    translate: fillIn,
    base: { start: comparison.start, end: comparison.start + comparison.hours * hourMs },
    other: { start: comparison.other, end: comparison.other + comparison.hours * hourMs },
  });
}

function buildFrame(hours: readonly Hour[]): Frame {
  const createColumn = (name: string, cells: readonly (number | null)[]): NumberColumn => {
    const field = systemStateFields.get(name);
    return { ...numberColumn(name, cells), ...(field && { field }) };
  };
  const toMegawatts = (tenths: number | null): number | null => tenths && tenths / 10;
  return createFrame(
    timeColumn(
      'ts',
      hours.map(({ instant }) => instant),
    ),
    createColumn(
      'wind_mw',
      hours.map(({ wind }) => toMegawatts(wind)),
    ),
    createColumn(
      'total_re_mw',
      hours.map(({ renewable }) => toMegawatts(renewable)),
    ),
    createColumn(
      'renewable_share_pct',
      hours.map(({ renewable, share }) => (renewable === null ? null : share)),
    ),
  );
}

interface Comparison {
  readonly start: number;
  readonly other: number;
  readonly hours: number;
  readonly align: 'position' | 'hourOfWeek';
  readonly timeZone: string;
}

/** Returns a function that converts an instant to local time, as the UTC milliseconds with the same date and time. */
function createClock(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  return ms => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 0, day = 0, hour, minute } = parts;
    return Date.UTC(year, month - 1, day, hour, minute);
  };
}

/** Pairs each hour of the current period with an hour of the other period, by local time only. */
function pairHours(current: readonly Hour[], others: readonly Hour[], comparison: Comparison): Pair[] {
  const { start, other, hours, align, timeZone } = comparison;
  const isInOther = (ms: number): boolean => ms >= other && ms < other + hours * hourMs;
  const findHour = (ms: number | undefined): Hour | undefined =>
    ms !== undefined && isInOther(ms) ? others.find(({ instant }) => instant === ms) : undefined;
  if (align === 'position')
    return current.map(hour => ({ current: hour, other: findHour(hour.instant - start + other) }));
  const clock = createClock(timeZone);
  const getDay = (ms: number): number => Math.floor(clock(ms) / (24 * hourMs)) * 24 * hourMs;
  const distance = Math.round((getDay(start) - getDay(other)) / weekMs) * weekMs;
  const listInstants = (localTime: number): number[] =>
    [-30, -1, 0, 1, 30]
      .flatMap(offset => Array.from({ length: 30 }, (_, index) => localTime + (offset + index - 15) * hourMs))
      .filter((ms, index, instants) => clock(ms) === localTime && instants.indexOf(ms) === index)
      .toSorted((a, b) => a - b);
  return current.map(hour => {
    const [first, second] = listInstants(clock(hour.instant) - distance);
    const isSecond = listInstants(clock(hour.instant)).indexOf(hour.instant) === 1;
    return { current: hour, other: findHour(isSecond ? (second ?? first) : first) };
  });
}

const tenths = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -3000, max: 40_000 }) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const positive = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 10, max: 40_000 }) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const hour = fc.option(
  fc.record({
    wind: tenths,
    renewable: positive,
    share: fc.integer({ min: 1, max: 990 }).map(tenth => tenth / 10),
  }),
  { freq: 6, nil: undefined },
);
const comparison = fc.record({
  start: fc.constantFrom('2023-03-20', '2023-03-24', '2023-10-27', '2022-11-05', '2023-05-01').map(Date.parse),
  weeks: fc.constantFrom(1, 2, 52),
  extra: fc.integer({ min: -4, max: 4 }),
  align: fc.constantFrom('position', 'hourOfWeek'),
  timeZone: fc.constantFrom('UTC', 'Africa/Johannesburg', 'Europe/Berlin', 'America/New_York'),
});

/** The number of comparisons of each figure, over all generated cases. */
const comparedCount = { change: 0, shares: 0, extremes: 0, events: 0 };

describe('a comparison', () => {
  it('does not average differences of shares if their energies are unknown', () => {
    const createHours = (instant: number): Hour[] => [{ instant, wind: 1, renewable: 500, share: 5 }];
    const comparisonOptions = { start: weekMs, other: 0, hours: 1, align: 'position', timeZone: 'UTC' } as const;
    const { columns, rowCount } = createComparison(createHours(weekMs), createHours(0), comparisonOptions);
    const frame = { rowCount, columns: columns.filter(({ name }) => !name.startsWith('total_re_mw')) };
    const difference = findColumn(frame, 'renewable_share_pct · difference');
    assert.equal(findShareParts(frame, difference), undefined);
    assertNoMean(difference);
  });

  it('has the same pairs, energies, shares, differences, extremes and events as an independent model', () => {
    fc.assert(
      fc.property(
        comparison,
        fc.array(fc.tuple(hour, hour), { minLength: 3, maxLength: 120 }),
        ({ weeks, extra, ...rest }, hourPairs) => {
          const other = rest.start - weeks * weekMs + extra * hourMs;
          const comparisonOptions: Comparison = { ...rest, other, hours: hourPairs.length };
          const listHours = (from: number, side: 0 | 1): Hour[] =>
            hourPairs.flatMap((pair, index) => (pair[side] ? [{ instant: from + index * hourMs, ...pair[side] }] : []));
          const current = listHours(rest.start, 0);
          const others = listHours(other, 1);
          fc.pre(current.length > 0 && others.length > 0);
          const frame = createComparison(current, others, comparisonOptions);
          const pairs = pairHours(current, others, comparisonOptions);
          checkPairs(frame, pairs);
          checkEnergies(frame, pairs);
          checkShares(frame, pairs);
          checkExtremes(frame, pairs);
          checkEvents(frame, pairs, comparisonOptions);
        },
      ),
      { numRuns: scaleRunCount(500) },
    );
    for (const [figure, count] of Object.entries(comparedCount))
      assert.ok(count > 20, `${figure} was compared only ${count} times`);
  });
});

function findColumn({ columns }: Frame, name: string): NumberColumn {
  const column = columns.find(candidate => candidate.name === name);
  return column?.kind === 'number' ? column : assert.fail(name);
}

function getCell(column: NumberColumn, row: number): number | null | undefined {
  const state = getCellState(column, row);
  return state === cellState.value ? column.values[row] : state === cellState.null ? null : undefined;
}

function assertNear(current: number | undefined, expected: number | undefined, label: string): void {
  if (current === undefined || expected === undefined) assert.equal(current, expected, label);
  else
    assert.ok(
      Math.abs(current - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
      `${label} is ${current}, not ${expected}`,
    );
}

function checkPairs(frame: Frame, pairs: readonly Pair[]): void {
  const compared = findColumn(frame, 'wind_mw · compared');
  const times = getTimesOfColumn(frame, compared) ?? assert.fail();
  pairs.forEach(({ other }, row) => {
    const expected = other && (other.wind === null ? null : other.wind / 10);
    assert.equal(getCell(compared, row), expected, `row ${row}`);
    if (other) assert.equal(times.values[row], other.instant, `time of row ${row}`);
  });
}

/** Checks energies and their change. The hours are in tenths of a megawatt, which are whole numbers, so that their sums are exact. */
function checkEnergies(frame: Frame, pairs: readonly Pair[]): void {
  const knownPairs = pairs.flatMap(({ current, other }) =>
    current.wind === null || other?.wind == null ? [] : [{ current: current.wind, other: other.wind }],
  );
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const currentSum = sum(knownPairs.map(({ current }) => current));
  const otherSum = sum(knownPairs.map(({ other }) => other));
  // An hour whose compared value is null has no percentage, but it counts.
  const change =
    knownPairs.length === 0 || otherSum === 0 ? undefined : (100 * (currentSum - otherSum)) / Math.abs(otherSum);
  const percent = findColumn(frame, 'wind_mw · percent');
  const parts = findShareParts(frame, percent);
  const { share, summary } = columnStatistics(percent, getTimesOfColumn(frame, percent), undefined, parts);
  if (summary) assertNear(share, change, 'change in Statistics');
  const rows = Array.from(pairs.keys());
  const stats = computeSelectionStats([percent], rows, hourMs, parts);
  if (stats.figures) assertNear(stats.figures.share, change, 'change in the footer');
  assert.doesNotMatch(formatSelection(rows.length, 2, stats, 'en', 'rounded'), /mean/);
  if (summary && change !== undefined) comparedCount.change++;
  const instants = new Set<number>();
  const hasRepeats = pairs.some(({ other }) => other && instants.size === instants.add(other.instant).size);
  for (const [name, values] of [
    ['wind_mw', pairs.flatMap(({ current }) => current.wind ?? [])],
    ['wind_mw · compared', pairs.flatMap(({ other }) => other?.wind ?? [])],
    ['wind_mw · difference', knownPairs.map(({ current, other }) => current - other)],
  ] as const) {
    const column = findColumn(frame, name);
    const duration = getColumnDuration(frame, column, hourMs);
    const statistics = columnStatistics(column, getTimesOfColumn(frame, column), undefined, undefined, duration);
    // The hour is counted once, since otherwise it would count for longer than it lasts.
    if (!hasRepeats || name === 'wind_mw') assert.equal(duration, hourMs, name);
    const { energy } = createColumnReport(column, statistics, 'en', 'rounded');
    if (duration !== undefined && values.length > 0) {
      assert.equal(energy?.exact, `${sum(values) / 10} MWh`, name);
      assert.equal(energy.hours, `${values.length} h`, name);
    } else assert.equal(energy, undefined, name);
  }
}

/** Returns the share computed from the energies of one period, or undefined without any hour. */
function computeShare(hours: readonly (Hour | undefined)[]): number | undefined {
  let part = 0;
  let whole = 0;
  for (const hour of hours) {
    if (hour?.renewable == null) continue;
    part += hour.renewable;
    whole += (100 * hour.renewable) / hour.share;
  }
  return whole === 0 ? undefined : (100 * part) / whole;
}

function checkShares(frame: Frame, pairs: readonly Pair[]): void {
  const current = computeShare(pairs.map(pair => pair.current));
  const other = computeShare(pairs.map(pair => pair.other));
  const shares = ['renewable_share_pct', 'renewable_share_pct · compared', 'renewable_share_pct · difference'].map(
    name => {
      const column = findColumn(frame, name);
      const parts = findShareParts(frame, column);
      const { share, summary } = columnStatistics(column, getTimesOfColumn(frame, column), undefined, parts);
      const { figures } = computeSelectionStats([column], Array.from(pairs.keys()), hourMs, parts);
      if (summary) assert.equal(figures?.share, share, name);
      if (summary && share === undefined && name.endsWith('difference')) assertNoMean(column);
      return summary && share;
    },
  );
  assertNear(shares[0], current, 'share');
  assertNear(shares[1], other, 'compared share');
  if (current === undefined || other === undefined || shares[2] === undefined) return;
  assertNear(shares[2], (shares[0] ?? NaN) - (shares[1] ?? NaN), 'difference of the displayed shares');
  comparedCount.shares++;
  assert.ok(frame.columns.every(({ name }) => name !== 'renewable_share_pct · percent'));
}

/** Checks that a difference of shares with unknown energies has no mean, because a mean may contradict the two shares. */
function assertNoMean(column: NumberColumn): void {
  const statistics = columnStatistics(column);
  assert.equal(getMean(column, statistics), undefined);
  const stats = computeSelectionStats([column], Array.from(column.values.keys()), hourMs);
  assert.doesNotMatch(formatSelection(column.values.length, 1, stats, 'en', 'rounded'), /mean/);
}

/** Checks the minimum and the maximum of the compared period, each at its first hour. */
function checkExtremes(frame: Frame, pairs: readonly Pair[]): void {
  const column = findColumn(frame, 'wind_mw · compared');
  const { summary } = columnStatistics(column, getTimesOfColumn(frame, column));
  const known = pairs.flatMap(({ other }) =>
    other?.wind == null ? [] : [{ instant: other.instant, value: other.wind }],
  );
  if (known.length === 0) {
    assert.equal(summary, undefined);
    return;
  }
  for (const [extreme, pick] of [
    [summary?.min, Math.min],
    [summary?.max, Math.max],
  ] as const) {
    const value = pick(...known.map(hour => hour.value));
    const instant = Math.min(...known.filter(hour => hour.value === value).map(hour => hour.instant));
    assert.deepEqual([extreme?.value, extreme?.instant], [value / 10, instant]);
  }
  comparedCount.extremes++;
}

/** Checks that events in the compared column equal the events in the other period alone. */
function checkEvents(frame: Frame, pairs: readonly Pair[], { other, hours }: Comparison): void {
  const isAboveLimit = (column: string) =>
    ({ kind: 'condition', condition: `${quoteColumnName(column)} > 1500` }) as const;
  const range = { start: other, end: other + hours * hourMs, intervalMs: hourMs };
  const paired = new Map(pairs.flatMap(pair => (pair.other ? [[pair.other.instant, pair.other] as const] : [])));
  const otherFrame = buildFrame([...paired.values()].toSorted((a, b) => a.instant - b.instant));
  const found = createEventFrame(frame, {
    rule: isAboveLimit('wind_mw · compared'),
    column: 'wind_mw · compared',
    ...range,
  });
  const expected = createEventFrame(otherFrame, { rule: isAboveLimit('wind_mw'), column: 'wind_mw', ...range });
  assert.equal(found.rowCount, expected.rowCount);
  for (const name of ['start', 'end', 'extreme_at']) {
    const [current, expectedColumn] = [found, expected].map(({ columns }) =>
      columns.find(candidate => candidate.name === name),
    );
    assert.deepEqual(
      current?.kind === 'time' && [...current.values],
      expectedColumn?.kind === 'time' && [...expectedColumn.values],
      name,
    );
  }
  comparedCount.events += found.rowCount;
}
