import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeBinEdges } from '../../../../src/core/bins/binEdges.ts';
import { aggregateDays } from '../../../../src/core/bins/binFrame.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import { cellState, getCellState, type Frame, type NumberColumn } from '../../../../src/shared/frame.ts';
import { index, power, powerExtreme, share } from '../../../../src/shared/units.ts';
import { readSharedCells } from '../../../support/sharedFiles.ts';
import { numberColumn, timeColumn } from '../filter/columns.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const hourMs = 3_600_000;
const zones = [
  ...['UTC', 'Africa/Johannesburg', 'Asia/Kolkata', 'Asia/Kathmandu', 'Europe/Berlin', 'America/New_York'],
  ...['Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Chatham', 'America/Santiago', 'America/Havana'],
];

/** A cell of the model: a number in thousandths, null, or undefined if it is absent. */
type Cell = bigint | null | undefined;
interface Hour {
  readonly ms: number;
  readonly cells: Readonly<Record<string, Cell>>;
}

/** Formats the date of an instant in a time zone with Intl: "2023-05-01". */
function createDateFormatter(timeZone: string): (ms: number) => string {
  const formatter = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return ms => formatter.format(ms);
}

/** Computes the expected days in exact arithmetic. Each UTC hour belongs to the date on which it starts. */
function computeExpectedDays(hours: readonly Hour[], timeZone: string, names: readonly string[]) {
  const date = createDateFormatter(timeZone);
  const days = new Map<string, Hour[]>();
  for (const hour of hours) days.set(date(hour.ms), [...(days.get(date(hour.ms)) ?? []), hour]);
  return [...days].map(([day, dayHours]) => {
    const firstMs = dayHours[0]?.ms ?? NaN;
    let hourCount = 0;
    for (let ms = firstMs - 30 * hourMs; ms < firstMs + 30 * hourMs; ms += hourMs) if (date(ms) === day) hourCount++;
    const figures = names.map(name => {
      const values = dayHours.flatMap(({ cells }) => (typeof cells[name] === 'bigint' ? [cells[name]] : []));
      const sum = values.reduce((total, value) => total + value, 0n);
      const [min] = values.toSorted((a, b) => (a < b ? -1 : 1));
      const max = values.toSorted((a, b) => (a < b ? 1 : -1))[0];
      const emptyCell = dayHours.some(({ cells }) => cells[name] === null) ? null : undefined;
      if (values.length === 0) return { count: 0, mean: emptyCell, mwh: emptyCell, min: emptyCell, max: emptyCell };
      const numbers = { mean: Number(sum) / 1000 / values.length, mwh: Number(sum) / 1000 };
      return { count: values.length, ...numbers, min: Number(min) / 1000, max: Number(max) / 1000 };
    });
    return { day, hours: dayHours.length, of: hourCount, figures };
  });
}

function createFrame(hours: readonly Hour[], names: readonly string[]): Frame {
  const toNumber = (cell: Cell): number | null | undefined => (typeof cell === 'bigint' ? Number(cell) / 1000 : cell);
  const columns = names.map(name =>
    numberColumn(
      name,
      hours.map(({ cells }) => toNumber(cells[name])),
      power,
    ),
  );
  const time = timeColumn(
    'ts',
    hours.map(({ ms }) => ms),
  );
  return { rowCount: hours.length, columns: [time, ...columns] };
}

function computeDays(frame: Frame, timeZone: string, names: readonly string[]) {
  const times = frame.columns[0]?.kind === 'time' ? frame.columns[0].values : assert.fail();
  const start = Math.min(...times);
  const end = Math.max(...times) + hourMs;
  const edges = computeBinEdges({ start, end }, 'day', timeZone);
  const dailyFrame = aggregateDays(frame, { edges, intervalMs: hourMs, zone: { timeZone, label: timeZone } });
  const date = createDateFormatter(timeZone);
  const getColumn = (name: string): NumberColumn => {
    const match = dailyFrame.columns.find(candidate => candidate.name === name);
    return match?.kind === 'number' ? match : assert.fail(`no ${name}`);
  };
  const readCell = (name: string, row: number): number | null | undefined => {
    const state = getCellState(getColumn(name), row);
    if (state === cellState.value) return getColumn(name).values[row];
    return state === cellState.null ? null : undefined;
  };
  const days = dailyFrame.columns[0]?.kind === 'time' ? dailyFrame.columns[0].values : assert.fail();
  return Array.from(days, (dayStart, row) => {
    const figures = names.map(name => {
      const baseName = name.replace(/_mw$/, '');
      return {
        count: getColumn(name).hours?.[row],
        mean: readCell(name, row),
        mwh: readCell(`${baseName}_mwh`, row),
        min: readCell(`${baseName}_min_mw`, row),
        max: readCell(`${baseName}_max_mw`, row),
      };
    });
    // If two dates share hours, the day begins with the earlier date.
    return { day: date(dayStart), hours: readCell('hours', row), of: readCell('of_hours', row), figures };
  });
}

/** The dates near which the generated ranges start: most have a clock change in a time zone. */
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

describe('aggregateDays', () => {
  it('computes the same days as an independent model, in any time zone and with any gaps', () => {
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
        cells.flatMap((values, hourIndex): Hour[] =>
          values ? [{ ms: Date.parse(start) + (offset + hourIndex) * hourMs, cells: values }] : [],
        ),
      )
      .filter(list => list.length > 0);
    const names = ['wind_mw', 'pv_mw'];
    fc.assert(
      fc.property(hours, fc.constantFrom(...zones), (hourList, timeZone) => {
        assert.deepEqual(
          computeDays(createFrame(hourList, names), timeZone, names),
          computeExpectedDays(hourList, timeZone, names),
        );
      }),
      { numRuns: scaleRunCount(1500) },
    );
  });

  for (const timeZone of ['Africa/Johannesburg', 'Asia/Kolkata', 'Europe/Berlin'])
    it(`computes the same days as the model from measured hours (${timeZone})`, function () {
      const file = readSharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
      if (!file) return this.skip();
      const { heading } = file;
      const names = { wind_mw: 'Wind', pv_mw: 'PV', thermal_mw: 'Thermal Generation' };
      const parseThousandths = (text = ''): Cell => {
        const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,3}))?$/.exec(text) ?? [];
        if (whole === '') return null;
        const thousandths = BigInt(whole) * 1000n + BigInt(fraction.padEnd(3, '0'));
        return sign ? -thousandths : thousandths;
      };
      const hours = file.rows
        .slice(0, scaleRunCount(file.rows.length))
        .map(([date = '', clock = '', ...rest]): Hour => {
          const row = [date, clock, ...rest];
          const cells = Object.entries(names).map(([name, title]) => [
            name,
            parseThousandths(row[heading.indexOf(title)]),
          ]);
          return { ms: Date.parse(`${date}T${clock}+02:00`), cells: Object.fromEntries(cells) as Hour['cells'] };
        });
      assert.ok(hours.length > 3_000);
      const columnNames = Object.keys(names);
      assert.deepEqual(
        computeDays(createFrame(hours, columnNames), timeZone, columnNames),
        computeExpectedDays(hours, timeZone, columnNames),
      );
    });

  it('computes the share of a day from energies, or no share if the total of an hour is unknown', () => {
    const day = Date.parse('2023-05-01');
    const computeShare = (
      shares: readonly (number | null)[],
      parts: readonly (number | null)[],
    ): number | null | undefined => {
      const instants = shares.map((_, hour) => day + hour * hourMs);
      const field = systemStateFields.get('renewable_share_pct');
      const frame: Frame = {
        rowCount: instants.length,
        columns: [
          timeColumn('ts', instants),
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
    assert.equal(computeShare([10, 15], [1000, 3000]), 40 / 3);
    assert.equal(computeShare([10, null, 15], [1000, 9000, null]), 10);
    assert.equal(computeShare([10, 0], [1000, 0]), null);
    assert.equal(computeShare([0, 0], [0, 0]), 0);
    assert.equal(computeShare([null], [1000]), null);
  });

  it('omits the energy of an index, the mean of a ramp, and the mean of a share whose parts are unknown', () => {
    const instants = [Date.parse('2023-05-01'), Date.parse('2023-05-01T01:00Z')];
    const frame: Frame = {
      rowCount: 2,
      columns: [
        timeColumn('ts', instants),
        numberColumn('value', [0.2, 0.4], index),
        numberColumn('ocgt_ramp_mw', [-100, 300], powerExtreme),
        numberColumn('load_factor_pct', [50, 70], share),
      ],
    };
    const edges = computeBinEdges({ start: instants[0] ?? 0, end: instants[1] ?? 0 }, 'day', 'UTC');
    const days = aggregateDays(frame, { edges, intervalMs: hourMs, zone: { timeZone: 'UTC', label: 'UTC' } });
    const cells = days.columns.map(column => [column.name, column.kind === 'number' ? column.values[0] : undefined]);
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

  it('uses only the last row of an hour that has two rows', () => {
    const start = Date.parse('2023-05-01');
    const frame = { rowCount: 2, columns: [timeColumn('ts', [start, start]), numberColumn('wind_mw', [1, 5], power)] };
    const edges = computeBinEdges({ start, end: start + hourMs }, 'day', 'UTC');
    const days = aggregateDays(frame, { edges, intervalMs: hourMs, zone: { timeZone: 'UTC', label: 'UTC' } });
    const values = days.columns.flatMap(column => (column.kind === 'number' ? [column.values[0]] : []));
    assert.deepEqual(values, [1, 24, 5, 5, 5, 5]);
  });
});
