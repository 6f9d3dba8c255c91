import assert from 'node:assert/strict';
import { hourCount } from '../../../../src/shared/units.ts';
import { createIncompleteShapes, createLayerShapes } from '../../../../src/presentation/chart/marks.ts';
import {
  describeFewHours,
  describeIncompleteStack,
  formatTotal,
} from '../../../../src/presentation/chart/incompleteMessages.ts';
import { describePoint } from '../../../../src/presentation/chart/readout.ts';
import { findIncompletePoints, stackParts } from '../../../../src/presentation/chart/stack.ts';
import { describeChart } from '../../../../src/presentation/chart/summary.ts';
import { PlotFormatter } from '../../../../src/presentation/chart/plotFormatter.ts';
import { dayMs, createFrame, hourMs, createRecordingSink, numbers, palette, createPlot, start } from './chartWorld.ts';

const thermal = numbers('thermal_mw', [10, 11, 12, null, 14, 15]);
const wind = numbers('wind_mw', [4, null, 4, null, null, 4]);
const imports = numbers('imports_mw', [1, 1, -2, null, 1, 1]);
const frame = createFrame([thermal, wind, imports]);
const mix = createPlot(frame, { mode: 'mix' });
const formatter = new PlotFormatter(mix, 'en');
const edges = (pair: readonly Float64Array[] | undefined): number[][] | undefined =>
  pair?.map(edge => Array.from(edge));

describe('a stack with a missing source', () => {
  const parts = [thermal, wind, imports].map(({ values, gaps }) =>
    values.map((value, row) => (gaps?.[row] ? NaN : value)),
  );

  it('interrupts only the missing source, and stacks the sources above on the known ones', () => {
    const [under, missing, over] = stackParts(parts);
    assert.deepEqual(edges(under?.above), [
      [0, 0, 0, NaN, 0, 0],
      [10, 11, 12, NaN, 14, 15],
    ]);
    assert.deepEqual(edges(missing?.above), [
      [10, NaN, 12, NaN, NaN, 15],
      [14, NaN, 16, NaN, NaN, 19],
    ]);
    assert.deepEqual(edges(over?.above), [
      [14, 11, 16, NaN, 14, 19],
      [15, 12, 16, NaN, 15, 20],
    ]);
    assert.deepEqual(edges(over?.below), [
      [0, 0, -2, NaN, 0, 0],
      [0, 0, 0, NaN, 0, 0],
    ]);
  });

  it('marks an hour without some sources as incomplete, and an hour without any as a gap', () => {
    assert.deepEqual(Array.from(findIncompletePoints(parts)), [1, 4]);
    assert.deepEqual(Array.from(findIncompletePoints([])), []);
    assert.deepEqual(Array.from(mix.incomplete), [1, 4]);
  });

  it('ignores missing values of a hidden source', () => {
    const plotWithoutWind = createPlot(frame, { mode: 'mix', hidden: ['wind_mw'] });
    assert.equal(plotWithoutWind.incomplete.length, 0);
    assert.equal(describeIncompleteStack(plotWithoutWind, new PlotFormatter(plotWithoutWind, 'en')), undefined);
  });
});

describe('the stripes over incomplete data', () => {
  const box = { x: 0, y: 0, width: 50, height: 8 };
  const toX = (instant: number): number => ((instant - start) / hourMs) * 10;
  const traceStripes = (plot: typeof mix, width: (instant: number) => number = toX): string[][] =>
    createIncompleteShapes(plot, { box, toX: width }, palette).map(shape => {
      const sink = createRecordingSink();
      if (shape.kind === 'path') shape.trace(sink);
      return sink.commands.filter(command => command !== 'Z');
    });

  it('extends stripes along the slopes to the neighbors', () => {
    assert.deepEqual(traceStripes(mix), [['M0,0', 'L20,0', 'L20,8', 'L0,8', 'M30,0', 'L50,0', 'L50,8', 'L30,8']]);
  });

  it('covers the day of a daily value with stripes, as a row of marks where days are narrow', () => {
    const days = Array.from({ length: 6 }, (_, day) => start + day * dayMs);
    const daily = createPlot(createFrame([thermal, wind, imports], days), { mode: 'mix' }, { intervalMs: dayMs });
    const traceDays = (pixels: number) => traceStripes(daily, instant => ((instant - start) / dayMs) * pixels);
    assert.deepEqual(traceDays(5), [['M5,0', 'L10,0', 'L10,8', 'L5,8', 'M20,0', 'L25,0', 'L25,8', 'L20,8']]);
    // Both are widened to two pixels.
    assert.deepEqual(traceDays(1), [['M0.5,0', 'L2.5,0', 'L2.5,6', 'L0.5,6', 'M3.5,0', 'L5.5,0', 'L5.5,6', 'L3.5,6']]);
  });

  it('joins touching stripes, and draws none when nothing is missing', () => {
    assert.deepEqual(
      traceStripes(mix, instant => toX(instant) / 10),
      [['M0,0', 'L5,0', 'L5,6', 'L0,6']],
    );
    assert.deepEqual(traceStripes(createPlot(createFrame([thermal]))), []);
  });
});

describe('the texts about incomplete data', () => {
  it('describes how often and which sources are missing, over the plot', () => {
    assert.equal(
      describeIncompleteStack(mix, formatter),
      'Generation is incomplete at 2 hours (marked): no value for Wind.',
    );
  });

  it('describes when sources are missing, in the summary of the window', () => {
    const summary = describeChart(mix, formatter, mix.domain);
    assert.equal(
      summary[2],
      'Generation is incomplete at 2 hours: Wind missing at 01 May 01:00 UTC, 01 May 04:00 UTC.',
    );
    assert.match(summary[3] ?? '', /^Thermal, MW: .* 1 gap\. Energy 62 MWh · Share 81\.6 % · Load factor 0\.83\.$/);
    assert.match(summary[4] ?? '', /^Wind, MW: .* 2 gaps\. Energy 12 MWh/);
    const early = { start, end: start + 2 * hourMs };
    assert.equal(
      describeChart(mix, formatter, early)[2],
      'Generation is incomplete at 1 hour: Wind missing at 01 May 01:00 UTC.',
    );
    assert.match(
      describeChart(mix, formatter, { start: start + 2 * hourMs, end: start + 3 * hourMs })[2] ?? '',
      /^Thermal/,
    );
  });

  it('summarizes many incomplete hours by their number, the first and the last', () => {
    const incompletePlot = createPlot(
      createFrame([
        numbers('thermal_mw', [1, 1, 1, 1, 1]),
        numbers('pv_mw', [null, null, null, null, 1]),
        numbers('wind_mw', [1, null, 1, 1, 1]),
      ]),
      { mode: 'mix' },
    );
    assert.equal(
      describeChart(incompletePlot, new PlotFormatter(incompletePlot, 'en'), incompletePlot.domain)[2],
      'Generation is incomplete at 4 hours: PV missing at 4 hours between 01 May 00:00 UTC and 01 May 03:00 UTC; Wind missing at 01 May 01:00 UTC.',
    );
  });

  it('shows the total with its missing sources, and none when nothing is known', () => {
    assert.deepEqual(formatTotal(mix, formatter, 2), { shortText: '14', sentence: 'Sum of the values shown 14 MW' });
    assert.deepEqual(formatTotal(mix, formatter, 1), {
      shortText: '12 (incomplete)',
      sentence: 'Sum of the values shown without Wind 12 MW',
    });
    assert.equal(formatTotal(mix, formatter, 3), undefined);
    assert.equal(formatTotal(createPlot(frame), formatter, 1), undefined);
    assert.match(describePoint(mix, formatter, 1), /Wind no value.*, Sum of the values shown without Wind 12 MW$/);
  });
});

describe('the marks for too few hours', () => {
  const hours = numbers('hours', [24, 17, 18, 0], hourCount);
  const ofHours = numbers('of_hours', [24, 24, 24, 24], hourCount);
  const days = Array.from({ length: 4 }, (_, day) => start + day * dayMs);
  const counted = createFrame([numbers('wind_mw', [5, 6, 7, null]), hours, ofHours], days);
  const createDailyPlot = (minCoverage: number | undefined) =>
    createPlot(counted, { columns: ['wind_mw'] }, { intervalMs: dayMs, minCoverage, isResampled: true });
  const plot = createDailyPlot(0.75);
  const dayFormatter = new PlotFormatter(plot, 'en');

  it('marks displayed rows below the minimum coverage, in charts over time only', () => {
    assert.deepEqual(Array.from(plot.fewHours.points), [1, 3]);
    assert.deepEqual(Array.from(createDailyPlot(1).fewHours.points), [1, 2, 3]);
    assert.equal(createDailyPlot(undefined).fewHours.points.length, 0);
    const filtered = createPlot(
      counted,
      {},
      { intervalMs: dayMs, minCoverage: 0.75, isResampled: true, rows: Uint32Array.of(0, 3) },
    );
    assert.deepEqual(
      Array.from(filtered.fewHours.points, point => filtered.timeline.rows?.[point]),
      [3],
    );
    const duration = createPlot(
      counted,
      { mode: 'duration' },
      { intervalMs: dayMs, minCoverage: 0.75, isResampled: true },
    );
    assert.equal(duration.fewHours.points.length, 0);
    assert.match(duration.caption ?? '', / 2 of 4 rows drawn have data for less than 75 % of their hours\.$/);
  });

  it('draws marks at the bottom that are as wide as their days', () => {
    const box = { x: 0, y: 0, width: 40, height: 50 };
    const plotFrame = { box, window: plot.domain, axes: [{ min: 0, max: 10, ticks: [], decimals: 0 }] };
    const sink = createRecordingSink();
    const [clip] = createLayerShapes(plot, plotFrame, palette);
    for (const shape of clip?.kind === 'clip' ? clip.shapes : [])
      if (shape.kind === 'path' && shape.fill?.hatch) shape.trace(sink);
    const marks = ['M10,44', 'L20,44', 'L20,50', 'L10,50', 'Z', 'M30,44', 'L40,44', 'L40,50', 'L30,50', 'Z'];
    assert.deepEqual(sink.commands, marks);
  });

  it('counts marked rows above the plot, and describes them in the summary and at the crosshair', () => {
    assert.equal(describeFewHours(plot, dayFormatter), '2 days: data for less than 75 % of the hours (marked).');
    assert.equal(
      describeFewHours(createDailyPlot(0.1), dayFormatter),
      '1 day: data for less than 10 % of the hours (marked).',
    );
    assert.equal(describeFewHours(createDailyPlot(0), dayFormatter), undefined);
    const sentence = '02 May UTC, 04 May UTC: data for less than 75 % of the hours.';
    assert.equal(describeChart(plot, dayFormatter, plot.domain)[1], sentence);
    assert.ok(
      !describeChart(plot, dayFormatter, { start, end: start + dayMs / 2 })
        .join()
        .includes('75 %'),
    );
    assert.equal(describePoint(plot, dayFormatter, 1), '02 May UTC: Wind 6 MW, Few hours');
    assert.equal(describePoint(plot, dayFormatter, 2), '03 May UTC: Wind 7 MW');
  });
});
