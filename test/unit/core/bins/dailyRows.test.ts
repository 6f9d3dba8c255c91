import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { gridStressFields, stressField, systemStateFields } from '../../../../src/shared/fields.ts';
import { cellState, getCellState, type Frame } from '../../../../src/shared/frame.ts';
import { hourCount } from '../../../../src/shared/units.ts';
import { createFrame, numberColumn, timeColumn, type Cell } from '../filter/columns.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 1);

interface Day {
  readonly hasRow: boolean;
  readonly wind: number | null;
  readonly renewable: number;
  readonly share: number;
  /** The number of hours that its power is averaged over. */
  readonly hours: number;
  readonly present: number;
}

const day: fc.Arbitrary<Day> = fc.record({
  hasRow: fc.boolean(),
  wind: fc.option(fc.integer({ min: 0, max: 900 }), { freq: 6 }),
  renewable: fc.integer({ min: 1, max: 900 }),
  share: fc.integer({ min: 1, max: 50 }),
  hours: fc.integer({ min: 0, max: 24 }),
  present: fc.integer({ min: 0, max: 24 }),
});

type DayAt = Day & { readonly ms: number };

function createFrameOfDays(days: readonly DayAt[]): Frame {
  const hours = Float64Array.from(days, day => day.hours);
  const getField = (name: string) => systemStateFields.get(name) ?? assert.fail(name);
  const createColumn = (name: string, cells: readonly Cell[]) => ({
    ...numberColumn(name, cells),
    field: getField(name),
  });
  return createFrame(
    timeColumn(
      'ts',
      days.map(({ ms }) => ms),
    ),
    numberColumn(
      'hours',
      days.map(({ present }) => present),
      hourCount,
    ),
    numberColumn(
      'of_hours',
      days.map(() => 24),
      hourCount,
    ),
    {
      ...createColumn(
        'wind_mw',
        days.map(({ wind }) => wind),
      ),
      hours,
    },
    {
      ...createColumn(
        'total_re_mw',
        days.map(({ renewable }) => renewable),
      ),
      hours,
    },
    createColumn(
      'renewable_share_pct',
      days.map(({ share }) => share),
    ),
  );
}

/** Resamples by month and returns a reader of cells, which returns undefined for an empty cell. */
function resampleByMonth(frame: Frame, days: number): (name: string, month: number) => number | undefined {
  const months = resampleFrame(frame, {
    by: 'month',
    timeZone: 'UTC',
    label: 'UTC',
    names: [],
    start,
    end: start + days * dayMs,
    intervalMs: dayMs,
  });
  return (name, month) => {
    const column = months.columns.find(candidate => candidate.name === name);
    assert.ok(column?.kind === 'number', name);
    return getCellState(column, month) === cellState.value ? column.values[month] : undefined;
  };
}

describe('days that are resampled by month', () => {
  it('weights each day by the hours for which it has a value', () => {
    const check = (allDays: readonly Day[]): void => {
      const days = allDays
        .map((fields, index): DayAt => ({ ...fields, ms: start + index * dayMs }))
        .filter(({ hasRow }) => hasRow);
      const actual = resampleByMonth(createFrameOfDays(days), allDays.length);
      for (const [month, monthDays] of Map.groupBy(days, ({ ms }) => new Date(ms).getUTCMonth())) {
        const sum = (value: (row: Day) => number, summed = monthDays): number =>
          summed.reduce((total, row) => total + value(row), 0);
        const daysWithWind = monthDays.filter(({ wind }) => wind !== null);
        const hours = sum(day => day.hours, daysWithWind);
        const mwh = sum(({ wind, hours: weight }) => (wind ?? 0) * weight, daysWithWind);
        assertNear(actual('wind_mwh', month), hours > 0 ? mwh : undefined);
        assertNear(actual('wind_mw', month), hours > 0 ? mwh / hours : undefined);
        const total = sum(({ renewable, share, hours: weight }) => (renewable / share) * weight);
        assertNear(
          actual('renewable_share_pct', month),
          total > 0 ? sum(({ renewable, hours: weight }) => renewable * weight) / total : undefined,
        );
        assert.equal(
          actual('hours', month),
          sum(({ present }) => present),
        );
        assert.equal(actual('of_hours', month), 24 * new Date(Date.UTC(2026, month + 1, 0)).getUTCDate());
      }
    };
    fc.assert(fc.property(fc.array(day, { minLength: 1, maxLength: 80 }), check), { numRuns: scaleRunCount(150) });
  });

  it('returns no hours per band of the stress index, because a mean does not determine their distribution', () => {
    const stress = {
      ...numberColumn(stressField, [0.1, 0.9]),
      field: gridStressFields.get(stressField) ?? assert.fail(),
    };
    const resampled = resampleFrame(createFrame(timeColumn('ts', [start, start + dayMs]), stress), {
      by: 'month',
      timeZone: 'UTC',
      label: 'UTC',
      names: [],
      start,
      end: start + 2 * dayMs,
      intervalMs: dayMs,
    });
    assert.deepEqual(
      resampled.columns.map(({ name }) => name),
      ['ts', 'hours', 'of_hours', 'value', 'value_min', 'value_max'],
    );
  });
});

function assertNear(actual: number | undefined, expected: number | undefined): void {
  const isNear =
    actual === expected || Math.abs((actual ?? NaN) - (expected ?? NaN)) <= 1e-9 * Math.abs(expected ?? NaN);
  assert.ok(isNear, `${actual} is not ${expected}`);
}
