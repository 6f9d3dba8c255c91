import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deriveColumns } from '../../../../src/core/formula/deriveColumns.ts';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { systemStateFields, gridStressFields } from '../../../../src/shared/fields.ts';
import { cellState, getCellState, getText, type Frame } from '../../../../src/shared/frame.ts';
import { binSizes, cycles, maxIntervals, type Resampling } from '../../../../src/shared/resampling.ts';
import { index, power, share } from '../../../../src/shared/units.ts';
import { sharedCells } from '../../../support/shared.ts';
import { numberColumn, timeColumn } from '../filter/columns.ts';
import { manyRuns } from '../../../support/manyRuns.ts';
import { binOf, type By } from './clockBins.ts';

const hourMs = 3_600_000;
interface Hour {
  readonly at: number;
  /** Thousandths; null for a null. */
  readonly value: bigint | null;
}

interface Choice {
  readonly by: By;
  readonly timeZone: string;
  /** Whether an hour with a row counts, or one without is missing. */
  readonly keeps: (ms: number) => boolean;
}

/** Models resampling by the rules, hour by hour in exact numbers. */
function model(hours: readonly Hour[], start: number, end: number, { by, timeZone, keeps }: Choice) {
  const isWhole = binSizes.some(size => size === by);
  const ends = [binOf(start, by, timeZone), binOf(end - hourMs, by, timeZone)];
  const rows = new Map(hours.map(({ at, value }) => [at, value]));
  const bins = new Map<string, { of: number; hours: number; values: bigint[]; ats: number[]; isNull: boolean }>();
  let [from, to] = [start, end];
  if (isWhole) {
    while (binOf(from - hourMs, by, timeZone) === ends[0]) from -= hourMs;
    while (binOf(to, by, timeZone) === ends[1]) to += hourMs;
  }
  for (let at = from; at < to; at += hourMs) {
    if (!keeps(at)) continue;
    const name = binOf(at, by, timeZone);
    const bin = bins.get(name) ?? { of: 0, hours: 0, values: [], ats: [], isNull: false };
    bins.set(name, bin);
    bin.of++;
    const value = rows.get(at);
    if (value === undefined) continue;
    bin.hours++;
    if (value === null) bin.isNull = true;
    else {
      bin.values.push(value);
      bin.ats.push(at);
    }
  }
  return new Map(
    Array.from(bins, ([name, { of, hours: with_, values, ats, isNull }]) => {
      if (values.length === 0)
        return [name, [with_, of, ...Array.from({ length: 6 }, () => (isNull ? null : undefined))]];
      const sum = values.reduce((total, one) => total + one, 0n);
      const inOrder = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      const ends = [inOrder[0], inOrder.at(-1)];
      const [least, greatest] = ends.map(one => Number(one) / 1000);
      const firsts = ends.map(one => ats[values.findIndex(value => value === one)]);
      return [name, [with_, of, Number(sum) / 1000 / values.length, Number(sum) / 1000, least, greatest, ...firsts]];
    }),
  );
}

function product(frame: Frame, resampling: Resampling) {
  const made = resampleFrame(frame, resampling);
  const [key, ...columns] = made.columns;
  const names = ['hours', 'of_hours', 'wind_mw', 'wind_mwh', 'wind_min_mw', 'wind_max_mw'];
  assert.deepEqual(
    columns.map(({ name }) => name),
    names,
  );
  return new Map(
    Array.from({ length: made.rowCount }, (_, row) => {
      const name =
        key?.kind === 'time'
          ? binOf(key.values[row] ?? NaN, resampling.by, resampling.timeZone)
          : key?.kind === 'text'
            ? getText(key.texts, row)
            : assert.fail();
      const cells = columns.map(column => {
        const state = getCellState(column, row);
        if (state === cellState.value) return column.kind === 'number' ? column.values[row] : undefined;
        return state === cellState.null ? null : undefined;
      });
      const extremes = columns.slice(-2).map((column, at) => {
        const isKnown = column.kind === 'number' && getCellState(column, row) === cellState.value;
        return isKnown ? column.extremeAt?.[row] : cells.at(at - 2);
      });
      return [name, [...cells, ...extremes]];
    }),
  );
}

function frameOf(hours: readonly Hour[]): Frame {
  return {
    rowCount: hours.length,
    columns: [
      timeColumn(
        'ts',
        hours.map(({ at }) => at),
      ),
      numberColumn(
        'wind_mw',
        hours.map(({ value }) => (value === null ? null : Number(value) / 1000)),
        power,
      ),
    ],
  };
}

function resamplingOf(hours: readonly Hour[], start: number, end: number, choice: Choice): Resampling {
  const { by, timeZone, keeps } = choice;
  const rows = Uint32Array.from(hours.keys()).filter(row => keeps(hours[row]?.at ?? NaN));
  const plain = {
    by,
    timeZone,
    label: timeZone,
    start,
    end,
    stepMs: hourMs,
    names: Array.from({ length: 24 }, (_, bin) => String(bin)),
  };
  const all = resampleFrame({ rowCount: 1, columns: [timeColumn('ts', [start])] }, plain);
  const [key] = all.columns;
  const first = key?.kind === 'time' ? (key.values[0] ?? NaN) : start;
  const steps = Math.ceil((end - first) / hourMs) + 400 * 24;
  const counted = Uint8Array.from({ length: steps }, (_, step) =>
    Number(keeps(Math.ceil(first / hourMs) * hourMs + step * hourMs)),
  );
  return { ...plain, rows, counted };
}

const starts = ['2023-03-25', '2023-10-28', '2022-11-05', '2023-12-28', '2023-05-01', '2024-02-28'];
// Time zones with whole-hour offsets, in which a UTC hour is within one bin.
const zones = ['UTC', 'Africa/Johannesburg', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia'];

describe('resampling', () => {
  it('matches an independent model for every kind of bin, with gaps, nulls, clock changes and filters', () => {
    const value = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: -9_000_000, max: 40_000_000 }).map(BigInt) },
      { weight: 1, arbitrary: fc.constantFrom(null, 0n) },
    );
    const cells = fc.array(fc.option(value, { freq: 5, nil: undefined }), { minLength: 2, maxLength: 120 });
    const keeps = fc.constantFrom(
      () => true,
      (ms: number) => new Date(ms).getUTCHours() >= 16,
      (ms: number) => new Date(ms).getUTCDay() !== 0,
    );
    const by = fc.constantFrom<By>(...binSizes, ...cycles);
    fc.assert(
      fc.property(fc.constantFrom(...starts), cells, by, fc.constantFrom(...zones), keeps, (day, all, ...rest) => {
        const start = Date.parse(day);
        const hours = all.flatMap((one, at) => (one === undefined ? [] : [{ at: start + at * hourMs, value: one }]));
        fc.pre(hours.length > 0);
        const end = start + all.length * hourMs;
        const choice = { by: rest[0], timeZone: rest[1], keeps: rest[2] };
        const made = product(frameOf(hours), resamplingOf(hours, start, end, choice));
        const sort = (map: ReadonlyMap<unknown, unknown>): unknown[] =>
          [...map].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
        assert.deepEqual(sort(made), sort(model(hours, start, end, choice)));
      }),
      { numRuns: manyRuns(200) },
    );
  });

  it('matches the model for real hours', function () {
    const real = sharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) return this.skip();
    const wind = real.heading.indexOf('Wind');
    const hours = real.rows.slice(0, manyRuns(real.rows.length)).map(([date = '', clock = '', ...rest]): Hour => {
      const text = [date, clock, ...rest][wind] ?? '';
      const value = text === '' ? null : BigInt(Math.round(Number(text) * 1000));
      return { at: Date.parse(`${date}T${clock}+02:00`), value };
    });
    const [start, end] = [hours[0]?.at ?? NaN, (hours.at(-1)?.at ?? NaN) + hourMs];
    assert.ok(hours.length > 3_000);
    for (const by of [...binSizes, ...cycles]) {
      const choice = { by, timeZone: 'Africa/Johannesburg', keeps: (ms: number) => new Date(ms).getUTCDay() !== 0 };
      const made = product(frameOf(hours), resamplingOf(hours, start, end, choice));
      const expected = model(hours, start, end, choice);
      assert.equal(made.size, expected.size);
      for (const [name, cells] of made) assert.deepEqual(cells, expected.get(name), `${by} ${name}`);
    }
  });

  it('computes the share of a month from its energies, and the hours of the stress index in each band', () => {
    const at = [0, 1, 2, 3].map(hour => Date.parse('2023-05-31T22:00Z') + hour * hourMs);
    const described = (field: unknown): object => (field ? { field } : {});
    const frame: Frame = {
      rowCount: 4,
      columns: [
        timeColumn('ts', at),
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
      start: at[0] ?? 0,
      end: (at[3] ?? 0) + hourMs,
      stepMs: hourMs,
      names: [],
    } as const;
    const made = resampleFrame(frame, resampling);
    const cells = (name: string): number[] => {
      const column = made.columns.find(candidate => candidate.name === name);
      return column?.kind === 'number' ? [...column.values] : assert.fail(name);
    };
    // 1,000 of 10,000 and 5,000 of 25,000; then 6,000 of 30,000, because the hour without a share has no total.
    assert.deepEqual(cells('renewable_share_pct'), [(100 * 6000) / 35_000, 20]);
    const bands = ['low', 'moderate', 'high', 'critical'].map(band => cells(`value_${band}_h`));
    assert.deepEqual(bands, [
      [1, 0],
      [1, 0],
      [0, 1],
      [0, 1],
    ]);
    assert.deepEqual(cells('of_hours'), [744, 720]);
  });

  it('divides the energies of derived shares as an independent model does, with zeros, nulls and holes', () => {
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
        (day, all, by, timeZone) => {
          const start = Date.parse(day);
          const hours = all.flatMap((one, at) => (one ? [{ at: start + at * hourMs, ...one }] : []));
          fc.pre(hours.length > 0);
          const cells = (name: 'a' | 'b' | 'all') =>
            numberColumn(
              `${name}_mw`,
              hours.map(one => (one[name] === null ? null : one[name] / 1000)),
              power,
            );
          const at = timeColumn(
            'ts',
            hours.map(one => one.at),
          );
          const frame = { rowCount: hours.length, columns: [at, cells('a'), cells('b'), cells('all')] };
          const { frame: derived } = deriveColumns(frame, { columns, stepMs: hourMs });
          const plain = hours.map(one => ({ at: one.at, value: null }));
          const choice = { by, timeZone, keeps: () => true };
          const resampling = resamplingOf(plain, start, start + all.length * hourMs, choice);
          const made = resampleFrame(derived, resampling);
          const [key] = made.columns;
          for (const { name } of columns) {
            const column = made.columns.find(one => one.name === name);
            assert.ok(column?.kind === 'number');
            for (let row = 0; row < made.rowCount; row++) {
              const bin =
                key?.kind === 'time'
                  ? binOf(key.values[row] ?? NaN, by, timeZone)
                  : key?.kind === 'text'
                    ? getText(key.texts, row)
                    : assert.fail();
              let [part, whole, count] = [0, 0, 0];
              for (const one of hours) {
                if (binOf(one.at, by, timeZone) !== bin || one.a === null || one.all === null) continue;
                if (name === 'two' && one.b === null) continue;
                part += one.a + (name === 'two' ? (one.b ?? 0) : 0);
                whole += one.all;
                count++;
              }
              const found = getCellState(column, row) === cellState.value ? (column.values[row] ?? NaN) : null;
              const expected = whole === 0 ? null : (100 * part) / whole;
              const isNear =
                found === null || expected === null
                  ? found === expected
                  : Math.abs(found - expected) <= 1e-12 * Math.max(1, expected);
              assert.ok(isNear, `${name} of ${bin}: ${found}, not ${expected}`);
              if (expected !== null) assert.equal(column.hours?.[row], count);
            }
          }
        },
      ),
      { numRuns: manyRuns(150) },
    );
  });

  it('counts rows that begin within an hour, the first of the range with the others', () => {
    const at = [0, 1, 2].map(hour => Date.parse('2023-05-31T22:30Z') + hour * hourMs);
    const frame = { rowCount: 3, columns: [timeColumn('ts', at), numberColumn('wind_mw', [1, 2, 4], power)] };
    const range = { start: at[0] ?? NaN, end: (at[2] ?? NaN) + hourMs, stepMs: hourMs };
    for (const by of ['hourOfDay', 'month'] as const) {
      const made = resampleFrame(frame, { by, timeZone: 'UTC', label: 'UTC', ...range, names: [] });
      const energies = made.columns.find(({ name }) => name === 'wind_mwh');
      assert.deepEqual(energies?.kind === 'number' && [...energies.values].sort(), by === 'month' ? [3, 4] : [1, 2, 4]);
    }
  });

  it('refuses more steps than there is memory for', () => {
    const frame = { rowCount: 1, columns: [timeColumn('ts', [0])] };
    const all = { timeZone: 'UTC', label: 'UTC', start: 0, end: maxIntervals * 2, stepMs: 1, names: [] } as const;
    for (const by of ['3h', 'year', 'weekday'] as const)
      assert.throws(() => resampleFrame(frame, { ...all, by }), RangeError);
    assert.throws(() => resampleFrame(frame, { ...all, by: 'day', stepMs: NaN }), RangeError);
  });
});
