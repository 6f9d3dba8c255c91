import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FormulaError } from '../../../../src/core/formula/formula.ts';
import { parseFormula } from '../../../../src/core/formula/parseFormula.ts';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import type { NumberColumn } from '../../../../src/shared/frame.ts';
import { inferUnit, money, power, unitOf } from '../../../../src/shared/units.ts';
import { booleanColumn, createFrame, numberColumn, timeColumn } from '../filter/columns.ts';
import { deriveColumn, hourMs, readCells, start } from './derive.ts';
import { arbitraryFormulas, arbitraryRows, formatFormula, type ModelRow } from './formulaModel.ts';

/** The columns of the model in MW, or `a_mw` or both of them in kW under the same names. */
function createModelFrame(rows: readonly ModelRow[], inKw: readonly string[]) {
  const read = (name: string) => rows.map(({ cells }) => cells[name]);
  const createPower = (name: string) =>
    inKw.includes(name)
      ? numberColumn(
          name,
          read(name).map(cell => (typeof cell === 'number' ? Math.round(cell * 1000) : cell)),
          inferUnit('kw'),
        )
      : numberColumn(name, read(name), power);
  return createFrame(
    timeColumn(
      'ts',
      rows.map(({ interval }) => interval && start + interval * hourMs),
    ),
    ...[createPower('a_mw'), createPower('b_mw'), numberColumn('odd "name"', read('odd "name"'))],
    booleanColumn('flag', read('flag')),
  );
}

const times = [0, 1, 2].map(row => start + row * hourMs);
const meter = createFrame(
  timeColumn('ts', times),
  numberColumn('meter_kwh', [400, 600, null], inferUnit('meter_kwh')),
  numberColumn('meter_kw', [400, 600, 200], inferUnit('meter_kw')),
  numberColumn('wind_mw', [1, 2, 3], power),
  numberColumn('cost', [900, 300, 30], money),
  numberColumn('cents', [150, 200, 250], inferUnit('price_c_kwh')),
  numberColumn('rand', [1.5, 2, 2.5], inferUnit('Price (R/kWh)')),
);
const readUnit = ({ field }: NumberColumn): string => unitOf(field).text;

describe('columns in kW, kWh, c/kWh and R/kWh', () => {
  it('computes the same from columns in kW as from columns in MW', () => {
    fc.assert(
      fc.property(
        arbitraryFormulas,
        arbitraryRows,
        fc.constantFrom(['a_mw'], ['b_mw'], ['a_mw', 'b_mw']),
        (tree, rows, inKw) => {
          const formula = formatFormula(tree);
          // Conversions count as parts of a formula, whose number is limited.
          fc.pre(formula.length <= 500);
          const expected = readCells(deriveColumn(createModelFrame(rows, []), formula));
          const actual = deriveColumn(createModelFrame(rows, inKw), formula);
          const scale = readUnit(actual) === 'kW' ? 1000 : 1;
          for (const [row, cell] of readCells(actual).entries()) {
            const other = expected[row] ?? null;
            const isNear =
              cell === null || other === null
                ? cell === other
                : Math.abs(cell / scale - other) <= 1e-6 * Math.max(1, Math.abs(other));
            assert.ok(isNear, `${formula}: ${cell}, not ${other}`);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('converts values that are combined with those in another unit', () => {
    const expected = [
      ['meter_kwh * 1200 R/MWh', 'R', [480, 720, null]],
      ['meter_kwh * cents', 'R', [600, 1200, null]],
      ['meter_kwh * rand', 'R', [600, 1200, null]],
      ['meter_kw * cents', 'R', [600, 1200, 500]],
      ['cost / meter_kwh', 'R/MWh', [2250, 500, null]],
      ['cost / meter_kw', 'R/MWh', [2250, 500, 150]],
      ['meter_kw + wind_mw', 'MW', [1.4, 2.6, 3.2]],
      ['meter_kwh + 1 MWh', 'MWh', [1.4, 1.6, null]],
      ['meter_kwh - 100 kWh', 'MWh', [0.3, 0.5, null]],
      ['wind_mw + 1 GW', 'MW', [1001, 1002, 1003]],
      ['meter_kwh + 1 GWh', 'MWh', [1000.4, 1000.6, null]],
      ['cents - rand', 'R/MWh', [0, 0, 0]],
      ['sum(meter_kw, 2h)', 'MWh', [0.4, 1, 0.8]],
    ] as const;
    for (const [formula, unit, cells] of expected) {
      const column = deriveColumn(meter, formula);
      assert.deepEqual([readUnit(column), readCells(column)], [unit, cells], formula);
    }
  });

  it('keeps values of one unit, so that a number beside them is in the unit of the column', () => {
    const expected = [
      ['if(meter_kwh > 500, 1, 0)', '', [0, 1, null]],
      ['meter_kwh + 100', 'kWh', [500, 700, null]],
      ['2 * meter_kw', 'kW', [800, 1200, 400]],
      ['mean(meter_kw, 2h)', 'kW', [400, 500, 400]],
      ['sum(meter_kwh, 2h)', 'kWh', [400, 1000, 600]],
      ['meter_kwh / meter_kwh', '', [1, 1, null]],
    ] as const;
    for (const [formula, unit, cells] of expected) {
      const column = deriveColumn(meter, formula);
      assert.deepEqual([readUnit(column), readCells(column)], [unit, cells], formula);
    }
  });

  it('still rejects units that measure different things', () => {
    const getReason = (formula: string) => {
      const parsed = parseFormula(formula, meter.columns, hourMs);
      return parsed instanceof FormulaError ? parsed.reason : assert.fail(formula);
    };
    assert.deepEqual(
      ['meter_kwh + meter_kw', 'cents + cost', 'meter_kwh * meter_kwh', 'meter_kwh / wind_mw'].map(getReason),
      ['unlikeUnits', 'unlikeUnits', 'product', 'quotient'],
    );
  });

  it('sums kWh as kWh in longer rows, and gives kW an energy in MWh', () => {
    const { columns } = resampleFrame(meter, {
      by: '3h',
      timeZone: 'UTC',
      label: 'UTC',
      names: [],
      intervalMs: hourMs,
      start: start - 2 * hourMs,
      end: start + 4 * hourMs,
    });
    const describe = (name: string): (string | number | undefined)[] => {
      const column = columns.find(candidate => candidate.name === name);
      return column?.kind === 'number' ? [readUnit(column), ...column.values.subarray(0, 1)] : assert.fail(name);
    };
    assert.deepEqual(describe('meter_kwh'), ['kWh', 400]);
    assert.deepEqual(describe('meter_mwh'), ['MWh', 0.4]);
    assert.deepEqual(describe('meter_max_kw'), ['kW', 400]);
  });
});
