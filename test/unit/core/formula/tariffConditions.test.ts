import assert from 'node:assert/strict';
import fc from 'fast-check';
import { analyze } from '../../../../src/core/analysis/analyze.ts';
import type { ResultRows } from '../../../../src/core/analysis/resultRows.ts';
import { createTariffPeriodFinder, eskomTariffs } from '../../../../src/core/calendar/tariffPeriods.ts';
import { deriveColumns, evaluateCondition } from '../../../../src/core/formula/deriveColumns.ts';
import { completeFormula } from '../../../../src/core/formula/formulaCompletions.ts';
import { FormulaError } from '../../../../src/core/formula/formula.ts';
import { parseFormula, quoteColumnName } from '../../../../src/core/formula/parseFormula.ts';
import { createReading, findFindings } from '../../../../src/core/watch/alertReading.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import type { Tariff, TariffDay } from '../../../../src/shared/resampling.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { power } from '../../../../src/shared/units.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';
import { context } from '../snippets/panelRows.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function createLoad(times: readonly (number | null)[]): Frame {
  return createFrame(
    timeColumn('ts', times),
    numberColumn(
      'load_mw',
      times.map((_, row) => row + 1),
      power,
    ),
  );
}

function evaluate(frame: Frame, condition: string, tariffs?: readonly Tariff[], intervalMs = hourMs): number[] {
  const result = evaluateCondition(frame, condition, intervalMs, tariffs);
  return result instanceof FormulaError ? assert.fail(result.message) : [...result.holds];
}

const getReason = (formula: string, columns: Frame['columns'], rowMs?: number): string => {
  const parsed = parseFormula(formula, columns, rowMs);
  return parsed instanceof FormulaError ? parsed.message : assert.fail(formula);
};

const minutes = fc.integer({ min: 0, max: 48 }).map(halfHours => 30 * halfHours);
const formatClock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const arbitraryDay: fc.Arbitrary<TariffDay> = fc.uniqueArray(minutes, { minLength: 4, maxLength: 4 }).map(points => {
  const [a = '', b = '', c = '', d = ''] = points.sort((first, second) => first - second).map(formatClock);
  return { peak: [`${a}-${b}`], standard: [`${c}-${d}`] };
});
const arbitrarySeason = fc.record({ weekday: arbitraryDay, saturday: arbitraryDay, sunday: arbitraryDay });
const arbitraryTariffs: fc.Arbitrary<readonly Tariff[]> = fc
  .array(fc.record({ highDemand: arbitrarySeason, lowDemand: arbitrarySeason }), { minLength: 1, maxLength: 3 })
  .map(seasons => seasons.map((tariff, index) => ({ ...tariff, from: `${2023 + index}-04-01`, source: 'A city' })));
/** Hours or half-hours in any order, of which some precede the first tariff. */
const arbitraryTimes = fc.array(
  fc.integer({ min: 0, max: 4 * 365 * 48 }).map(halfHours => Date.UTC(2023, 0) + halfHours * (hourMs / 2)),
  { minLength: 1, maxLength: 40 },
);

describe('the conditions on a tariff', () => {
  it('holds for exactly one period in each row since the first tariff, so that sums by period equal the total', () => {
    fc.assert(
      fc.property(arbitraryTariffs, arbitraryTimes, fc.constantFrom('', '(2023)', '(2025)'), (tariffs, times, year) => {
        const frame = createLoad(times);
        const periods = ['peak', 'standard', 'offpeak'].map(word => word + year);
        const states = periods.map(period => evaluate(frame, period, tariffs, hourMs / 2));
        const getPeriod = createTariffPeriodFinder(tariffs);
        const columns = periods.map((period, index) => ({
          name: `part ${index}`,
          formula: `if(${period}, load_mw, 0 MW)`,
        }));
        const { frame: derived } = deriveColumns(frame, { columns, intervalMs: hourMs / 2, tariffs });
        for (const [row, ms] of times.entries()) {
          const isKnown = year !== '' || getPeriod(ms) !== undefined;
          const [peak = NaN, standard = NaN, offPeak = NaN] = states.map(holds => holds[row] ?? NaN);
          assert.equal(peak + standard + offPeak, isKnown ? 1 : NaN);
          const parts = columns.map(({ name }) => derived.columns.find(column => column.name === name));
          const values = parts.map(part => (part?.kind === 'number' && !part.gaps?.[row] ? part.values[row] : NaN));
          const total = values.reduce<number>((sum, value = NaN) => sum + value, 0);
          assert.equal(total, isKnown ? row + 1 : NaN);
        }
      }),
    );
  });

  it("takes Eskom's tariff of the row, or that of a year with the row's own holidays and season", () => {
    // Thursday, then a public holiday on a Friday in the high-demand season: 09:30 and 17:30 in SAST.
    const thursday = Date.parse('2026-03-26T07:30Z');
    const holiday = Date.parse('2028-06-16T15:30Z');
    const frame = createLoad([thursday, thursday + 8 * hourMs, holiday, null, Date.parse('2005-03-31T21:00Z')]);
    const expected = {
      peak: [0, 0, 0, NaN, NaN],
      standard: [1, 1, 1, NaN, NaN],
      'peak(2024)': [1, 0, 0, NaN, 0],
      'standard(2024)': [0, 1, 0, NaN, 0],
      'offpeak(2024)': [0, 0, 1, NaN, 1],
      'peak(1999)': [NaN, NaN, NaN, NaN, NaN],
      highdemand: [0, 0, 1, NaN, NaN],
      'not OffPeak and load_mw > 1': [0, 1, 1, NaN, NaN],
    };
    for (const [condition, holds] of Object.entries(expected))
      assert.deepEqual(evaluate(frame, condition), holds, condition);
  });

  it('is unknown in rows of an unknown length, and invalid in rows longer than an hour or without a time', () => {
    const frame = createLoad([Date.parse('2026-03-26T07:30Z')]);
    const result = evaluateCondition(frame, 'peak', undefined);
    assert.deepEqual(result instanceof FormulaError ? undefined : [...result.holds], [NaN]);
    const sentence = "'peak' needs rows of an hour or shorter. Use hourly rows.";
    for (const rowMs of [3 * hourMs, dayMs, NaN]) assert.equal(getReason('peak(2024)', frame.columns, rowMs), sentence);
    assert.equal(getReason('highdemand', frame.columns.slice(1)), "'highdemand' needs a time column.");
  });

  it('leaves a column of that name to quotes, and reads a year of four digits', () => {
    const frame = createFrame(...createLoad([0]).columns, numberColumn('peak', [7], power));
    assert.deepEqual(evaluate(frame, '"peak" > 5 MW'), [1]);
    assert.ok(!(parseFormula('peak', frame.columns, hourMs) instanceof FormulaError));
    assert.match(getReason('peak > 5 MW', frame.columns, hourMs), /number/);
    assert.equal(quoteColumnName('Peak'), '"Peak"');
    const { columns } = createLoad([0]);
    for (const formula of ['offpeak(24)', 'offpeak(load_mw)', 'offpeak()'])
      assert.equal(getReason(formula, columns), 'Use offpeak(2024).');
    assert.equal(getReason('peak(2024', columns), 'The formula is incomplete.');
    assert.equal(getReason('highdemand(2024)', columns), "Unexpected '('.");
    assert.equal(getReason('"peak"', columns), "Unknown column 'peak'.");
    assert.deepEqual(
      completeFormula('if(pe', 5, columns).completions.map(({ text }) => text),
      ['peak', 'share(', 'offpeak'].filter(text => text.includes('pe')),
    );
  });

  it('uses the tariffs of the rows in derived columns, events and alerts', () => {
    const [eskom = assert.fail()] = eskomTariffs;
    const nights = { weekday: { peak: ['00:00-05:00'] }, saturday: {}, sunday: {} };
    const tariffs = [{ ...eskom, highDemand: nights, lowDemand: nights }];
    const start = Date.parse('2026-03-25T22:00Z');
    const frame = createLoad(Array.from({ length: 12 }, (_, hour) => start + hour * hourMs));
    const rows: ResultRows = {
      frame,
      start,
      tariffs,
      interval: '1h',
      intervalMs: hourMs,
      coverage: undefined,
      zone: { timeZone: 'UTC', label: 'UTC' },
    };
    const derive = [{ name: 'night', formula: 'peak' }];
    const readHours = (condition: string, source: ResultRows): number[] => {
      const find = { column: 'load_mw', rule: { kind: 'condition', condition } } as const;
      const { frame: events, problems } = analyze(source, { derive, find }, context);
      assert.deepEqual(problems, []);
      const column = events.columns.find(({ name }) => name === 'of_hours');
      return column?.kind === 'number' ? [...column.values] : assert.fail();
    };
    const { tariffs: _, ...rowsWithEskom } = rows;
    assert.deepEqual([readHours('peak', rows), readHours('night', rows)], [[5], [5]]);
    assert.deepEqual([readHours('peak', rowsWithEskom), readHours('night', rowsWithEskom)], [[2], [2]]);
    const result = { frame, provenance: { start, interval: '1h' } } as unknown as Result;
    for (const condition of ['peak', 'night']) {
      const reading = createReading(result, start + dayMs, derive, tariffs);
      assert.equal(findFindings(reading, { kind: 'condition', condition }, 0).length, 5);
    }
  });
});
