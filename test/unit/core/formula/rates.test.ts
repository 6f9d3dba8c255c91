import assert from 'node:assert/strict';
import fc from 'fast-check';
import { aggregateShareOfRows, findShareParts, formatEnglish } from '../../../../src/core/bins/binSums.ts';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { compareFrames } from '../../../../src/core/compare/compareFrames.ts';
import { deriveColumns } from '../../../../src/core/formula/deriveColumns.ts';
import { FormulaError } from '../../../../src/core/formula/formula.ts';
import { parseFormula } from '../../../../src/core/formula/parseFormula.ts';
import { summaryFrame } from '../../../../src/core/statistics/summaryFrame.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import type { Frame, NumberColumn } from '../../../../src/shared/frame.ts';
import type { Resampling } from '../../../../src/shared/resampling.ts';
import {
  energy,
  index,
  mass,
  massRate,
  money,
  moneyRate,
  power,
  powerExtreme,
  share,
  type Unit,
} from '../../../../src/shared/units.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';
import { computeSelectionStats } from '../../../../src/webview/rows/selectionStats.ts';
import { readRows } from '../snippets/panelRows.ts';
import { createHours, deriveColumn, deriveInFrame, hourMs, readCells, start } from './derive.ts';

const columnUnits = {
  wind_mw: power,
  peak_mw: powerExtreme,
  pv_mwh: energy,
  cost: money,
  co2: mass,
  price: moneyRate,
  factor: massRate,
  part_pct: share,
  stress: index,
  plain: undefined,
} as const satisfies Readonly<Record<string, Unit | undefined>>;
const columnNames = Object.keys(columnUnits);

type Cells = Readonly<Record<string, number | null>>;

function createUnitFrame(rows: readonly Cells[], intervalMs = hourMs): Frame {
  return createFrame(
    timeColumn(
      'ts',
      rows.map((_, row) => start + row * intervalMs),
    ),
    ...Object.entries(columnUnits).map(([name, unit]) =>
      numberColumn(
        name,
        rows.map(cells => cells[name] ?? null),
        unit,
      ),
    ),
  );
}

const unitFrame = createUnitFrame([{}]);

/** Returns the text of the unit of a formula, or the message of its error. */
function parseUnit(formula: string): string {
  const parsed = parseFormula(formula, unitFrame.columns, hourMs);
  return parsed instanceof FormulaError ? parsed.message : (parsed.unit?.text ?? 'condition');
}

const isRefused = (formula: string): boolean => parseFormula(formula, unitFrame.columns) instanceof FormulaError;

const arbitraryValue = fc.integer({ min: -50_000, max: 50_000 }).map(value => value / 100);
const arbitraryRows = fc.array(
  fc.record(Object.fromEntries(columnNames.map(name => [name, fc.option(arbitraryValue, { freq: 6 })]))),
  { minLength: 1, maxLength: 60, size: 'max' },
);
const arbitraryInterval = fc.constantFrom(hourMs / 4, hourMs / 2, hourMs);

function assertNear(actual: number | null, expected: number | null, message?: string): void {
  if (actual === null || expected === null) assert.equal(actual, expected, message);
  else
    assert.ok(
      Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
      `${message} ${actual} ${expected}`,
    );
}

describe('units of money, mass and rates', () => {
  const unitTexts: Readonly<Record<string, string>> = {
    'pv_mwh * price': 'R',
    'wind_mw * price': 'R',
    'factor * wind_mw': 't',
    'cost / pv_mwh': 'R/MWh',
    'cost / wind_mw': 'R/MWh',
    'co2 / wind_mw': 't/MWh',
    'cost / price': 'MWh',
    'co2 / factor': 'MWh',
    'cost / cost': '',
    'share(cost, cost + 1 R)': '%',
    'price / 2': 'R/MWh',
    'price + 12 c/kWh - 1 R/kWh': 'R/MWh',
    'cost + 50 c': 'R',
    'cost + 5': 'R',
    'co2 + 5 kg - 200 g': 't',
    'factor > 940 g/kWh': 'condition',
    'plain * 1 c/kWh': 'R/MWh',
    '100 R / pv_mwh': 'R/MWh',
    'sum(cost, 24h)': 'R',
    'sum(cost, 24h) / sum(wind_mw, 24h)': 'R/MWh',
    'lag(price, 24h) * wind_mw': 'R',
    'wind_mw * price / wind_mw': 'R/MWh',
  };
  for (const [formula, unit] of Object.entries(unitTexts))
    it(`returns '${unit}' as the unit of ${formula}`, () => assert.equal(parseUnit(formula), unit));

  const refusals: Readonly<Record<string, string>> = {
    'wind_mw + price': "MW and R/MWh can't be combined. Use values of the same unit.",
    'cost - co2': "R and t can't be combined. Use values of the same unit.",
    'price > factor': "R/MWh and t/MWh can't be combined. Use values of the same unit.",
    'cost * price':
      "R and R/MWh can't be multiplied. Multiply by a value without a unit; a share divided by 100 % is one.",
    'price * factor':
      "R/MWh and t/MWh can't be multiplied. Multiply by a value without a unit; a share divided by 100 % is one.",
    'cost / factor': "R can't be divided by t/MWh. Divide by a value in R or without a unit.",
    'wind_mw / price': "MW can't be divided by R/MWh. Divide by a value in MW or without a unit.",
    '1 / price': 'Only a value in R/MWh can be divided by one in R/MWh.',
    'peak_mw * price':
      "This power has no energy, so it can't be combined with R/MWh. Use energy, or power that is a mean over its hours.",
    'price * mean(wind_mw, 24h)':
      "This power has no energy, so it can't be combined with R/MWh. Use energy, or power that is a mean over its hours.",
    'sum(price, 24h)':
      'Only energy, money, mass, power that is a mean over its hours, and counts can be added up. Use mean(x, 24h).',
    '5 R/GWh': "Unknown column 'GWh'.",
  };
  for (const [formula, message] of Object.entries(refusals))
    it(`reports a problem of ${formula}`, () => assert.equal(parseUnit(formula), message));

  it('computes cost and emissions from the fields of the service', () => {
    const fields = ['eskom_ocgt_mw', 'thermal_mw'].map(name => {
      const field = systemStateFields.get(name);
      return { ...numberColumn(name, [2]), ...(field && { field }) };
    });
    const frame = createFrame(timeColumn('ts', [start]), ...fields);
    assert.deepEqual(readCells(deriveColumn(frame, 'eskom_ocgt_mw * 5500 R/MWh')), [11_000]);
    assert.deepEqual(readCells(deriveColumn(frame, 'thermal_mw * 0.94 t/MWh')), [1.88]);
  });

  it('needs times for the energy of power', () => {
    const { columns } = createFrame(numberColumn('wind_mw', [1], power));
    const parsed = parseFormula('wind_mw * 5 R/MWh', columns);
    assert.equal(parsed instanceof FormulaError && parsed.message, "'R/MWh' needs a time column.");
  });

  it('reads literals in cents, kilograms and grams, in any case', () => {
    const readLiteral = (text: string): number => {
      const parsed = parseFormula(text, []);
      return parsed instanceof FormulaError || parsed.node.kind !== 'number' ? assert.fail(text) : parsed.node.value;
    };
    const literals = {
      '5500 R/MWh': 5500,
      '0.94 t/MWh': 0.94,
      '12 c/kWh': 120,
      '1.5 R/kWh': 1500,
      '940 g/kWh': 0.94,
      '940 KG/mwh': 0.94,
      '7 c': 0.07,
      '3 kg': 0.003,
      '250 g': 0.00025,
      '2 MWh * 100 R/MWh': 200,
    };
    assert.deepEqual(Object.keys(literals).map(readLiteral), Object.values(literals));
  });

  it('divides by a column of a name like a unit if there are spaces', () => {
    const frame = createFrame(timeColumn('ts', [start]), numberColumn('mwh', [4], energy));
    assert.deepEqual(readCells(deriveColumn(frame, '100 R / mwh')), [25]);
    assert.deepEqual(readCells(deriveColumn(frame, '100 R/mwh * mwh')), [400]);
  });

  it('refuses and types products, sums and comparisons in the same way in both orders', () => {
    for (const a of columnNames)
      for (const b of columnNames) {
        for (const operator of ['+', '-', '<', '=']) {
          const formulas = [`${a} ${operator} ${b}`, `${b} ${operator} ${a}`] as const;
          assert.equal(isRefused(formulas[0]), isRefused(formulas[1]), formulas[0]);
        }
        const [product, swapped] = [`${a} * ${b}`, `${b} * ${a}`];
        assert.equal(isRefused(product), isRefused(swapped), product);
        if (!isRefused(product)) assert.equal(parseUnit(product), parseUnit(swapped));
      }
  });
});

/** The exponents of money, mass and energy. */
type Dimensions = readonly [money: number, mass: number, energy: number];
const unitDimensions: Readonly<Record<string, Dimensions>> = {
  '': [0, 0, 0],
  MWh: [0, 0, 1],
  R: [1, 0, 0],
  t: [0, 1, 0],
  'R/MWh': [1, 0, -1],
  't/MWh': [0, 1, -1],
};

describe('dimensions of products and quotients', () => {
  it('accepts exactly those that have a unit, and returns it', () => {
    const operands = { plain: '', pv_mwh: 'MWh', cost: 'R', co2: 't', price: 'R/MWh', factor: 't/MWh' };
    for (const [a, unitOfA] of Object.entries(operands))
      for (const [b, unitOfB] of Object.entries(operands))
        for (const [operator, sign] of [
          ['*', 1],
          ['/', -1],
        ] as const) {
          const dimensions = unitDimensions[unitOfA]?.map(
            (exponent, position) => exponent + sign * (unitDimensions[unitOfB]?.[position] ?? NaN),
          );
          const unit = Object.keys(unitDimensions).find(text => String(unitDimensions[text]) === String(dimensions));
          const formula = `${a} ${operator} ${b}`;
          if (unit === undefined) assert.ok(isRefused(formula), formula);
          else assert.equal(parseUnit(formula), unit, formula);
        }
  });
});

describe('values of money, mass and rates', () => {
  it('multiplies in any order, and power by the length of its row', () => {
    fc.assert(
      fc.property(arbitraryRows, arbitraryInterval, (rows, intervalMs) => {
        const frame = createUnitFrame(rows, intervalMs);
        for (const [amount, rate] of [
          ['wind_mw', 'price'],
          ['pv_mwh', 'price'],
          ['wind_mw', 'factor'],
        ] as const) {
          const product = readCells(deriveColumn(frame, `${amount} * ${rate}`, intervalMs));
          assert.deepEqual(product, readCells(deriveColumn(frame, `${rate} * ${amount}`, intervalMs)));
          const hours = amount === 'wind_mw' ? intervalMs / hourMs : 1;
          for (const [row, cells] of rows.entries()) {
            const [a = null, b = null] = [cells[amount], cells[rate]];
            assertNear(product[row] ?? null, a === null || b === null ? null : a * hours * b);
          }
        }
      }),
    );
  });

  it('returns the other factor of a product divided by one', () => {
    fc.assert(
      fc.property(arbitraryRows, rows => {
        const frame = createUnitFrame(rows);
        for (const [a, b] of [
          ['pv_mwh', 'price'],
          ['price', 'pv_mwh'],
          ['factor', 'wind_mw'],
          ['pv_mwh', 'factor'],
        ] as const) {
          const column = deriveColumn(frame, `${a} * ${b} / ${b}`);
          assert.deepEqual(column.field?.unit, columnUnits[a]);
          const cells = readCells(column);
          for (const [row, { [a]: value = null, [b]: divisor = null }] of rows.entries())
            assertNear(cells[row] ?? null, divisor === null || divisor === 0 ? null : value, `${a} ${b}`);
        }
      }),
    );
  });

  it('converts c/kWh to R/MWh, and g/kWh to kg/MWh and t/MWh', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), thousandths => {
        const value = thousandths / 1000;
        const frame = createUnitFrame([{ plain: value }]);
        const read = (formula: string) => readCells(deriveColumn(frame, formula))[0] ?? NaN;
        assertNear(read('plain * 1 c/kWh'), read('plain * 10 R/MWh'));
        assertNear(read(`${value} c/kWh + 0 R/MWh`), value * 10);
        assertNear(read('plain * 1 g/kWh'), read('plain * 0.001 t/MWh'));
        assert.equal(read(`${value} g/kWh + 0 t/MWh`), read(`${value} kg/MWh + 0 t/MWh`));
      }),
    );
  });

  it('uses the hours with a value in rows that are days, and has no value if a row has no known length', () => {
    const day: Frame = {
      rowCount: 1,
      columns: createHours([100]).columns.map(column =>
        column.kind === 'number'
          ? { ...column, hours: Float64Array.of(20) }
          : column.kind === 'time'
            ? { ...column, bins: { size: 'day', timeZone: 'Africa/Johannesburg', label: 'SAST' } }
            : column,
      ),
    };
    const cost = deriveColumn(day, 'wind_mw * 10 R/MWh', 24 * hourMs);
    assert.deepEqual([readCells(cost), cost.hours], [[20_000], undefined]);
    assert.deepEqual(readCells(deriveColumn(day, '100 MW * 10 R/MWh', 24 * hourMs)), [null]);
    const [unknown] = deriveInFrame(createHours([100]), [{ name: 'made', formula: 'wind_mw * 10 R/MWh' }]);
    assert.deepEqual(unknown && readCells(unknown), [null]);
  });
});

const days = (end: number): Resampling => ({
  by: 'day',
  timeZone: 'Africa/Johannesburg',
  label: 'SAST',
  start: Date.parse('2023-03-24T22:00Z'),
  end,
  intervalMs: hourMs,
  names: [],
});
/** Two days of South African time, each with a missing hour, a null and a row without an energy. */
const hours = Array.from({ length: 48 }, (_, hour) => Date.parse('2023-03-24T22:00Z') + hour * hourMs).filter(
  (_, hour) => hour % 24 !== 5,
);
const twoDays = createFrame(
  timeColumn('ts', hours),
  numberColumn(
    'eskom_ocgt_mw',
    hours.map((_, row) => (row % 23 === 7 ? null : row % 23 === 9 ? 0 : 100 + row)),
    power,
  ),
  numberColumn(
    'price',
    hours.map((_, row) => (row % 23 === 8 ? null : 1000 + 10 * row)),
    moneyRate,
  ),
);
const derived = [
  { name: 'cost', formula: 'eskom_ocgt_mw * price' },
  { name: 'paid', formula: 'cost / eskom_ocgt_mw' },
];

function deriveTwoDays(): Frame {
  const { frame, errors } = deriveColumns(twoDays, { columns: derived, intervalMs: hourMs });
  assert.equal(errors.size, 0);
  return frame;
}

/** Adds up the cost and the energy of the hours that have both. */
function addUp(rows: readonly number[]): { readonly cost: number; readonly mwh: number } {
  const sums = { cost: 0, mwh: 0 };
  for (const row of rows) {
    if ([7, 8].includes(row % 23)) continue;
    const mwh = row % 23 === 9 ? 0 : 100 + row;
    sums.mwh += mwh;
    sums.cost += mwh * (1000 + 10 * row);
  }
  return sums;
}

const firstDay = Array.from({ length: 23 }, (_, row) => row);
const allRows = Array.from({ length: 46 }, (_, row) => row);

describe('aggregates of money, mass and rates', () => {
  it('adds up money and divides sums for a rate in days with gaps', () => {
    const resampled = resampleFrame(deriveTwoDays(), days(Date.parse('2023-03-26T22:00Z')));
    const [first, second] = readRows(resampled);
    const model = [addUp(firstDay), addUp(firstDay.map(row => row + 23))];
    for (const [index, row] of [first, second].entries()) {
      const { cost = NaN, mwh = NaN } = model[index] ?? {};
      assertNear(row?.['cost'] as number, cost);
      assertNear(row?.['paid'] as number, cost / mwh);
    }
    const find = (name: string) => resampled.columns.find(column => column.name === name)?.field;
    assert.deepEqual([find('cost')?.figure, find('cost')?.unit], ['total', money]);
    assert.deepEqual([find('paid')?.figure, find('paid')?.unit], ['quotient', moneyRate]);
    // A rate without known amounts has no mean.
    assert.deepEqual([find('price'), find('price_min')?.unit], [undefined, moneyRate]);
  });

  it('aggregates rates of resampled rows like those of their hours', () => {
    const resampled = resampleFrame(deriveTwoDays(), days(Date.parse('2023-03-26T22:00Z')));
    const column = resampled.columns.find(({ name }) => name === 'paid') as NumberColumn;
    const { cost, mwh } = addUp(allRows);
    assertNear(aggregateShareOfRows(findShareParts(resampled, column) ?? assert.fail()) ?? null, cost / mwh);
  });

  it('matches an independent model of sums of amounts ÷ sums of energies, with nulls and gaps', () => {
    fc.assert(
      fc.property(arbitraryRows, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (rows, isPresent) => {
        const frame = createUnitFrame(rows);
        const present = rows.flatMap((_, row) => (isPresent[row] ? row : []));
        const rate = deriveColumn(frame, '(cost + 5 R) / wind_mw');
        const parts = findShareParts(frame, rate) ?? assert.fail();
        let [amount, mwh, count] = [0, 0, 0];
        for (const row of present) {
          const { cost = null, wind_mw: mw = null } = rows[row] ?? {};
          if (cost === null || mw === null) continue;
          amount += Math.round((cost + 5) * 100);
          mwh += Math.round(mw * 100);
          count++;
        }
        const expected = count === 0 || mwh === 0 ? null : amount / mwh;
        assertNear(aggregateShareOfRows(parts, present) ?? null, expected);
      }),
    );
  });

  it('has the sum of selected money, and the rate of selected amounts', () => {
    const frame = deriveTwoDays();
    const select = (name: string) => {
      const column = frame.columns.find(other => other.name === name) as NumberColumn;
      return computeSelectionStats([column], firstDay, hourMs, findShareParts(frame, column)).figures;
    };
    const { cost, mwh } = addUp(firstDay);
    assert.equal(select('cost')?.sum, cost);
    assertNear(select('paid')?.share ?? null, cost / mwh);
    assert.equal(select('price')?.share, undefined);
  });

  it('shows totals of money and mass in a summary, and the rate of the amounts as the mean of a rate', () => {
    const summarize = (frame: Frame) =>
      new Map(
        readRows(summaryFrame({ frame, intervalMs: hourMs }, ['energy', 'mean'], formatEnglish)).map(row => [
          row['field'],
          row,
        ]),
      );
    const lines = summarize(deriveTwoDays());
    const { cost, mwh } = addUp(allRows);
    assert.deepEqual([lines.get('cost')?.['total'], lines.get('cost')?.['unit']], [cost, 'R']);
    assert.equal(lines.get('cost')?.['energy_mwh'], null);
    assertNear(lines.get('paid')?.['mean'] as number, cost / mwh);
    assert.deepEqual([lines.get('paid')?.['total'], lines.get('eskom_ocgt_mw')?.['total']], [null, null]);
    // The hours of repeated rows would be counted twice.
    const [time] = twoDays.columns;
    assert.ok(time?.kind === 'time');
    const repeated = { ...time, values: time.values.map((ms, row) => (row === 1 ? (time.values[0] ?? ms) : ms)) };
    const { frame: repeatedRows } = deriveColumns(
      { ...twoDays, columns: [repeated, ...twoDays.columns.slice(1)] },
      { columns: derived, intervalMs: hourMs },
    );
    assert.equal(summarize(repeatedRows).get('cost')?.['total'], undefined);
    assert.ok(!Object.hasOwn([...summarize(twoDays).values()][0] ?? {}, 'total'));
  });

  it('compares sums of money in percent, and subtracts rates of amounts', () => {
    const frame = deriveTwoDays();
    const [time] = twoDays.columns;
    assert.ok(time?.kind === 'time');
    const range = { start: hours[0] ?? NaN, end: (hours.at(-1) ?? NaN) + hourMs };
    const compared = compareFrames(
      frame,
      {
        ...frame,
        columns: frame.columns.map(column =>
          column.kind === 'number' && column.name === 'cost'
            ? { ...column, values: column.values.map(value => value / 2) }
            : column,
        ),
      },
      {
        align: { shiftMs: 0 },
        base: range,
        other: range,
        intervalMs: hourMs,
        timeZone: 'UTC',
        comparedWith: 'other',
        translate: formatEnglish,
      },
    );
    const lines = readRows(summaryFrame({ frame: compared, intervalMs: hourMs }, ['energy', 'mean'], formatEnglish));
    const find = (name: string) => lines.find(({ field }) => field === name);
    const { cost } = addUp(allRows);
    assert.deepEqual(
      ['total · compared', 'total · difference', 'total · percent', 'energy_mwh · percent'].map(
        name => find('cost')?.[name],
      ),
      [cost / 2, cost / 2, 100, null],
    );
    assertNear(find('paid')?.['mean · difference'] as number, 0);
    const units = Object.fromEntries(compared.columns.map(({ name, field }) => [name, field?.unit]));
    assert.deepEqual(units['paid · difference'], { ...moneyRate, difference: true });
    assert.equal(units['price · percent'], undefined);
    const resampled = resampleFrame(compared, days(Date.parse('2023-03-26T22:00Z')));
    const [first] = readRows(resampled);
    assert.deepEqual([first?.['cost · percent'], first?.['paid · difference']], [100, 0]);
  });
});
