import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { NumberColumn } from '../../../../src/shared/frame.ts';
import { power } from '../../../../src/shared/units.ts';
import { readSharedCells } from '../../../support/sharedFiles.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';
import { readCells, deriveColumn, deriveInFrame, hourMs, createHours, start } from './derive.ts';

describe('a rolling function', () => {
  it('sums each window exactly, even after large numbers have left it', () => {
    const units = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: -50_000_000, max: 50_000_000 }) },
      { weight: 1, arbitrary: fc.constantFrom(9_007_199_254, -9_007_199_254, 1, 0) },
    );
    const window = fc.integer({ min: 1, max: 300 });
    fc.assert(
      fc.property(fc.array(units, { minLength: 1, maxLength: 600 }), window, (thousandths, hours) => {
        const frame = createHours(thousandths.map(unit => unit / 1000));
        const sums = readCells(deriveColumn(frame, `sum(wind_mw, ${hours}h)`));
        for (const [row, sum] of sums.entries()) {
          const exact = thousandths
            .slice(Math.max(0, row + 1 - hours), row + 1)
            .reduce((total, value) => total + BigInt(value), 0n);
          assert.equal(sum, Number(`${exact}e-3`));
        }
      }),
    );
  });

  it('sums thirds without a remainder of larger numbers', () => {
    const values = [1e12, ...Array.from({ length: 60_000 }, (_, index) => (index % 7) / 3)];
    const sums = readCells(deriveColumn(createHours(values), 'sum(wind_mw, 21h)'));
    for (const [row, sum] of sums.entries()) if (row > 21) assert.ok(Math.abs((sum ?? NaN) - 21) < 1e-12, String(sum));
  });

  it('reports the hours that a value covers, and returns no value if no hour of the window has one', () => {
    const frame = createHours([1, null, 3, null, null, null, 7]);
    for (const name of ['mean', 'sum', 'lowest', 'highest']) {
      const column = deriveColumn(frame, `${name}(wind_mw, 3h)`);
      assert.deepEqual([...(column.hours ?? [])], [1, 1, 2, 1, 1, 0, 1], name);
    }
    assert.deepEqual(readCells(deriveColumn(frame, 'mean(wind_mw, 3h)')), [1, 1, 2, 3, 3, null, 7]);
    assert.deepEqual(readCells(deriveColumn(frame, 'sum(wind_mw, 3h)')), [1, 1, 4, 3, 3, null, 7]);
    const halves = deriveColumn(frame, 'mean(wind_mw, 90min)', hourMs / 2);
    assert.deepEqual([...(halves.hours ?? [])].slice(0, 3), [0.5, 0.5, 0.5]);
    const difference = deriveColumn(frame, 'wind_mw - mean(wind_mw, 3h)');
    assert.deepEqual([...(difference.hours ?? [])], [1, 1, 2, 1, 1, 0, 1]);
    const [unknown] = deriveInFrame(frame, [{ name: 'made', formula: 'mean(wind_mw, 3h)' }]);
    assert.ok(unknown && !unknown.hours);
  });

  it('calculates energy from power and the length of a row, if it is known', () => {
    const frame = createHours([60, 120, 90]);
    assert.deepEqual(readCells(deriveColumn(frame, 'sum(wind_mw, 2h)')), [60, 180, 210]);
    assert.deepEqual(readCells(deriveColumn(frame, 'sum(wind_mw, 1h)', hourMs / 12)), [5, 10, 7.5]);
    const unknown = deriveInFrame(frame, [{ name: 'made', formula: 'sum(wind_mw, 2h)' }]);
    assert.deepEqual(unknown.map(readCells), [[null, null, null]]);
  });

  it('weights means of days by their hours, and returns no value if the columns cover different hours', () => {
    const day = 24 * hourMs;
    const days = [0, 1, 2].map(index => start + index * day);
    const createDailyColumn = (name: string, values: number[], hours: number[]): NumberColumn => ({
      ...numberColumn(name, values, power),
      hours: Float64Array.from(hours),
    });
    const frame = createFrame(
      timeColumn('ts', days),
      createDailyColumn('a_mw', [10, 40, 10], [24, 12, 24]),
      createDailyColumn('b_mw', [1, 1, 1], [24, 24, 24]),
    );
    const mean = deriveColumn(frame, 'mean(a_mw, 2d)', day);
    assert.deepEqual(readCells(mean), [10, 20, 20]);
    assert.deepEqual([...(mean.hours ?? [])], [24, 36, 36]);
    assert.deepEqual(readCells(deriveColumn(frame, 'sum(a_mw, 2d)', day)), [240, 720, 720]);
    const total = deriveColumn(frame, 'a_mw + b_mw', day);
    assert.deepEqual(readCells(total), [11, null, 11]);
    assert.deepEqual([total.hours?.[0], total.hours?.[2]], [24, 24]);
    assert.deepEqual([...(deriveColumn(frame, '2 * a_mw', day).hours ?? [])], [24, 12, 24]);
    assert.equal(deriveColumn(frame, 'if(a_mw > 0, 5 MW, 0 MW)', day).hours, undefined);
  });

  it('returns correct values for real hours', function () {
    const real = readSharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) return this.skip();
    const [demand, ocgt] = ['Residual Demand', 'Eskom OCGT Generation'].map(name => real.heading.indexOf(name));
    const parseThousandths = (cells: string[], column = -1): bigint | null =>
      cells[column] === undefined || cells[column] === '' ? null : BigInt(Math.round(Number(cells[column]) * 1000));
    const hours = real.rows.map(cells => ({
      at: Date.parse(`${cells[0]}T${cells[1]}+02:00`),
      demand: parseThousandths(cells, demand),
      ocgt: parseThousandths(cells, ocgt),
    }));
    assert.ok(hours.length > 10_000);
    const readColumn = (name: 'demand' | 'ocgt') =>
      hours.map(hour => (hour[name] === null ? null : Number(hour[name]) / 1000));
    const frame = createFrame(
      timeColumn(
        'ts',
        hours.map(({ at }) => at),
      ),
      numberColumn('residual_demand_mw', readColumn('demand'), power),
      numberColumn('eskom_ocgt_mw', readColumn('ocgt'), power),
    );
    const byTime = new Map(hours.map(hour => [hour.at, hour]));
    const expected = hours.map(({ at, demand: currentDemand, ocgt: burnt }) => {
      const hourBefore = byTime.get(at - hourMs)?.ocgt ?? null;
      const weekBefore = byTime.get(at - 168 * hourMs)?.demand ?? null;
      const day = Array.from({ length: 24 }, (_, back) => byTime.get(at - back * hourMs)?.demand ?? null);
      const knownValues = day.filter(value => value !== null);
      const sum = knownValues.reduce((total, value) => total + value, 0n);
      return [
        burnt === null || hourBefore === null ? null : Number(burnt - hourBefore) / 1000,
        currentDemand === null || weekBefore === null ? null : Number(currentDemand - weekBefore) / 1000,
        knownValues.length === 0 ? null : Number(sum) / 1000,
        knownValues.length === 0
          ? null
          : Number(knownValues.reduce((lowest, value) => (value < lowest ? value : lowest))) / 1000,
        knownValues.length,
      ];
    });
    const derived = deriveInFrame(
      frame,
      [
        { name: 'ramp', formula: 'delta(eskom_ocgt_mw, 1h)' },
        { name: 'week', formula: 'residual_demand_mw - lag(residual_demand_mw, 168h)' },
        { name: 'day', formula: 'sum(residual_demand_mw, 24h)' },
        { name: 'least', formula: 'lowest(residual_demand_mw, 1d)' },
      ],
      hourMs,
    );
    const columns = derived.map(readCells);
    for (const [row, expectedCells] of expected.entries())
      assert.deepEqual([...columns.map(column => column[row]), derived[2]?.hours?.[row]], expectedCells, String(row));
  });
});
