import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { calculateEnergy, getRowDuration } from '../../../../src/core/statistics/energy.ts';
import type { NumberColumn, TimeColumn } from '../../../../src/shared/frame.ts';
import { power } from '../../../../src/shared/units.ts';
import { computeSelectionStats } from '../../../../src/webview/rows/selectionStats.ts';
import { columnStatistics } from './columns.ts';
import { findSharedFile } from '../../../support/sharedFiles.ts';
import { numberColumn, timeColumn } from '../../core/filter/columns.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const hourMs = 3_600_000;

/** A number as the service sends it, null, or undefined for an absent cell. */
type Cell = string | null | undefined;

/** Computes the expected figures in exact arithmetic over thousandths, without code of the product. */
function computeExpected(cells: readonly Cell[], intervalMs: number) {
  const thousandths = cells.flatMap(cell => (cell == null ? [] : [parseThousandths(cell)]));
  const sum = thousandths.reduce((total, value) => total + value, 0n);
  const ascending = thousandths.toSorted((a, b) => (a < b ? -1 : 1));
  return {
    count: thousandths.length,
    min: Number(ascending[0]) / 1000,
    max: Number(ascending.at(-1)) / 1000,
    mean: Number(sum) / 1000 / thousandths.length,
    mwh: intervalMs === hourMs ? Number(sum) / 1000 : Number(sum * BigInt(intervalMs)) / 3.6e9,
    hours: (thousandths.length * intervalMs) / hourMs,
    quantile: (percent: number) => computeQuantile(ascending, percent),
    deviation: computeDeviation(thousandths),
  };
}

/** Interpolates linearly between the two values next to the rank, which is in hundredths. */
function computeQuantile(ascending: readonly bigint[], percent: number): number {
  const rank = (ascending.length - 1) * percent;
  const below = ascending[Math.floor(rank / 100)] ?? 0n;
  const above = ascending[Math.ceil(rank / 100)] ?? 0n;
  return Number(below * 100n + (above - below) * BigInt(rank % 100)) / 100_000;
}

/** Returns the sample standard deviation, or undefined for a single value. */
function computeDeviation(values: readonly bigint[]): number | undefined {
  const count = BigInt(values.length);
  if (count < 2n) return undefined;
  const sum = values.reduce((total, value) => total + value, 0n);
  const squares = values.reduce((total, value) => total + value * value, 0n);
  return Math.sqrt(Number(count * squares - sum * sum) / Number(count * (count - 1n))) / 1000;
}

function parseThousandths(text: string): bigint {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,3}))?$/.exec(text) ?? assert.fail(text);
  const magnitude = BigInt(whole) * 1000n + BigInt(fraction.padEnd(3, '0'));
  return sign ? -magnitude : magnitude;
}

/** Computes the figures with both implementations of the product: the footer and Statistics. */
function computeActual(column: NumberColumn, time: TimeColumn, intervalMs: number, rows: Uint32Array) {
  const rowMs = getRowDuration(time, intervalMs);
  const { count, summary } = columnStatistics(column, time, rows);
  const { figures } = computeSelectionStats([column], rows, rowMs);
  assert.ok(summary && figures?.energy);
  const { min, max, mean, energy } = figures;
  const inStatistics = calculateEnergy(power, summary.sum, count, rowMs);
  return [
    { count, min, max, mean, ...energy },
    { count, min: summary.min.value, max: summary.max.value, mean: summary.mean, ...inStatistics },
  ];
}

function createColumns(cells: readonly Cell[], intervalMs: number): { column: NumberColumn; time: TimeColumn } {
  const numbers = cells.map(cell => (cell == null ? cell : Number(cell)));
  return {
    column: numberColumn('wind_mw', numbers, power),
    time: timeColumn(
      'ts',
      cells.map((_, row) => row * intervalMs),
    ),
  };
}

function assertAgrees(cells: readonly Cell[], intervalMs: number, rows = Uint32Array.from(cells.keys())): void {
  const expected = computeExpected(
    Array.from(rows, row => cells[row]),
    intervalMs,
  );
  const { column, time } = createColumns(cells, intervalMs);
  const { summary } = columnStatistics(column, time, rows);
  const magnitude = Math.max(Math.abs(expected.min), Math.abs(expected.max));
  const assertNear = (actual: number | undefined, expectedValue: number | undefined, name: string) =>
    assert.ok(
      actual === expectedValue || Math.abs((actual ?? NaN) - (expectedValue ?? NaN)) <= magnitude * 1e-12,
      `${name} is ${actual}, not ${expectedValue}`,
    );
  assertNear(summary?.p5, expected.quantile(5), 'p5');
  assertNear(summary?.median, expected.quantile(50), 'median');
  assertNear(summary?.p95, expected.quantile(95), 'p95');
  assertNear(summary?.deviation, expected.deviation, 'deviation');
  for (const actual of computeActual(column, time, intervalMs, rows)) {
    for (const name of ['count', 'min', 'max', 'hours'] as const) assert.equal(actual[name], expected[name], name);
    if (intervalMs === hourMs) assert.equal(actual.mwh, expected.mwh);
    for (const name of ['mean', 'mwh'] as const) {
      const error = Math.abs((actual[name] ?? NaN) - expected[name]);
      // A double has about 16 digits, and a product may be wrong in the last one.
      assert.ok(error <= Math.abs(expected[name]) * 4e-16, `${name} is ${actual[name]}, not ${expected[name]}`);
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
const intervals = fc.constantFrom(hourMs / 12, hourMs / 4, hourMs / 2, hourMs, 3 * hourMs, 24 * hourMs);

describe('the statistics of power', () => {
  it('computes energy, mean, extremes and quantiles exactly over any rows with gaps and nulls', () => {
    const frames = fc.array(cell, { minLength: 1, maxLength: 200 }).filter(cells => cells.some(value => value != null));
    fc.assert(
      fc.property(frames, intervals, (cells, intervalMs) => assertAgrees(cells, intervalMs)),
      { numRuns: scaleRunCount(500) },
    );
  });

  it('computes energy, mean, extremes and quantiles exactly over any selection of rows', () => {
    const frames = fc.array(decimal, { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(frames, intervals, fc.infiniteStream(fc.boolean()), (cells, intervalMs, isSelected) => {
        const rows = [...cells.keys()].filter(() => isSelected.next().value);
        if (rows.length > 0) assertAgrees(cells, intervalMs, Uint32Array.from(rows));
      }),
    );
  });

  const file = findSharedFile('data', 'eskom-hourly-2022-06_2024-03.csv');
  (file ? it : it.skip)(
    `computes energy, mean, extremes and quantiles exactly over real hours${file ? '' : ' (the data file is missing)'}`,
    () => {
      const [header = '', ...lines] = readFileSync(file ?? '', 'utf8')
        .trim()
        .split(/\r?\n/);
      const names = header.split(',');
      const records = lines.slice(0, scaleRunCount(lines.length)).map(line => line.split(','));
      let compared = 0;
      for (const column of names.keys()) {
        const texts = records.map(record => record[column] ?? '');
        if (!texts.every(text => text === '' || /^-?\d+(\.\d{1,3})?$/.test(text)) || texts.every(text => text === ''))
          continue;
        const cells = texts.map(text => (text === '' ? null : text));
        assertAgrees(cells, hourMs);
        assertAgrees(cells.slice(0, 744), hourMs);
        assertAgrees(cells.slice(0, 365), 24 * hourMs);
        compared += 1;
      }
      assert.ok(compared > 20, `only ${compared} columns were compared`);
    },
  );
});
