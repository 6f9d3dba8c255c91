import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { calculateEnergy, getRowDuration } from '../../../../src/core/statistics/energy.ts';
import { findTimeColumn } from '../../../../src/core/frame/clip.ts';
import { power } from '../../../../src/shared/units.ts';
import { formatTotal } from '../../../../src/presentation/chart/incompleteMessages.ts';
import { getMixDerivedColumns } from '../../../../src/core/frame/mixColumns.ts';
import { PlotFormatter } from '../../../../src/presentation/chart/plotFormatter.ts';
import { columnStatistics } from './columns.ts';
import { findSharedFile } from '../../../support/sharedFiles.ts';
import { frameOf, hourMs, numbers, plotOf, start } from '../../presentation/chart/chartWorld.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

/** A number of the service in thousandths, or null. */
type Cell = bigint | null;
/** The hours since the first row, with the received values. */
type Row = Readonly<{ hour: number }> & Readonly<Record<string, Cell | number>>;

const sources = ['thermal_mw', 'nuclear_mw', 'eskom_gas_mw', 'eskom_ocgt_mw', 'hydro_water_mw'];
const received = [
  ...sources,
  ...['wind_mw', 'pv_mw', 'total_re_mw', 'imports_mw', 'exports_mw', 'renewable_share_pct', 'residual_demand_mw'],
];
const computedColumns = {
  other: '=other_renewable',
  unpublished: '=unpublished',
  netImport: '=net_import',
  demand: '=demand',
  generation: '=generation',
  both: '=generation_and_import',
} as const;
type ComputedSeries = Record<keyof typeof computedColumns, Cell>;

/**
 * Models the series of the mix in exact arithmetic over thousandths, without code of the product. `step` is the last digit of all
 * shares, in thousandths. `hasExports` is whether any row has exports; otherwise only imports are added.
 */
function model(row: Row, step: bigint, hasExports: boolean): ComputedSeries {
  const cell = (name: string): Cell => (row[name] as Cell | undefined) ?? null;
  const sum = (...terms: readonly Cell[]): Cell =>
    terms.reduce<Cell>((all, term) => (all === null || term === null ? null : all + term), 0n);
  const minus = (value: Cell): Cell => (value === null ? null : -value);
  const renewable = cell('total_re_mw');
  const other = sum(renewable, minus(cell('wind_mw')), minus(cell('pv_mw')));
  const netImport = sum(cell('imports_mw'), minus(cell('exports_mw')));
  const unpublished = computeUnpublished(cell('renewable_share_pct'), renewable, sum(...sources.map(cell)), step);
  const generation = sum(...[...sources, 'wind_mw', 'pv_mw'].map(cell), other, unpublished);
  return {
    other,
    unpublished,
    netImport,
    generation,
    both: sum(generation, hasExports ? netImport : cell('imports_mw')),
    demand: sum(cell('residual_demand_mw'), renewable),
  };
}

/** Computes total generation minus sources and renewables, in whole MW: 0 within the rounding of the share, null if clearly negative. */
function computeUnpublished(share: Cell, renewable: Cell, published: Cell, step: bigint): Cell {
  if (share === null || renewable === null || published === null || share <= 0n) return null;
  const generated = renewable * 100_000n;
  const left = generated - (renewable + published) * share;
  const size = left < 0n ? -left : left;
  if (2n * size * share <= generated * step) return 0n;
  // Rounds half up, because x rounded is floor((2x + 1) / 2).
  const whole = divideFloor(2n * left + 1_000n * share, 2_000n * share);
  // Idle storage consumes some power. A lower value means that a reading is wrong.
  return whole < -100n ? null : whole * 1_000n;
}

function divideFloor(a: bigint, b: bigint): bigint {
  return a / b - (a % b < 0n ? 1n : 0n);
}

const asNumber = (cell: Cell): number | null => (cell === null ? null : Number(cell) / 1000);

/** Counts the compared layers of the chart, and the legends with a total. */
const compared = { layers: 0, totals: 0 };

/** Compares statistics and chart with the model, over these rows. */
function assertAgrees(rows: readonly Row[], chosen: Uint32Array): void {
  const shares = rows.map(row => row['renewable_share_pct'] as Cell);
  const step = [1_000n, 100n, 10n].find(digit => shares.every(share => share === null || share % digit === 0n)) ?? 1n;
  const hasExports = rows.some(row => row['exports_mw'] !== null);
  const expected = rows.map(row => model(row, step, hasExports));
  const frame = frameOf(
    received.map(name =>
      numbers(
        name,
        rows.map(row => asNumber(row[name] as Cell)),
      ),
    ),
    rows.map(({ hour }) => start + hour * hourMs),
  );
  const time = findTimeColumn(frame);
  const derived = new Map(getMixDerivedColumns(frame).map(column => [column.name, column]));
  const drawn = plotOf(frame, { mode: 'mix' }, { rows: chosen });
  // The exact text has all digits.
  const plot = { ...drawn, layers: drawn.layers.map(layer => ({ ...layer, decimals: 3 })) };
  const points = new Map(Array.from(plot.timeline.x, (instant, point) => [(instant - start) / hourMs, point]));
  for (const [key, name] of Object.entries(computedColumns) as [keyof ComputedSeries, string][]) {
    const column = derived.get(name);
    const right = Array.from(chosen, row => expected[row]?.[key] ?? null);
    if (!column) {
      assert.ok(
        received.some(part => rows.every(row => row[part] === null)),
        name,
      );
      continue;
    }
    const known = right.filter(value => value !== null);
    const { summary, count, nulls } = columnStatistics(column, time, chosen);
    assert.deepEqual([count, nulls], [known.length, right.length - known.length], name);
    const sum = known.reduce((all, value) => all + value, 0n);
    const mwh = calculateEnergy(power, summary?.sum ?? 0, count, getRowDuration(time, hourMs));
    if (known.length === 0) {
      assert.equal(mwh, undefined);
      continue;
    }
    assert.deepEqual(mwh, { mwh: Number(sum) / 1000, hours: known.length }, name);
    const ascending = known.toSorted((a, b) => (a < b ? -1 : 1));
    assert.equal(summary?.min.value, asNumber(ascending[0] ?? null));
    assert.equal(summary.max.value, asNumber(ascending.at(-1) ?? null));
    const layer = plot.layers.find(one => one.column === name);
    if (layer) compared.layers++;
    for (const row of layer ? chosen : []) {
      const value = layer?.values[points.get(rows[row]?.hour ?? NaN) ?? -1] ?? NaN;
      assert.equal(Number.isNaN(value) ? null : value, asNumber(expected[row]?.[key] ?? null), name);
    }
  }
  if (plot.totalLabel !== 'Total generation and net import') return;
  compared.totals++;
  const words = new PlotFormatter(plot, 'en');
  for (const row of chosen) {
    const short = formatTotal(plot, words, points.get(rows[row]?.hour ?? NaN) ?? -1)?.shortText ?? '(incomplete)';
    const total = asNumber(expected[row]?.both ?? null);
    if (total === null) assert.match(short, /\(incomplete\)$/);
    else assert.equal(Number(short.replaceAll(',', '')), total);
  }
}

const reading = fc.option(fc.bigInt({ min: 0n, max: 25_000_000n }), { nil: null, freq: 12 });
// With a renewable share of a few thousandths of a percent, a double could not represent the thousandths of the total.
const shares = fc.oneof({ weight: 9, arbitrary: fc.bigInt({ min: 100n, max: 60_000n }) }, fc.constant(0n));
const share = fc.option(shares, { nil: null, freq: 12 });
const hour = fc.record({
  ...Object.fromEntries(received.map(name => [name, reading])),
  renewable_share_pct: share,
});

describe('the series derived for the generation mix', () => {
  it('have the figures of exact arithmetic in statistics, chart and legend, over any rows with nulls', () => {
    fc.assert(
      fc.property(fc.array(hour, { minLength: 1, maxLength: 30 }), fc.infiniteStream(fc.boolean()), (cells, take) => {
        // Every third hour is missing.
        const rows = cells.map((one, at): Row => ({ ...one, hour: at + Math.floor(at / 2) }));
        const chosen = Uint32Array.from([...rows.keys()].filter(() => take.next().value));
        if (chosen.length > 0) assertAgrees(rows, chosen);
      }),
      { numRuns: scaleRunCount(300) },
    );
    assert.ok(compared.layers > 50 && compared.totals > 20, JSON.stringify(compared));
  });

  const file = findSharedFile('data', 'eskom-hourly-2022-06_2024-03.csv');
  (file ? it : it.skip)(`have them over real hours${file ? '' : ' (the file is not there)'}`, () => {
    const all = realRows(file ?? '');
    const rows = all.slice(0, scaleRunCount(all.length));
    assert.ok(rows.length > 3_000);
    assertAgrees(rows, Uint32Array.from(rows.keys()));
    assertAgrees(
      rows,
      Uint32Array.from(rows.keys()).filter(row => row % 24 > 15),
    );
  });
});

const titles: Readonly<Record<string, string>> = {
  thermal_mw: 'Thermal Generation',
  nuclear_mw: 'Nuclear Generation',
  eskom_gas_mw: 'Eskom Gas Generation',
  eskom_ocgt_mw: 'Eskom OCGT Generation',
  hydro_water_mw: 'Hydro Water Generation',
  wind_mw: 'Wind',
  pv_mw: 'PV',
  total_re_mw: 'Total RE',
  imports_mw: 'International Imports',
  exports_mw: 'International Exports',
  residual_demand_mw: 'Residual Demand',
  pumped: 'Pumped Water Generation',
  turbines: 'Dispatchable IPP OCGT',
};

/** Reads the hours of the portal's file as a service publishes them: with the renewable share, without pumped storage and independent turbines. */
function realRows(file: string): Row[] {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/);
  const columnIndexes = Object.entries(titles).map(([name, title]) => [name, head.split(',').indexOf(title)] as const);
  for (const [name, columnIndex] of columnIndexes) assert.ok(columnIndex >= 0, name);
  return lines.map((line, at): Row => {
    const cells = line.split(',');
    const row = Object.fromEntries(
      columnIndexes.map(([name, columnIndex]): [string, Cell] => [name, thousandths(cells[columnIndex] ?? '')]),
    );
    const all = [...sources, 'pumped', 'turbines', 'total_re_mw'].map(name => row[name] ?? null);
    const total = all.includes(null) ? 0n : (all as bigint[]).reduce((sum, value) => sum + value, 0n);
    const renewable = row['total_re_mw'] ?? 0n;
    return { ...row, renewable_share_pct: total > 0n ? (renewable * 100_000n + total / 2n) / total : null, hour: at };
  });
}

function thousandths(text: string): Cell {
  if (text.trim() === '') return null;
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,3}))?$/.exec(text) ?? assert.fail(text);
  const size = BigInt(whole) * 1000n + BigInt(fraction.padEnd(3, '0'));
  return sign ? -size : size;
}
