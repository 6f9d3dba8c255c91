import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deriveColumns } from '../../../../src/core/formula/deriveColumns.ts';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { formulaFunctions } from '../../../../src/core/formula/formula.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import type { Frame, NumberColumn } from '../../../../src/shared/frame.ts';
import { power, share } from '../../../../src/shared/units.ts';
import { deriveInFrame, readCells, deriveColumn, hourMs, createHours, start } from './derive.ts';
import { booleanColumn, createFrame, numberColumn, textColumn, timeColumn } from '../filter/columns.ts';
import {
  toNumber,
  evaluateFormula,
  formatFormula,
  arbitraryFormulas,
  arbitraryRows,
  type Fraction,
  type ModelRow,
} from './formulaModel.ts';

function buildFrame(rows: readonly ModelRow[], intervalMs: number): Frame {
  const readColumnCells = (name: keyof ModelRow['cells']) => rows.map(({ cells }) => cells[name]);
  return createFrame(
    timeColumn(
      'ts',
      rows
        .map(({ interval }) => interval && start + interval * intervalMs)
        .map((ms, index) => (rows[index]?.interval === 0 ? start : ms)),
    ),
    numberColumn('a_mw', readColumnCells('a_mw'), power),
    numberColumn('b_mw', readColumnCells('b_mw'), power),
    numberColumn('odd "name"', readColumnCells('odd "name"')),
    booleanColumn('flag', readColumnCells('flag')),
  );
}

describe('deriveColumns', () => {
  it('matches an independent model in fractions, with gaps, nulls, duplicate instants and rows in any order', () => {
    const comparedCells = new Map<string, number>();
    fc.assert(
      fc.property(
        arbitraryFormulas,
        arbitraryRows,
        fc.constantFrom(hourMs, hourMs / 2),
        (formulaTree, rows, intervalMs) => {
          const formula = formatFormula(formulaTree);
          fc.pre(formula.length <= 1000);
          const actual = readCells(deriveColumn(buildFrame(rows, intervalMs), formula, intervalMs));
          const expected = evaluateFormula(formulaTree, rows, intervalMs);
          for (const [row, fraction] of expected.entries()) {
            const cell = actual[row];
            if (fraction === null || cell === null || cell === undefined) assert.equal(cell, fraction, formula);
            else assertNear(cell, fraction, formula);
            const names = fraction ? (formula.match(/\w+(?=\()|[-+*/]/g) ?? []) : [];
            for (const name of new Set(names)) comparedCells.set(name, (comparedCells.get(name) ?? 0) + 1);
          }
        },
      ),
      { numRuns: 1000 },
    );
    for (const name of ['+', '-', '*', '/', ...Object.keys(formulaFunctions)])
      if (name !== 'share' && name !== 'sum')
        assert.ok((comparedCells.get(name) ?? 0) > 500, `${name}: ${comparedCells.get(name)}`);
  });

  it('supports formulas over earlier derived columns, and omits invalid ones', () => {
    const derived = [
      { name: 'twice', formula: '2 * wind_mw' },
      { name: 'early', formula: 'late + 1' },
      { name: 'late', formula: 'twice + wind_mw' },
      { name: 'late', formula: 'wind_mw' },
      { name: 'wind_mw', formula: 'twice' },
    ];
    const frame = createHours([1, 2]);
    const result = deriveColumns(frame, { columns: derived, intervalMs: hourMs });
    assert.deepEqual(
      result.frame.columns.map(({ name }) => name),
      ['ts', 'wind_mw', 'twice', 'late'],
    );
    assert.deepEqual(readCells(result.frame.columns[3] as NumberColumn), [3, 6]);
    assert.deepEqual(
      [...result.errors].map(([name, { reason }]) => [name, reason]),
      [
        ['early', 'unknownColumn'],
        ['late', 'nameTaken'],
        ['wind_mw', 'nameTaken'],
      ],
    );
    assert.deepEqual(result.frame.columns[2]?.field, {
      label: 'twice',
      unit: power,
      meaning: '2 * wind_mw',
      isDerived: true,
    });
  });

  it('supports shares and total generation', () => {
    const getField = (name: string) => {
      const catalogField = systemStateFields.get(name);
      return catalogField && { field: catalogField };
    };
    const frame = createFrame(
      timeColumn(
        'ts',
        [0, 1, 2].map(index => start + index * hourMs),
      ),
      numberColumn('wind_mw', [100, 200, 300], power),
      { ...numberColumn('total_re_mw', [2000, 3000, 3000], power), ...getField('total_re_mw') },
      { ...numberColumn('renewable_share_pct', [10, 12, 0], share), ...getField('renewable_share_pct') },
    );
    const column = deriveColumn(frame, 'share(wind_mw, total)');
    assert.deepEqual(readCells(column), [0.5, 0.8, null]);
    assert.deepEqual(column.parts, {
      part: Float64Array.of(100, 200, NaN),
      whole: Float64Array.of(20_000, 25_000, NaN),
    });
    assert.deepEqual(deriveColumn(frame, 'share(wind_mw + 1, total)').parts?.part, Float64Array.of(101, 201, NaN));
    assert.equal(deriveColumn(frame, 'share(wind_mw, total) / 2').parts, undefined);
    assert.deepEqual(readCells(deriveColumn(frame, 'total')), [20_000, 25_000, null]);
    const named = { ...frame, columns: [...frame.columns, numberColumn('total', [1, 2, 3])] };
    assert.deepEqual(readCells(deriveColumn(named, 'total')), [1, 2, 3]);
  });

  it('returns no value for infinite numbers, division by zero and overflow, and no negative zero', () => {
    const frame = createFrame(
      timeColumn(
        'ts',
        [0, 1, 2].map(index => start + index * hourMs),
      ),
      numberColumn('x', [0, Infinity, 2 ** 900]),
    );
    assert.deepEqual(readCells(deriveColumn(frame, '1 / x')), [null, null, 2 ** -900]);
    assert.deepEqual(readCells(deriveColumn(frame, '1 / (1 / x)')), [null, null, 2 ** 900]);
    assert.deepEqual(readCells(deriveColumn(frame, 'x * 1e300')), [0, null, null]);
    assert.deepEqual(readCells(deriveColumn(frame, 'sum(x, 3h)')), [0, 0, 2 ** 900]);
    assert.deepEqual(readCells(deriveColumn(frame, 'highest(x, 3h)')), [0, 0, 2 ** 900]);
    assert.ok(Object.is(deriveColumn(frame, '-x').values[0], 0));
  });

  it('assigns units by which rolling figures are resampled without sums, and shares from energies', () => {
    const frame = createFrame(
      timeColumn(
        'ts',
        Array.from({ length: 48 }, (_, index) => start + index * hourMs),
      ),
      numberColumn(
        'wind_mw',
        Array.from({ length: 48 }, (_, index) => 100 + index),
        power,
      ),
      numberColumn(
        'all_mw',
        Array.from({ length: 48 }, (_, index) => 1000 * (1 + (index % 2))),
        power,
      ),
    );
    const derived = [
      { name: 'both', formula: 'wind_mw + all_mw' },
      { name: 'day', formula: 'mean(wind_mw, 24h)' },
      { name: 'day_mwh', formula: 'sum(wind_mw, 24h)' },
      { name: 'part', formula: 'share(wind_mw, all_mw)' },
    ];
    const { frame: derivedFrame } = deriveColumns(frame, { columns: derived, intervalMs: hourMs });
    const resampling = {
      by: 'year',
      timeZone: 'UTC',
      label: 'UTC',
      start,
      end: start + 48 * hourMs,
      intervalMs: hourMs,
    } as const;
    const { columns } = resampleFrame(derivedFrame, { ...resampling, names: [] });
    const figures = columns.flatMap(({ field }) => (field?.figure ? [`${field.label} ${field.figure}`] : []));
    const derivedFigures = figures.filter(figure => !/_mw /.test(figure)).sort();
    assert.deepEqual(derivedFigures, [
      ...['both energy', 'both max', 'both mean', 'both min', 'day max', 'day min'],
      ...['day_mwh max', 'day_mwh min', 'part max', 'part min', 'part quotient'],
    ]);
    const share = columns.find(({ name }) => name === 'part');
    // The share is 48 hours of 123.5 MW out of 48 hours of 1,500 MW.
    assert.ok(share?.kind === 'number' && Math.abs((share.values[0] ?? NaN) - 12_350 / 1500) < 1e-12);
  });

  it('returns decimal results without the rounding noise of binary fractions', () => {
    const frame = createHours([0.1, 23_581.8]);
    assert.deepEqual(readCells(deriveColumn(frame, 'wind_mw + 0.2')), [0.3, 23_582]);
    assert.deepEqual(readCells(deriveColumn(frame, 'wind_mw - 23420.1')), [-23_420, 161.7]);
    assert.deepEqual(readCells(deriveColumn(frame, '3 * wind_mw')), [0.3, 70_745.4]);
    assert.deepEqual(readCells(deriveColumn(createHours([0.1, 0.1, 0.1]), 'mean(wind_mw, 3h)')), [0.1, 0.1, 0.1]);
  });

  it('returns booleans for a condition, which later columns can use', () => {
    const columns = [
      { name: 'windy', formula: 'wind_mw > 5' },
      { name: 'both', formula: 'if(windy and wind_mw < 9, wind_mw, null)' },
    ];
    const conditions = deriveInFrame(createHours([6, 5, null, 9]), columns);
    assert.deepEqual(
      conditions.map(column => [column.kind, column.field?.isDerived]),
      [
        ['boolean', true],
        ['number', true],
      ],
    );
    assert.deepEqual(conditions.map(readCells), [
      [1, 0, null, 1],
      [6, null, null, null],
    ]);
  });

  it('uses booleans as conditions, and rejects formulas over texts', () => {
    const frame = createFrame(
      timeColumn('ts', [start, start + hourMs, start + 2 * hourMs]),
      booleanColumn('flag', [true, false, null]),
      textColumn('note', ['a', 'b', 'c']),
    );
    assert.deepEqual(readCells(deriveColumn(frame, 'if(flag, 1, 0)')), [1, 0, null]);
    assert.deepEqual(readCells(deriveColumn(frame, 'if(flag, 1, null)')), [1, null, null]);
    const { errors } = deriveColumns(frame, { columns: [{ name: 'made', formula: 'note + 1' }] });
    assert.equal(errors.get('made')?.reason, 'noNumbers');
    const empty = { rowCount: 0, columns: frame.columns.slice(0, 0) };
    assert.deepEqual(readCells(deriveColumn(empty, '1 + 1')), []);
  });
});

/** Allows for the error of doubles after some divisions. */
function assertNear(value: number, fraction: Fraction, message: string): void {
  const expected = toNumber(fraction);
  assert.ok(
    Math.abs(value - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${message}: ${value}, not ${expected}`,
  );
}
