import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareFrames, listComparedPairs } from '../../../../src/core/compare/compareFrames.ts';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { translateField, findShareParts, aggregateShareOfRows } from '../../../../src/core/bins/binSums.ts';
import { findHourCounts } from '../../../../src/core/bins/binFrame.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import { cellState, getCellState, getText, type Column, type Frame } from '../../../../src/shared/frame.ts';
import { binSizes, cycles, type Resampling } from '../../../../src/shared/resampling.ts';
import { fillIn } from '../../../l10n/fillIn.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { getBinName, type By } from '../bins/clockBins.ts';
import { numberColumn, timeColumn } from '../filter/columns.ts';

const hourMs = 3_600_000;
type Cell = number | null;
interface Hour {
  readonly ms: number;
  /** Total renewable generation in MW. */
  readonly part: Cell;
  readonly total: Cell;
}

const described = (column: Column): Column => {
  const field = systemStateFields.get(column.name);
  return { ...column, ...(field && { field }) };
};

const computeShare = ({ part, total }: Hour): Cell => (part === null || total === null ? null : (100 * part) / total);

function createFrame(hours: readonly Hour[]): Frame {
  const columns = [
    timeColumn(
      'ts',
      hours.map(({ ms }) => ms),
    ),
    described(
      numberColumn(
        'total_re_mw',
        hours.map(({ part }) => part),
      ),
    ),
    described(numberColumn('renewable_share_pct', hours.map(computeShare))),
  ];
  return { rowCount: hours.length, columns };
}

interface ComparisonSpec {
  readonly base: number;
  readonly other: number;
  readonly hours: number;
  readonly align: 'position' | 'hourOfWeek';
  readonly timeZone: string;
}

function compareHours(
  baseHours: readonly Hour[],
  otherHours: readonly Hour[],
  { base, other, hours, ...rest }: ComparisonSpec,
): Frame {
  return compareFrames(createFrame(baseHours), createFrame(otherHours), {
    ...rest,
    intervalMs: hourMs,
    comparedWith: 'previous period',
    translate: fillIn,
    base: { start: base, end: base + hours * hourMs },
    other: { start: other, end: other + hours * hourMs },
  });
}

function resampleComparison(frame: Frame, by: By, { base, hours, timeZone }: ComparisonSpec): Frame {
  const names = Array.from({ length: 24 }, (_, bin) => String(bin));
  const range = { start: base, end: base + hours * hourMs, intervalMs: hourMs };
  const resampling: Resampling = { by, timeZone, label: timeZone, ...range, names };
  return resampleFrame(frame, resampling);
}

const getColumn = ({ columns }: Frame, name: string): Column =>
  columns.find(column => column.name === name) ?? assert.fail(`no column ${name}`);

function readCell(frame: Frame, name: string, row: number): Cell {
  const column = getColumn(frame, name);
  assert.ok(column.kind === 'number');
  return getCellState(column, row) === cellState.value ? (column.values[row] ?? NaN) : null;
}

/** Models the figures of some hours by the rules. */
function computeFigures(hours: readonly Hour[]) {
  const parts = hours.flatMap(({ part }) => part ?? []);
  const energy = parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0);
  const hoursWithShare = hours.filter(hour => computeShare(hour) !== null);
  const [part, total] = [hoursWithShare, hoursWithShare].map((list, index) =>
    list.reduce((sum, hour) => sum + ((index === 0 ? hour.part : hour.total) ?? 0), 0),
  );
  const isUnknown = hoursWithShare.some(hour => computeShare(hour) === 0) && part !== 0;
  const share = hoursWithShare.length === 0 || isUnknown ? null : (100 * (part ?? NaN)) / (total ?? NaN);
  return {
    total_re_mw: energy === null ? null : energy / parts.length,
    total_re_mwh: energy,
    renewable_share_pct: share,
  };
}

const starts = ['2023-03-25', '2023-10-28', '2022-11-05', '2023-12-28', '2023-05-01'];
const zones = ['UTC', 'Africa/Johannesburg', 'Europe/Berlin', 'America/New_York'];

describe('a resampled comparison', () => {
  it('resamples each period separately and compares the bins like an independent model, with gaps, nulls, zeros and clock changes', () => {
    const part = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 4000 }) },
      { weight: 2, arbitrary: fc.constantFrom(null, 0) },
    );
    const total = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 5000, max: 30_000 }) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
    const hour = fc.option(fc.record({ part, total }), { freq: 5, nil: undefined });
    const specs = fc.record({
      base: fc.constantFrom(...starts).map(day => Date.parse(day)),
      back: fc.constantFrom(24, 168, 337, 8736),
      align: fc.constantFrom('position', 'hourOfWeek'),
      timeZone: fc.constantFrom(...zones),
    });
    const list = fc.array(fc.tuple(hour, hour), { minLength: 3, maxLength: 200 });
    let comparisons = 0;
    fc.assert(
      fc.property(specs, list, fc.constantFrom<By>(...binSizes, ...cycles), ({ back, base, ...options }, pairs, by) => {
        const comparedStart = base - back * hourMs;
        const spec: ComparisonSpec = { ...options, base, other: comparedStart, hours: pairs.length };
        const createSide = (from: number, sideIndex: 0 | 1): Hour[] =>
          pairs.flatMap((pair, index) => (pair[sideIndex] ? [{ ms: from + index * hourMs, ...pair[sideIndex] }] : []));
        const baseHours = createSide(base, 0);
        const otherHours = createSide(comparedStart, 1);
        fc.pre(baseHours.length > 0);
        const frame = compareHours(baseHours, otherHours, spec);
        const resampled = resampleComparison(frame, by, spec);
        const times = getColumn(frame, 'ts · compared');
        assert.ok(times.kind === 'time');
        const [key] = resampled.columns;
        for (let row = 0; row < resampled.rowCount; row++) {
          const bin =
            key?.kind === 'time'
              ? getBinName(key.values[row] ?? NaN, by, options.timeZone)
              : key?.kind === 'text'
                ? getText(key.texts, row)
                : assert.fail();
          const rows = [...baseHours.keys()].filter(
            index => getBinName(baseHours[index]?.ms ?? NaN, by, options.timeZone) === bin,
          );
          const paired = rows.filter(index => getCellState(times, index) === cellState.value);
          // A cycle assigns the hours of the other period by their own local times, independent of their pairing.
          const isCycle = (cycles as readonly By[]).includes(by);
          const pairedInstants = [...baseHours.keys()]
            .filter(index => getCellState(times, index) === cellState.value)
            .map(index => times.values[index] ?? NaN);
          const instants = isCycle
            ? new Set(pairedInstants.filter(ms => getBinName(ms, by, options.timeZone) === bin))
            : new Set(paired.map(index => times.values[index] ?? NaN));
          const binHours = rows.flatMap(index => baseHours[index] ?? []);
          const comparedHours = otherHours.filter(({ ms }) => instants.has(ms));
          const assertNear = (name: string, expected: Cell): void => {
            const actual = readCell(resampled, name, row);
            const isNear =
              actual === null || expected === null
                ? actual === expected
                : Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected));
            assert.ok(isNear, `${name} of ${bin}: ${actual}, not ${expected}`);
          };
          assertNear('hours', binHours.length);
          // An interval without a row in the base counts for both periods.
          const intervals = isCycle
            ? (readCell(resampled, 'of_hours · compared', row) ?? 0)
            : (readCell(resampled, 'of_hours', row) ?? NaN) - rows.length + instants.size;
          assert.ok(intervals >= instants.size, `${intervals} hours, of which ${instants.size} are paired`);
          assertNear('hours · compared', intervals === 0 ? null : comparedHours.length);
          assertNear('of_hours · compared', intervals === 0 ? null : intervals);
          const baseFigures = computeFigures(binHours);
          const otherFigures = computeFigures(comparedHours);
          for (const name of ['total_re_mw', 'total_re_mwh', 'renewable_share_pct'] as const) {
            const a = baseFigures[name];
            const b = otherFigures[name];
            assertNear(name, a);
            assertNear(`${name} · compared`, b);
            assertNear(`${name} · difference`, a === null || b === null ? null : a - b);
            if (name === 'total_re_mwh')
              assertNear(`${name} · percent`, a === null || b === null || b === 0 ? null : (100 * (a - b)) / b);
            else assert.ok(resampled.columns.every(column => column.name !== `${name} · percent`));
            if (a !== null && b !== null) comparisons++;
          }
        }
      }),
      { numRuns: scaleRunCount(300) },
    );
    assert.ok(comparisons > 100);
  });

  const may = { base: Date.parse('2023-05-01'), other: Date.parse('2023-03-31'), hours: 744 } as const;
  const months: ComparisonSpec = { ...may, align: 'position', timeZone: 'UTC' };
  const createHours = (from: number, count: number): Hour[] =>
    Array.from({ length: count }, (_, index) => ({ ms: from + index * hourMs, part: 100 + index, total: 1000 }));

  it('reports the hours with data of each period, and lists the pairs of columns', () => {
    const comparison = compareHours(createHours(may.base, 744), createHours(may.other, 504), months);
    const resampled = resampleComparison(comparison, 'month', months);
    const counts = [false, true].map(isCompared =>
      findHourCounts(resampled, isCompared)?.map(({ values }) => values[0]),
    );
    assert.deepEqual(counts, [
      [744, 744],
      [504, 744],
    ]);
    const first = getColumn(resampled, 'ts · compared');
    assert.deepEqual(first.kind === 'time' && [...first.values], [may.other]);
    const pairs = listComparedPairs(resampled);
    assert.deepEqual(pairs.slice(0, 4), [
      ['hours', 'hours · compared'],
      ['of_hours', 'of_hours · compared'],
      ['total_re_mw', 'total_re_mw · compared'],
      ['renewable_share_pct', 'renewable_share_pct · compared'],
    ]);
    assert.ok(pairs.some(([baseName]) => baseName === 'total_re_mwh'));
    // The energy is unknown, because the two means are over different hours.
    assert.equal(getColumn(resampled, 'total_re_mw · difference').field?.unit?.mwhPerHour, undefined);
  });

  it('reports the times of the lowest and the highest hour of the compared period', () => {
    const frame = compareHours(createHours(may.base, 744), createHours(may.other, 744), months);
    const resampled = resampleComparison(frame, 'month', months);
    const readTimes = (name: string) => {
      const column = getColumn(resampled, name);
      return column.kind === 'number' && column.extremeAt?.[0];
    };
    assert.equal(readTimes('total_re_min_mw · compared'), may.other);
    assert.equal(readTimes('total_re_max_mw · compared'), may.other + 743 * hourMs);
    assert.equal(readTimes('total_re_max_mw'), may.base + 743 * hourMs);
  });

  it('calculates change and difference of shares over several bins from their energies', () => {
    const spec: ComparisonSpec = { base: may.base, other: may.other, hours: 72, align: 'position', timeZone: 'UTC' };
    const otherHours = createHours(may.other, 72).map((hour, index) => ({
      ...hour,
      part: index < 60 ? 50 : 900,
      total: 1000 + index,
    }));
    const resampled = resampleComparison(compareHours(createHours(may.base, 72), otherHours, spec), 'day', spec);
    const readShare = (name: string) => {
      const column = getColumn(resampled, name);
      const parts = column.kind === 'number' ? findShareParts(resampled, column) : undefined;
      return parts && aggregateShareOfRows(parts);
    };
    const sum = (list: readonly Hour[], member: 'part' | 'total') =>
      list.reduce((total, hour) => total + (hour[member] ?? 0), 0);
    const baseEnergy = sum(createHours(may.base, 72), 'part');
    const otherEnergy = sum(otherHours, 'part');
    const expected = (100 * baseEnergy) / 72_000 - (100 * otherEnergy) / sum(otherHours, 'total');
    assert.ok(Math.abs((readShare('renewable_share_pct · difference') ?? NaN) - expected) < 1e-9);
    assert.ok(
      Math.abs((readShare('total_re_mwh · percent') ?? NaN) - (100 * (baseEnergy - otherEnergy)) / otherEnergy) < 1e-9,
    );
  });

  it('compares weekdays with the same weekdays, also if the paired hours are on different weekdays', () => {
    // October 2026 begins on a Thursday, September on a Tuesday; one hour has no row.
    const base = Date.parse('2026-10-01');
    const other = Date.parse('2026-09-01');
    const spec = { base, other, hours: 720, align: 'position', timeZone: 'UTC' } as const;
    const otherHours = createHours(other, 720);
    const resampled = resampleComparison(
      compareHours(createHours(base, 720).toSpliced(50, 1), otherHours, spec),
      'weekday',
      spec,
    );
    for (let weekday = 0; weekday < 7; weekday++) {
      const same = otherHours.filter(
        ({ ms }) => (new Date(ms).getUTCDay() + 6) % 7 === weekday && ms !== other + 50 * hourMs,
      );
      const mean = same.reduce((sum, { part }) => sum + (part ?? 0), 0) / same.length;
      assert.ok(
        Math.abs((readCell(resampled, 'total_re_mw · compared', weekday) ?? NaN) - mean) < 1e-9,
        String(weekday),
      );
      const isOfGap = new Date(other + 50 * hourMs).getUTCDay() === (weekday + 1) % 7;
      assert.equal(readCell(resampled, 'of_hours · compared', weekday), same.length + Number(isOfGap));
    }
  });

  it('names the figure and its comparison only once', () => {
    const resampled = resampleComparison(
      compareHours(createHours(may.base, 744), createHours(may.other, 744), months),
      'month',
      months,
    );
    const readDescription = (name: string) => {
      const { field } = getColumn(resampled, name);
      const describedOnce = field && translateField(field);
      assert.deepEqual(describedOnce && translateField(describedOnce), describedOnce);
      return [describedOnce?.label, describedOnce?.meaning];
    };
    const { label, meaning } = systemStateFields.get('total_re_mw') ?? assert.fail();
    assert.deepEqual(readDescription('total_re_mwh · compared'), [
      `${label}, energy, previous period`,
      `${meaning || label}. Energy of the hours that have a value, in the previous period`,
    ]);
    assert.deepEqual(readDescription('total_re_mwh · percent'), [
      `${label}, energy, change`,
      `${label}, energy minus that of the previous period, as a percentage of the latter's absolute value. Each covers the hours of its own period, which may differ`,
    ]);
    assert.deepEqual(readDescription('hours · compared')[0], 'Hours, previous period');
    assert.deepEqual(readDescription('ts · compared')[0], 'Month, previous period');
  });
});
