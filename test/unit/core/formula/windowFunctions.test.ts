import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { NumberColumn } from '../../../../src/shared/frame.ts';
import { power } from '../../../../src/shared/units.ts';
import { sharedCells } from '../../../support/shared.ts';
import { frameOf, numberColumn, timeColumn } from '../filter/columns.ts';
import { cellsOf, derivedFrom, derivedIn, hourMs, hoursOf, start } from './derive.ts';

describe('a function of other instants', () => {
  it('adds up each window exactly, however large the numbers were that have left it', () => {
    const units = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: -50_000_000, max: 50_000_000 }) },
      { weight: 1, arbitrary: fc.constantFrom(9_007_199_254, -9_007_199_254, 1, 0) },
    );
    const window = fc.integer({ min: 1, max: 300 });
    fc.assert(
      fc.property(fc.array(units, { minLength: 1, maxLength: 600 }), window, (thousandths, hours) => {
        const frame = hoursOf(thousandths.map(unit => unit / 1000));
        const sums = cellsOf(derivedFrom(frame, `sum(wind_mw, ${hours}h)`));
        for (const [at, sum] of sums.entries()) {
          const exact = thousandths
            .slice(Math.max(0, at + 1 - hours), at + 1)
            .reduce((all, one) => all + BigInt(one), 0n);
          assert.equal(sum, Number(`${exact}e-3`));
        }
      }),
    );
  });

  it('adds up thirds without residues of larger numbers', () => {
    const values = [1e12, ...Array.from({ length: 60_000 }, (_, at) => (at % 7) / 3)];
    const sums = cellsOf(derivedFrom(hoursOf(values), 'sum(wind_mw, 21h)'));
    for (const [at, sum] of sums.entries()) if (at > 21) assert.ok(Math.abs((sum ?? NaN) - 21) < 1e-12, String(sum));
  });

  it('reports the hours that the value of a window counts for, and has no value if no hour has one', () => {
    const frame = hoursOf([1, null, 3, null, null, null, 7]);
    for (const name of ['mean', 'sum', 'lowest', 'highest']) {
      const column = derivedFrom(frame, `${name}(wind_mw, 3h)`);
      assert.deepEqual([...(column.hours ?? [])], [1, 1, 2, 1, 1, 0, 1], name);
    }
    assert.deepEqual(cellsOf(derivedFrom(frame, 'mean(wind_mw, 3h)')), [1, 1, 2, 3, 3, null, 7]);
    assert.deepEqual(cellsOf(derivedFrom(frame, 'sum(wind_mw, 3h)')), [1, 1, 4, 3, 3, null, 7]);
    const halves = derivedFrom(frame, 'mean(wind_mw, 90min)', hourMs / 2);
    assert.deepEqual([...(halves.hours ?? [])].slice(0, 3), [0.5, 0.5, 0.5]);
    const both = derivedFrom(frame, 'wind_mw - mean(wind_mw, 3h)');
    assert.deepEqual([...(both.hours ?? [])], [1, 1, 2, 1, 1, 0, 1]);
    const [unknown] = derivedIn(frame, [{ name: 'made', formula: 'mean(wind_mw, 3h)' }]);
    assert.ok(unknown && !unknown.hours);
  });

  it('calculates energy from power and the length of a row, if that is known', () => {
    const frame = hoursOf([60, 120, 90]);
    assert.deepEqual(cellsOf(derivedFrom(frame, 'sum(wind_mw, 2h)')), [60, 180, 210]);
    assert.deepEqual(cellsOf(derivedFrom(frame, 'sum(wind_mw, 1h)', hourMs / 12)), [5, 10, 7.5]);
    const unknown = derivedIn(frame, [{ name: 'made', formula: 'sum(wind_mw, 2h)' }]);
    assert.deepEqual(unknown.map(cellsOf), [[null, null, null]]);
  });

  it('weights means of days by their hours, and has no value for different hours', () => {
    const day = 24 * hourMs;
    const days = [0, 1, 2].map(at => start + at * day);
    const own = (name: string, values: number[], hours: number[]): NumberColumn => ({
      ...numberColumn(name, values, power),
      hours: Float64Array.from(hours),
    });
    const frame = frameOf(
      timeColumn('ts', days),
      own('a_mw', [10, 40, 10], [24, 12, 24]),
      own('b_mw', [1, 1, 1], [24, 24, 24]),
    );
    const mean = derivedFrom(frame, 'mean(a_mw, 2d)', day);
    assert.deepEqual(cellsOf(mean), [10, 20, 20]);
    assert.deepEqual([...(mean.hours ?? [])], [24, 36, 36]);
    assert.deepEqual(cellsOf(derivedFrom(frame, 'sum(a_mw, 2d)', day)), [240, 720, 720]);
    const both = derivedFrom(frame, 'a_mw + b_mw', day);
    assert.deepEqual(cellsOf(both), [11, null, 11]);
    assert.deepEqual([both.hours?.[0], both.hours?.[2]], [24, 24]);
    assert.deepEqual([...(derivedFrom(frame, '2 * a_mw', day).hours ?? [])], [24, 12, 24]);
    assert.equal(derivedFrom(frame, 'if(a_mw > 0, 5 MW, 0 MW)', day).hours, undefined);
  });

  it('is right for real hours', function () {
    const real = sharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) return this.skip();
    const [demand, ocgt] = ['Residual Demand', 'Eskom OCGT Generation'].map(name => real.heading.indexOf(name));
    const thousandths = (cells: string[], at = -1): bigint | null =>
      cells[at] === undefined || cells[at] === '' ? null : BigInt(Math.round(Number(cells[at]) * 1000));
    const hours = real.rows.map(cells => ({
      at: Date.parse(`${cells[0]}T${cells[1]}+02:00`),
      demand: thousandths(cells, demand),
      ocgt: thousandths(cells, ocgt),
    }));
    assert.ok(hours.length > 10_000);
    const cells = (name: 'demand' | 'ocgt') =>
      hours.map(hour => (hour[name] === null ? null : Number(hour[name]) / 1000));
    const frame = frameOf(
      timeColumn(
        'ts',
        hours.map(({ at }) => at),
      ),
      numberColumn('residual_demand_mw', cells('demand'), power),
      numberColumn('eskom_ocgt_mw', cells('ocgt'), power),
    );
    const byTime = new Map(hours.map(hour => [hour.at, hour]));
    const expected = hours.map(({ at, demand: now, ocgt: burnt }) => {
      const [hourBefore, weekBefore] = [
        byTime.get(at - hourMs)?.ocgt ?? null,
        byTime.get(at - 168 * hourMs)?.demand ?? null,
      ];
      const day = Array.from({ length: 24 }, (_, back) => byTime.get(at - back * hourMs)?.demand ?? null);
      const known = day.filter(one => one !== null);
      const sum = known.reduce((all, one) => all + one, 0n);
      return [
        burnt === null || hourBefore === null ? null : Number(burnt - hourBefore) / 1000,
        now === null || weekBefore === null ? null : Number(now - weekBefore) / 1000,
        known.length === 0 ? null : Number(sum) / 1000,
        known.length === 0 ? null : Number(known.reduce((least, one) => (one < least ? one : least))) / 1000,
        known.length,
      ];
    });
    const made = derivedIn(
      frame,
      [
        { name: 'ramp', formula: 'delta(eskom_ocgt_mw, 1h)' },
        { name: 'week', formula: 'residual_demand_mw - lag(residual_demand_mw, 168h)' },
        { name: 'day', formula: 'sum(residual_demand_mw, 24h)' },
        { name: 'least', formula: 'lowest(residual_demand_mw, 1d)' },
      ],
      hourMs,
    );
    const columns = made.map(cellsOf);
    for (const [row, all] of expected.entries())
      assert.deepEqual([...columns.map(column => column[row]), made[2]?.hours?.[row]], all, String(row));
  });
});
