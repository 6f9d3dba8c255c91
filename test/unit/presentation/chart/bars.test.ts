import assert from 'node:assert/strict';
import { createTableState } from '../../../support/tableState.ts';
import { Analyzer } from '../../../../src/core/analysis/analyze.ts';
import { listComparedPairs, compareFrames } from '../../../../src/core/compare/compareFrames.ts';
import { createDisplayedChart, tabulateChart } from '../../../../src/presentation/chart/displayedChart.ts';
import { buildPlot } from '../../../../src/presentation/chart/buildPlot.ts';
import { computeDisplayedResult } from '../../../../src/presentation/result/displayedRows.ts';
import { translate } from '../../../../src/presentation/translate.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { initialView, type View } from '../../../../src/shared/view.ts';
import type { BinSize } from '../../../../src/shared/resampling.ts';
import { power } from '../../../../src/shared/units.ts';
import { PlotFormatter } from '../../../../src/presentation/chart/plotFormatter.ts';
import { computeWindowFigures } from '../../../../src/presentation/chart/windowFigures.ts';
import { createLayerShapes } from '../../../../src/presentation/chart/marks.ts';
import type { ChartLimit } from '../../../../src/presentation/chart/chartModel.ts';
import { createFrame, hourMs, numbers, otherUnit, palette, start } from './chartWorld.ts';

const hours = [...Array(72).keys()];
const wave = (base: number) => hours.map(hour => base + (hour % 24));
/** The wind power of three days, with no value in two hours of the second day. */
const windMw = wave(1_000).map((mw, hour) => (hour === 30 || hour === 31 ? null : mw));
const hourly = createFrame([
  numbers('thermal_mw', wave(18_000)),
  numbers('wind_mw', windMw),
  numbers('pv_mw', wave(500)),
]);

function createChart(frame: Frame, change: Partial<View>) {
  const state = createTableState(frame, { start, compared: listComparedPairs(frame) });
  const view = { ...initialView, tab: 'chart', ...change } as const;
  const { model, options } = createDisplayedChart(
    computeDisplayedResult(new Analyzer({ locale: 'en', translate }), state, view),
    view,
    'en',
  );
  const plot = buildPlot(model, options);
  assert.ok(plot);
  return { plot, numbers: tabulateChart(model, options) };
}

const createMixOptions = (picked: Record<string, string> = {}) => ({ mode: 'mix', columns: [], hidden: [], picked });

describe('a bar chart of resampled rows', () => {
  const sumDay = (values: readonly (number | null)[], day: number): number =>
    values.slice(day * 24, (day + 1) * 24).reduce<number>((sum, value) => sum + (value ?? 0), 0);

  it('shows the energy of each source of a mix over the hours that have a value', () => {
    for (const binFigures of [undefined, 'energy', 'mean'] as const) {
      const { plot, numbers: chartTable } = createChart(hourly, {
        resample: 'day',
        binFigures,
        chart: createMixOptions(),
      });
      assert.equal(plot.axes[0]?.unit, 'GWh');
      const getEnergies = (name: string) => plot.layers.find(({ column }) => column === name)?.values ?? [];
      const assertEnergies = (name: string, values: readonly (number | null)[]) =>
        [0, 1, 2].forEach(day =>
          assert.ok(Math.abs((getEnergies(name)[day] ?? NaN) - sumDay(values, day) / 1e3) < 1e-9, `${name}, ${day}`),
        );
      assertEnergies('thermal_mw', wave(18_000));
      assertEnergies('wind_mw', windMw);
      const wind = chartTable?.columns.find(({ name }) => name === 'wind_mw');
      assert.deepEqual(wind?.field?.unit, { kind: 'energy', text: 'GWh' });
      assert.ok(plot.layers.every(({ bar }) => bar?.count === 1));
    }
  });

  it('offers energy bars for a resampled mix, but not for an hourly mix', () => {
    const { plot } = createChart(hourly, { resample: 'day', chart: createMixOptions({ 'mix.scale': 'power' }) });
    assert.deepEqual([plot.axes[0]?.unit, plot.layers.some(({ bar }) => bar)], ['MW', false]);
    const ids = (chart: typeof plot) => chart.axisChoices.flatMap(({ options }) => options.map(({ id }) => id));
    assert.deepEqual(ids(plot), ['energy', 'power', 'percent']);
    assert.deepEqual(ids(createChart(hourly, { chart: createMixOptions() }).plot), ['power', 'percent']);
  });

  it('explains the bars in a tooltip, with the number of hours if some are missing', () => {
    const presentHours = hours.filter(hour => hour < 50 || hour > 54);
    const incompleteFrame = createFrame(
      ['thermal_mw', 'wind_mw', 'pv_mw'].map(name => numbers(name, Array(67).fill(1_000) as number[])),
      presentHours.map(hour => start + hour * hourMs),
    );
    const { plot } = createChart(incompleteFrame, { resample: 'day', chart: createMixOptions() });
    const formatter = new PlotFormatter(plot, 'en');
    assert.deepEqual(
      [1, 2].map(point => formatter.formatPointTime(point)),
      ['02 May UTC', '03 May UTC, 19 of 24 hours'],
    );
    assert.equal(plot.layers[0]?.help, 'Thermal. Energy of the hours that have a value');
    assert.equal([...computeWindowFigures(plot, plot.domain).values()][0]?.peak, undefined);
  });

  it('offers no energy bars for rows that summarize a recurring weekday', () => {
    const { plot } = createChart(hourly, { resample: 'weekday', chart: createMixOptions() });
    assert.deepEqual(
      plot.axisChoices.flatMap(({ options }) => options.map(({ id }) => id)),
      ['power', 'percent'],
    );
  });

  it('draws bars on the left axis only, and keeps the peak hour of each day', () => {
    const frame = createFrame([numbers('a_mw', wave(100), power), numbers('b_hz', wave(1), otherUnit('Hz'))]);
    const chart = { mode: 'lines', columns: ['a_mw', 'b_hz'], hidden: [], picked: { 'lines.as': 'bars' } };
    const { plot } = createChart(frame, { resample: 'day', chart });
    assert.deepEqual(
      plot.layers.map(({ kind, axis, bar }) => [kind, axis, bar?.count]),
      [
        ['bars', 0, 1],
        ['line', 1, undefined],
      ],
    );
    assert.equal([...computeWindowFigures(plot, plot.domain).values()][0]?.peak, 123);
  });

  it('draws a stepped area if each bar would be only a few pixels wide', () => {
    const { plot } = createChart(hourly, { resample: 'day', chart: createMixOptions() });
    const countBoxes = (width: number): number => {
      const frame = {
        box: { x: 0, y: 0, width, height: 100 },
        window: plot.domain,
        axes: [{ min: 0, max: 500, ticks: [], decimals: 0 }],
      };
      const [clip] = createLayerShapes(plot, frame, palette).filter(shape => shape.kind === 'clip');
      let count = 0;
      const sink = { moveTo() {}, lineTo() {}, closePath() {}, rect: () => void count++ };
      for (const shape of clip?.kind === 'clip' ? clip.shapes : [])
        if (shape.kind === 'path' && shape.fill) shape.trace(sink);
      return count;
    };
    assert.deepEqual([countBoxes(300), countBoxes(9)], [9, 0]);
  });

  it('converts a limit to the unit of energy of the bars', () => {
    const convertLimit = (limit: ChartLimit) =>
      createChart(hourly, { resample: 'day', chart: { ...createMixOptions(), limit } }).plot.limit;
    assert.deepEqual(
      [
        { value: 450_000, unit: 'MWh' },
        { value: 450, unit: 'GWh' },
        { value: 0.45, unit: 'TWh' },
        { value: 450, unit: 'MW' },
      ].map(convertLimit),
      [450, 450, 450, undefined],
    );
  });

  it('draws bars side by side, each after the paler bar of the compared period, without space for hidden columns', () => {
    const base = { start, end: start + 72 * hourMs };
    const other = { start: start - 72 * hourMs, end: start };
    const columns = [numbers('a_mw', wave(100), power), numbers('b_mw', wave(50), power)];
    const comparedFrame = createFrame(
      columns.slice(0, 1),
      hours.map(hour => other.start + hour * hourMs),
    );
    const options = {
      base,
      other,
      align: 'position',
      intervalMs: hourMs,
      timeZone: 'UTC',
      comparedWith: 'before',
      translate,
    } as const;
    const frame = compareFrames(createFrame(columns), comparedFrame, options);
    const listBars = (hidden: readonly string[]) => {
      const chart = { mode: 'lines', columns: ['a_mw', 'b_mw'], hidden, picked: { 'lines.as': 'bars' } };
      const { plot } = createChart(frame, { resample: 'day', chart });
      assert.equal(plot.axes[0]?.zero, true);
      return plot.layers
        .filter(layer => !layer.hidden)
        .map(({ column, bar, style }) => [column, bar?.index, bar?.count, style.isPale]);
    };
    assert.deepEqual(listBars([]), [
      ['a_mw · compared', 0, 3, true],
      ['a_mw', 1, 3, undefined],
      ['b_mw', 2, 3, undefined],
    ]);
    assert.deepEqual(listBars(['a_mw']), [['b_mw', 0, 1, undefined]]);
    const chart = { mode: 'lines', columns: ['a_mw'], hidden: [], picked: { 'lines.as': 'bars' } };
    const labels = (resample: BinSize) => createChart(frame, { resample, chart }).plot.layers.map(({ label }) => label);
    assert.deepEqual(labels('day'), ['a_mw · 28 Apr – 30 Apr', 'a_mw · 01 May – 03 May']);
    // The range of a label ends with the last whole row.
    assert.equal(labels('week')[1], 'a_mw · 27 Apr – 03 May');
  });
});
