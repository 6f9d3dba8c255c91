import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createScorecard } from '../../../../src/core/forecast/scorecard.ts';
import { cellState, getCellState, getText, type Frame } from '../../../../src/shared/frame.ts';
import { maxIntervals } from '../../../../src/shared/resampling.ts';
import { scoreGroupings, type Scorecard } from '../../../../src/shared/scorecard.ts';
import { power, powerDifference } from '../../../../src/shared/units.ts';
import { readSharedCells } from '../../../support/sharedFiles.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';
import { isNumber, model, modelWorst, type ScoreOptions, type Figure, type Row } from './scorecardModel.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const hourMs = 3_600_000;

const names = [
  ...['hours', 'of_hours', 'bias_mw', 'mae_mw', 'rmse_mw', 'mape_pct', 'p5_mw', 'p50_mw', 'p95_mw'],
  ...['skill_24h_pct', 'skill_168h_pct'],
];

function readNumbers(frame: Frame): Figure[][] {
  const numbers = frame.columns.filter(column => column.kind === 'number' || column.kind === 'time');
  return Array.from({ length: frame.rowCount }, (_, row) =>
    numbers.map(column => {
      const state = getCellState(column, row);
      assert.notEqual(state, cellState.absent);
      return state === cellState.value ? (column.values[row] ?? NaN) : null;
    }),
  );
}

function computeScores(frame: Frame, scorecard: Scorecard): Map<string, Figure[]> {
  const scores = createScorecard(frame, scorecard);
  const [key, ...columns] = scores.columns;
  assert.deepEqual(
    columns.map(({ name }) => name),
    names,
  );
  const numbers = readNumbers(scores);
  return new Map(numbers.map((cells, row) => [key?.kind === 'text' ? getText(key.texts, row) : assert.fail(), cells]));
}

/** Compares roots and quotients approximately, nulls and counts exactly. */
function assertClose(actual: Figure[], expected: Figure[], description: string): void {
  assert.equal(actual.length, expected.length, description);
  for (const [column, expectedFigure] of expected.entries()) {
    const actualFigure = actual[column] ?? null;
    if (expectedFigure === null || actualFigure === null)
      assert.equal(actualFigure, expectedFigure, `${description} ${names[column]}`);
    else
      assert.ok(
        Math.abs(actualFigure - expectedFigure) <= 1e-9 * Math.max(1, Math.abs(expectedFigure)),
        `${description} ${names[column]}: ${actualFigure}, not ${expectedFigure}`,
      );
  }
}

function assertMatchesModel(rows: readonly Row[], choice: ScoreOptions): void {
  const { by, timeZone, start, end, isCounted } = choice;
  const frame = buildFrame(rows);
  const binNames = {
    hourOfDay: 24,
    weekday: 7,
    monthOfYear: 12,
    season: 4,
    tariffPeriod: 3,
    all: 0,
    band: 0,
    worst: 0,
  }[by];
  const scorecard = {
    actual: 'actual_mw',
    forecast: 'forecast_mw',
    by,
    timeZone,
    label: timeZone,
    locale: 'en',
    start,
    end,
    intervalMs: hourMs,
    names: [...Array.from({ length: binNames }, (_, bin) => String(bin)), 'all'],
    rows: Uint32Array.from(rows.keys()).filter(row => isCounted(rows[row]?.ms ?? NaN)),
    counted: Uint8Array.from({ length: (end - start) / hourMs }, (_, hour) => Number(isCounted(start + hour * hourMs))),
  };
  if (by === 'worst') {
    const worstHours = readNumbers(createScorecard(frame, scorecard));
    const expected = modelWorst(rows, choice);
    assert.equal(worstHours.length, expected.length);
    for (const [row, cells] of worstHours.entries()) assertClose(cells, expected[row] ?? [], `worst ${row}`);
    return;
  }
  const scores = computeScores(frame, scorecard);
  const expected = model(rows, choice);
  assert.deepEqual([...scores.keys()].sort(), [...expected.keys()].sort());
  for (const [name, cells] of scores) assertClose(cells, expected.get(name) ?? [], `${by} ${name}`);
}

function buildFrame(rows: readonly Row[]): Frame {
  const toNumber = (value: bigint | null | undefined) => (isNumber(value) ? Number(value) / 1000 : value);
  return createFrame(
    timeColumn(
      'ts',
      rows.map(({ ms }) => ms),
    ),
    numberColumn(
      'actual_mw',
      rows.map(({ actual }) => toNumber(actual)),
      power,
    ),
    numberColumn(
      'forecast_mw',
      rows.map(({ forecast }) => toNumber(forecast)),
      power,
    ),
  );
}

/** Creates hours from an instant on, all with the same forecast. */
function createHours(start: string, actuals: readonly (number | null)[], forecast: number): Row[] {
  return actuals.map((actual, index) => ({
    ms: Date.parse(start) + index * hourMs,
    actual: actual === null ? null : BigInt(actual) * 1000n,
    forecast: BigInt(forecast) * 1000n,
  }));
}

const scoreAllHours: Scorecard = {
  actual: 'actual_mw',
  forecast: 'forecast_mw',
  by: 'all',
  timeZone: 'UTC',
  label: 'UTC',
  start: Date.UTC(2023, 4, 1),
  end: Date.UTC(2023, 4, 3),
  intervalMs: hourMs,
  names: ['All hours'],
  locale: 'en',
};

const starts = ['2023-03-20', '2023-10-25', '2022-11-01', '2023-12-28', '2024-02-27'];
const zones = [
  'UTC',
  'Africa/Johannesburg',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
];

describe('createScorecard', () => {
  it('computes the figures of an independent model, with gaps, nulls, zeros, duplicate instants, clock changes and filters', () => {
    const value = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: -9_000_000, max: 40_000_000 }).map(BigInt) },
      { weight: 2, arbitrary: fc.constantFrom(0n, 1_000n, 20_000_000n) },
      { weight: 1, arbitrary: fc.constantFrom(null, undefined) },
    );
    const row = fc.record({ hour: fc.nat(220), actual: value, forecast: value });
    const counters = fc.constantFrom(
      () => true,
      () => false,
      (ms: number) => new Date(ms).getUTCHours() >= 16,
      (ms: number) => new Date(ms).getUTCDay() !== 0,
    );
    const by = fc.constantFrom(...scoreGroupings);
    const rowArrays = fc.array(row, { minLength: 1, maxLength: 300, size: 'max' });
    fc.assert(
      fc.property(
        fc.constantFrom(...starts),
        rowArrays,
        by,
        fc.constantFrom(...zones),
        counters,
        (day, generated, ...rest) => {
          const start = Date.parse(day);
          const hours = generated.map(({ hour, ...cells }) => ({ ms: start + hour * hourMs, ...cells }));
          assertMatchesModel(hours, {
            start,
            end: start + 221 * hourMs,
            by: rest[0],
            timeZone: rest[1],
            isCounted: rest[2],
          });
        },
      ),
      { numRuns: scaleRunCount(200) },
    );
  });

  it('computes the figures of the model for real hours', function () {
    const real = readSharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) return this.skip();
    const [forecastAt, actualAt] = ['Residual Forecast', 'Residual Demand'].map(name => real.heading.indexOf(name));
    const parseThousandths = (text = ''): bigint | null =>
      text === '' ? null : BigInt(Math.round(Number(text) * 1000));
    const rows = real.rows.slice(0, scaleRunCount(6000)).map((cells): Row => {
      const [date = '', clock = ''] = cells;
      const [forecast, actual] = [cells[forecastAt ?? -1], cells[actualAt ?? -1]].map(parseThousandths);
      return { ms: Date.parse(`${date}T${clock}+02:00`), actual, forecast };
    });
    assert.ok(rows.length > 1000);
    const span = { start: rows[0]?.ms ?? NaN, end: (rows.at(-1)?.ms ?? NaN) + hourMs };
    const isCounted = (ms: number): boolean => new Date(ms).getUTCDay() !== 0;
    for (const by of scoreGroupings)
      assertMatchesModel(rows, { ...span, by, timeZone: 'Africa/Johannesburg', isCounted });
  });

  it('computes bias, MAE, RMSE and MAPE as calculated by hand, with units of differences', () => {
    const scores = createScorecard(
      buildFrame(createHours('2023-05-01', [110, 90, 120, null, 100], 100)),
      scoreAllHours,
    );
    const [cells] = readNumbers(scores);
    const parts = (10 / 110 + 10 / 90 + 20 / 120) / 4;
    const expected = [4, 48, 5, 10, Math.sqrt(150), 100 * parts, -8.5, 5, 18.5, null, null];
    assertClose(cells ?? [], expected, 'by hand');
    const units = scores.columns.map(({ name, field }) => [name, field?.unit?.text, field?.unit?.difference]);
    assert.deepEqual(units.slice(3, 8), [
      ['bias_mw', 'MW', true],
      ['mae_mw', 'MW', true],
      ['rmse_mw', 'MW', true],
      ['mape_pct', '%', undefined],
      ['p5_mw', 'MW', true],
    ]);
    assert.deepEqual(scores.columns[3]?.field?.unit, powerDifference);
  });

  it('uses a filtered-out hour as reference for skill, and returns no skill if the reference has no error', () => {
    const day = Array.from({ length: 24 }, () => 100);
    const rows = buildFrame(createHours('2023-05-01', [...day, 120, 100], 110));
    const readSkill = (row: number): Figure | undefined =>
      readNumbers(createScorecard(rows, { ...scoreAllHours, rows: Uint32Array.of(row) }))[0]?.[9];
    // The forecast is off by 10, the same hour of the previous day by 20.
    assert.equal(readSkill(24), 50);
    assert.equal(readSkill(25), null);
  });

  it('lists the ten worst hours, the earlier of equal ones first, without a percentage of 0', () => {
    const hours = createHours('2023-05-01', [200, 100, 0, ...Array.from({ length: 12 }, () => 50)], 100);
    const worstHours = readNumbers(createScorecard(buildFrame(hours.toReversed()), { ...scoreAllHours, by: 'worst' }));
    const toInstant = (hour: number): number => Date.UTC(2023, 4, 1, hour);
    assert.deepEqual(worstHours, [
      [toInstant(0), 200, 100, 100, 50],
      [toInstant(2), 0, 100, -100, null],
      ...[3, 4, 5, 6, 7, 8, 9, 10].map(hour => [toInstant(hour), 50, 100, -50, -100]),
    ]);
  });

  it('weights half hours by half, and uses the row 48 rows before as persistence', () => {
    const rows = Array.from({ length: 49 }, (_, index) => ({
      ms: Date.UTC(2023, 4, 1) + (index * hourMs) / 2,
      actual: index === 48 ? 140_000n : 100_000n,
      forecast: 110_000n,
    }));
    const [cells] = readNumbers(
      createScorecard(buildFrame(rows), {
        ...scoreAllHours,
        intervalMs: hourMs / 2,
        end: Date.UTC(2023, 4, 2) + hourMs / 2,
      }),
    );
    assert.deepEqual([cells?.[0], cells?.[1], cells?.[9]], [24.5, 24.5, 25]);
  });

  it('returns no rows without the columns, and rejects more intervals than the limit', () => {
    const frame = buildFrame(createHours('2023-05-01', [100, 110], 100));
    assert.equal(createScorecard(frame, { ...scoreAllHours, forecast: 'ts' }).rowCount, 0);
    assert.equal(createScorecard(frame, { ...scoreAllHours, actual: 'wind_mw' }).rowCount, 0);
    for (const intervalMs of [hourMs / maxIntervals, NaN])
      assert.throws(() => createScorecard(frame, { ...scoreAllHours, intervalMs }), RangeError);
  });

  it('names the bands of numbers of any unit, in the number format of a language', () => {
    const numbers = [1000.5, 2000, 3000, 4000, 5000];
    const time = timeColumn(
      'ts',
      numbers.map((_, index) => scoreAllHours.start + index * hourMs),
    );
    const frame = createFrame(time, numberColumn('price', numbers), numberColumn('other', numbers));
    const scorecard = { ...scoreAllHours, actual: 'price', forecast: 'other', by: 'band', locale: 'de' } as const;
    const [key, ...columns] = createScorecard(frame, scorecard).columns;
    const texts = key?.kind === 'text' ? Array.from(numbers, (_, index) => getText(key.texts, index + 1)) : [];
    assert.deepEqual(texts, ['1.000,5', '2.000', '3.000', '4.000', '5.000']);
    assert.equal(columns[2]?.name, 'bias');
  });
});
