import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { gridStressFields, stressField, systemStateFields } from '../../../../src/shared/fields.ts';
import { cellState, getCellState, type Frame } from '../../../../src/shared/frame.ts';
import { hourCount } from '../../../../src/shared/units.ts';
import { frameOf, numberColumn, timeColumn, type Cell } from '../filter/columns.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 1);

interface Day {
  readonly isThere: boolean;
  readonly wind: number | null;
  readonly renewable: number;
  readonly share: number;
  /** The number of hours that its power counts for. */
  readonly counts: number;
  readonly present: number;
}

const day: fc.Arbitrary<Day> = fc.record({
  isThere: fc.boolean(),
  wind: fc.option(fc.integer({ min: 0, max: 900 }), { freq: 6 }),
  renewable: fc.integer({ min: 1, max: 900 }),
  share: fc.integer({ min: 1, max: 50 }),
  counts: fc.integer({ min: 0, max: 24 }),
  present: fc.integer({ min: 0, max: 24 }),
});

type DayAt = Day & { readonly ms: number };

function frameOfDays(days: readonly DayAt[]): Frame {
  const hours = Float64Array.from(days, ({ counts }) => counts);
  const field = (name: string) => systemStateFields.get(name) ?? assert.fail(name);
  const column = (name: string, cells: readonly Cell[]) => ({ ...numberColumn(name, cells), field: field(name) });
  return frameOf(
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
      ...column(
        'wind_mw',
        days.map(({ wind }) => wind),
      ),
      hours,
    },
    {
      ...column(
        'total_re_mw',
        days.map(({ renewable }) => renewable),
      ),
      hours,
    },
    column(
      'renewable_share_pct',
      days.map(({ share }) => share),
    ),
  );
}

/** Resamples by month and returns the cells of a column; undefined for none. */
function byMonth(frame: Frame, days: number): (name: string, month: number) => number | undefined {
  const made = resampleFrame(frame, {
    by: 'month',
    timeZone: 'UTC',
    label: 'UTC',
    names: [],
    start,
    end: start + days * dayMs,
    stepMs: dayMs,
  });
  return (name, month) => {
    const column = made.columns.find(one => one.name === name);
    assert.ok(column?.kind === 'number', name);
    return getCellState(column, month) === cellState.value ? column.values[month] : undefined;
  };
}

describe('rows that are days, by month', () => {
  it('count for the hours that they have a value for', () => {
    const check = (all: readonly Day[]): void => {
      const days = all.map((one, at): DayAt => ({ ...one, ms: start + at * dayMs })).filter(({ isThere }) => isThere);
      const found = byMonth(frameOfDays(days), all.length);
      for (const [month, of] of Map.groupBy(days, ({ ms }) => new Date(ms).getUTCMonth())) {
        const sum = (value: (one: Day) => number, from = of): number =>
          from.reduce((total, one) => total + value(one), 0);
        const known = of.filter(({ wind }) => wind !== null);
        const hours = sum(({ counts }) => counts, known);
        const mwh = sum(({ wind, counts }) => (wind ?? 0) * counts, known);
        near(found('wind_mwh', month), hours > 0 ? mwh : undefined);
        near(found('wind_mw', month), hours > 0 ? mwh / hours : undefined);
        const whole = sum(({ renewable, share, counts }) => (renewable / share) * counts);
        near(
          found('renewable_share_pct', month),
          whole > 0 ? sum(({ renewable, counts }) => renewable * counts) / whole : undefined,
        );
        assert.equal(
          found('hours', month),
          sum(({ present }) => present),
        );
        assert.equal(found('of_hours', month), 24 * new Date(Date.UTC(2026, month + 1, 0)).getUTCDate());
      }
    };
    fc.assert(fc.property(fc.array(day, { minLength: 1, maxLength: 80 }), check), { numRuns: manyRuns(150) });
  });

  it('have no hours in the bands of the stress index, because a mean does not tell them', () => {
    const stress = {
      ...numberColumn(stressField, [0.1, 0.9]),
      field: gridStressFields.get(stressField) ?? assert.fail(),
    };
    const made = resampleFrame(frameOf(timeColumn('ts', [start, start + dayMs]), stress), {
      by: 'month',
      timeZone: 'UTC',
      label: 'UTC',
      names: [],
      start,
      end: start + 2 * dayMs,
      stepMs: dayMs,
    });
    assert.deepEqual(
      made.columns.map(({ name }) => name),
      ['ts', 'hours', 'of_hours', 'value', 'value_min', 'value_max'],
    );
  });
});

function near(found: number | undefined, wanted: number | undefined): void {
  const isNear = found === wanted || Math.abs((found ?? NaN) - (wanted ?? NaN)) <= 1e-9 * Math.abs(wanted ?? NaN);
  assert.ok(isNear, `${found} is not ${wanted}`);
}
