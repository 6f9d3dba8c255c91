import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { calculateEnergy, getRowDuration } from '../../../../src/core/statistics/energy.ts';
import type { NumberColumn, TimeColumn } from '../../../../src/shared/frame.ts';
import { power } from '../../../../src/shared/units.ts';
import { selectionStats } from '../../../../src/webview/rows/selectionStats.ts';
import { columnStatistics } from './columns.ts';
import { sharedFile } from '../../../support/shared.ts';
import { numberColumn, timeColumn } from '../../core/filter/columns.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const hourMs = 3_600_000;

/** A number as a service sends it: its text, or that there is none. */
type Cell = string | null | undefined;

/** Figures of decimals in exact arithmetic, over thousandths: nothing here is shared with the product. */
function model(cells: readonly Cell[], stepMs: number) {
  const thousandths = cells.flatMap(cell => (cell == null ? [] : [exact(cell)]));
  const sum = thousandths.reduce((all, one) => all + one, 0n);
  const ascending = thousandths.toSorted((a, b) => (a < b ? -1 : 1));
  return {
    count: thousandths.length,
    min: Number(ascending[0]) / 1000,
    max: Number(ascending.at(-1)) / 1000,
    mean: Number(sum) / 1000 / thousandths.length,
    mwh: stepMs === hourMs ? Number(sum) / 1000 : Number(sum * BigInt(stepMs)) / 3.6e9,
    hours: (thousandths.length * stepMs) / hourMs,
    quantile: (part: number) => quantileOf(ascending, part),
    deviation: deviationOf(thousandths),
  };
}

/** Interpolated linearly between the two values around its place, counted in hundredths of a place. */
function quantileOf(ascending: readonly bigint[], percent: number): number {
  const place = (ascending.length - 1) * percent;
  const [below, above] = [Math.floor(place / 100), Math.ceil(place / 100)].map(at => ascending[at] ?? 0n);
  return Number((below ?? 0n) * 100n + ((above ?? 0n) - (below ?? 0n)) * BigInt(place % 100)) / 100_000;
}

/** Of the sample; undefined for a single value. */
function deviationOf(values: readonly bigint[]): number | undefined {
  const count = BigInt(values.length);
  if (count < 2n) return undefined;
  const sum = values.reduce((all, one) => all + one, 0n);
  const squares = values.reduce((all, one) => all + one * one, 0n);
  return Math.sqrt(Number(count * squares - sum * sum) / Number(count * (count - 1n))) / 1000;
}

function exact(text: string): bigint {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,3}))?$/.exec(text) ?? assert.fail(text);
  const size = BigInt(whole) * 1000n + BigInt(fraction.padEnd(3, '0'));
  return sign ? -size : size;
}

/** The same figures as the product computes them, in each of its ways. */
function product(column: NumberColumn, time: TimeColumn, stepMs: number, rows: Uint32Array) {
  const rowMs = getRowDuration(time, stepMs);
  const { count, summary } = columnStatistics(column, time, rows);
  const { figures } = selectionStats([column], rows, rowMs);
  assert.ok(summary && figures?.energy);
  const { min, max, mean, energy } = figures;
  const inStatistics = calculateEnergy(power, summary.sum, count, rowMs);
  return [
    { count, min, max, mean, ...energy },
    { count, min: summary.min.value, max: summary.max.value, mean: summary.mean, ...inStatistics },
  ];
}

function columnsOf(cells: readonly Cell[], stepMs: number): { column: NumberColumn; time: TimeColumn } {
  const numbers = cells.map(cell => (cell == null ? cell : Number(cell)));
  return {
    column: numberColumn('wind_mw', numbers, power),
    time: timeColumn(
      'ts',
      cells.map((_, row) => row * stepMs),
    ),
  };
}

function assertAgrees(cells: readonly Cell[], stepMs: number, rows = Uint32Array.from(cells.keys())): void {
  const expected = model(
    Array.from(rows, row => cells[row]),
    stepMs,
  );
  const { column, time } = columnsOf(cells, stepMs);
  const { summary } = columnStatistics(column, time, rows);
  const size = Math.max(Math.abs(expected.min), Math.abs(expected.max));
  const near = (found: number | undefined, right: number | undefined, name: string) =>
    assert.ok(
      found === right || Math.abs((found ?? NaN) - (right ?? NaN)) <= size * 1e-12,
      `${name}: ${found}, ${right}`,
    );
  near(summary?.p5, expected.quantile(5), 'p5');
  near(summary?.median, expected.quantile(50), 'median');
  near(summary?.p95, expected.quantile(95), 'p95');
  near(summary?.deviation, expected.deviation, 'deviation');
  for (const found of product(column, time, stepMs, rows)) {
    for (const name of ['count', 'min', 'max', 'hours'] as const) assert.equal(found[name], expected[name], name);
    if (stepMs === hourMs) assert.equal(found.mwh, expected.mwh);
    for (const name of ['mean', 'mwh'] as const) {
      const error = Math.abs((found[name] ?? NaN) - expected[name]);
      // A double has some 16 digits, and the product of two its last one off.
      assert.ok(error <= Math.abs(expected[name]) * 4e-16, `${name}: ${found[name]} and not ${expected[name]}`);
    }
  }
}

const decimal = fc
  .integer({ min: -40_000_000, max: 40_000_000 })
  .map(
    thousandths =>
      `${thousandths < 0 ? '-' : ''}${Math.floor(Math.abs(thousandths) / 1000)}.${String(Math.abs(thousandths) % 1000).padStart(3, '0')}`,
  );
const cell = fc.oneof({ weight: 6, arbitrary: decimal }, fc.constant(null), fc.constant(undefined));
const steps = fc.constantFrom(hourMs / 12, hourMs / 4, hourMs / 2, hourMs, 3 * hourMs, 24 * hourMs);

describe('energy, mean, extremes, quantiles and deviation', () => {
  it('equals exact arithmetic over any rows with gaps and nulls', () => {
    const frames = fc.array(cell, { minLength: 1, maxLength: 200 }).filter(cells => cells.some(one => one != null));
    fc.assert(
      fc.property(frames, steps, (cells, stepMs) => assertAgrees(cells, stepMs)),
      { numRuns: manyRuns(500) },
    );
  });

  it('equals exact arithmetic over any selection of rows', () => {
    const frames = fc.array(decimal, { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(frames, steps, fc.infiniteStream(fc.boolean()), (cells, stepMs, chosen) => {
        const rows = [...cells.keys()].filter(() => chosen.next().value);
        if (rows.length > 0) assertAgrees(cells, stepMs, Uint32Array.from(rows));
      }),
    );
  });

  const file = sharedFile('data', 'eskom-hourly-2022-06_2024-03.csv');
  (file ? it : it.skip)(
    `are those of exact arithmetic over real hours${file ? '' : ' (the file is not there)'}`,
    () => {
      const [head = '', ...lines] = readFileSync(file ?? '', 'utf8')
        .trim()
        .split(/\r?\n/);
      const names = head.split(',');
      const records = lines.slice(0, manyRuns(lines.length)).map(line => line.split(','));
      let compared = 0;
      for (const at of names.keys()) {
        const texts = records.map(record => record[at] ?? '');
        if (!texts.every(text => text === '' || /^-?\d+(\.\d{1,3})?$/.test(text)) || texts.every(text => text === ''))
          continue;
        const cells = texts.map(text => (text === '' ? null : text));
        assertAgrees(cells, hourMs);
        assertAgrees(cells.slice(0, 744), hourMs);
        assertAgrees(cells.slice(0, 365), 24 * hourMs);
        compared += 1;
      }
      assert.ok(compared > 20, `${compared} columns`);
    },
  );
});
