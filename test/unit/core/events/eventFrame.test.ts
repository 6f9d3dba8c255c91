import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createEventFrame, describeEvents } from '../../../../src/core/events/eventFrame.ts';
import type { RunRule, EventSearch } from '../../../../src/shared/eventSearch.ts';
import { cellState, getCellState, type Frame, type NumberColumn } from '../../../../src/shared/frame.ts';
import { maxIntervals } from '../../../../src/shared/resampling.ts';
import { getDifferenceUnit, energy, power, powerExtreme, share } from '../../../../src/shared/units.ts';
import { readSharedCells } from '../../../support/sharedFiles.ts';
import { parseLimit, model, type Expected, type Row, type Searched } from './eventModel.ts';
import { numberColumn, timeColumn } from '../filter/columns.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const hourMs = 3_600_000;

function findEvents(frame: Frame, search: EventSearch & { readonly rule: RunRule }): Expected[] {
  const events = createEventFrame(frame, search);
  const isPeak = search.rule.kind === 'peak';
  const extreme = {
    peak: 'wind_max_mw',
    ramp: 'wind_change_mw',
    condition: parseLimit(search.rule).sign === '<' ? 'wind_min_mw' : 'wind_max_mw',
  };
  const runColumns = ['of_hours', extreme[search.rule.kind], 'extreme_at', 'wind_mwh', 'hours', 'may_be_longer'];
  assert.deepEqual(
    events.columns.map(({ name }) => name),
    ['start', 'end', ...(isPeak ? ['wind_max_mw', 'uncertain'] : runColumns)],
  );
  const readCell = (name: string, row: number): number => {
    const column = events.columns.find(candidate => candidate.name === name);
    assert.ok(
      column && 'values' in column && column.values.length === events.rowCount && getCellState(column, row) === 0,
      name,
    );
    return column.values[row] ?? NaN;
  };
  return Array.from({ length: events.rowCount }, (_, row) => {
    const start = readCell('start', row);
    const end = readCell('end', row);
    const extremeValue = readCell(extreme[search.rule.kind], row);
    const perHour = search.intervalMs / hourMs;
    if (isPeak)
      return {
        start,
        end,
        hours: perHour,
        extreme: extremeValue,
        extremeAt: start,
        mwh: extremeValue * perHour,
        isUncertain: readCell('uncertain', row) === 1,
      };
    const hours = Math.round((end - start) / search.intervalMs) * perHour;
    assert.equal(readCell('of_hours', row), hours);
    return {
      start,
      end,
      hours: readCell('hours', row),
      extreme: extremeValue,
      extremeAt: readCell('extreme_at', row),
      mwh: readCell('wind_mwh', row),
      isUncertain: readCell('may_be_longer', row) === 1,
    };
  });
}

function createFrame(rows: readonly Row[]): Frame {
  return {
    rowCount: rows.length,
    columns: [
      timeColumn(
        'ts',
        rows.map(({ ms }) => ms),
      ),
      numberColumn(
        'wind_mw',
        rows.map(({ value }) => (typeof value === 'bigint' ? Number(value) / 1000 : value)),
        power,
      ),
    ],
  };
}

function createSearch(
  { rows, from, intervalCount, intervalMs, isCounted }: Searched,
  rule: RunRule,
): EventSearch & { readonly rule: RunRule } {
  const floorToInterval = (ms: number): number => from + Math.floor((ms - from) / intervalMs) * intervalMs;
  return {
    rule,
    column: 'wind_mw',
    start: from,
    end: from + intervalCount * intervalMs,
    intervalMs,
    rows: Uint32Array.from(rows.keys()).filter(row => isCounted(floorToInterval(rows[row]?.ms ?? NaN))),
    counted: Uint8Array.from({ length: intervalCount }, (_, interval) =>
      Number(isCounted(from + interval * intervalMs)),
    ),
  };
}

const value = fc.constantFrom(0, 0.001, 0.3, 0.4, 1.5);
const ruleArbitrary: fc.Arbitrary<RunRule> = fc.oneof(
  fc.constant({ kind: 'peak' } as const),
  fc.record({ kind: fc.constant('ramp' as const), value, hours: fc.constantFrom(1, 2, 3, 6) }),
  fc
    .tuple(fc.constantFrom('>', '<', '>='), value)
    .map(([sign, limit]) => ({ kind: 'condition' as const, condition: `wind_mw ${sign} ${limit}` })),
);

describe('createEventFrame', () => {
  it('finds the events of an independent model, with gaps, nulls, duplicate instants, unsorted rows and filters', () => {
    const value = fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: -1000, max: 2000 }).map(BigInt) },
      { weight: 4, arbitrary: fc.constantFrom(0n, 300n, 600n, 599n, 800n, 1500n) },
      { weight: 1, arbitrary: fc.constantFrom(null, undefined) },
    );
    const searches = fc
      .record({
        steps: fc.integer({ min: 1, max: 60 }),
        intervalMs: fc.constantFrom(hourMs, hourMs, hourMs / 2, hourMs / 4),
        // Rows may begin within an hour.
        within: fc.constantFrom(0, 0, 0, 420_000),
        keeps: fc.constantFrom(
          () => true,
          () => true,
          (ms: number) => new Date(ms).getUTCHours() % 11 !== 4,
          (ms: number) => new Date(ms).getUTCHours() >= 12,
        ),
      })
      .chain(({ steps: intervalCount, intervalMs, within, keeps: isCounted }) => {
        const from = Date.parse('2023-03-25T22:00Z');
        const arbitraryRow = (interval: number) =>
          value.map((cell): Row => ({ ms: from + interval * intervalMs + within, value: cell }));
        const sorted = fc
          .tuple(
            ...Array.from({ length: intervalCount }, (_, interval) =>
              fc.option(arbitraryRow(interval), { freq: 7, nil: undefined }),
            ),
          )
          .map(rows => rows.filter(row => row !== undefined));
        const unsorted = fc.array(fc.integer({ min: 0, max: intervalCount - 1 }).chain(arbitraryRow), {
          maxLength: 3 * intervalCount,
        });
        return fc
          .oneof(sorted, unsorted)
          .map((rows): Searched => ({ rows, from, intervalCount, intervalMs, isCounted }));
      });
    fc.assert(
      fc.property(searches, ruleArbitrary, (searched, rule) => {
        assert.deepEqual(findEvents(createFrame(searched.rows), createSearch(searched, rule)), model(searched, rule));
      }),
      { numRuns: scaleRunCount(3000) },
    );
  });

  it('finds the events of the model in real hours', function () {
    const real = readSharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) return this.skip();
    for (const [name, rule] of [
      ['Wind', { kind: 'peak' }],
      ['Wind', { kind: 'ramp', hours: 3, value: 800 }],
      ['Eskom OCGT Generation', { kind: 'condition', condition: 'wind_mw > 0' }],
      ['Wind', { kind: 'condition', condition: 'wind_mw < 200.5' }],
    ] as const) {
      const column = real.heading.indexOf(name);
      assert.ok(column > 0, name);
      const rows = real.rows.slice(0, 4000).map((cells): Row => {
        const [date = '', clock = ''] = cells;
        const text = cells[column] ?? '';
        const ms = Date.parse(`${date}T${clock}+02:00`);
        return { ms, value: text === '' ? null : BigInt(Math.round(Number(text) * 1000)) };
      });
      const from = rows[0]?.ms ?? NaN;
      const intervalCount = Math.round(((rows.at(-1)?.ms ?? NaN) - from) / hourMs) + 1;
      const searched = { rows, from, intervalCount, intervalMs: hourMs, isCounted: () => true };
      const actual = findEvents(createFrame(rows), createSearch(searched, rule));
      const expected = model(searched, rule);
      assert.ok(actual.length > 10, name);
      assert.deepEqual(actual, expected, `${name} ${rule.kind}`);
    }
  });

  /** Finds the events of a few intervals from midnight. */
  const findEventsInColumn = (column: NumberColumn, rule: RunRule, intervalMs = hourMs): Frame => {
    const instants = Array.from(column.values, (_, row) => Date.parse('2023-06-01T00:00Z') + row * intervalMs);
    const search = {
      rule,
      column: column.name,
      start: instants[0] ?? NaN,
      end: (instants.at(-1) ?? NaN) + intervalMs,
      intervalMs,
    };
    return createEventFrame({ rowCount: instants.length, columns: [timeColumn('ts', instants), column] }, search);
  };
  const getColumn = ({ columns }: Frame, name: string): NumberColumn => {
    const column = columns.find(candidate => candidate.name === name);
    return column?.kind === 'number' ? column : assert.fail(name);
  };

  it('marks a peak as uncertain where an hour within twelve hours of it is unknown', () => {
    const listCertain = (cells: readonly (number | null)[]): readonly unknown[] => {
      const uncertain = findEventsInColumn(numberColumn('any', cells), { kind: 'peak' }).columns.at(-1);
      return uncertain?.kind === 'boolean' ? [...uncertain.values].map(flag => flag === 0) : assert.fail();
    };
    const low = Array.from({ length: 12 }, () => 1);
    assert.deepEqual(listCertain([...low, 2, ...low]), [true]);
    assert.deepEqual(listCertain([...low.slice(1), 2, ...low]), [false]);
    assert.deepEqual(listCertain([...low, 2, ...low.slice(1)]), [false]);
    assert.equal(listCertain([null, ...low, 2, ...low, null]).at(-1), true);
    assert.equal(listCertain([1, null, ...low.slice(1), 2, ...low]).at(-1), false);
    assert.deepEqual(listCertain([...low, 2, ...low.slice(1), null, 1]), [false]);
  });

  it('uses the unit of the column, and adds energy only for mean power', () => {
    const createRule = (column: string) => ({ kind: 'condition', condition: `${column} > 1` }) as const;
    const ramp = { kind: 'ramp', hours: 1, value: 1 } as const;
    const readUnit = (events: Frame, name: string): unknown => getColumn(events, name).field?.unit;
    const powerEvents = findEventsInColumn(numberColumn('wind_mw', [0, 2, 5, 0], power), createRule('wind_mw'));
    assert.deepEqual(readUnit(powerEvents, 'wind_max_mw'), powerExtreme);
    assert.deepEqual(readUnit(powerEvents, 'wind_mwh'), energy);
    const changes = findEventsInColumn(numberColumn('wind_mw', [0, 2, 5, 0], power), ramp);
    assert.deepEqual(readUnit(changes, 'wind_change_mw'), { ...powerExtreme, difference: true });
    const shareEvents = findEventsInColumn(numberColumn('re_pct', [0, 2, 5, 0], share), createRule('re_pct'));
    assert.deepEqual(readUnit(shareEvents, 're_max_pct'), share);
    assert.deepEqual(
      readUnit(findEventsInColumn(numberColumn('re_pct', [0, 2], share), ramp), 're_change_pct'),
      getDifferenceUnit(share),
    );
    const unknownEvents = findEventsInColumn(numberColumn('any', [0, 2, 5, 0]), createRule('any'));
    assert.equal(readUnit(unknownEvents, 'any_max'), undefined);
    for (const events of [shareEvents, unknownEvents])
      assert.ok(!events.columns.some(({ name }) => name.endsWith('mwh')));
  });

  it('counts the energy of days over the hours for which they have data', () => {
    const days = { ...numberColumn('wind_mw', [100, 200, 10], power), hours: Float64Array.of(24, 12, 24) };
    const events = findEventsInColumn(days, { kind: 'condition', condition: 'wind_mw > 50' }, 24 * hourMs);
    assert.deepEqual([...getColumn(events, 'wind_mwh').values], [100 * 24 + 200 * 12]);
    assert.deepEqual([...getColumn(events, 'of_hours').values], [48]);
    const unknown = { ...days, hours: new Float64Array(3) };
    const peaksWithoutMaximum = getColumn(
      findEventsInColumn(unknown, { kind: 'condition', condition: 'wind_mw > 50' }, 24 * hourMs),
      'wind_mwh',
    );
    assert.equal(getCellState(peaksWithoutMaximum, 0), cellState.absent);
  });

  it('returns no extreme if the column has no value', () => {
    const instants = Array.from({ length: 4 }, (_, row) => Date.parse('2023-06-01T00:00Z') + row * hourMs);
    const wind = numberColumn('wind_mw', [9, null, null, 4]);
    const pv = numberColumn('pv_mw', [0, 7, 8, 0]);
    const frame = { rowCount: 4, columns: [timeColumn('ts', instants), wind, pv] };
    const rule = { kind: 'condition', condition: 'pv_mw > 5' } as const;
    const search = {
      rule,
      column: 'wind_mw',
      start: instants[0] ?? NaN,
      end: (instants[3] ?? NaN) + hourMs,
      intervalMs: hourMs,
    };
    const { rowCount, columns } = createEventFrame(frame, search);
    const gaps = ['wind_max_mw', 'extreme_at'].map(name => {
      const column = columns.find(candidate => candidate.name === name) ?? assert.fail(name);
      return getCellState(column, 0) === cellState.value;
    });
    assert.deepEqual([rowCount, gaps], [1, [false, false]]);
  });

  it('finds a change of exactly the threshold, despite rounding of doubles', () => {
    assert.ok(0.3 - 0.1 < 0.2);
    const ramps = findEventsInColumn(numberColumn('any', [0.1, 0.3]), { kind: 'ramp', hours: 1, value: 0.2 });
    assert.deepEqual([...getColumn(ramps, 'any_change').values], [0.2]);
  });

  it('returns no events without the column, without instants, or for hours in longer rows', () => {
    const column = numberColumn('wind_mw', [1, 2, 2], power);
    for (const rule of [{ kind: 'peak' }, { kind: 'ramp', hours: 1, value: 1 }] as const) {
      assert.equal(findEventsInColumn(column, rule).rowCount, 1);
      assert.equal(findEventsInColumn(column, rule, 24 * hourMs).rowCount, 0);
      const search = { rule, column: 'other', start: 0, end: 3 * hourMs, intervalMs: hourMs };
      const frame = { rowCount: 3, columns: [timeColumn('ts', [0, hourMs, 2 * hourMs]), column] };
      assert.equal(createEventFrame(frame, search).rowCount, 0);
      const noTime = { rowCount: 3, columns: [column] };
      assert.equal(createEventFrame(noTime, { ...search, column: 'wind_mw' }).rowCount, 0);
    }
  });

  it('rejects more intervals than the limit', () => {
    const frame = createFrame([{ ms: 0, value: 1n }]);
    const search = { rule: { kind: 'peak' }, column: 'wind_mw', start: 0, intervalMs: 1 } as const;
    assert.throws(() => createEventFrame(frame, { ...search, end: maxIntervals + 1 }), RangeError);
    assert.throws(() => createEventFrame(frame, { ...search, end: NaN }), RangeError);
  });

  it('describes the rule in exported files', () => {
    const search = { column: 'wind_mw', start: 0, end: 1, intervalMs: hourMs };
    const expectedTexts: readonly (readonly [RunRule, string])[] = [
      [{ kind: 'peak' }, 'peaks: hours with the highest wind_mw within 12 hours before and after'],
      [{ kind: 'ramp', hours: 3, value: 500 }, 'ramps: wind_mw changed by at least 500 over 3 hours'],
      [
        { kind: 'condition', condition: 'wind_mw < 0.5' },
        'runs of hours in which wind_mw < 0.5; up to 3 unknown hours within a run are bridged',
      ],
    ];
    for (const [rule, text] of expectedTexts) {
      assert.equal(describeEvents({ ...search, rule }), text);
      const filtered = describeEvents({ ...search, rule, rows: new Uint32Array() });
      assert.equal(filtered, `${text}; only rows that pass the filters`);
    }
    const days = { ...search, rule: { kind: 'condition', condition: 'wind_mw > 0' }, intervalMs: 24 * hourMs } as const;
    assert.equal(describeEvents(days), 'runs of rows in which wind_mw > 0');
  });
});
