import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deriveColumns } from '../../../../src/core/formula/deriveColumns.ts';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { formulaFunctions } from '../../../../src/core/formula/formula.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import type { Frame, NumberColumn } from '../../../../src/shared/frame.ts';
import { power, share } from '../../../../src/shared/units.ts';
import { derivedIn, cellsOf, derivedFrom, hourMs, hoursOf, start } from './derive.ts';
import { booleanColumn, frameOf, numberColumn, textColumn, timeColumn } from '../filter/columns.ts';
import {
  fractionOf,
  fractionsOf,
  textOf,
  writtenFormulas,
  writtenRows,
  type Fraction,
  type ModelRow,
} from './formulaModel.ts';

function frameOfRows(given: readonly ModelRow[], stepMs: number): Frame {
  const cell = (name: keyof ModelRow['cells']) => given.map(({ cells }) => cells[name]);
  return frameOf(
    timeColumn(
      'ts',
      given.map(({ step }) => step && start + step * stepMs).map((ms, at) => (given[at]?.step === 0 ? start : ms)),
    ),
    numberColumn('a_mw', cell('a_mw'), power),
    numberColumn('b_mw', cell('b_mw'), power),
    numberColumn('odd "name"', cell('odd "name"')),
    booleanColumn('flag', cell('flag')),
  );
}

describe('derived columns', () => {
  it('are those of an independent model in fractions, with holes, nulls, doubled instants and rows in any order', () => {
    const compared = new Map<string, number>();
    fc.assert(
      fc.property(writtenFormulas, writtenRows, fc.constantFrom(hourMs, hourMs / 2), (written, given, stepMs) => {
        const formula = textOf(written);
        fc.pre(formula.length <= 1000);
        const made = cellsOf(derivedFrom(frameOfRows(given, stepMs), formula, stepMs));
        const expected = fractionsOf(written, given, stepMs);
        for (const [row, fraction] of expected.entries()) {
          const cell = made[row];
          if (fraction === null || cell === null || cell === undefined) assert.equal(cell, fraction, formula);
          else assertNear(cell, fraction, formula);
          const names = fraction ? (formula.match(/\w+(?=\()|[-+*/]/g) ?? []) : [];
          for (const name of new Set(names)) compared.set(name, (compared.get(name) ?? 0) + 1);
        }
      }),
      { numRuns: 1000 },
    );
    for (const name of ['+', '-', '*', '/', ...Object.keys(formulaFunctions)])
      if (name !== 'share' && name !== 'sum')
        assert.ok((compared.get(name) ?? 0) > 500, `${name}: ${compared.get(name)}`);
  });

  it('may use earlier derived columns, and omit invalid ones', () => {
    const derived = [
      { name: 'twice', formula: '2 * wind_mw' },
      { name: 'early', formula: 'late + 1' },
      { name: 'late', formula: 'twice + wind_mw' },
      { name: 'late', formula: 'wind_mw' },
      { name: 'wind_mw', formula: 'twice' },
    ];
    const frame = hoursOf([1, 2]);
    const made = deriveColumns(frame, { columns: derived, stepMs: hourMs });
    assert.deepEqual(
      made.frame.columns.map(({ name }) => name),
      ['ts', 'wind_mw', 'twice', 'late'],
    );
    assert.deepEqual(cellsOf(made.frame.columns[3] as NumberColumn), [3, 6]);
    assert.deepEqual(
      [...made.errors].map(([name, { reason }]) => [name, reason]),
      [
        ['early', 'unknownColumn'],
        ['late', 'nameTaken'],
        ['wind_mw', 'nameTaken'],
      ],
    );
    assert.deepEqual(made.frame.columns[2]?.field, {
      label: 'twice',
      unit: power,
      meaning: '2 * wind_mw',
      isDerived: true,
    });
  });

  it('support shares and total generation', () => {
    const field = (name: string) => {
      const known = systemStateFields.get(name);
      return known && { field: known };
    };
    const frame = frameOf(
      timeColumn(
        'ts',
        [0, 1, 2].map(at => start + at * hourMs),
      ),
      numberColumn('wind_mw', [100, 200, 300], power),
      { ...numberColumn('total_re_mw', [2000, 3000, 3000], power), ...field('total_re_mw') },
      { ...numberColumn('renewable_share_pct', [10, 12, 0], share), ...field('renewable_share_pct') },
    );
    const column = derivedFrom(frame, 'share(wind_mw, total)');
    assert.deepEqual(cellsOf(column), [0.5, 0.8, null]);
    assert.deepEqual(column.parts, {
      part: Float64Array.of(100, 200, NaN),
      whole: Float64Array.of(20_000, 25_000, NaN),
    });
    assert.deepEqual(derivedFrom(frame, 'share(wind_mw + 1, total)').parts?.part, Float64Array.of(101, 201, NaN));
    assert.equal(derivedFrom(frame, 'share(wind_mw, total) / 2').parts, undefined);
    assert.deepEqual(cellsOf(derivedFrom(frame, 'total')), [20_000, 25_000, null]);
    const named = { ...frame, columns: [...frame.columns, numberColumn('total', [1, 2, 3])] };
    assert.deepEqual(cellsOf(derivedFrom(named, 'total')), [1, 2, 3]);
  });

  it('have no value for infinite numbers, division by zero and overflow, and no negative zero', () => {
    const frame = frameOf(
      timeColumn(
        'ts',
        [0, 1, 2].map(at => start + at * hourMs),
      ),
      numberColumn('x', [0, Infinity, 2 ** 900]),
    );
    assert.deepEqual(cellsOf(derivedFrom(frame, '1 / x')), [null, null, 2 ** -900]);
    assert.deepEqual(cellsOf(derivedFrom(frame, '1 / (1 / x)')), [null, null, 2 ** 900]);
    assert.deepEqual(cellsOf(derivedFrom(frame, 'x * 1e300')), [0, null, null]);
    assert.deepEqual(cellsOf(derivedFrom(frame, 'sum(x, 3h)')), [0, 0, 2 ** 900]);
    assert.deepEqual(cellsOf(derivedFrom(frame, 'highest(x, 3h)')), [0, 0, 2 ** 900]);
    assert.ok(Object.is(derivedFrom(frame, '-x').values[0], 0));
  });

  it('are resampled by their unit: rolling figures have no sums, and shares are calculated from energies', () => {
    const frame = frameOf(
      timeColumn(
        'ts',
        Array.from({ length: 48 }, (_, at) => start + at * hourMs),
      ),
      numberColumn(
        'wind_mw',
        Array.from({ length: 48 }, (_, at) => 100 + at),
        power,
      ),
      numberColumn(
        'all_mw',
        Array.from({ length: 48 }, (_, at) => 1000 * (1 + (at % 2))),
        power,
      ),
    );
    const derived = [
      { name: 'both', formula: 'wind_mw + all_mw' },
      { name: 'day', formula: 'mean(wind_mw, 24h)' },
      { name: 'day_mwh', formula: 'sum(wind_mw, 24h)' },
      { name: 'part', formula: 'share(wind_mw, all_mw)' },
    ];
    const { frame: made } = deriveColumns(frame, { columns: derived, stepMs: hourMs });
    const resampling = {
      by: 'year',
      timeZone: 'UTC',
      label: 'UTC',
      start,
      end: start + 48 * hourMs,
      stepMs: hourMs,
    } as const;
    const { columns } = resampleFrame(made, { ...resampling, names: [] });
    const figures = columns.flatMap(({ field }) => (field?.figure ? [`${field.label} ${field.figure}`] : []));
    const ofDerived = figures.filter(figure => !/_mw /.test(figure)).sort();
    assert.deepEqual(ofDerived, [
      ...['both energy', 'both max', 'both mean', 'both min', 'day max', 'day min'],
      ...['day_mwh max', 'day_mwh min', 'part max', 'part min', 'part quotient'],
    ]);
    const share = columns.find(({ name }) => name === 'part');
    // 48 hours of 123.5 MW out of 1,500 MW.
    assert.ok(share?.kind === 'number' && Math.abs((share.values[0] ?? NaN) - 12_350 / 1500) < 1e-12);
  });

  it('show decimal results without the noise of binary fractions', () => {
    const frame = hoursOf([0.1, 23_581.8]);
    assert.deepEqual(cellsOf(derivedFrom(frame, 'wind_mw + 0.2')), [0.3, 23_582]);
    assert.deepEqual(cellsOf(derivedFrom(frame, 'wind_mw - 23420.1')), [-23_420, 161.7]);
    assert.deepEqual(cellsOf(derivedFrom(frame, '3 * wind_mw')), [0.3, 70_745.4]);
    assert.deepEqual(cellsOf(derivedFrom(hoursOf([0.1, 0.1, 0.1]), 'mean(wind_mw, 3h)')), [0.1, 0.1, 0.1]);
  });

  it('are booleans for a condition, which later columns can use', () => {
    const columns = [
      { name: 'windy', formula: 'wind_mw > 5' },
      { name: 'both', formula: 'if(windy and wind_mw < 9, wind_mw, null)' },
    ];
    const made = derivedIn(hoursOf([6, 5, null, 9]), columns);
    assert.deepEqual(
      made.map(column => [column.kind, column.field?.isDerived]),
      [
        ['boolean', true],
        ['number', true],
      ],
    );
    assert.deepEqual(made.map(cellsOf), [
      [1, 0, null, 1],
      [6, null, null, null],
    ]);
  });

  it('use other kinds of columns by their kind', () => {
    const frame = frameOf(
      timeColumn('ts', [start, start + hourMs, start + 2 * hourMs]),
      booleanColumn('flag', [true, false, null]),
      textColumn('note', ['a', 'b', 'c']),
    );
    assert.deepEqual(cellsOf(derivedFrom(frame, 'if(flag, 1, 0)')), [1, 0, null]);
    assert.deepEqual(cellsOf(derivedFrom(frame, 'if(flag, 1, null)')), [1, null, null]);
    const { errors } = deriveColumns(frame, { columns: [{ name: 'made', formula: 'note + 1' }] });
    assert.equal(errors.get('made')?.reason, 'noNumbers');
    const empty = { rowCount: 0, columns: frame.columns.slice(0, 0) };
    assert.deepEqual(cellsOf(derivedFrom(empty, '1 + 1')), []);
  });
});

/** Allows the error that doubles have after some divisions. */
function assertNear(value: number, fraction: Fraction, message: string): void {
  const expected = fractionOf(fraction);
  assert.ok(
    Math.abs(value - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${message}: ${value}, not ${expected}`,
  );
}
