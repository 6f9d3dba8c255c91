import assert from 'node:assert/strict';
import { restoreComparison } from '../../../../src/core/dataFile/fileComparison.ts';
import { formatEnglish } from '../../../../src/core/bins/binSums.ts';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import {
  compareFrames,
  listComparedPairs,
  getTimesOfColumn,
  addFurtherPeriod,
  type CompareOptions,
} from '../../../../src/core/compare/compareFrames.ts';
import { summaryFrame } from '../../../../src/core/statistics/summaryFrame.ts';
import { dayMs, hourMs, weekMs } from '../../../../src/shared/durations.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import type { Column, Frame } from '../../../../src/shared/frame.ts';
import { summaryFigures } from '../../../../src/shared/summaryFigures.ts';
import { fillIn } from '../../../l10n/fillIn.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';
import { readRows } from '../snippets/panelRows.ts';

const monday = Date.parse('2026-11-16T00:00Z');
const names = [
  ...['residual_demand_mw', 'thermal_mw', 'nuclear_mw', 'eskom_gas_mw', 'eskom_ocgt_mw', 'hydro_water_mw', 'wind_mw'],
  ...['pv_mw', 'total_re_mw', 'renewable_share_pct'],
];

/** Creates two days of system state, the given number of weeks before the base, with one null. */
function createDaysBefore(weeks: number): Frame {
  const start = monday - weeks * weekMs;
  const hours = Array.from({ length: 48 }, (_, hour) => hour);
  const numbers = names.map((name, index) => {
    const cells = hours.map(hour => (hour === 5 + weeks ? null : 100 * (index + 1) + 10 * weeks + (hour % 24)));
    const field = systemStateFields.get(name);
    return { ...numberColumn(name, cells), ...(field && { field }) };
  });
  return createFrame(
    timeColumn(
      'ts',
      hours.map(hour => start + hour * hourMs),
    ),
    ...numbers,
  );
}

const createOptions = (weeks: number): CompareOptions => {
  const start = monday - weeks * weekMs;
  return {
    align: 'position',
    intervalMs: hourMs,
    timeZone: 'UTC',
    comparedWith: `${weeks} before`,
    translate: fillIn,
    base: { start: monday, end: monday + 2 * dayMs },
    other: { start, end: start + 2 * dayMs },
  };
};

const base = createDaysBefore(0);
const separateComparisons = [1, 2, 3].map(weeks => compareFrames(base, createDaysBefore(weeks), createOptions(weeks)));
const joinedComparison = [2, 3].reduce(
  (frame, weeks) => addFurtherPeriod(frame, base, createDaysBefore(weeks), createOptions(weeks), weeks),
  separateComparisons[0] ?? base,
);

const getColumn = ({ columns }: Frame, name: string): Column =>
  columns.find(candidate => candidate.name === name) ??
  assert.fail(`no ${name} in ${columns.map(candidate => candidate.name).join(', ')}`);
/** Returns a column without its name, and the name of its period. */
const describeColumn = (frame: Frame, name: string) => {
  const { field, name: _, path: __, ...cells } = getColumn(frame, name);
  return [cells, field?.unit, field?.figure];
};

/** Asserts that each column of a further period equals that of a comparison with this period only, except for its number. */
function assertSame(joined: Frame, separate: readonly (Frame | undefined)[], pattern: RegExp): void {
  separate.forEach((comparison, index) => {
    const comparedColumns = comparison?.columns.filter(({ name }) => pattern.test(name)) ?? [];
    assert.ok(comparedColumns.length > 3);
    for (const { name } of comparedColumns)
      assert.deepEqual(
        describeColumn(joined, index === 0 ? name : `${name} ${index + 1}`),
        comparison && describeColumn(comparison, name),
        name,
      );
  });
}

describe('a comparison with several periods', () => {
  it('adds the columns of a comparison with each period, and differences from the base', () => {
    assertSame(joinedComparison, separateComparisons, / · compared$/);
    assert.ok(!joinedComparison.columns.some(({ name }) => / · (?:difference|percent) \d/.test(name)));
    assert.deepEqual(
      joinedComparison.columns.slice(0, 10).map(({ name }) => name),
      [
        ...['ts', 'ts · compared', 'ts · compared 2', 'ts · compared 3', 'residual_demand_mw'],
        ...['compared', 'difference', 'percent', 'compared 2', 'compared 3'].map(as => `residual_demand_mw · ${as}`),
      ],
    );
    assert.deepEqual(listComparedPairs(joinedComparison).slice(0, 3), [
      ['residual_demand_mw', 'residual_demand_mw · compared'],
      ['residual_demand_mw', 'residual_demand_mw · compared 2'],
      ['residual_demand_mw', 'residual_demand_mw · compared 3'],
    ]);
    assert.equal(getTimesOfColumn(joinedComparison, { name: 'wind_mw · compared 3' })?.values[0], monday - 3 * weekMs);
    assert.equal(getTimesOfColumn(joinedComparison, { name: 'wind_mw' })?.values[0], monday);
  });

  it('keeps each number with its instants if a period lacks the column', () => {
    const removeColumn = (frame: Frame): Frame => ({
      ...frame,
      columns: frame.columns.filter(({ name }) => name !== 'wind_mw'),
    });
    const first = compareFrames(base, removeColumn(createDaysBefore(1)), createOptions(1));
    const joined = addFurtherPeriod(first, base, createDaysBefore(2), createOptions(2), 2);
    assert.ok(!joined.columns.some(({ name }) => name === 'wind_mw · compared'));
    assert.equal(getTimesOfColumn(joined, { name: 'wind_mw · compared 2' })?.values[0], monday - 2 * weekMs);
    const summary = readRows(summaryFrame({ frame: joined, intervalMs: hourMs }, ['extremes'], formatEnglish));
    const wind = summary.find(row => row['field'] === 'wind_mw');
    assert.deepEqual([wind?.['max · compared'], wind?.['max · compared 2']], [null, 743]);
    const days = {
      by: 'day',
      start: monday,
      end: monday + 2 * dayMs,
      intervalMs: hourMs,
      timeZone: 'UTC',
      label: 'UTC',
    } as const;
    const resampled = resampleFrame(joined, { ...days, names: [] }).columns.map(({ name }) => name);
    assert.ok(resampled.includes('wind_mw · compared 2') && !resampled.includes('wind_mw · difference'));
  });

  it('recognizes the comparison by its column names in a file, with the instants of each period', () => {
    const columns = joinedComparison.columns.map(source => {
      const { field, ...cells } = source;
      assert.ok(field || cells.name === 'ts');
      return cells satisfies Column;
    });
    const span = '2026-11-09T00:00:00Z/2026-11-11T00:00:00Z';
    const comparisonText = [`1 before ${span}, 48 of 48 steps`, `2 before ${span}`, `3 before ${span}`].join('; ');
    const parsed = restoreComparison({ rowCount: joinedComparison.rowCount, columns }, comparisonText);
    const compares = getColumn(parsed, 'wind_mw · compared 3').field?.comparison;
    assert.deepEqual(compares, {
      role: 'compared',
      baseName: 'wind_mw',
      rangeName: '3 before',
      hasBaseLabel: true,
      period: 3,
    });
    assert.equal(getTimesOfColumn(parsed, getColumn(parsed, 'wind_mw · compared 3'))?.values[0], monday - 3 * weekMs);
    assert.deepEqual(listComparedPairs(parsed), listComparedPairs(joinedComparison));
  });

  it('resamples each period by its own hours', () => {
    for (const by of ['day', 'hourOfDay'] as const) {
      const range = { start: monday, end: monday + 2 * dayMs, intervalMs: hourMs };
      const zone = { timeZone: 'UTC', label: 'UTC' };
      const resampled = (frame: Frame): Frame =>
        resampleFrame(frame, { by, ...range, ...zone, names: Array.from({ length: 24 }, (_, hour) => String(hour)) });
      assertSame(resampled(joinedComparison), separateComparisons.map(resampled), / · compared$/);
    }
  });

  it("summarizes each period in its own column, with shares of that period's total and its times", () => {
    const summary = (frame: Frame): Frame => summaryFrame({ frame, intervalMs: hourMs }, summaryFigures, formatEnglish);
    assertSame(summary(joinedComparison), separateComparisons.map(summary), / · compared$/);
    const [first] = readRows(summary(joinedComparison));
    assert.ok(first?.['min_at · compared 3'] !== first?.['min_at · compared']);
  });
});
