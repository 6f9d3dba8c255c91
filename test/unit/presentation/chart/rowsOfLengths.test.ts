import assert from 'node:assert/strict';
import type { Frame } from '../../../../src/shared/frame.ts';
import { createTimeColumnFormat } from '../../../../src/presentation/columns/timeColumnFormat.ts';
import { createTimeline } from '../../../../src/presentation/chart/timeline.ts';
import { computeWindowFigures } from '../../../../src/presentation/chart/windowFigures.ts';
import type { ChartModel } from '../../../../src/presentation/chart/chartModel.ts';
import { findTimeColumn } from '../../../../src/core/frame/clip.ts';
import { dayMs, createFile, hourMs, minuteMs, createRows, start } from '../../core/dataFile/fileOfLengths.ts';
import { moneyRate } from '../../../../src/shared/units.ts';
import { deriveColumns } from '../../../../src/core/formula/deriveColumns.ts';
import { numberColumn } from '../../core/filter/columns.ts';
import { createPlot } from './chartWorld.ts';

const rowsOfTwoLengths = createRows([24, 60, 1_000], [96, 15, 2_000]);
const fileModel = { intervalMs: undefined, start };

const getTimeColumn = (frame: Frame) => findTimeColumn(frame) ?? assert.fail();
const createModePlot = (frame: Frame, mode: string, picked = {}, model: Partial<ChartModel> = {}) =>
  createPlot(frame, { mode, picked }, { ...fileModel, ...model });

describe('a chart of rows with different lengths', () => {
  it('interrupts lines if rows are missing, but not between longer rows', () => {
    const { frame } = createFile(rowsOfTwoLengths);
    assert.deepEqual(createTimeline(getTimeColumn(frame), 120).x.length, 120);
    const gaps = createFile(rowsOfTwoLengths.filter((_, row) => row !== 5 && row !== 40)).frame;
    const { x, rows } = createTimeline(getTimeColumn(gaps), 118);
    const breaks = Array.from(rows ?? []).flatMap((row, point) => (row < 0 ? [x[point]] : []));
    assert.deepEqual(breaks, [start + 5 * hourMs, start + dayMs + 16 * 15 * minuteMs]);
  });

  it('weights rows by their length in the energy and the load factor of the legend', () => {
    const { frame } = createFile(rowsOfTwoLengths);
    const plot = createModePlot(frame, 'lines');
    const [wholeFigures] = [...computeWindowFigures(plot, plot.domain).values()];
    assert.deepEqual([wholeFigures?.energy, wholeFigures?.peak, wholeFigures?.loadFactor], [72_000, 2_000, 0.75]);
    const window = { start: start + 23 * hourMs, end: start + dayMs + 30 * minuteMs };
    const [windowFigures] = [...computeWindowFigures(plot, { ...window, end: window.end - 1 }).values()];
    assert.equal(windowFigures?.energy, 2_000);
  });

  it('weights rows by their length in the shares of the generation mix', () => {
    const createColumn = (name: string, mw: readonly [number, number]) =>
      numberColumn(
        name,
        rowsOfTwoLengths.map(({ minutes }) => (minutes === 60 ? mw[0] : mw[1])),
      );
    const { frame } = createFile(rowsOfTwoLengths, [
      createColumn('thermal_mw', [3_000, 1_000]),
      createColumn('nuclear_mw', [2_000, 2_000]),
      createColumn('wind_mw', [0, 4_000]),
    ]);
    const plot = createModePlot(frame, 'mix');
    const figures = Array.from(computeWindowFigures(plot, plot.domain), ([layer, { energy, share }]) => [
      layer.column,
      energy,
      share,
    ]);
    assert.deepEqual(
      new Set(figures.map(figure => figure.join(' '))),
      new Set([
        'thermal_mw 96000 0.3333333333333333',
        'nuclear_mw 96000 0.3333333333333333',
        'wind_mw 96000 0.3333333333333333',
      ]),
    );
  });

  it('shows the mean of each hour in heatmap cells, and the part of the hour with data', () => {
    const rows = createRows([24, 60, 1_000], [96, 15, 2_000]).map((row, index) => ({
      ...row,
      mw: index === 24 ? 1_000 : row.mw,
    }));
    const { frame } = createFile(rows.filter((_, row) => row !== 25));
    const { cells } = createModePlot(frame, 'heatmap');
    assert.deepEqual([...(cells?.values.subarray(0, 24) ?? [])], Array<number>(24).fill(1_000));
    assert.deepEqual(cells?.values[24], (1_000 + 2 * 2_000) / 3);
    assert.deepEqual([cells.hours?.known[23], cells.hours?.known[24], cells.hours?.total[24]], [1, 0.75, 1]);
    const monthCells = createModePlot(frame, 'heatmap', { 'heatmap.across': 'monthOfYear' }).cells;
    // These are the hours from 01:00 to 02:00 of both days, which are in different months.
    assert.deepEqual([monthCells?.values[8 * 24 + 1], monthCells?.values[9 * 24 + 1]], [1_000, 2_000]);
    const filtered = createModePlot(
      frame,
      'heatmap',
      {},
      { rows: Uint32Array.from({ length: 24 }, (_, row) => row) },
    ).cells;
    assert.deepEqual([filtered?.hours?.total[23], filtered?.hours?.known[23]], [1, 1]);
  });

  it('weights rows by their length in a duration curve', () => {
    const { layers } = createModePlot(createFile(rowsOfTwoLengths).frame, 'duration');
    const values = layers[0]?.values ?? new Float64Array();
    assert.equal(values.filter(value => value === 2_000).length / values.length, 0.5);
  });

  it('shows the mean of all days at each time of day in an overlay', () => {
    const { layers } = createModePlot(createFile(rowsOfTwoLengths).frame, 'overlay', { 'overlay.period': 'day' });
    const [mean] = layers;
    assert.deepEqual(new Set(mean?.values), new Set([1_500]));
    assert.equal(mean?.values.length, 96);
  });

  it('divides the sums of amounts in heatmap cells and overlays of rates, whatever the lengths of rows', () => {
    const rows = createRows([24, 60, 1_000], [96, 15, 2_000]);
    const price = numberColumn(
      'price',
      rows.map(({ minutes }) => (minutes === 60 ? 100 : 400)),
      moneyRate,
    );
    const { frame: fileFrame } = createFile(rows, [price]);
    const columns = [
      { name: 'cost', formula: 'mw * price' },
      { name: 'paid', formula: 'cost / mw' },
    ];
    const { columns: derived } = deriveColumns(fileFrame, { columns, intervalMs: 15 * minuteMs }).frame;
    const cost = derived.find(({ name }) => name === 'cost');
    assert.ok(cost?.kind === 'number');
    assert.deepEqual([cost.values[0], cost.values[24]], [100_000, 200_000]);
    const frame = { ...fileFrame, columns: derived };
    const { cells } = createModePlot(frame, 'heatmap', { 'heatmap.column': 'paid', 'heatmap.across': 'monthOfYear' });
    assert.deepEqual([cells?.values[8 * 24 + 1], cells?.values[9 * 24 + 1]], [100, 400]);
    const [mean] = createModePlot(frame, 'overlay', { 'overlay.column': 'paid', 'overlay.period': 'day' }).layers;
    // 1,000 MWh at 100 R/MWh and 2,000 MWh at 400 R/MWh.
    assert.deepEqual([...new Set(mean?.values)], [300]);
    assert.equal(mean?.label, 'Mean of 2');
  });

  it('has the end of each row according to its length', () => {
    const { frame } = createFile(rowsOfTwoLengths);
    const { getEnd, interval } = createTimeColumnFormat(
      getTimeColumn(frame),
      120,
      'en',
      { timeZone: 'UTC', label: 'UTC' },
      undefined,
    );
    assert.equal(getEnd(start + 23 * hourMs), start + dayMs);
    assert.equal(getEnd(start + dayMs), start + dayMs + 15 * minuteMs);
    assert.equal(interval, 'other');
  });
});
