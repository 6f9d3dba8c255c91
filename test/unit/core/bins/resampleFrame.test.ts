import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deriveColumns } from '../../../../src/core/formula/deriveColumns.ts';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { systemStateFields, gridStressFields } from '../../../../src/shared/fields.ts';
import { cellState, getCellState, getText, type Frame } from '../../../../src/shared/frame.ts';
import { binSizes, cycles, maxIntervals, type Resampling } from '../../../../src/shared/resampling.ts';
import { index, power, share } from '../../../../src/shared/units.ts';
import { readSharedCells } from '../../../support/sharedFiles.ts';
import { numberColumn, timeColumn } from '../filter/columns.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { getBinName, type By } from './clockBins.ts';

const hourMs = 3_600_000;
interface Hour {
  readonly ms: number;
  /** The value, in thousandths. */
  readonly value: bigint | null;
}

interface ResamplingChoice {
  readonly by: By;
  readonly timeZone: string;
  /** Whether the hour is counted: because of its row, or as missing. */
  readonly isCounted: (ms: number) => boolean;
}

/** Models the rules of resampling hour by hour in exact numbers. */
function model(hours: readonly Hour[], start: number, end: number, { by, timeZone, isCounted }: ResamplingChoice) {
  const isFixedLength = binSizes.some(size => size === by);
  const ends = [getBinName(start, by, timeZone), getBinName(end - hourMs, by, timeZone)];
  const rows = new Map(hours.map(({ ms, value }) => [ms, value]));
  const bins = new Map<
    string,
    { hourCount: number; hours: number; values: bigint[]; instants: number[]; isNull: boolean }
  >();
  let from = start;
  let to = end;
  if (isFixedLength) {
    while (getBinName(from - hourMs, by, timeZone) === ends[0]) from -= hourMs;
    while (getBinName(to, by, timeZone) === ends[1]) to += hourMs;
  }
  for (let ms = from; ms < to; ms += hourMs) {
    if (!isCounted(ms)) continue;
    const name = getBinName(ms, by, timeZone);
    const bin = bins.get(name) ?? { hourCount: 0, hours: 0, values: [], instants: [], isNull: false };
    bins.set(name, bin);
    bin.hourCount++;
    const value = rows.get(ms);
    if (value === undefined) continue;
    bin.hours++;
    if (value === null) bin.isNull = true;
    else {
      bin.values.push(value);
      bin.instants.push(ms);
    }
  }
  return new Map(
    Array.from(bins, ([name, { hourCount, hours, values, instants, isNull }]) => {
      if (values.length === 0)
        return [name, [hours, hourCount, ...Array.from({ length: 6 }, () => (isNull ? null : undefined))]];
      const sum = values.reduce((total, value) => total + value, 0n);
      const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      const ends = [sorted[0], sorted.at(-1)];
      const [min, max] = ends.map(value => Number(value) / 1000);
      const firstInstants = ends.map(extreme => instants[values.findIndex(value => value === extreme)]);
      return [
        name,
        [hours, hourCount, Number(sum) / 1000 / values.length, Number(sum) / 1000, min, max, ...firstInstants],
      ];
    }),
  );
}

function resample(frame: Frame, resampling: Resampling) {
  const resampled = resampleFrame(frame, resampling);
  const [key, ...columns] = resampled.columns;
  const names = ['hours', 'of_hours', 'wind_mw', 'wind_mwh', 'wind_min_mw', 'wind_max_mw'];
  assert.deepEqual(
    columns.map(({ name }) => name),
    names,
  );
  return new Map(
    Array.from({ length: resampled.rowCount }, (_, row) => {
      const name =
        key?.kind === 'time'
          ? getBinName(key.values[row] ?? NaN, resampling.by, resampling.timeZone)
          : key?.kind === 'text'
            ? getText(key.texts, row)
            : assert.fail();
      const cells = columns.map(column => {
        const state = getCellState(column, row);
        if (state === cellState.value) return column.kind === 'number' ? column.values[row] : undefined;
        return state === cellState.null ? null : undefined;
      });
      const extremes = columns.slice(-2).map((column, side) => {
        const isKnown = column.kind === 'number' && getCellState(column, row) === cellState.value;
        return isKnown ? column.extremeAt?.[row] : cells.at(side - 2);
      });
      return [name, [...cells, ...extremes]];
    }),
  );
}

function createFrame(hours: readonly Hour[]): Frame {
  return {
    rowCount: hours.length,
    columns: [
      timeColumn(
        'ts',
        hours.map(({ ms }) => ms),
      ),
      numberColumn(
        'wind_mw',
        hours.map(({ value }) => (value === null ? null : Number(value) / 1000)),
        power,
      ),
    ],
  };
}

function createResampling(hours: readonly Hour[], start: number, end: number, choice: ResamplingChoice): Resampling {
  const { by, timeZone, isCounted } = choice;
  const rows = Uint32Array.from(hours.keys()).filter(row => isCounted(hours[row]?.ms ?? NaN));
  const uncounted = {
    by,
    timeZone,
    label: timeZone,
    start,
    end,
    intervalMs: hourMs,
    names: Array.from({ length: 24 }, (_, bin) => String(bin)),
  };
  const allBins = resampleFrame({ rowCount: 1, columns: [timeColumn('ts', [start])] }, uncounted);
  const [key] = allBins.columns;
  const first = key?.kind === 'time' ? (key.values[0] ?? NaN) : start;
  const intervalCount = Math.ceil((end - first) / hourMs) + 400 * 24;
  const counted = Uint8Array.from({ length: intervalCount }, (_, interval) =>
    Number(isCounted(Math.ceil(first / hourMs) * hourMs + interval * hourMs)),
  );
  return { ...uncounted, rows, counted };
}

const starts = ['2023-03-25', '2023-10-28', '2022-11-05', '2023-12-28', '2023-05-01', '2024-02-28'];
// These time zones have whole-hour offsets, so that each UTC hour is within one bin.
const zones = ['UTC', 'Africa/Johannesburg', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia'];

describe('resampleFrame', () => {
  it('matches an independent model for every kind of bin, with gaps, nulls, clock changes and filters', () => {
    const value = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: -9_000_000, max: 40_000_000 }).map(BigInt) },
      { weight: 1, arbitrary: fc.constantFrom(null, 0n) },
    );
    const cells = fc.array(fc.option(value, { freq: 5, nil: undefined }), { minLength: 2, maxLength: 120 });
    const counters = fc.constantFrom(
      () => true,
      (ms: number) => new Date(ms).getUTCHours() >= 16,
      (ms: number) => new Date(ms).getUTCDay() !== 0,
    );
    const by = fc.constantFrom<By>(...binSizes, ...cycles);
    fc.assert(
      fc.property(
        fc.constantFrom(...starts),
        cells,
        by,
        fc.constantFrom(...zones),
        counters,
        (day, values, ...rest) => {
          const start = Date.parse(day);
          const hours = values.flatMap((cell, hourIndex) =>
            cell === undefined ? [] : [{ ms: start + hourIndex * hourMs, value: cell }],
          );
          fc.pre(hours.length > 0);
          const end = start + values.length * hourMs;
          const choice = { by: rest[0], timeZone: rest[1], isCounted: rest[2] };
          const actual = resample(createFrame(hours), createResampling(hours, start, end, choice));
          const sort = (map: ReadonlyMap<unknown, unknown>): unknown[] =>
            [...map].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
          assert.deepEqual(sort(actual), sort(model(hours, start, end, choice)));
        },
      ),
      { numRuns: scaleRunCount(200) },
    );
  });

  it('matches the model for real hours', function () {
    const real = readSharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) return this.skip();
    const wind = real.heading.indexOf('Wind');
    const hours = real.rows.slice(0, scaleRunCount(real.rows.length)).map(([date = '', clock = '', ...rest]): Hour => {
      const text = [date, clock, ...rest][wind] ?? '';
      const value = text === '' ? null : BigInt(Math.round(Number(text) * 1000));
      return { ms: Date.parse(`${date}T${clock}+02:00`), value };
    });
    const start = hours[0]?.ms ?? NaN;
    const end = (hours.at(-1)?.ms ?? NaN) + hourMs;
    assert.ok(hours.length > 3_000);
    for (const by of [...binSizes, ...cycles]) {
      const choice = { by, timeZone: 'Africa/Johannesburg', isCounted: (ms: number) => new Date(ms).getUTCDay() !== 0 };
      const actual = resample(createFrame(hours), createResampling(hours, start, end, choice));
      const expected = model(hours, start, end, choice);
      assert.equal(actual.size, expected.size);
      for (const [name, cells] of actual) assert.deepEqual(cells, expected.get(name), `${by} ${name}`);
    }
  });

  it('computes the share of a month from its energies, and the hours per band of the stress index', () => {
    const instants = [0, 1, 2, 3].map(hour => Date.parse('2023-05-31T22:00Z') + hour * hourMs);
    const described = (field: unknown): object => (field ? { field } : {});
    const frame: Frame = {
      rowCount: 4,
      columns: [
        timeColumn('ts', instants),
        {
          ...numberColumn('renewable_share_pct', [10, 20, null, 20], share),
          ...described(systemStateFields.get('renewable_share_pct')),
        },
        numberColumn('total_re_mw', [1000, 5000, 1000, 6000], power),
        { ...numberColumn('value', [0.299, 0.3, 0.9, 0.6], index), ...described(gridStressFields.get('value')) },
      ],
    };
    const resampling = {
      by: 'month',
      timeZone: 'UTC',
      label: 'UTC',
      start: instants[0] ?? 0,
      end: (instants[3] ?? 0) + hourMs,
      intervalMs: hourMs,
      names: [],
    } as const;
    const resampled = resampleFrame(frame, resampling);
    const readCells = (name: string): number[] => {
      const column = resampled.columns.find(candidate => candidate.name === name);
      return column?.kind === 'number' ? [...column.values] : assert.fail(name);
    };
    // 1,000 of 10,000 and 5,000 of 25,000; then 6,000 of 30,000, because the hour without a share has no total.
    assert.deepEqual(readCells('renewable_share_pct'), [(100 * 6000) / 35_000, 20]);
    const bands = ['low', 'moderate', 'high', 'critical'].map(band => readCells(`value_${band}_h`));
    assert.deepEqual(bands, [
      [1, 0],
      [1, 0],
      [0, 1],
      [0, 1],
    ]);
    assert.deepEqual(readCells('of_hours'), [744, 720]);
  });

  it('divides the energies of derived shares like an independent model, with zeros, nulls and gaps', () => {
    const cell = fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 0, max: 30_000_000 }) },
      { weight: 3, arbitrary: fc.constantFrom(null, 0) },
    );
    const hour = fc.option(fc.record({ a: cell, b: cell, all: cell }), { freq: 6, nil: undefined });
    const columns = [
      { name: 'one', formula: 'share(a_mw, all_mw)' },
      { name: 'two', formula: 'share(a_mw + b_mw, all_mw)' },
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...starts),
        fc.array(hour, { minLength: 2, maxLength: 120 }),
        fc.constantFrom<By>(...binSizes, ...cycles),
        fc.constantFrom(...zones),
        (day, generated, by, timeZone) => {
          const start = Date.parse(day);
          const hours = generated.flatMap((generatedHour, hourIndex) =>
            generatedHour ? [{ ms: start + hourIndex * hourMs, ...generatedHour }] : [],
          );
          fc.pre(hours.length > 0);
          const createColumn = (name: 'a' | 'b' | 'all') =>
            numberColumn(
              `${name}_mw`,
              hours.map(row => (row[name] === null ? null : row[name] / 1000)),
              power,
            );
          const time = timeColumn(
            'ts',
            hours.map(row => row.ms),
          );
          const frame = {
            rowCount: hours.length,
            columns: [time, createColumn('a'), createColumn('b'), createColumn('all')],
          };
          const { frame: derived } = deriveColumns(frame, { columns, intervalMs: hourMs });
          const emptyHours = hours.map(row => ({ ms: row.ms, value: null }));
          const choice = { by, timeZone, isCounted: () => true };
          const resampling = createResampling(emptyHours, start, start + generated.length * hourMs, choice);
          const resampled = resampleFrame(derived, resampling);
          const [key] = resampled.columns;
          for (const { name } of columns) {
            const column = resampled.columns.find(candidate => candidate.name === name);
            assert.ok(column?.kind === 'number');
            for (let row = 0; row < resampled.rowCount; row++) {
              const bin =
                key?.kind === 'time'
                  ? getBinName(key.values[row] ?? NaN, by, timeZone)
                  : key?.kind === 'text'
                    ? getText(key.texts, row)
                    : assert.fail();
              let part = 0;
              let total = 0;
              let count = 0;
              for (const hourRow of hours) {
                if (getBinName(hourRow.ms, by, timeZone) !== bin || hourRow.a === null || hourRow.all === null)
                  continue;
                if (name === 'two' && hourRow.b === null) continue;
                part += hourRow.a + (name === 'two' ? (hourRow.b ?? 0) : 0);
                total += hourRow.all;
                count++;
              }
              const actual = getCellState(column, row) === cellState.value ? (column.values[row] ?? NaN) : null;
              const expected = total === 0 ? null : (100 * part) / total;
              const isNear =
                actual === null || expected === null
                  ? actual === expected
                  : Math.abs(actual - expected) <= 1e-12 * Math.max(1, expected);
              assert.ok(isNear, `${name} of ${bin}: ${actual}, not ${expected}`);
              if (expected !== null) assert.equal(column.hours?.[row], count);
            }
          }
        },
      ),
      { numRuns: scaleRunCount(150) },
    );
  });

  it('assigns rows that begin within an hour to that hour, also at the start of the range', () => {
    const instants = [0, 1, 2].map(hour => Date.parse('2023-05-31T22:30Z') + hour * hourMs);
    const frame = { rowCount: 3, columns: [timeColumn('ts', instants), numberColumn('wind_mw', [1, 2, 4], power)] };
    const range = { start: instants[0] ?? NaN, end: (instants[2] ?? NaN) + hourMs, intervalMs: hourMs };
    for (const by of ['hourOfDay', 'month'] as const) {
      const resampled = resampleFrame(frame, { by, timeZone: 'UTC', label: 'UTC', ...range, names: [] });
      const energies = resampled.columns.find(({ name }) => name === 'wind_mwh');
      assert.deepEqual(energies?.kind === 'number' && [...energies.values].sort(), by === 'month' ? [3, 4] : [1, 2, 4]);
    }
  });

  it('rejects more intervals than the limit', () => {
    const frame = { rowCount: 1, columns: [timeColumn('ts', [0])] };
    const tooMany = {
      timeZone: 'UTC',
      label: 'UTC',
      start: 0,
      end: maxIntervals * 2,
      intervalMs: 1,
      names: [],
    } as const;
    for (const by of ['3h', 'year', 'weekday'] as const)
      assert.throws(() => resampleFrame(frame, { ...tooMany, by }), RangeError);
    assert.throws(() => resampleFrame(frame, { ...tooMany, by: 'day', intervalMs: NaN }), RangeError);
  });
});
