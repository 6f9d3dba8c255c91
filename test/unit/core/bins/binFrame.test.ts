import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeBinEdges } from '../../../../src/core/bins/binEdges.ts';
import { aggregateDays } from '../../../../src/core/bins/binFrame.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import { cellState, getCellState, type Frame, type NumberColumn } from '../../../../src/shared/frame.ts';
import { index, power, powerExtreme, share } from '../../../../src/shared/units.ts';
import { sharedCells } from '../../../support/shared.ts';
import { numberColumn, timeColumn } from '../filter/columns.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const hourMs = 3_600_000;
const zones = [
  ...['UTC', 'Africa/Johannesburg', 'Asia/Kolkata', 'Asia/Kathmandu', 'Europe/Berlin', 'America/New_York'],
  ...['Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Chatham', 'America/Santiago', 'America/Havana'],
];

/** A cell of the model: thousandths, null, or absent. */
type Cell = bigint | null | undefined;
interface Hour {
  readonly at: number;
  readonly cells: Readonly<Record<string, Cell>>;
}

/** Formats the date of an instant in a time zone with Intl: "2023-05-01". */
function dateIn(timeZone: string): (ms: number) => string {
  const write = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return ms => write.format(ms);
}

/** Models days of hours in exact arithmetic: each UTC hour belongs to the date on which it begins. */
function model(hours: readonly Hour[], timeZone: string, names: readonly string[]) {
  const date = dateIn(timeZone);
  const days = new Map<string, Hour[]>();
  for (const hour of hours) days.set(date(hour.at), [...(days.get(date(hour.at)) ?? []), hour]);
  return [...days].map(([day, all]) => {
    const first = all[0]?.at ?? NaN;
    let of = 0;
    for (let at = first - 30 * hourMs; at < first + 30 * hourMs; at += hourMs) if (date(at) === day) of++;
    const figures = names.map(name => {
      const known = all.flatMap(({ cells }) => (typeof cells[name] === 'bigint' ? [cells[name]] : []));
      const sum = known.reduce((total, one) => total + one, 0n);
      const [least] = known.toSorted((a, b) => (a < b ? -1 : 1));
      const greatest = known.toSorted((a, b) => (a < b ? 1 : -1))[0];
      const none = all.some(({ cells }) => cells[name] === null) ? null : undefined;
      if (known.length === 0) return { count: 0, mean: none, mwh: none, min: none, max: none };
      const numbers = { mean: Number(sum) / 1000 / known.length, mwh: Number(sum) / 1000 };
      return { count: known.length, ...numbers, min: Number(least) / 1000, max: Number(greatest) / 1000 };
    });
    return { day, hours: all.length, of, figures };
  });
}

function frameOf(hours: readonly Hour[], names: readonly string[]): Frame {
  const valueOf = (cell: Cell): number | null | undefined => (typeof cell === 'bigint' ? Number(cell) / 1000 : cell);
  const columns = names.map(name =>
    numberColumn(
      name,
      hours.map(({ cells }) => valueOf(cells[name])),
      power,
    ),
  );
  const time = timeColumn(
    'ts',
    hours.map(({ at }) => at),
  );
  return { rowCount: hours.length, columns: [time, ...columns] };
}

function product(frame: Frame, timeZone: string, names: readonly string[]) {
  const times = frame.columns[0]?.kind === 'time' ? frame.columns[0].values : assert.fail();
  const [start, end] = [Math.min(...times), Math.max(...times) + hourMs];
  const edges = computeBinEdges({ start, end }, 'day', timeZone);
  const made = aggregateDays(frame, { edges, intervalMs: hourMs, zone: { timeZone, label: timeZone } });
  const date = dateIn(timeZone);
  const column = (name: string): NumberColumn => {
    const found = made.columns.find(candidate => candidate.name === name);
    return found?.kind === 'number' ? found : assert.fail(`no ${name}`);
  };
  const cell = (name: string, row: number): number | null | undefined => {
    const state = getCellState(column(name), row);
    if (state === cellState.value) return column(name).values[row];
    return state === cellState.null ? null : undefined;
  };
  const days = made.columns[0]?.kind === 'time' ? made.columns[0].values : assert.fail();
  return Array.from(days, (at, row) => {
    const figures = names.map(name => {
      const stem = name.replace(/_mw$/, '');
      return {
        count: column(name).hours?.[row],
        mean: cell(name, row),
        mwh: cell(`${stem}_mwh`, row),
        min: cell(`${stem}_min_mw`, row),
        max: cell(`${stem}_max_mw`, row),
      };
    });
    // If two dates share hours, the day begins with the earlier of them.
    return { day: date(at), hours: cell('hours', row), of: cell('of_hours', row), figures };
  });
}

/** Spans around a clock change of each time zone, and around none. */
const starts = [
  '2023-03-25',
  '2023-10-28',
  '2022-11-05',
  '2023-03-11',
  '2023-04-01',
  '2023-09-29',
  '2023-05-01',
  '2024-02-28',
];

describe('days aggregated from hours', () => {
  it('computes the hours, means, energies and extremes of an independent model, in any zone and with any gaps', () => {
    const cell = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: -9_000_000, max: 40_000_000 }).map(BigInt) },
      { weight: 1, arbitrary: fc.constantFrom(null, undefined, 0n) },
    );
    const hours = fc
      .record({
        start: fc.constantFrom(...starts),
        offset: fc.nat(40),
        cells: fc.array(fc.option(fc.record({ wind_mw: cell, pv_mw: cell }), { freq: 5 }), {
          minLength: 1,
          maxLength: 90,
        }),
      })
      .map(({ start, offset, cells }) =>
        cells.flatMap((one, at): Hour[] =>
          one ? [{ at: Date.parse(start) + (offset + at) * hourMs, cells: one }] : [],
        ),
      )
      .filter(all => all.length > 0);
    const names = ['wind_mw', 'pv_mw'];
    fc.assert(
      fc.property(hours, fc.constantFrom(...zones), (all, timeZone) => {
        assert.deepEqual(product(frameOf(all, names), timeZone, names), model(all, timeZone, names));
      }),
      { numRuns: manyRuns(1500) },
    );
  });

  for (const timeZone of ['Africa/Johannesburg', 'Asia/Kolkata', 'Europe/Berlin'])
    it(`computes the same days from real hours as the model (${timeZone})`, function () {
      const real = sharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
      if (!real) return this.skip();
      const { heading } = real;
      const names = { wind_mw: 'Wind', pv_mw: 'PV', thermal_mw: 'Thermal Generation' };
      const exact = (text = ''): Cell => {
        const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,3}))?$/.exec(text) ?? [];
        if (whole === '') return null;
        const size = BigInt(whole) * 1000n + BigInt(fraction.padEnd(3, '0'));
        return sign ? -size : size;
      };
      const hours = real.rows.slice(0, manyRuns(real.rows.length)).map(([date = '', clock = '', ...rest]): Hour => {
        const row = [date, clock, ...rest];
        const cells = Object.entries(names).map(([name, title]) => [name, exact(row[heading.indexOf(title)])]);
        return { at: Date.parse(`${date}T${clock}+02:00`), cells: Object.fromEntries(cells) as Hour['cells'] };
      });
      assert.ok(hours.length > 3_000);
      const all = Object.keys(names);
      assert.deepEqual(product(frameOf(hours, all), timeZone, all), model(hours, timeZone, all));
    });

  it('computes a share from its energies, and none where the total is unknown', () => {
    const day = Date.parse('2023-05-01');
    const made = (shares: readonly (number | null)[], parts: readonly (number | null)[]): number | null | undefined => {
      const at = shares.map((_, hour) => day + hour * hourMs);
      const field = systemStateFields.get('renewable_share_pct');
      const frame: Frame = {
        rowCount: at.length,
        columns: [
          timeColumn('ts', at),
          { ...numberColumn('renewable_share_pct', shares, share), ...(field && { field }) },
          numberColumn('total_re_mw', parts, power),
        ],
      };
      const edges = computeBinEdges({ start: day, end: day + hourMs }, 'day', 'UTC');
      const binned = aggregateDays(frame, { edges, intervalMs: hourMs, zone: { timeZone: 'UTC', label: 'UTC' } });
      const column = binned.columns.find(({ name }) => name === 'renewable_share_pct');
      if (column?.kind !== 'number') return undefined;
      return getCellState(column, 0) === cellState.value ? column.values[0] : null;
    };
    // 1,000 of 10,000 MW and 3,000 of 20,000 MW: 4,000 of 30,000, not the mean of 10 % and 15 %.
    assert.equal(made([10, 15], [1000, 3000]), 40 / 3);
    assert.equal(made([10, null, 15], [1000, 9000, null]), 10);
    assert.equal(made([10, 0], [1000, 0]), null);
    assert.equal(made([0, 0], [0, 0]), 0);
    assert.equal(made([null], [1000]), null);
  });

  it('computes no energy of an index, no mean of a ramp, and neither of a share of unknown parts', () => {
    const at = [Date.parse('2023-05-01'), Date.parse('2023-05-01T01:00Z')];
    const frame: Frame = {
      rowCount: 2,
      columns: [
        timeColumn('ts', at),
        numberColumn('value', [0.2, 0.4], index),
        numberColumn('ocgt_ramp_mw', [-100, 300], powerExtreme),
        numberColumn('load_factor_pct', [50, 70], share),
      ],
    };
    const edges = computeBinEdges({ start: at[0] ?? 0, end: at[1] ?? 0 }, 'day', 'UTC');
    const made = aggregateDays(frame, { edges, intervalMs: hourMs, zone: { timeZone: 'UTC', label: 'UTC' } });
    const cells = made.columns.map(column => [column.name, column.kind === 'number' ? column.values[0] : undefined]);
    assert.deepEqual(cells.slice(1), [
      ...[
        ['hours', 2],
        ['of_hours', 24],
        ['value', 0.6 / 2],
      ],
      ...[
        ['value_min', 0.2],
        ['ocgt_ramp_min_mw', -100],
        ['load_factor_min_pct', 50],
      ],
      ...[
        ['value_max', 0.4],
        ['ocgt_ramp_max_mw', 300],
        ['load_factor_max_pct', 70],
      ],
    ]);
  });

  it('counts an hour with two rows once, by its last row', () => {
    const at = Date.parse('2023-05-01');
    const frame = { rowCount: 2, columns: [timeColumn('ts', [at, at]), numberColumn('wind_mw', [1, 5], power)] };
    const edges = computeBinEdges({ start: at, end: at + hourMs }, 'day', 'UTC');
    const made = aggregateDays(frame, { edges, intervalMs: hourMs, zone: { timeZone: 'UTC', label: 'UTC' } });
    const values = made.columns.flatMap(column => (column.kind === 'number' ? [column.values[0]] : []));
    assert.deepEqual(values, [1, 24, 5, 5, 5, 5]);
  });
});
