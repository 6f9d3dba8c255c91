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
import { createFrame, hourMs, numbers, createPlot, start } from '../../presentation/chart/chartWorld.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

/** A received number in thousandths, or null. */
type Cell = bigint | null;
/** The received values of a row, with its hours since the first row. */
type Row = Readonly<{ hour: number }> & Readonly<Record<string, Cell | number>>;

const sources = ['thermal_mw', 'nuclear_mw', 'eskom_gas_mw', 'eskom_ocgt_mw', 'hydro_water_mw'];
const received = [
  ...sources,
  ...['wind_mw', 'pv_mw', 'total_re_mw', 'imports_mw', 'exports_mw', 'renewable_share_pct', 'residual_demand_mw'],
];
const computedColumns = {
  otherRenewables: '=other_renewable',
  unpublished: '=unpublished',
  netImport: '=net_import',
  demand: '=demand',
  generation: '=generation',
  generationAndImport: '=generation_and_import',
} as const;
type ComputedSeries = Record<keyof typeof computedColumns, Cell>;

/**
 * Computes the expected series of the mix in exact arithmetic over thousandths, without code of the product. `precision` is the last
 * digit of the shares, in thousandths. `hasExports` is true if any row has exports; otherwise only imports are added.
 */
function computeExpected(row: Row, precision: bigint, hasExports: boolean): ComputedSeries {
  const cell = (name: string): Cell => (row[name] as Cell | undefined) ?? null;
  const sum = (...terms: readonly Cell[]): Cell =>
    terms.reduce<Cell>((total, term) => (total === null || term === null ? null : total + term), 0n);
  const negate = (value: Cell): Cell => (value === null ? null : -value);
  const renewable = cell('total_re_mw');
  const otherRenewables = sum(renewable, negate(cell('wind_mw')), negate(cell('pv_mw')));
  const netImport = sum(cell('imports_mw'), negate(cell('exports_mw')));
  const unpublished = computeUnpublished(cell('renewable_share_pct'), renewable, sum(...sources.map(cell)), precision);
  const generation = sum(...[...sources, 'wind_mw', 'pv_mw'].map(cell), otherRenewables, unpublished);
  return {
    otherRenewables,
    unpublished,
    netImport,
    generation,
    generationAndImport: sum(generation, hasExports ? netImport : cell('imports_mw')),
    demand: sum(cell('residual_demand_mw'), renewable),
  };
}

/**
 * Returns total generation minus sources and renewables, in whole MW: 0 if it is within the rounding of the share, null if it is clearly
 * negative.
 */
function computeUnpublished(share: Cell, renewable: Cell, published: Cell, precision: bigint): Cell {
  if (share === null || renewable === null || published === null || share <= 0n) return null;
  const generated = renewable * 100_000n;
  const remainder = generated - (renewable + published) * share;
  const magnitude = remainder < 0n ? -remainder : remainder;
  if (2n * magnitude * share <= generated * precision) return 0n;
  // Rounds half up: round(x) is floor((2x + 1) / 2).
  const whole = divideFloor(2n * remainder + 1_000n * share, 2_000n * share);
  // Idle storage consumes some power. A lower value means that a reading is wrong.
  return whole < -100n ? null : whole * 1_000n;
}

function divideFloor(a: bigint, b: bigint): bigint {
  return a / b - (a % b < 0n ? 1n : 0n);
}

const toMegawatts = (cell: Cell): number | null => (cell === null ? null : Number(cell) / 1000);

/** The number of compared layers of the chart and totals of the legend. */
const compared = { layers: 0, totals: 0 };

/** Compares statistics, chart and legend of the selected rows with the expected series. */
function assertAgrees(rows: readonly Row[], selection: Uint32Array): void {
  const shares = rows.map(row => row['renewable_share_pct'] as Cell);
  const precision =
    [1_000n, 100n, 10n].find(digit => shares.every(share => share === null || share % digit === 0n)) ?? 1n;
  const hasExports = rows.some(row => row['exports_mw'] !== null);
  const expected = rows.map(row => computeExpected(row, precision, hasExports));
  const frame = createFrame(
    received.map(name =>
      numbers(
        name,
        rows.map(row => toMegawatts(row[name] as Cell)),
      ),
    ),
    rows.map(({ hour }) => start + hour * hourMs),
  );
  const time = findTimeColumn(frame);
  const derived = new Map(getMixDerivedColumns(frame).map(column => [column.name, column]));
  const originalPlot = createPlot(frame, { mode: 'mix' }, { rows: selection });
  // With three decimals, the text has all digits.
  const plot = { ...originalPlot, layers: originalPlot.layers.map(layer => ({ ...layer, decimals: 3 })) };
  const points = new Map(Array.from(plot.timeline.x, (instant, point) => [(instant - start) / hourMs, point]));
  for (const [key, name] of Object.entries(computedColumns) as [keyof ComputedSeries, string][]) {
    const column = derived.get(name);
    const expectedCells = Array.from(selection, row => expected[row]?.[key] ?? null);
    if (!column) {
      assert.ok(
        received.some(field => rows.every(row => row[field] === null)),
        name,
      );
      continue;
    }
    const known = expectedCells.filter(value => value !== null);
    const { summary, count, nulls } = columnStatistics(column, time, selection);
    assert.deepEqual([count, nulls], [known.length, expectedCells.length - known.length], name);
    const sum = known.reduce((total, value) => total + value, 0n);
    const mwh = calculateEnergy(power, summary?.sum ?? 0, count, getRowDuration(time, hourMs));
    if (known.length === 0) {
      assert.equal(mwh, undefined);
      continue;
    }
    assert.deepEqual(mwh, { mwh: Number(sum) / 1000, hours: known.length }, name);
    const ascending = known.toSorted((a, b) => (a < b ? -1 : 1));
    assert.equal(summary?.min.value, toMegawatts(ascending[0] ?? null));
    assert.equal(summary.max.value, toMegawatts(ascending.at(-1) ?? null));
    const layer = plot.layers.find(({ column: layerColumn }) => layerColumn === name);
    if (layer) compared.layers++;
    for (const row of layer ? selection : []) {
      const value = layer?.values[points.get(rows[row]?.hour ?? NaN) ?? -1] ?? NaN;
      assert.equal(Number.isNaN(value) ? null : value, toMegawatts(expected[row]?.[key] ?? null), name);
    }
  }
  if (plot.totalLabel !== 'Total generation and net import') return;
  compared.totals++;
  const formatter = new PlotFormatter(plot, 'en');
  for (const row of selection) {
    const shortText =
      formatTotal(plot, formatter, points.get(rows[row]?.hour ?? NaN) ?? -1)?.shortText ?? '(incomplete)';
    const total = toMegawatts(expected[row]?.generationAndImport ?? null);
    if (total === null) assert.match(shortText, /\(incomplete\)$/);
    else assert.equal(Number(shortText.replaceAll(',', '')), total);
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

describe('the generation mix in statistics, chart and legend', () => {
  it('equals exact arithmetic over any rows with nulls', () => {
    fc.assert(
      fc.property(
        fc.array(hour, { minLength: 1, maxLength: 30 }),
        fc.infiniteStream(fc.boolean()),
        (cells, isSelected) => {
          // Every third hour is missing.
          const rows = cells.map((values, index): Row => ({ ...values, hour: index + Math.floor(index / 2) }));
          const selection = Uint32Array.from([...rows.keys()].filter(() => isSelected.next().value));
          if (selection.length > 0) assertAgrees(rows, selection);
        },
      ),
      { numRuns: scaleRunCount(300) },
    );
    assert.ok(compared.layers > 50 && compared.totals > 20, JSON.stringify(compared));
  });

  const file = findSharedFile('data', 'eskom-hourly-2022-06_2024-03.csv');
  (file ? it : it.skip)(`equals exact arithmetic over real hours${file ? '' : ' (the data file is missing)'}`, () => {
    const allRows = readRows(file ?? '');
    const rows = allRows.slice(0, scaleRunCount(allRows.length));
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

/** Reads the hours of the portal's file as a service publishes them: with the renewable share, but without pumped storage and IPP turbines. */
function readRows(file: string): Row[] {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/);
  const columnIndexes = Object.entries(titles).map(
    ([name, title]) => [name, header.split(',').indexOf(title)] as const,
  );
  for (const [name, columnIndex] of columnIndexes) assert.ok(columnIndex >= 0, name);
  return lines.map((line, hour): Row => {
    const cells = line.split(',');
    const row = Object.fromEntries(
      columnIndexes.map(([name, columnIndex]): [string, Cell] => [name, parseThousandths(cells[columnIndex] ?? '')]),
    );
    const parts = [...sources, 'pumped', 'turbines', 'total_re_mw'].map(name => row[name] ?? null);
    const total = parts.includes(null) ? 0n : (parts as bigint[]).reduce((sum, value) => sum + value, 0n);
    const renewable = row['total_re_mw'] ?? 0n;
    return { ...row, renewable_share_pct: total > 0n ? (renewable * 100_000n + total / 2n) / total : null, hour };
  });
}

function parseThousandths(text: string): Cell {
  if (text.trim() === '') return null;
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,3}))?$/.exec(text) ?? assert.fail(text);
  const magnitude = BigInt(whole) * 1000n + BigInt(fraction.padEnd(3, '0'));
  return sign ? -magnitude : magnitude;
}
