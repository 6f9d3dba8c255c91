import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createEventFrame, describeEvents } from '../../../../src/core/events/eventFrame.ts';
import type { RunRule, EventSearch } from '../../../../src/shared/eventSearch.ts';
import { cellState, getCellState, type Frame, type NumberColumn } from '../../../../src/shared/frame.ts';
import { maxIntervals } from '../../../../src/shared/resampling.ts';
import { getDifferenceUnit, energy, power, powerExtreme, share } from '../../../../src/shared/units.ts';
import { sharedCells } from '../../../support/shared.ts';
import { limitIn, model, type Expected, type Row, type Searched } from './eventModel.ts';
import { numberColumn, timeColumn } from '../filter/columns.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const hourMs = 3_600_000;

function product(frame: Frame, search: EventSearch & { readonly rule: RunRule }): Expected[] {
  const made = createEventFrame(frame, search);
  const isPeak = search.rule.kind === 'peak';
  const extreme = {
    peak: 'wind_max_mw',
    ramp: 'wind_change_mw',
    condition: limitIn(search.rule).sign === '<' ? 'wind_min_mw' : 'wind_max_mw',
  };
  const ofRuns = ['of_hours', extreme[search.rule.kind], 'extreme_at', 'wind_mwh', 'hours', 'may_be_longer'];
  assert.deepEqual(
    made.columns.map(({ name }) => name),
    ['start', 'end', ...(isPeak ? ['wind_max_mw', 'uncertain'] : ofRuns)],
  );
  const cell = (name: string, row: number): number => {
    const column = made.columns.find(candidate => candidate.name === name);
    assert.ok(
      column && 'values' in column && column.values.length === made.rowCount && getCellState(column, row) === 0,
      name,
    );
    return column.values[row] ?? NaN;
  };
  return Array.from({ length: made.rowCount }, (_, row) => {
    const [start, end] = [cell('start', row), cell('end', row)];
    const own = cell(extreme[search.rule.kind], row);
    const perHour = search.stepMs / hourMs;
    if (isPeak)
      return {
        start,
        end,
        hours: perHour,
        extreme: own,
        extremeAt: start,
        mwh: own * perHour,
        isUncertain: cell('uncertain', row) === 1,
      };
    const hours = Math.round((end - start) / search.stepMs) * perHour;
    assert.equal(cell('of_hours', row), hours);
    return {
      start,
      end,
      hours: cell('hours', row),
      extreme: own,
      extremeAt: cell('extreme_at', row),
      mwh: cell('wind_mwh', row),
      isUncertain: cell('may_be_longer', row) === 1,
    };
  });
}

function frameOf(rows: readonly Row[]): Frame {
  return {
    rowCount: rows.length,
    columns: [
      timeColumn(
        'ts',
        rows.map(({ at }) => at),
      ),
      numberColumn(
        'wind_mw',
        rows.map(({ value }) => (typeof value === 'bigint' ? Number(value) / 1000 : value)),
        power,
      ),
    ],
  };
}

function searchOf(
  { rows, from, steps, stepMs, keeps }: Searched,
  rule: RunRule,
): EventSearch & { readonly rule: RunRule } {
  const stepOf = (at: number): number => from + Math.floor((at - from) / stepMs) * stepMs;
  return {
    rule,
    column: 'wind_mw',
    start: from,
    end: from + steps * stepMs,
    stepMs,
    rows: Uint32Array.from(rows.keys()).filter(row => keeps(stepOf(rows[row]?.at ?? NaN))),
    counted: Uint8Array.from({ length: steps }, (_, step) => Number(keeps(from + step * stepMs))),
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

describe('events', () => {
  it('are those of an independent model, with holes, nulls, doubled instants, unsorted rows and filters', () => {
    const value = fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: -1000, max: 2000 }).map(BigInt) },
      { weight: 4, arbitrary: fc.constantFrom(0n, 300n, 600n, 599n, 800n, 1500n) },
      { weight: 1, arbitrary: fc.constantFrom(null, undefined) },
    );
    const searched = fc
      .record({
        steps: fc.integer({ min: 1, max: 60 }),
        stepMs: fc.constantFrom(hourMs, hourMs, hourMs / 2, hourMs / 4),
        // Rows may begin within an hour.
        within: fc.constantFrom(0, 0, 0, 420_000),
        keeps: fc.constantFrom(
          () => true,
          () => true,
          (ms: number) => new Date(ms).getUTCHours() % 11 !== 4,
          (ms: number) => new Date(ms).getUTCHours() >= 12,
        ),
      })
      .chain(({ steps, stepMs, within, keeps }) => {
        const from = Date.parse('2023-03-25T22:00Z');
        const row = (step: number) => value.map((one): Row => ({ at: from + step * stepMs + within, value: one }));
        const sorted = fc
          .tuple(...Array.from({ length: steps }, (_, step) => fc.option(row(step), { freq: 7, nil: undefined })))
          .map(rows => rows.filter(one => one !== undefined));
        const unsorted = fc.array(fc.integer({ min: 0, max: steps - 1 }).chain(row), { maxLength: 3 * steps });
        return fc.oneof(sorted, unsorted).map((rows): Searched => ({ rows, from, steps, stepMs, keeps }));
      });
    fc.assert(
      fc.property(searched, ruleArbitrary, (one, rule) => {
        assert.deepEqual(product(frameOf(one.rows), searchOf(one, rule)), model(one, rule));
      }),
      { numRuns: manyRuns(3000) },
    );
  });

  it('are those of the model in real hours', function () {
    const real = sharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) return this.skip();
    for (const [name, rule] of [
      ['Wind', { kind: 'peak' }],
      ['Wind', { kind: 'ramp', hours: 3, value: 800 }],
      ['Eskom OCGT Generation', { kind: 'condition', condition: 'wind_mw > 0' }],
      ['Wind', { kind: 'condition', condition: 'wind_mw < 200.5' }],
    ] as const) {
      const place = real.heading.indexOf(name);
      assert.ok(place > 0, name);
      const rows = real.rows.slice(0, 4000).map((cells): Row => {
        const [date = '', clock = ''] = cells;
        const text = cells[place] ?? '';
        const at = Date.parse(`${date}T${clock}+02:00`);
        return { at, value: text === '' ? null : BigInt(Math.round(Number(text) * 1000)) };
      });
      const from = rows[0]?.at ?? NaN;
      const steps = Math.round(((rows.at(-1)?.at ?? NaN) - from) / hourMs) + 1;
      const searched = { rows, from, steps, stepMs: hourMs, keeps: () => true };
      const made = product(frameOf(rows), searchOf(searched, rule));
      const expected = model(searched, rule);
      assert.ok(made.length > 10, name);
      assert.deepEqual(made, expected, `${name} ${rule.kind}`);
    }
  });

  /** Four hours from midnight on, and the columns of their events. */
  const eventsIn = (column: NumberColumn, rule: RunRule, stepMs = hourMs): Frame => {
    const at = Array.from(column.values, (_, row) => Date.parse('2023-06-01T00:00Z') + row * stepMs);
    const search = { rule, column: column.name, start: at[0] ?? NaN, end: (at.at(-1) ?? NaN) + stepMs, stepMs };
    return createEventFrame({ rowCount: at.length, columns: [timeColumn('ts', at), column] }, search);
  };
  const columnOf = ({ columns }: Frame, name: string): NumberColumn => {
    const column = columns.find(candidate => candidate.name === name);
    return column?.kind === 'number' ? column : assert.fail(name);
  };

  it('mark a peak as uncertain where an hour within twelve of it is unknown, and no farther one', () => {
    const certain = (cells: readonly (number | null)[]): readonly unknown[] => {
      const uncertain = eventsIn(numberColumn('any', cells), { kind: 'peak' }).columns.at(-1);
      return uncertain?.kind === 'boolean' ? [...uncertain.values].map(one => one === 0) : assert.fail();
    };
    const low = Array.from({ length: 12 }, () => 1);
    assert.deepEqual(certain([...low, 2, ...low]), [true]);
    assert.deepEqual(certain([...low.slice(1), 2, ...low]), [false]);
    assert.deepEqual(certain([...low, 2, ...low.slice(1)]), [false]);
    assert.equal(certain([null, ...low, 2, ...low, null]).at(-1), true);
    assert.equal(certain([1, null, ...low.slice(1), 2, ...low]).at(-1), false);
    assert.deepEqual(certain([...low, 2, ...low.slice(1), null, 1]), [false]);
  });

  it('have the unit of their column, without energy where that is no mean power', () => {
    const over = (column: string) => ({ kind: 'condition', condition: `${column} > 1` }) as const;
    const ramp = { kind: 'ramp', hours: 1, value: 1 } as const;
    const unit = (made: Frame, name: string): unknown => columnOf(made, name).field?.unit;
    const ofPower = eventsIn(numberColumn('wind_mw', [0, 2, 5, 0], power), over('wind_mw'));
    assert.deepEqual(unit(ofPower, 'wind_max_mw'), powerExtreme);
    assert.deepEqual(unit(ofPower, 'wind_mwh'), energy);
    const changes = eventsIn(numberColumn('wind_mw', [0, 2, 5, 0], power), ramp);
    assert.deepEqual(unit(changes, 'wind_change_mw'), { ...powerExtreme, difference: true });
    const ofShare = eventsIn(numberColumn('re_pct', [0, 2, 5, 0], share), over('re_pct'));
    assert.deepEqual(unit(ofShare, 're_max_pct'), share);
    assert.deepEqual(
      unit(eventsIn(numberColumn('re_pct', [0, 2], share), ramp), 're_change_pct'),
      getDifferenceUnit(share),
    );
    const ofUnknown = eventsIn(numberColumn('any', [0, 2, 5, 0]), over('any'));
    assert.equal(unit(ofUnknown, 'any_max'), undefined);
    for (const made of [ofShare, ofUnknown]) assert.ok(!made.columns.some(({ name }) => name.endsWith('mwh')));
  });

  it('count the energy of days by the hours that these have', () => {
    const days = { ...numberColumn('wind_mw', [100, 200, 10], power), hours: Float64Array.of(24, 12, 24) };
    const made = eventsIn(days, { kind: 'condition', condition: 'wind_mw > 50' }, 24 * hourMs);
    assert.deepEqual([...columnOf(made, 'wind_mwh').values], [100 * 24 + 200 * 12]);
    assert.deepEqual([...columnOf(made, 'of_hours').values], [48]);
    const unknown = { ...days, hours: new Float64Array(3) };
    const without = columnOf(
      eventsIn(unknown, { kind: 'condition', condition: 'wind_mw > 50' }, 24 * hourMs),
      'wind_mwh',
    );
    assert.equal(getCellState(without, 0), cellState.absent);
  });

  it('have no extreme where their column has no value', () => {
    const at = Array.from({ length: 4 }, (_, row) => Date.parse('2023-06-01T00:00Z') + row * hourMs);
    const [wind, pv] = [numberColumn('wind_mw', [9, null, null, 4]), numberColumn('pv_mw', [0, 7, 8, 0])];
    const frame = { rowCount: 4, columns: [timeColumn('ts', at), wind, pv] };
    const rule = { kind: 'condition', condition: 'pv_mw > 5' } as const;
    const search = { rule, column: 'wind_mw', start: at[0] ?? NaN, end: (at[3] ?? NaN) + hourMs, stepMs: hourMs };
    const { rowCount, columns } = createEventFrame(frame, search);
    const gaps = ['wind_max_mw', 'extreme_at'].map(name => {
      const column = columns.find(one => one.name === name) ?? assert.fail(name);
      return getCellState(column, 0) === cellState.value;
    });
    assert.deepEqual([rowCount, gaps], [1, [false, false]]);
  });

  it('find a change of exactly the value where doubles miss it', () => {
    assert.ok(0.3 - 0.1 < 0.2);
    const made = eventsIn(numberColumn('any', [0.1, 0.3]), { kind: 'ramp', hours: 1, value: 0.2 });
    assert.deepEqual([...columnOf(made, 'any_change').values], [0.2]);
  });

  it('are empty without the column, without instants, and for hours in longer rows', () => {
    const column = numberColumn('wind_mw', [1, 2, 2], power);
    for (const rule of [{ kind: 'peak' }, { kind: 'ramp', hours: 1, value: 1 }] as const) {
      assert.equal(eventsIn(column, rule).rowCount, 1);
      assert.equal(eventsIn(column, rule, 24 * hourMs).rowCount, 0);
      const search = { rule, column: 'other', start: 0, end: 3 * hourMs, stepMs: hourMs };
      const frame = { rowCount: 3, columns: [timeColumn('ts', [0, hourMs, 2 * hourMs]), column] };
      assert.equal(createEventFrame(frame, search).rowCount, 0);
      const noTime = { rowCount: 3, columns: [column] };
      assert.equal(createEventFrame(noTime, { ...search, column: 'wind_mw' }).rowCount, 0);
    }
  });

  it('refuse more steps than there is memory for', () => {
    const frame = frameOf([{ at: 0, value: 1n }]);
    const search = { rule: { kind: 'peak' }, column: 'wind_mw', start: 0, stepMs: 1 } as const;
    assert.throws(() => createEventFrame(frame, { ...search, end: maxIntervals + 1 }), RangeError);
    assert.throws(() => createEventFrame(frame, { ...search, end: NaN }), RangeError);
  });

  it('are described by their rule in exported files', () => {
    const search = { column: 'wind_mw', start: 0, end: 1, stepMs: hourMs };
    const texts: readonly (readonly [RunRule, string])[] = [
      [{ kind: 'peak' }, 'peaks: hours with the greatest wind_mw within 12 hours before and after'],
      [{ kind: 'ramp', hours: 3, value: 500 }, 'ramps: wind_mw changed by at least 500 over 3 hours'],
      [
        { kind: 'condition', condition: 'wind_mw < 0.5' },
        'runs of hours in which wind_mw < 0.5; up to 3 unknown hours within a run are bridged',
      ],
    ];
    for (const [rule, text] of texts) {
      assert.equal(describeEvents({ ...search, rule }), text);
      const filtered = describeEvents({ ...search, rule, rows: new Uint32Array() });
      assert.equal(filtered, `${text}; only of rows that pass the filters`);
    }
    const days = { ...search, rule: { kind: 'condition', condition: 'wind_mw > 0' }, stepMs: 24 * hourMs } as const;
    assert.equal(describeEvents(days), 'runs of rows in which wind_mw > 0');
  });
});
