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
import { frameOf, numberColumn, timeColumn } from '../../core/filter/columns.ts';
import { columnStatistics, hourMs } from './columns.ts';

/** A value in tenths of a megawatt; null if the service sent no number. */
interface Hour {
  readonly at: number;
  readonly wind: number | null;
  readonly renewable: number | null;
  /** Percent; null as `renewable` is. */
  readonly share: number;
}

/** An hour of this period, and the hour of the other period with which it is compared. */
interface Pair {
  readonly current: Hour;
  readonly other: Hour | undefined;
}

const weekMs = 168 * hourMs;

function createComparison(current: readonly Hour[], other: readonly Hour[], comparison: Comparison): Frame {
  return compareFrames(received(current), received(other), {
    align: comparison.align,
    timeZone: comparison.timeZone,
    intervalMs: hourMs,
    comparedWith: 'previous period',
    translate: fillIn,
    base: { start: comparison.start, end: comparison.start + comparison.hours * hourMs },
    other: { start: comparison.other, end: comparison.other + comparison.hours * hourMs },
  });
}

function received(hours: readonly Hour[]): Frame {
  const described = (name: string, cells: readonly (number | null)[]): NumberColumn => {
    const field = systemStateFields.get(name);
    return { ...numberColumn(name, cells), ...(field && { field }) };
  };
  const mw = (tenths: number | null): number | null => tenths && tenths / 10;
  return frameOf(
    timeColumn(
      'ts',
      hours.map(({ at }) => at),
    ),
    described(
      'wind_mw',
      hours.map(({ wind }) => mw(wind)),
    ),
    described(
      'total_re_mw',
      hours.map(({ renewable }) => mw(renewable)),
    ),
    described(
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

/** Converts an instant to the local time of a zone, as the UTC milliseconds at which a clock in UTC shows the same. */
function clockOf(timeZone: string): (ms: number) => number {
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

/** Pairs each hour of this period with one of the other period by local time alone. */
function pairHours(current: readonly Hour[], others: readonly Hour[], comparison: Comparison): Pair[] {
  const { start, other, hours, align, timeZone } = comparison;
  const inOther = (ms: number): boolean => ms >= other && ms < other + hours * hourMs;
  const hourAt = (ms: number | undefined): Hour | undefined =>
    ms !== undefined && inOther(ms) ? others.find(({ at }) => at === ms) : undefined;
  if (align === 'position') return current.map(hour => ({ current: hour, other: hourAt(hour.at - start + other) }));
  const clock = clockOf(timeZone);
  const dayOf = (ms: number): number => Math.floor(clock(ms) / (24 * hourMs)) * 24 * hourMs;
  const back = Math.round((dayOf(start) - dayOf(other)) / weekMs) * weekMs;
  const showing = (wall: number): number[] =>
    [-30, -1, 0, 1, 30]
      .flatMap(by => Array.from({ length: 30 }, (_, at) => wall + (by + at - 15) * hourMs))
      .filter((ms, at, all) => clock(ms) === wall && all.indexOf(ms) === at)
      .toSorted((a, b) => a - b);
  return current.map(hour => {
    const [first, second] = showing(clock(hour.at) - back);
    const isSecond = showing(clock(hour.at)).indexOf(hour.at) === 1;
    return { current: hour, other: hourAt(isSecond ? (second ?? first) : first) };
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

/** Counts how often each figure was compared, over all cases. */
const comparedCount = { change: 0, shares: 0, extremes: 0, events: 0 };

describe('a comparison', () => {
  it('does not average differences of shares if their energies are unknown', () => {
    const hours = (at: number): Hour[] => [{ at, wind: 1, renewable: 500, share: 5 }];
    const comparisonOptions = { start: weekMs, other: 0, hours: 1, align: 'position', timeZone: 'UTC' } as const;
    const { columns, rowCount } = createComparison(hours(weekMs), hours(0), comparisonOptions);
    const frame = { rowCount, columns: columns.filter(({ name }) => !name.startsWith('total_re_mw')) };
    const difference = columnNamed(frame, 'renewable_share_pct · difference');
    assert.equal(findShareParts(frame, difference), undefined);
    unknown(difference);
  });

  it('has the pairs, energies, shares, differences, extremes and events of an independent model', () => {
    fc.assert(
      fc.property(
        comparison,
        fc.array(fc.tuple(hour, hour), { minLength: 3, maxLength: 120 }),
        ({ weeks, extra, ...rest }, all) => {
          const other = rest.start - weeks * weekMs + extra * hourMs;
          const comparisonOptions: Comparison = { ...rest, other, hours: all.length };
          const hoursOf = (from: number, side: 0 | 1): Hour[] =>
            all.flatMap((pair, at) => (pair[side] ? [{ at: from + at * hourMs, ...pair[side] }] : []));
          const [current, others] = [hoursOf(rest.start, 0), hoursOf(other, 1)];
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
    for (const [figure, count] of Object.entries(comparedCount)) assert.ok(count > 20, `${figure}: ${count}`);
  });
});

function columnNamed({ columns }: Frame, name: string): NumberColumn {
  const column = columns.find(one => one.name === name);
  return column?.kind === 'number' ? column : assert.fail(name);
}

function cellAt(column: NumberColumn, row: number): number | null | undefined {
  const state = getCellState(column, row);
  return state === cellState.value ? column.values[row] : state === cellState.null ? null : undefined;
}

function assertNear(current: number | undefined, expected: number | undefined, where: string): void {
  if (current === undefined || expected === undefined) assert.equal(current, expected, where);
  else
    assert.ok(
      Math.abs(current - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
      `${where}: ${current}, not ${expected}`,
    );
}

function checkPairs(frame: Frame, pairs: readonly Pair[]): void {
  const compared = columnNamed(frame, 'wind_mw · compared');
  const times = getTimesOfColumn(frame, compared) ?? assert.fail();
  pairs.forEach(({ other }, row) => {
    const expected = other && (other.wind === null ? null : other.wind / 10);
    assert.equal(cellAt(compared, row), expected, `row ${row}`);
    if (other) assert.equal(times.values[row], other.at, `time of row ${row}`);
  });
}

/** Sums tenths, which are whole numbers. */
function checkEnergies(frame: Frame, pairs: readonly Pair[]): void {
  const both = pairs.flatMap(({ current, other }) =>
    current.wind === null || other?.wind == null ? [] : [{ own: current.wind, other: other.wind }],
  );
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const [currentSum, otherSum] = [sum(both.map(({ own: current }) => current)), sum(both.map(({ other }) => other))];
  // An hour whose compared value is null has no percentage, but it counts.
  const change = both.length === 0 || otherSum === 0 ? undefined : (100 * (currentSum - otherSum)) / Math.abs(otherSum);
  const percent = columnNamed(frame, 'wind_mw · percent');
  const parts = findShareParts(frame, percent);
  const { share, summary } = columnStatistics(percent, getTimesOfColumn(frame, percent), undefined, parts);
  if (summary) assertNear(share, change, 'change in Statistics');
  const rows = Array.from(pairs.keys());
  const stats = computeSelectionStats([percent], rows, hourMs, parts);
  if (stats.figures) assertNear(stats.figures.share, change, 'change in the footer');
  assert.doesNotMatch(formatSelection(rows.length, 2, stats, 'en', 'rounded'), /mean/);
  if (summary && change !== undefined) comparedCount.change++;
  const lacking = new Set<number>();
  const repeats = pairs.some(({ other }) => other && lacking.size === lacking.add(other.at).size);
  for (const [name, values] of [
    ['wind_mw', pairs.flatMap(({ current }) => current.wind ?? [])],
    ['wind_mw · compared', pairs.flatMap(({ other }) => other?.wind ?? [])],
    ['wind_mw · difference', both.map(({ own: current, other }) => current - other)],
  ] as const) {
    const column = columnNamed(frame, name);
    const duration = getColumnDuration(frame, column, hourMs);
    const statistics = columnStatistics(column, getTimesOfColumn(frame, column), undefined, undefined, duration);
    // The hour is counted once, since otherwise it would count for longer than it lasts.
    if (!repeats || name === 'wind_mw') assert.equal(duration, hourMs, name);
    const { energy } = createColumnReport(column, statistics, 'en', 'rounded');
    if (duration !== undefined && values.length > 0) {
      assert.equal(energy?.exact, `${sum(values) / 10} MWh`, name);
      assert.equal(energy.hours, `${values.length} h`, name);
    } else assert.equal(energy, undefined, name);
  }
}

/** Computes the share from the energies of one side; undefined without any hour. */
function shareOf(hours: readonly (Hour | undefined)[]): number | undefined {
  let [part, whole] = [0, 0];
  for (const one of hours) {
    if (one?.renewable == null) continue;
    part += one.renewable;
    whole += (100 * one.renewable) / one.share;
  }
  return whole === 0 ? undefined : (100 * part) / whole;
}

function checkShares(frame: Frame, pairs: readonly Pair[]): void {
  const [current, other] = [shareOf(pairs.map(pair => pair.current)), shareOf(pairs.map(pair => pair.other))];
  const shown = ['renewable_share_pct', 'renewable_share_pct · compared', 'renewable_share_pct · difference'].map(
    name => {
      const column = columnNamed(frame, name);
      const parts = findShareParts(frame, column);
      const { share, summary } = columnStatistics(column, getTimesOfColumn(frame, column), undefined, parts);
      const { figures } = computeSelectionStats([column], Array.from(pairs.keys()), hourMs, parts);
      if (summary) assert.equal(figures?.share, share, name);
      if (summary && share === undefined && name.endsWith('difference')) unknown(column);
      return summary && share;
    },
  );
  assertNear(shown[0], current, 'share');
  assertNear(shown[1], other, 'compared share');
  if (current === undefined || other === undefined || shown[2] === undefined) return;
  assertNear(shown[2], (shown[0] ?? NaN) - (shown[1] ?? NaN), 'difference of the shares shown');
  comparedCount.shares++;
  assert.ok(frame.columns.every(({ name }) => name !== 'renewable_share_pct · percent'));
}

/** A difference of shares with unknown energies must not be the mean of the differences, which may contradict the two shares. */
function unknown(column: NumberColumn): void {
  const statistics = columnStatistics(column);
  assert.equal(getMean(column, statistics), undefined);
  const stats = computeSelectionStats([column], Array.from(column.values.keys()), hourMs);
  assert.doesNotMatch(formatSelection(column.values.length, 1, stats, 'en', 'rounded'), /mean/);
}

/** Finds the first hour with the maximum and the first with the minimum. */
function checkExtremes(frame: Frame, pairs: readonly Pair[]): void {
  const column = columnNamed(frame, 'wind_mw · compared');
  const { summary } = columnStatistics(column, getTimesOfColumn(frame, column));
  const known = pairs.flatMap(({ other }) => (other?.wind == null ? [] : [{ at: other.at, value: other.wind }]));
  if (known.length === 0) {
    assert.equal(summary, undefined);
    return;
  }
  for (const [extreme, pick] of [
    [summary?.min, Math.min],
    [summary?.max, Math.max],
  ] as const) {
    const value = pick(...known.map(one => one.value));
    const at = Math.min(...known.filter(one => one.value === value).map(one => one.at));
    assert.deepEqual([extreme?.value, extreme?.instant], [value / 10, at]);
  }
  comparedCount.extremes++;
}

/** Runs above a limit in the compared column must equal the runs in the other period alone. */
function checkEvents(frame: Frame, pairs: readonly Pair[], { other, hours }: Comparison): void {
  const over = (column: string) => ({ kind: 'condition', condition: `${quoteColumnName(column)} > 1500` }) as const;
  const range = { start: other, end: other + hours * hourMs, intervalMs: hourMs };
  const paired = new Map(pairs.flatMap(pair => (pair.other ? [[pair.other.at, pair.other] as const] : [])));
  const alone = received([...paired.values()].toSorted((a, b) => a.at - b.at));
  const found = createEventFrame(frame, { rule: over('wind_mw · compared'), column: 'wind_mw · compared', ...range });
  const expected = createEventFrame(alone, { rule: over('wind_mw'), column: 'wind_mw', ...range });
  assert.equal(found.rowCount, expected.rowCount);
  for (const name of ['start', 'end', 'extreme_at']) {
    const [current, expectedColumn] = [found, expected].map(({ columns }) => columns.find(one => one.name === name));
    assert.deepEqual(
      current?.kind === 'time' && [...current.values],
      expectedColumn?.kind === 'time' && [...expectedColumn.values],
      name,
    );
  }
  comparedCount.events += found.rowCount;
}
