import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createScorecard } from '../../../../src/core/forecast/scorecard.ts';
import { cellState, getCellState, getText, type Frame } from '../../../../src/shared/frame.ts';
import { maxIntervals } from '../../../../src/shared/resampling.ts';
import { scoreGroupings, type Scorecard } from '../../../../src/shared/scorecard.ts';
import { power, powerDifference } from '../../../../src/shared/units.ts';
import { sharedCells } from '../../../support/shared.ts';
import { frameOf, numberColumn, timeColumn } from '../filter/columns.ts';
import { isNumber, model, modelWorst, type Choice, type Figure, type Row } from './scorecardModel.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const hourMs = 3_600_000;

const names = [
  ...['hours', 'of_hours', 'bias_mw', 'mae_mw', 'rmse_mw', 'mape_pct', 'p5_mw', 'p50_mw', 'p95_mw'],
  ...['skill_24h_pct', 'skill_168h_pct'],
];

function numbersIn(frame: Frame): Figure[][] {
  const numbers = frame.columns.filter(column => column.kind === 'number' || column.kind === 'time');
  return Array.from({ length: frame.rowCount }, (_, row) =>
    numbers.map(column => {
      const state = getCellState(column, row);
      assert.notEqual(state, cellState.absent);
      return state === cellState.value ? (column.values[row] ?? NaN) : null;
    }),
  );
}

function product(frame: Frame, scorecard: Scorecard): Map<string, Figure[]> {
  const made = createScorecard(frame, scorecard);
  const [key, ...columns] = made.columns;
  assert.deepEqual(
    columns.map(({ name }) => name),
    names,
  );
  const numbers = numbersIn(made);
  return new Map(numbers.map((cells, row) => [key?.kind === 'text' ? getText(key.texts, row) : assert.fail(), cells]));
}

/** Roots and quotients are compared approximately, nulls and counts exactly. */
function assertClose(actual: Figure[], expected: Figure[], where: string): void {
  assert.equal(actual.length, expected.length, where);
  for (const [at, own] of expected.entries()) {
    const made = actual[at] ?? null;
    if (own === null || made === null) assert.equal(made, own, `${where} ${names[at]}`);
    else
      assert.ok(
        Math.abs(made - own) <= 1e-9 * Math.max(1, Math.abs(own)),
        `${where} ${names[at]}: ${made}, not ${own}`,
      );
  }
}

function assertAsModel(rows: readonly Row[], choice: Choice): void {
  const { by, timeZone, start, end, keeps } = choice;
  const frame = framed(rows);
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
    stepMs: hourMs,
    names: [...Array.from({ length: binNames }, (_, bin) => String(bin)), 'all'],
    rows: Uint32Array.from(rows.keys()).filter(row => keeps(rows[row]?.at ?? NaN)),
    counted: Uint8Array.from({ length: (end - start) / hourMs }, (_, hour) => Number(keeps(start + hour * hourMs))),
  };
  if (by === 'worst') {
    const made = numbersIn(createScorecard(frame, scorecard));
    const expected = modelWorst(rows, choice);
    assert.equal(made.length, expected.length);
    for (const [at, cells] of made.entries()) assertClose(cells, expected[at] ?? [], `worst ${at}`);
    return;
  }
  const [made, expected] = [product(frame, scorecard), model(rows, choice)];
  assert.deepEqual([...made.keys()].sort(), [...expected.keys()].sort());
  for (const [name, cells] of made) assertClose(cells, expected.get(name) ?? [], `${by} ${name}`);
}

function framed(rows: readonly Row[]): Frame {
  const number = (value: bigint | null | undefined) => (isNumber(value) ? Number(value) / 1000 : value);
  return frameOf(
    timeColumn(
      'ts',
      rows.map(({ at }) => at),
    ),
    numberColumn(
      'actual_mw',
      rows.map(({ actual }) => number(actual)),
      power,
    ),
    numberColumn(
      'forecast_mw',
      rows.map(({ forecast }) => number(forecast)),
      power,
    ),
  );
}

/** Creates hours from an instant on, all with the same forecast. */
function hoursFrom(start: string, actuals: readonly (number | null)[], forecast: number): Row[] {
  return actuals.map((actual, at) => ({
    at: Date.parse(start) + at * hourMs,
    actual: actual === null ? null : BigInt(actual) * 1000n,
    forecast: BigInt(forecast) * 1000n,
  }));
}

const all: Scorecard = {
  actual: 'actual_mw',
  forecast: 'forecast_mw',
  by: 'all',
  timeZone: 'UTC',
  label: 'UTC',
  start: Date.UTC(2023, 4, 1),
  end: Date.UTC(2023, 4, 3),
  stepMs: hourMs,
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

describe('forecast scorecard', () => {
  it('has the figures of an independent model, with holes, nulls, zeros, doubled instants, clock changes and filters', () => {
    const value = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: -9_000_000, max: 40_000_000 }).map(BigInt) },
      { weight: 2, arbitrary: fc.constantFrom(0n, 1_000n, 20_000_000n) },
      { weight: 1, arbitrary: fc.constantFrom(null, undefined) },
    );
    const row = fc.record({ hour: fc.nat(220), actual: value, forecast: value });
    const keeps = fc.constantFrom(
      () => true,
      () => false,
      (ms: number) => new Date(ms).getUTCHours() >= 16,
      (ms: number) => new Date(ms).getUTCDay() !== 0,
    );
    const by = fc.constantFrom(...scoreGroupings);
    const rows = fc.array(row, { minLength: 1, maxLength: 300, size: 'max' });
    fc.assert(
      fc.property(fc.constantFrom(...starts), rows, by, fc.constantFrom(...zones), keeps, (day, received, ...rest) => {
        const start = Date.parse(day);
        const hours = received.map(({ hour, ...cells }) => ({ at: start + hour * hourMs, ...cells }));
        assertAsModel(hours, { start, end: start + 221 * hourMs, by: rest[0], timeZone: rest[1], keeps: rest[2] });
      }),
      { numRuns: manyRuns(200) },
    );
  });

  it('has the figures of the model for real hours', function () {
    const real = sharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) return this.skip();
    const [forecastAt, actualAt] = ['Residual Forecast', 'Residual Demand'].map(name => real.heading.indexOf(name));
    const thousandths = (text = ''): bigint | null => (text === '' ? null : BigInt(Math.round(Number(text) * 1000)));
    const rows = real.rows.slice(0, manyRuns(6000)).map((cells): Row => {
      const [date = '', clock = ''] = cells;
      const [forecast, actual] = [cells[forecastAt ?? -1], cells[actualAt ?? -1]].map(thousandths);
      return { at: Date.parse(`${date}T${clock}+02:00`), actual, forecast };
    });
    assert.ok(rows.length > 1000);
    const span = { start: rows[0]?.at ?? NaN, end: (rows.at(-1)?.at ?? NaN) + hourMs };
    const keeps = (ms: number): boolean => new Date(ms).getUTCDay() !== 0;
    for (const by of scoreGroupings) assertAsModel(rows, { ...span, by, timeZone: 'Africa/Johannesburg', keeps });
  });

  it('computes bias, MAE, RMSE and MAPE as by hand, in differences of the unit', () => {
    const made = createScorecard(framed(hoursFrom('2023-05-01', [110, 90, 120, null, 100], 100)), all);
    const [cells] = numbersIn(made);
    const parts = (10 / 110 + 10 / 90 + 20 / 120) / 4;
    const expected = [4, 48, 5, 10, Math.sqrt(150), 100 * parts, -8.5, 5, 18.5, null, null];
    assertClose(cells ?? [], expected, 'by hand');
    const units = made.columns.map(({ name, field }) => [name, field?.unit?.text, field?.unit?.difference]);
    assert.deepEqual(units.slice(3, 8), [
      ['bias_mw', 'MW', true],
      ['mae_mw', 'MW', true],
      ['rmse_mw', 'MW', true],
      ['mape_pct', '%', undefined],
      ['p5_mw', 'MW', true],
    ]);
    assert.deepEqual(made.columns[3]?.field?.unit, powerDifference);
  });

  it('computes skill with a filtered-out hour as reference, and none if the reference has no error', () => {
    const day = Array.from({ length: 24 }, () => 100);
    const rows = framed(hoursFrom('2023-05-01', [...day, 120, 100], 110));
    const skillOf = (row: number): Figure | undefined =>
      numbersIn(createScorecard(rows, { ...all, rows: Uint32Array.of(row) }))[0]?.[9];
    // The forecast is off by 10, the same hour of the previous day by 20.
    assert.equal(skillOf(24), 50);
    assert.equal(skillOf(25), null);
  });

  it('lists the ten worst hours, of equal ones the earlier, and no percent of 0', () => {
    const hours = hoursFrom('2023-05-01', [200, 100, 0, ...Array.from({ length: 12 }, () => 50)], 100);
    const made = numbersIn(createScorecard(framed(hours.toReversed()), { ...all, by: 'worst' }));
    const at = (hour: number): number => Date.UTC(2023, 4, 1, hour);
    assert.deepEqual(made, [
      [at(0), 200, 100, 100, 50],
      [at(2), 0, 100, -100, null],
      ...[3, 4, 5, 6, 7, 8, 9, 10].map(hour => [at(hour), 50, 100, -50, -100]),
    ]);
  });

  it('counts half hours as half, and looks for persistence 48 of them before', () => {
    const rows = Array.from({ length: 49 }, (_, at) => ({
      at: Date.UTC(2023, 4, 1) + (at * hourMs) / 2,
      actual: at === 48 ? 140_000n : 100_000n,
      forecast: 110_000n,
    }));
    const [cells] = numbersIn(
      createScorecard(framed(rows), { ...all, stepMs: hourMs / 2, end: Date.UTC(2023, 4, 2) + hourMs / 2 }),
    );
    assert.deepEqual([cells?.[0], cells?.[1], cells?.[9]], [24.5, 24.5, 25]);
  });

  it('has no rows without the columns, and refuses more steps than there is memory for', () => {
    const frame = framed(hoursFrom('2023-05-01', [100, 110], 100));
    assert.equal(createScorecard(frame, { ...all, forecast: 'ts' }).rowCount, 0);
    assert.equal(createScorecard(frame, { ...all, actual: 'wind_mw' }).rowCount, 0);
    for (const stepMs of [hourMs / maxIntervals, NaN])
      assert.throws(() => createScorecard(frame, { ...all, stepMs }), RangeError);
  });

  it('names the bands of numbers of any unit, in the digits of a language', () => {
    const numbers = [1000.5, 2000, 3000, 4000, 5000];
    const time = timeColumn(
      'ts',
      numbers.map((_, at) => all.start + at * hourMs),
    );
    const frame = frameOf(time, numberColumn('price', numbers), numberColumn('other', numbers));
    const scorecard = { ...all, actual: 'price', forecast: 'other', by: 'band', locale: 'de' } as const;
    const [key, ...columns] = createScorecard(frame, scorecard).columns;
    const texts = key?.kind === 'text' ? Array.from(numbers, (_, at) => getText(key.texts, at + 1)) : [];
    assert.deepEqual(texts, ['1.000,5', '2.000', '3.000', '4.000', '5.000']);
    assert.equal(columns[2]?.name, 'bias');
  });
});
